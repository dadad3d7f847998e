//! Words in windows without an accessibility tree, with doubles of the tree and of recognition (EXE-1, EXE-7).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::{Arc, Mutex};

use luna_actor_executor::ActionsByTreeOrText;
use luna_actor_runtime::inbox::{Inbox, InboxSettings};
use luna_messages::element_action::{ActionResult, ElementAction, ElementRefusal, NoEffectProof, WindowElements};
use luna_messages::image::Picture;
use luna_messages::ocr::{OcrBlock, OcrMessage, OcrResult, ScreenShot};
use luna_messages::pick::WindowInfo;
use luna_messages::{ElementId, Lang, Rect, RequestId};
use luna_platform::accessibility::actions::{ElementActions as _, StopEpoch};
use luna_platform::accessibility::fault::{ScriptedAccessibility, ScriptedActions};

const WINDOW: u64 = 7;
const BOUNDS: Rect = Rect { x: 100, y: 50, width: 200, height: 60 };

/// A window of a line of words, which recognition reads whole or in part.
struct WordWindow {
    actions: ActionsByTreeOrText,
    /// What is asked of recognition: `shot`, or the box that is recognised.
    asked: Arc<Mutex<Vec<String>>>,
    /// The brightness of all pixels, and what a part of the line is read as.
    shows: Arc<Mutex<(u8, String)>>,
}

impl WordWindow {
    fn new(line: &str) -> Self {
        let tree = ScriptedActions::default();
        let window = WindowInfo { handle: WINDOW, process: 1, title: String::new(), bounds: BOUNDS };
        tree.set_windows(vec![window.clone()]);
        tree.set_elements(WINDOW, WindowElements { is_complete: true, ..WindowElements::default() });
        let accessibility = ScriptedAccessibility { windows: vec![window], ..ScriptedAccessibility::default() };
        let ocr: Inbox<OcrMessage> = Inbox::new("ocr", InboxSettings::default());
        let (asked, shows) = (Arc::default(), Arc::new(Mutex::new((200, String::new()))));
        tokio::spawn(recognise(ocr.clone(), line.to_owned(), Arc::clone(&asked), Arc::clone(&shows)));
        let actions = ActionsByTreeOrText::new(Arc::new(tree), Arc::new(accessibility), ocr);
        Self { actions, asked, shows }
    }

    async fn listed(&self) -> WindowElements {
        let window = self.actions.active_windows().await.unwrap().remove(0);
        self.actions.window_elements_to_act_on(&window).await.unwrap()
    }

    /// The second look recognises.
    async fn word(&self, text: &str) -> ElementId {
        self.listed().await;
        let listed = self.listed().await;
        listed.elements.into_iter().map(|one| one.element).find(|one| one.text == text).expect("the word").id
    }

    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

/// Answers what is asked of recognition.
async fn recognise(
    ocr: Inbox<OcrMessage>,
    line: String,
    asked: Arc<Mutex<Vec<String>>>,
    shows: Arc<Mutex<(u8, String)>>,
) {
    loop {
        for message in luna_test_support::drain(&ocr) {
            let (bright, part) = shows.lock().unwrap().clone();
            match message {
                OcrMessage::Shot { reply, .. } => {
                    asked.lock().unwrap().push("shot".to_owned());
                    let (width, height) = (200, 60);
                    let picture = Picture::new(width, height, vec![bright; 3 * 200 * 60]).unwrap();
                    reply.answer(Ok(ScreenShot { picture, region: BOUNDS }));
                }
                OcrMessage::Recognise { searched, reply } => {
                    let region = searched.region;
                    asked.lock().unwrap().push(format!("{}+{}", region.x, region.width));
                    let is_whole = region == BOUNDS;
                    let bbox = if is_whole { Rect::new(110, 60, 170, 20) } else { region };
                    let text = if is_whole { line.clone() } else { part };
                    let block = OcrBlock { text, bbox, confidence: 0.99, contrast: 1.0, order: 0 };
                    let (blocks, lang) = (vec![block], Lang::En);
                    reply.answer(Ok(OcrResult {
                        blocks,
                        rows: Vec::new(),
                        has_header: false,
                        lang,
                        low_quality: false,
                    }));
                }
                other => panic!("{other:?}"),
            }
        }
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    }
}

// EXE-1
#[tokio::test]
async fn text_is_recognised_only_if_the_first_look_was_not_enough_exe_1() {
    let window = WordWindow::new("Okay Cancel Later");
    let first = window.listed().await;
    assert!(first.elements.is_empty() && !first.is_complete, "keys and usual orders need no text");
    assert!(window.asked().is_empty());
    let second = window.listed().await;
    assert_eq!((second.elements.len(), second.is_complete), (6, true));
    assert_eq!(window.asked(), ["shot", "100+200"]);
}

// EXE-1, EXE-7
#[tokio::test]
async fn a_word_is_clicked_only_if_it_alone_stands_there_unchanged_exe_1_exe_7() {
    let window = WordWindow::new("Okay Cancel Later");
    let later = window.word("Later").await;
    window.asked();
    // What stands there is more than the word, or another one.
    for read in ["el Later", "Cancel", ""] {
        window.shows.lock().unwrap().1 = read.to_owned();
        assert_eq!(window.actions.inspect(&later).await.unwrap_err(), ElementRefusal::Replaced, "{read}");
    }
    window.shows.lock().unwrap().1 = " later".to_owned();
    window.shows.lock().unwrap().0 = 90;
    assert_eq!(window.actions.inspect(&later).await.unwrap_err(), ElementRefusal::Replaced, "the picture changed");
    window.shows.lock().unwrap().0 = 200;
    let state = window.actions.inspect(&later).await.unwrap();
    assert_eq!(state.element.properties.description, "Okay Cancel Later", "a danger beside it is noticed");
    assert_eq!((state.element.text.as_str(), state.element.bbox), ("Later", Rect::new(229, 60, 51, 20)));
    let point = window.actions.click_point(&later).await.unwrap();
    assert_eq!((point.point, point.window, point.is_confirmed), (Rect::new(229, 60, 51, 20).center(), WINDOW, false));
    // The tree is never asked to press a word.
    let barrier = StopEpoch::default().barrier(RequestId(1));
    let pressed = window.actions.act(&later, ElementAction::Press, &barrier).await;
    assert_eq!(pressed, Ok(ActionResult::NoEffect(NoEffectProof::NotOffered)));
    // After the click its picture tells nothing: buttons show that the pointer is on them.
    window.shows.lock().unwrap().0 = 90;
    assert_eq!(window.actions.inspect(&later).await.unwrap_err(), ElementRefusal::NoAnswer);
    assert!(window.actions.click_point(&later).await.is_err(), "the picture is another one");
}
