//! What the machine takes and what it gives.

use std::time::Duration;

use luna_messages::candidate::Candidate;
use luna_messages::control::Command;
use luna_messages::desktop_order::{DesktopAnswer, DesktopOrder};
use luna_messages::dsl::DslTask;
use luna_messages::element_action::{
    ActionResult, ElementAction, ElementRefusal, ElementState, EnteredText, ObservedChange,
};
pub use luna_messages::executor::ScreenCandidates;
use luna_messages::executor::{OrderReport, PermissionAnswer, PermissionRequest, SpokenOrder};
use luna_messages::keyboard::KeyChord;
use luna_messages::language_tasks::Meaning;
use luna_messages::understanding::Interpretation;
use luna_messages::{ElementId, Lang, Point, RequestId};

use crate::phrases::ExecutorPhrase;

/// From `executor` and `voice` of the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExecutorSettings {
    /// Language of what Luna says.
    pub lang: Lang,
    /// `executor.uia_first`: whether the tree acts before the pointer does.
    pub tree_first: bool,
    /// `executor.coord_fallback`: whether pointer and keys do what the accessibility tree can't (EXE-1).
    pub coord_fallback: bool,
    /// `executor.confirm_on_danger` (DNG-1).
    pub confirm_on_danger: bool,
    /// The name that must be said to confirm: `voice.wake_word` if `executor.confirm_requires_wake`.
    pub confirming_call: Option<String>,
    /// `executor.confirm_timeout_ms`, from the end of the question (DNG-2).
    pub confirm_timeout: Duration,
    /// `models.tasks.intent` is set: what the rules leave open goes to a language model (NLU-4).
    pub asks_model: bool,
}

/// What happens to an order. Its debug output shows nothing that is to be entered (PRV-2).
#[derive(Debug)]
pub enum ExecutorEvent {
    /// An utterance to carry out. While a question is open it may be its answer.
    Order(SpokenOrder),
    /// An answer to the open question, and nothing else.
    Answer(SpokenOrder),
    /// A program asks whether it may act.
    Permit(PermissionRequest),
    /// Nobody waits for the answer to that any more.
    EndPermit {
        id: RequestId,
    },
    /// The key for yes or no while a question is open (DNG-2). Yes counts once the question was heard.
    Key {
        given: bool,
    },
    /// Stop, Escape, or the end of focus mode; given when it was said.
    Stop {
        at: RequestId,
    },
    Candidates {
        id: RequestId,
        answer: Option<ScreenCandidates>,
    },
    Inspected {
        id: RequestId,
        answer: Result<Box<ElementState>, ElementRefusal>,
    },
    Acted {
        id: RequestId,
        answer: Result<ActionResult, ElementRefusal>,
    },
    Observed {
        id: RequestId,
        change: ObservedChange,
    },
    /// The question with this id was spoken to its end, or the person ended its speech.
    Asked {
        id: RequestId,
    },
    /// What the desktop answered; `None` if it can't be asked.
    DesktopAnswered {
        id: RequestId,
        answer: Option<DesktopAnswer>,
    },
    /// What a language model makes of the utterance; `None` without a valid answer.
    Decided {
        id: RequestId,
        meaning: Option<Meaning>,
    },
    Timer {
        generation: u64,
    },
}

/// What is done about it.
#[derive(Debug, PartialEq)]
pub enum ExecutorEffect {
    /// Asks what the screen offers once `after` is over: what the step before led to may still be on its way.
    AskCandidates {
        id: RequestId,
        after: Duration,
    },
    /// Asks a language model what the utterance means among these candidates (NLU-4); [`ExecutorEvent::Decided`] answers.
    AskModel {
        id: RequestId,
        task: DslTask,
        utterance: String,
        candidates: Vec<Candidate>,
    },
    /// Its answer is not wanted any more.
    EndModel {
        id: RequestId,
    },
    Inspect {
        id: RequestId,
        element: ElementId,
    },
    /// Opens the watch, then acts, once. A stop that is not older than `order` prevents it until the very call, also one that came before this effect.
    Act {
        id: RequestId,
        order: RequestId,
        element: ElementId,
        action: ElementAction,
    },
    /// Opens the watch, asks where the element can be clicked, and clicks there once with the left button if the hit test finds its window. A stop prevents
    /// it as it prevents an action. [`ExecutorEvent::Acted`] answers: Accepted if it was clicked, `NoEffect` if certainly nothing was (Covered or `OutOfView`
    /// if there is nothing to click, else `NotDelivered`), Unknown if it may have been; and then [`ExecutorEvent::Observed`].
    Click {
        id: RequestId,
        order: RequestId,
        element: ElementId,
    },
    /// As [`ExecutorEffect::Click`], but the pointer only goes there, and stays.
    Hover {
        id: RequestId,
        order: RequestId,
        element: ElementId,
    },
    /// Opens the watch, gives the element the keyboard focus (by the tree, else by a click), makes sure that it has it, selects all that is in it and types,
    /// once. `at_caret`: types only if it has the focus already, beside what is there. Answers as for [`ExecutorEffect::Click`]: `NoEffect` only as long as no key was sent; what the focus did is no effect. `text` is not empty and
    /// has no control characters: neither Enter nor Tab is among the keys.
    TypeInto {
        id: RequestId,
        order: RequestId,
        element: ElementId,
        text: EnteredText,
        at_caret: bool,
    },
    /// Opens a watch of this window, then presses the keys so many times, if the window is still the active one; else [`ElementRefusal::Replaced`] answers.
    /// A stop prevents it as it prevents an action. [`ExecutorEvent::Acted`] and [`ExecutorEvent::Observed`] answer.
    PressKeys {
        id: RequestId,
        order: RequestId,
        window: u64,
        chord: KeyChord,
        times: u8,
    },
    /// Turns the wheel by so many notches, down if positive, at a point of this window, if the window is the active one and is what lies there.
    /// [`ExecutorEvent::Acted`] answers as for [`ExecutorEffect::Click`].
    Scroll {
        id: RequestId,
        order: RequestId,
        window: u64,
        at: Point,
        notches: i16,
    },
    /// Asks this of the desktop, once. A stop prevents it as it prevents an action. [`ExecutorEvent::DesktopAnswered`] answers.
    Desktop {
        id: RequestId,
        order: RequestId,
        what: DesktopOrder,
    },
    /// Drops the watch, and the action if it has not begun.
    EndAct {
        id: RequestId,
    },
    /// A newer timer replaces an older one.
    StartTimer {
        generation: u64,
        after: Duration,
    },
    Say {
        phrase: ExecutorPhrase,
    },
    /// Speaks the question and shows the badges of its options. [`ExecutorEvent::Asked`] with this id follows.
    OpenQuestion {
        id: RequestId,
        phrase: ExecutorPhrase,
        badges: Vec<ElementId>,
    },
    CloseQuestion,
    /// What is for Luna itself.
    Reflex(Command),
    /// A wish to read.
    Wish {
        utterance: String,
        understood: Box<Interpretation>,
    },
    /// The answer to a program's question whether it may act; exactly one for each.
    AnswerPermission {
        id: RequestId,
        answer: PermissionAnswer,
    },
    /// The answer to the order or the answer with this id; exactly one for each.
    Report {
        id: RequestId,
        report: OrderReport,
    },
}
