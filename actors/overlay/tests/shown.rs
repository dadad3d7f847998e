//! The actor in a tree, with a display that a test scripts: what is published comes to be shown (OVL).
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use luna_actor_overlay::{OverlayActor, OverlayActorSettings, OverlayDependencies};
use luna_actor_runtime::blocking::BlockingService;
use luna_actor_runtime::{Inbox, InboxSettings, RestartPolicy, SupervisionTree};
use luna_messages::element_action::{CaretState, ElementState};
use luna_messages::image::Picture;
use luna_messages::overlay::{HighlightedText, OverlayChange, OverlayImage, OverlayMessage};
use luna_messages::pick::{Element, PickMethod, Role};
use luna_messages::reading::Intent;
use luna_messages::{ElementId, Lang, Rect};
use luna_overlay::machine::{OverlaySettings, text_hash};
use luna_overlay::scene::OverlayLook;
use luna_platform::PlatformError;
use luna_platform::accessibility::fault::{ScriptedAccessibility, ScriptedActions};
use luna_platform::capture::Monitor;
use luna_platform::capture::fault::StillCapture;
use luna_platform::fonts::{self, FontFolders, Fonts};
use luna_platform::overlay::fault::{OverlayCall, ScriptedOverlay};

const PATIENCE: Duration = Duration::from_secs(20);
const WORD: Rect = Rect::new(100, 200, 60, 20);

struct OverlayHarness {
    overlay: Arc<ScriptedOverlay>,
    actions: ScriptedActions,
    inbox: Inbox<OverlayMessage>,
    settings: Arc<Mutex<OverlayActorSettings>>,
    /// The calls that no test waited past yet.
    calls: Mutex<Vec<OverlayCall>>,
    _tree: SupervisionTree,
}

impl OverlayHarness {
    /// Two monitors, the second one of twice the density.
    fn new(fonts: Arc<dyn Fonts>) -> Self {
        let (overlay, actions) = (Arc::new(ScriptedOverlay::new()), ScriptedActions::default());
        let screen = StillCapture::new(Picture::new(1, 1, vec![0; 3]).unwrap()).with_monitors(vec![
            Monitor { bounds: Rect::new(0, 0, 1920, 1080), scale: 1.0 },
            Monitor { bounds: Rect::new(1920, 0, 3840, 2160), scale: 2.0 },
        ]);
        let look = OverlayLook {
            color: [0xff, 0xd8, 0x4a],
            darkness: 0.18,
            corner_radius: 10,
            high_contrast: false,
            lang: Lang::Ko,
        };
        let shown = OverlaySettings { enabled: true, show_numbers: true };
        let settings = Arc::new(Mutex::new(OverlayActorSettings { shown, look }));
        let current = settings.clone();
        let limit = Duration::from_secs(5);
        let dependencies = OverlayDependencies {
            overlay: BlockingService::new("overlay", limit, overlay.clone()),
            screen: BlockingService::new("screen", limit, Arc::new(screen)),
            fonts: BlockingService::new("fonts", limit, fonts),
            accessibility: Arc::new(ScriptedAccessibility::default()),
            actions: Arc::new(actions.clone()),
            settings: Arc::new(move || current.lock().unwrap().clone()),
        };
        let inbox = Inbox::new("overlay", InboxSettings::default());
        let tree = SupervisionTree::new(Arc::new(|_| {}));
        tree.add(RestartPolicy::default(), inbox.clone(), move || OverlayActor::new(dependencies.clone()));
        Self { overlay, actions, inbox, settings, calls: Mutex::default(), _tree: tree }
    }

    fn post(&self, message: OverlayMessage) {
        self.inbox.post(message).unwrap();
    }

    fn read(&self, bbox: Rect) {
        let text = HighlightedText { bbox, method: PickMethod::Uia, text_hash: text_hash("글"), is_table: false };
        self.post(OverlayMessage::Picked(text));
        self.post(OverlayMessage::Highlight { bbox: Some(bbox), pinned: false });
    }

