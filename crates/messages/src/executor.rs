//! Orders that are carried out on the screen, and what came of them (EXE, DNG-2).

use std::fmt;

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
    /// `None` if the target was in the wished state already.
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
