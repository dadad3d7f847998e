//! Orders that are carried out on the screen, and what came of them (EXE, DNG-2).

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::candidate::Candidate;
use crate::desktop_order::DesktopAnswer;
use crate::dsl::Action;
use crate::element_action::{ActionResult, ElementRefusal, ElementState, ObservedChange};
use crate::language_tasks::ModelDecision;
use crate::tts::SpeechEvent;
use crate::work::WorkFailure;
use crate::{ElementId, Lane, Message, NoReply, Point, Rect, Reply, RequestId};

/// Who gives an order or an answer (DNG-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderSource {
    /// A voice that the microphone heard.
    Voice,
    /// A key of this keyboard.
    Key,
    /// A program, such as `luna ctl`. It can't confirm anything dangerous.
    Program,
}

/// An utterance that is to be carried out, or that answers a question. Its debug output tells only how long the utterance is: a secret may be dictated in it
/// (PRV-2).
#[derive(Clone, PartialEq, Eq)]
pub struct SpokenOrder {
    /// Given when it was said: a later stop ends it.
    pub id: RequestId,
    pub utterance: String,
    pub source: OrderSource,
    /// Whether Luna was called: by its wake word, or by the key that is held while speaking.
    pub called: bool,
    /// Whether the voice began before Luna had finished its question, or Luna's own playback explains a part of it.
    pub overlaps_playback: bool,
}

impl fmt::Debug for SpokenOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, utterance, source, called, overlaps_playback } = self;
        f.debug_struct("SpokenOrder")
            .field("id", id)
            .field("characters", &utterance.chars().count())
            .field("source", source)
            .field("called", called)
            .field("overlaps_playback", overlaps_playback)
            .finish()
    }
}

/// What came of an order as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderOutcome {
    /// Every step was done; [`StepReport::verified`] tells whether its effect was seen for certain.
    Success,
    /// Luna asks which one is meant (EXE-3).
    Clarify,
    /// Luna asks for a confirmation (DNG-1).
    Confirm,
    /// A step could not be done, or nothing showed that it was.
    Failed,
    /// The person took it back, or did not confirm it.
    Refused,
    /// It is nothing to carry out.
    None,
}

/// By what an action was done (EXE-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActedBy {
    /// The accessibility tree.
    Tree,
    Pointer,
    Keys,
}

/// One step that was carried out. What was entered does not stand in it (PRV-2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepReport {
    pub action: Action,
    /// The label of the target.
    pub target: String,
    /// `None` if the target was in the wished state already, or the desktop itself did it: a window, the volume.
    pub by: Option<ActedBy>,
    /// Whether its effect was seen for certain (EXE-2). A secret is not looked at, and a change elsewhere in the application may have another cause.
    pub verified: bool,
    /// From the understood step to its end, in milliseconds.
    pub ms: u64,
}

/// What `luna ctl do` prints.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderReport {
    pub outcome: OrderOutcome,
    /// The steps that were carried out so far.
    pub steps: Vec<StepReport>,
    /// What Luna says about it.
    pub said: String,
}

/// What the windows that a person can act on offer: open menus first, then the active window (PIC-9).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ScreenCandidates {
    /// In reading order.
    pub candidates: Vec<Candidate>,
    /// Whether nothing is missing.
    pub is_complete: bool,
    /// Whether something is missing because the application was too slow, so that another listing may have it.
    pub is_late: bool,
    /// The window that is active, with its platform handle; keys go there.
    pub window: Option<u64>,
    /// Its bounds on the desktop.
    pub bounds: Rect,
    /// Which of them has the keyboard focus.
    pub focused: Option<ElementId>,
    /// Boxes of the web pages that are shown, as of [`WindowElements`](crate::element_action::WindowElements).
    pub pages: Vec<Rect>,
}

impl ScreenCandidates {
    /// The candidates on the pages that are shown; `None` if there are no pages, or nothing besides them.
    #[must_use]
    pub fn on_pages(&self) -> Option<Vec<Candidate>> {
        let is_on_page = |one: &&Candidate| self.pages.iter().any(|page| page.contains(one.bbox.center()));
        let on_pages: Vec<Candidate> = self.candidates.iter().filter(is_on_page).cloned().collect();
        (!on_pages.is_empty() && on_pages.len() < self.candidates.len()).then_some(on_pages)
    }
}