    /// Waits for a call that is as expected, and returns it; earlier ones don't count any more.
    async fn until(&self, what: &str, is_expected: impl Fn(&OverlayCall) -> bool) -> OverlayCall {
        let start = tokio::time::Instant::now();
        loop {
            {
                let mut calls = self.calls.lock().unwrap();
                calls.extend(self.overlay.take_calls());
                if let Some(index) = calls.iter().position(&is_expected) {
                    return calls.drain(..=index).next_back().unwrap();
                }
                assert!(start.elapsed() < PATIENCE, "no call that {what} in {} calls", calls.len());
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    async fn until_shown(&self, what: &str, is_expected: impl Fn(&OverlayImage) -> bool) -> OverlayImage {
        let call = self.until(what, |call| matches!(call, OverlayCall::Show(image) if is_expected(image))).await;
        let OverlayCall::Show(image) = call else { unreachable!() };
        image
    }
}

fn no_fonts() -> Arc<dyn Fonts> {
    Arc::new(FontFolders(Vec::new()))
}

// OVL-1, PIC-7
#[tokio::test(flavor = "multi_thread")]
async fn what_is_read_is_marked_on_each_monitor_in_its_scale_ovl_1_pic_7() {
    let luna = OverlayHarness::new(no_fonts());
    luna.until("clears the screen at the start", |call| *call == OverlayCall::Hide).await;
    luna.read(WORD);
    let image = luna.until_shown("marks the word", |image| image.followed == [WORD]).await;
    let width = |image: &OverlayImage| image.pictures.iter().map(|one| one.place.width).max().unwrap();
    assert_eq!((image.darkness, width(&image)), (46, 60 + 2 * 7));
    let dimmed: i64 = image.dimmed.iter().map(|one| i64::from(one.width) * i64::from(one.height)).sum();
    assert_eq!(dimmed, 1920 * 1080 + 3840 * 2160 - 74 * 34);
    let far = WORD.translated(3000, 0);
    luna.read(far);
    let image = luna.until_shown("marks the other word", |image| image.followed == [far]).await;
    assert_eq!(width(&image), 60 + 2 * 14);
    luna.post(OverlayMessage::Highlight { bbox: None, pinned: false });
    luna.until("hides", |call| *call == OverlayCall::Hide).await;
}

// OVL-2, EXE-3
#[tokio::test(flavor = "multi_thread")]
async fn the_options_of_a_question_have_badges_while_it_is_open_ovl_2_exe_3() {
    let luna = OverlayHarness::new(no_fonts());
    let boxes = [0, 60, 120].map(|y| Rect::new(500, 300 + y, 80, 30));
    let place = |index: usize, bbox: Rect| {
        let element = Element::new(ElementId(index.to_string()), Role::Button, "저장", bbox);
        luna.actions.set_state(ElementState {
            element,
            capacities: [].into_iter().collect(),
            focused: false,
            protected: false,
            caret: CaretState::default(),
        });
    };
    boxes.iter().enumerate().for_each(|(index, bbox)| place(index, *bbox));
    let options: Vec<ElementId> = (0..3).map(|index| ElementId(index.to_string())).collect();
    luna.post(OverlayMessage::Question { options });
    let image = luna.until_shown("has badges", |image| image.followed == boxes).await;
    assert_eq!(image.pictures.len(), 3);
    // The page scrolls: something is drawn at the first option, and the tree tells where all are now.
    let scrolled = boxes.map(|bbox| bbox.translated(0, -40));
    scrolled.iter().enumerate().for_each(|(index, bbox)| place(index, *bbox));
    luna.overlay.report(OverlayChange::Redrawn { at: boxes[0] });
    luna.until("is told of changes again", |call| *call == OverlayCall::Rearm).await;
    luna.until_shown("has followed", |image| image.followed == scrolled).await;
    luna.post(OverlayMessage::Question { options: Vec::new() });
    luna.until("hides", |call| *call == OverlayCall::Hide).await;
}

// OVL-3
#[tokio::test(flavor = "multi_thread")]
async fn the_chip_tells_mode_and_listening_in_the_language_of_the_person_ovl_3() {
    let luna = OverlayHarness::new(fonts::system());
    luna.post(OverlayMessage::FocusMode { on: true });
    let chip = |image: &OverlayImage| image.pictures.len() == 1;
    // Fails without a font with Korean letters; scripts/setup.sh test installs one.
    let reading = luna.until_shown("has a chip", chip).await;
    luna.post(OverlayMessage::Listening { on: true });
    let listening = luna.until_shown("tells that Luna listens", |image| chip(image) && *image != reading).await;
    luna.post(OverlayMessage::Mode(Intent::Translate));
    luna.until_shown("tells the mode", |image| chip(image) && *image != reading && *image != listening).await;
    luna.settings.lock().unwrap().look.lang = Lang::En;
    luna.post(OverlayMessage::CheckSettings);
    let width = |image: &OverlayImage| image.pictures.first().map_or(0, |one| one.place.width);
    let korean = width(&listening);
    luna.until_shown("is in English", |image| width(image) > korean + 40).await;
    luna.post(OverlayMessage::FocusMode { on: false });
    luna.until("hides", |call| *call == OverlayCall::Hide).await;
}

// OVL-1, KER-9
#[tokio::test(flavor = "multi_thread")]
async fn it_shows_again_once_the_display_is_back_ovl_1_ker_9() {
    let luna = OverlayHarness::new(no_fonts());
    luna.overlay.fail_with(Some(PlatformError::silent_display()));
    luna.read(WORD);
    luna.until_shown("was tried", |image| image.followed == [WORD]).await;
    luna.overlay.fail_with(None);
    let next = WORD.translated(0, 40);
    luna.read(next);
    luna.until_shown("marks the next word", |image| image.followed == [next]).await;
}
