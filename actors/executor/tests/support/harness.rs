//! The actor in a tree, with a screen that a test scripts and the real rules of understanding.

use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use luna_actor_executor::{ExecutorActor, ExecutorDependencies};
use luna_actor_runtime::blocking::BlockingService;
use luna_actor_runtime::{Inbox, InboxSettings, RestartPolicy, SupervisionTree};
use luna_executor::events::ExecutorSettings;
use luna_executor::rules::CommandRules;
use luna_messages::bus::BusEvent;
use luna_messages::candidate::Candidate;
use luna_messages::element_action::{ActionableElement, Capacity, ElementAction, WindowElements};
use luna_messages::executor::{ExecutorMessage, OrderReport, OrderSource, SpokenOrder};
use luna_messages::focus::ReflexMessage;
use luna_messages::language_tasks::LanguageTaskMessage;
use luna_messages::listening::ListeningMessage;
use luna_messages::pick::{Element, Role, WindowInfo};
use luna_messages::tts::{SpeechEvent, SpokenNotice, TtsMessage};
use luna_messages::understanding::{Interpretation, ParsedCommand, TargetMatch, UtteranceInput};
use luna_messages::{ElementId, Lang, NoReply, Rect, RequestId};
use luna_nlu::offered::offered_all;
use luna_nlu::{Understanding, Vocabulary};
use luna_platform::accessibility::actions::StopEpoch;
use luna_platform::accessibility::fault::ScriptedActions;
use luna_platform::capture::null::NoCapture;
use luna_platform::desktop::fault::ScriptedDesktop;
use luna_platform::hot_key::null::NoHotKeys;
use luna_platform::input::fault::ScriptedInput;
use luna_platform::programs::null::NoPrograms;
use tokio::sync::oneshot;

/// How long anything may take on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(20);
/// The only window.
pub const WINDOW: u64 = 1;

struct RealRules(Understanding);

impl CommandRules for RealRules {
    fn understand(&self, utterance: &str, asking: bool, candidates: &[Candidate]) -> Interpretation {
        let candidates = Some(offered_all(candidates));
        self.0.understand(&UtteranceInput { utterance: utterance.to_owned(), asking, candidates, speaking: false })
    }

    fn resolve(&self, step: &ParsedCommand, candidates: &[Candidate]) -> TargetMatch {
        self.0.resolve(step, &offered_all(candidates))
    }

    fn is_dangerous(&self, text: &str) -> bool {
        self.0.is_dangerous(text)
    }

    fn is_dangerous_title(&self, title: &str) -> bool {
        self.0.is_dangerous_title(title)
    }

    fn number_said(&self, text: &str) -> Option<i64> {
        self.0.number_said(text)
    }

    fn is_yes(&self, utterance: &str) -> bool {
        self.0.is_plain_yes(utterance)
    }
}

/// A button that is as tall as a line, one below the other.
pub fn button(id: &str, label: &str) -> ActionableElement {
    let line = i32::try_from(id.len()).unwrap() * 40;
    let element = Element::new(ElementId(id.to_owned()), Role::Button, label, Rect::new(10, line, 80, 30));
    ActionableElement { element, capacities: [Capacity::Press].into_iter().collect(), protected: false }
}

pub struct ExecutorHarness {
    pub screen: ScriptedActions,
    pub input: ScriptedInput,
    pub desktop: ScriptedDesktop,
    pub inbox: Inbox<ExecutorMessage>,
    pub tts: Inbox<TtsMessage>,
    pub reflex: Inbox<ReflexMessage>,
    pub listening: Inbox<ListeningMessage>,
    pub language_tasks: Inbox<LanguageTaskMessage>,
    pub stops: StopEpoch,
    pub events: Arc<Mutex<Vec<BusEvent>>>,
    _tree: SupervisionTree,
}

impl ExecutorHarness {
    pub fn new(elements: Vec<ActionableElement>) -> Self {
        Self::built(elements, false)
    }

    /// With a language model that is asked what the rules leave open; the test answers for it.
    pub fn with_model(elements: Vec<ActionableElement>) -> Self {
        Self::built(elements, true)
    }

