//! The actor in a tree, on a screen that a test scripts. The test itself is the Executor and the Ocr actor.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use luna_actor_runtime::blocking::BlockingService;
use luna_actor_runtime::{Inbox, InboxSettings, RestartPolicy, SupervisionTree};
use luna_actor_tools::{ShadowSettings, ToolsActor, ToolsDependencies};
use luna_messages::element_action::{ActionableElement, Capacity, WindowElements};
use luna_messages::executor::{ExecutorMessage, PermissionAnswer, PermissionRequest};
use luna_messages::image::Picture;
use luna_messages::ocr::{OcrBlock, OcrMessage, OcrResult, ScreenShot};
use luna_messages::pick::{Element, Role, ShownWindow, WindowInfo};
use luna_messages::tools::{ToolReport, ToolRequest, ToolsMessage};
use luna_messages::{ElementId, Lang, NoReply, Point, Rect, Reply, RequestId};
use luna_platform::accessibility::AtPoint;
use luna_platform::accessibility::actions::StopEpoch;
use luna_platform::accessibility::fault::{ScriptedAccessibility, ScriptedActions};
use luna_platform::input::fault::ScriptedInput;
use luna_platform::programs::fault::ScriptedPrograms;
use serde_json::Value;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep};

/// How long anything may take on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(20);
pub const WINDOW: u64 = 7;
/// Where the password is.
const SECRET: Rect = Rect::new(10, 90, 80, 30);

pub struct ToolsHarness {
    pub actions: ScriptedActions,
    pub input: ScriptedInput,
    pub programs: ScriptedPrograms,
    pub inbox: Inbox<ToolsMessage>,
    pub executor: Inbox<ExecutorMessage>,
    pub ocr: Inbox<OcrMessage>,
    /// How many texts were recognised, and pictures taken.
    pub recognitions: AtomicUsize,
    pub shots: AtomicUsize,
    pub stops: StopEpoch,
    _tree: SupervisionTree,
}

pub fn window() -> WindowInfo {
    WindowInfo { handle: WINDOW, process: 3, title: "Editor".to_owned(), bounds: Rect::new(0, 0, 800, 600) }
}

pub fn element(id: &str, role: Role, text: &str, label: &str, bbox: Rect) -> Element {
    let mut element = Element::new(ElementId(id.to_owned()), role, text, bbox);
    element.label = label.to_owned();
    element
}

/// A screen with a button, a dangerous one, and a password that somebody entered.
pub fn elements() -> Vec<Element> {
    vec![
        element("save", Role::Button, "저장", "", Rect::new(10, 10, 80, 30)),
        element("delete", Role::Button, "삭제", "", Rect::new(10, 50, 80, 30)),
        element("secret", Role::Protected, "hunter2", "비밀번호", SECRET),
    ]
}

/// A picture of a region that shows these lines, each text in a colour of its own.
fn picture(region: Rect, lines: &[(&str, Rect, f32)]) -> ScreenShot {
    let color = |x: i32, y: i32| {
        let shown = lines.iter().find(|(_, bbox, _)| bbox.contains(Point::new(x, y)));
        shown.map_or(255, |(text, bbox, _)| {
            let mut hasher = DefaultHasher::new();
            (text, bbox.x, bbox.y).hash(&mut hasher);
            u8::try_from(hasher.finish() % 255).unwrap()
        })
    };
    let (width, height) = (u32::try_from(region.width).unwrap(), u32::try_from(region.height).unwrap());
    let places = (region.y..region.bottom()).flat_map(|y| (region.x..region.right()).map(move |x| (x, y)));
    let rgb = places.flat_map(|(x, y)| [color(x, y); 3]).collect();
    ScreenShot { picture: Picture { width, height, rgb }, region }
}

impl ToolsHarness {
    pub fn new() -> Self {
        Self::on(elements())
    }

