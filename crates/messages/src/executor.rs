//! Orders that are carried out on the screen, and what came of them (EXE, DNG-2).

use serde::{Deserialize, Serialize};

use crate::RequestId;
use crate::dsl::Action;

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

/// An utterance that is to be carried out, or that answers a question.
#[derive(Debug, Clone, PartialEq, Eq)]
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

/// What came of an order as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderOutcome {
    /// Every step was done and seen to be done.
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
    /// `None` if the target was in the wished state already.
    pub by: Option<ActedBy>,
    /// Whether its effect was seen (EXE-2).
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