    /// What the model is asked next.
    pub async fn model_request(&self) -> LanguageTaskMessage {
        let asked = async {
            loop {
                if let Some(message) = self.language_tasks.take_all().into_iter().next() {
                    return message;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(PATIENCE, asked).await.expect("the model is asked")
    }

    fn built(elements: Vec<ActionableElement>, asks_model: bool) -> Self {
        static RULES: LazyLock<Arc<RealRules>> =
            LazyLock::new(|| Arc::new(RealRules(Understanding::new(&Vocabulary::default()))));
        let (screen, input) = (ScriptedActions::default(), ScriptedInput::default());
        let desktop = ScriptedDesktop::default();
        let bounds = Rect::new(0, 0, 800, 600);
        screen.set_windows(vec![WindowInfo { handle: WINDOW, process: 1, title: "Window".to_owned(), bounds }]);
        screen.set_elements(WINDOW, WindowElements { elements, is_complete: true, ..WindowElements::default() });
        let events: Arc<Mutex<Vec<BusEvent>>> = Arc::default();
        let (publish, stops) = (events.clone(), StopEpoch::default());
        let dependencies = ExecutorDependencies {
            actions: Arc::new(screen.clone()),
            input: BlockingService::new("input", Duration::from_secs(1), Arc::new(input.clone())),
            desktop: BlockingService::new("desktop", Duration::from_secs(1), Arc::new(desktop.clone())),
            programs: BlockingService::new("programs", Duration::from_secs(1), Arc::new(NoPrograms)),
            screen: BlockingService::new("screen", Duration::from_secs(1), Arc::new(NoCapture)),
            keys: BlockingService::new("keys", Duration::from_secs(1), Arc::new(NoHotKeys)),
            stops: stops.clone(),
            rules: Arc::new(|| Some(RULES.clone() as Arc<dyn CommandRules + Send + Sync>)),
            tts: Inbox::new("tts", InboxSettings::default()),
            reflex: Inbox::new("reflex", InboxSettings::default()),
            focus: Inbox::new("focus", InboxSettings::default()),
            listening: Inbox::new("listening", InboxSettings::default()),
            language_tasks: Inbox::new("mind", InboxSettings::default()),
            publish: Arc::new(move |event| publish.lock().unwrap().push(event)),
            settings: Arc::new(move || ExecutorSettings {
                lang: Lang::Ko,
                tree_first: true,
                coord_fallback: true,
                confirm_on_danger: true,
                confirming_call: Some("루나".to_owned()),
                confirm_timeout: Duration::from_secs(8),
                asks_model,
            }),
        };
        let inbox = Inbox::new("executor", InboxSettings::default());
        let tree = SupervisionTree::new(Arc::new(|_| {}));
        let (tts, reflex) = (dependencies.tts.clone(), dependencies.reflex.clone());
        let (listening, language_tasks) = (dependencies.listening.clone(), dependencies.language_tasks.clone());
        tree.add(RestartPolicy::default(), inbox.clone(), move || ExecutorActor::new(dependencies.clone()));
        Self { screen, input, desktop, inbox, tts, reflex, listening, language_tasks, stops, events, _tree: tree }
    }

    /// Gives an order; the receiver gets its report.
    pub fn order(
        &self,
        utterance: &str,
        source: OrderSource,
    ) -> (RequestId, oneshot::Receiver<Result<OrderReport, NoReply>>) {
        let (reply, report) = luna_test_support::reply();
        let id = RequestId::next();
        let called = utterance.contains("루나");
        let order = SpokenOrder { id, utterance: utterance.to_owned(), source, called, overlaps_playback: false };
        self.inbox.post(ExecutorMessage::Order { order, reply }).expect("it is taken");
        (id, report)
    }

    /// Gives an order and waits for its report.
    pub async fn report(&self, utterance: &str, source: OrderSource) -> OrderReport {
        let (_, report) = self.order(utterance, source);
        tokio::time::timeout(PATIENCE, report).await.expect("in time").expect("an answer").expect("a report")
    }

    /// The next sentence that Luna is to say.
    pub async fn says(&self) -> SpokenNotice {
        let said = async {
            loop {
                for message in self.tts.take_all() {
                    if let TtsMessage::Say(notice) = message {
                        return notice;
                    }
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(PATIENCE, said).await.expect("Luna says something")
    }

    /// A sentence was spoken to its end.
    pub fn finish(&self, notice: &SpokenNotice) {
        let event = SpeechEvent::Finished { id: notice.id };
        self.inbox.post(ExecutorMessage::Speech(event)).expect("it is taken");
    }

    pub async fn wait(&self, what: &str, is: impl Fn(&Self) -> bool) {
        let until = tokio::time::Instant::now() + PATIENCE;
        while !is(self) {
            assert!(tokio::time::Instant::now() < until, "{what}: {:?}", self.events.lock().unwrap());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Ids of the elements that something was done to.
    pub fn done(&self) -> Vec<String> {
        self.screen.done().into_iter().map(|(id, _): (ElementId, ElementAction)| id.0).collect()
    }
}