    pub fn on(elements: Vec<Element>) -> Self {
        let (actions, input) = (ScriptedActions::default(), ScriptedInput::default());
        let programs = ScriptedPrograms::default();
        actions.set_windows(vec![window()]);
        let listed = elements.iter().map(|element| ActionableElement {
            element: element.clone(),
            capacities: [Capacity::Press].into_iter().collect(),
            protected: element.role == Role::Protected,
        });
        let listed = WindowElements { elements: listed.collect(), is_complete: true, ..WindowElements::default() };
        actions.set_elements(WINDOW, listed);
        let at = |element: Element| match element.role {
            Role::Protected => (element.bbox, AtPoint::Protected(element)),
            _ => (element.bbox, AtPoint::Element(element)),
        };
        let accessibility = ScriptedAccessibility {
            windows: vec![window()],
            places: elements.into_iter().map(at).collect(),
            protected: vec![SECRET],
            shown: vec![ShownWindow { handle: WINDOW, bounds: window().bounds }],
            ..ScriptedAccessibility::default()
        };
        let stops = StopEpoch::default();
        let dependencies = ToolsDependencies {
            accessibility: Arc::new(accessibility),
            actions: Arc::new(actions.clone()),
            input: BlockingService::new("input", Duration::from_secs(5), Arc::new(input.clone())),
            programs: BlockingService::new("programs", Duration::from_secs(5), Arc::new(programs.clone())),
            ocr: Inbox::new("ocr", InboxSettings::default()),
            executor: Inbox::new("executor", InboxSettings::default()),
            stops: stops.clone(),
            shadow: ShadowSettings { lifetime: Duration::from_secs(60), purge_every: Duration::from_secs(60) },
        };
        let (executor, ocr) = (dependencies.executor.clone(), dependencies.ocr.clone());
        let inbox = Inbox::new("tools", InboxSettings::default());
        let tree = SupervisionTree::new(Arc::new(|_| {}));
        tree.add(RestartPolicy::default(), inbox.clone(), move || ToolsActor::new(dependencies.clone()));
        let (recognitions, shots) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Self { actions, input, programs, inbox, executor, ocr, recognitions, shots, stops, _tree: tree }
    }

    /// Calls a tool; the receiver gets what came of it.
    pub fn call(&self, tool: &str, arguments: Value) -> (RequestId, oneshot::Receiver<Result<ToolReport, NoReply>>) {
        let (reply, report) = luna_test_support::reply();
        let id = RequestId::next();
        let request = ToolRequest { id, tool: tool.to_owned(), arguments };
        self.inbox.post(ToolsMessage::Call { request, reply }).unwrap();
        (id, report)
    }

    /// The question of a call whether it may act. Pictures that are asked for meanwhile show `lines`.
    pub async fn question(&self, lines: &[(&str, Rect, f32)]) -> (PermissionRequest, Reply<PermissionAnswer>) {
        let until = Instant::now() + PATIENCE;
        loop {
            self.recognise(lines);
            for message in luna_test_support::drain(&self.executor) {
                if let ExecutorMessage::Permit { request, reply } = message {
                    return (request, reply);
                }
            }
            assert!(Instant::now() < until, "no question");
            sleep(Duration::from_millis(2)).await;
        }
    }

    /// Answers waiting recognitions with these lines, and pictures with one that shows them.
    pub fn recognise(&self, lines: &[(&str, Rect, f32)]) {
        for message in luna_test_support::drain(&self.ocr) {
            let (searched, reply) = match message {
                OcrMessage::Recognise { searched, reply } => (searched, reply),
                OcrMessage::Shot { searched, reply } => {
                    let shows_secret = !searched.region.intersection(SECRET).is_empty();
                    assert_eq!(!searched.hidden.is_empty(), shows_secret, "protected fields are hidden");
                    self.shots.fetch_add(1, Ordering::Relaxed);
                    reply.answer(Ok(picture(searched.region, lines)));
                    continue;
                }
                _ => continue,
            };
            self.recognitions.fetch_add(1, Ordering::Relaxed);
            assert!(!searched.hidden.is_empty(), "protected fields are hidden");
            let block = |(order, (text, bbox, confidence)): (usize, &(&str, Rect, f32))| OcrBlock {
                text: (*text).to_owned(),
                bbox: *bbox,
                confidence: *confidence,
                contrast: 1.0,
                order,
            };
            let blocks = lines.iter().enumerate().map(block).collect();
            let rows = Vec::new();
            reply.answer(Ok(OcrResult { blocks, rows, has_header: false, lang: Lang::Ko, low_quality: false }));
        }
    }

    /// Waits for the result of a call, with pictures as of [`Self::question`].
    pub async fn end(
        &self,
        mut report: oneshot::Receiver<Result<ToolReport, NoReply>>,
        lines: &[(&str, Rect, f32)],
    ) -> ToolReport {
        let until = Instant::now() + PATIENCE;
        loop {
            self.recognise(lines);
            match report.try_recv() {
                Ok(report) => return report.unwrap(),
                Err(oneshot::error::TryRecvError::Closed) => panic!("no answer"),
                Err(oneshot::error::TryRecvError::Empty) => {}
            }
            assert!(Instant::now() < until, "no result");
            sleep(Duration::from_millis(2)).await;
        }
    }
}