/// What a program wants to do on the screen. Luna asks the person first.
#[derive(Clone, PartialEq, Eq)]
pub enum RequestedAction {
    /// `target`: what lies there; empty if nothing tells.
    Click {
        target: String,
        at: Point,
    },
    /// `target`: the field that has the keyboard focus; empty if nothing tells.
    Type {
        text: String,
        target: String,
    },
    /// `keys` as people read them; `target` as of [`RequestedAction::Type`].
    Keys {
        keys: String,
        times: u8,
        target: String,
    },
    Scroll {
        down: bool,
    },
    Launch {
        program: String,
    },
}

/// Shows no text: what is typed may be a secret, and labels are screen content (PRV-2).
impl fmt::Debug for RequestedAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Click { .. } => "Click",
            Self::Type { .. } => "Type",
            Self::Keys { .. } => "Keys",
            Self::Scroll { .. } => "Scroll",
            Self::Launch { .. } => "Launch",
        })
    }
}

/// The question of a program whether it may act: once, this very action.
#[derive(Clone, PartialEq, Eq)]
pub struct PermissionRequest {
    /// Of the call that wants to act: a later stop ends it.
    pub id: RequestId,
    pub action: RequestedAction,
    /// Texts that may tell of a danger: labels of what is acted on, and what is said of it (DNG-1).
    pub labels: Vec<String>,
}

impl fmt::Debug for PermissionRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PermissionRequest").field("id", &self.id).field("action", &self.action).finish_non_exhaustive()
    }
}

/// What the person said about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PermissionAnswer {
    /// Yes, once.
    Granted,
    /// Anything else, or nothing in time.
    Refused,
    /// The person was not asked: Luna carries out an order or asks something else.
    Busy,
}

/// Messages of the Executor actor.
#[derive(Debug, Message)]
pub enum ExecutorMessage {
    /// An utterance to carry out; while a question is open it may be its answer.
    #[message(lane = Lane::Tts)]
    Order { order: SpokenOrder, reply: Reply<OrderReport> },
    /// An answer to the open question, and nothing else.
    #[message(lane = Lane::Tts)]
    Answer { answer: SpokenOrder, reply: Reply<OrderReport> },
    /// A program asks whether it may act.
    #[message(lane = Lane::Uia)]
    Permit { request: PermissionRequest, reply: Reply<PermissionAnswer> },
    /// The program with request `id` is gone, or does not wait any longer.
    #[message(lane = Lane::Uia)]
    EndPermit { id: RequestId },
    /// A key of the person: the one for yes, or Esc (DNG-2).
    #[message(lane = Lane::Reflex)]
    Key { given: bool },
    /// Ends what was ordered before, and never a later order.
    #[message(lane = Lane::Reflex, drop_oldest, retry = 1)]
    Stop { at: RequestId },
    /// The answer to the look `id` at the screen; `None` if it can't be read.
    #[message(lane = Lane::Uia)]
    Screen { id: RequestId, answer: Option<ScreenCandidates> },
    /// The element of inspection `id` as it is now.
    #[message(lane = Lane::Uia)]
    Inspected { id: RequestId, answer: Result<Box<ElementState>, ElementRefusal> },
    /// What came of action `id`.
    #[message(lane = Lane::Uia)]
    Acted { id: RequestId, answer: Result<ActionResult, ElementRefusal> },
    /// What changed since action `id` began (EXE-2).
    #[message(lane = Lane::Uia)]
    Observed { id: RequestId, change: ObservedChange },
    /// Progress of speech: the question was spoken to its end.
    #[message(lane = Lane::Tts)]
    Speech(SpeechEvent),
    /// What the desktop answered to question `id`; `None` if it can't be asked.
    #[message(lane = Lane::Uia)]
    Desktop { id: RequestId, answer: Option<DesktopAnswer> },
    /// What a language model makes of the utterance of request `id` (NLU-4).
    #[message(lane = Lane::Llm)]
    Decided { id: RequestId, answer: Result<Result<ModelDecision, WorkFailure>, NoReply> },
    /// A timer fired.
    #[message(lane = Lane::Uia)]
    Timer {
        /// The timer's number, so that stale timers are ignored.
        generation: u64,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    // PRV-2
    #[test]
    fn what_was_said_is_not_in_the_debug_output_prv_2() {
        let order = SpokenOrder {
            id: RequestId(7),
            utterance: "비밀번호 칸에 가나다 입력해 줘".to_owned(),
            source: OrderSource::Voice,
            called: true,
            overlaps_playback: false,
        };
        let shown = format!("{order:?}");
        assert!(!shown.contains("가나다") && shown.contains("characters: 17"), "{shown}");
    }
}
