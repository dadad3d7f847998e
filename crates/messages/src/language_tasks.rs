//! Messages and results of the language-tasks actor: translation, summaries and decisions by a language model (TRN, REA, NLU-4).

use std::fmt;

use async_channel::Sender;
use serde::{Deserialize, Serialize};

use crate::candidate::Candidate;
use crate::dsl::{DslTask, ReadingAnswer};
use crate::work::WorkFailure;
use crate::{ElementId, Fidelity, Lane, Lang, Message, Reply, RequestId};

/// A text to translate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TranslationSource {
    /// Running text; its layout is kept.
    Text(String),
    /// A table. A header row is not translated (PRE-2).
    Rows {
        rows: Vec<Vec<String>>,
        /// Whether the first row is a header.
        has_header: bool,
    },
}

/// The outcome of the preservation check for a piece (PRE-2 to PRE-7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PieceStatus {
    /// Every token was kept.
    Kept,
    /// One altered token was restored (PRE-7).
    Repaired,
    /// Needs no translation: a lone number, code, a table header, a sentence already in the target language.
    Unchanged,
    /// Two attempts altered tokens; the text has both original and translation, marked (PRE-4).
    Failed,
    /// The model gave no translation; the text is the original, marked.
    Missing,
}

/// A translated sentence or row (TRN-2). Pieces arrive in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TranslatedPiece {
    /// From 0.
    pub index: usize,
    /// The text between the previous piece and this one: blanks, line ends, list markers.
    pub gap: String,
    pub source: String,
    /// The translation; with [`PieceStatus::Failed`] original and translation, marked.
    pub text: String,
    pub status: PieceStatus,
    /// Tokens that were altered, lost or added: as in the source, or as in the translation if added.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tokens: Vec<String>,
    /// Whether the larger model translated it (TRN-4).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub larger: bool,
}

/// Totals of a finished translation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TranslationEnd {
    pub pieces: usize,
    /// Pieces in which a token was restored.
    pub repaired: usize,
    /// Pieces with [`PieceStatus::Failed`] or [`PieceStatus::Missing`].
    pub failed: usize,
}

/// A request to translate (TRN-1, TRN-2).
pub struct Translate {
    /// Identifies the request in [`LanguageTaskMessage::Cancel`].
    pub id: RequestId,
    pub source: TranslationSource,
    /// Target language.
    pub to: Lang,
    pub fidelity: Fidelity,
    /// Receives finished pieces. Dropping the receiver cancels the work (KER-6).
    pub pieces: Sender<TranslatedPiece>,
    /// Answered after the last piece.
    pub reply: Reply<Result<TranslationEnd, WorkFailure>>,
}

/// A request to summarise (PRE-5).
pub struct Summarize {
    /// Identifies the request in [`LanguageTaskMessage::Cancel`].
    pub id: RequestId,
    pub text: String,
    /// Language of the summary.
    pub to: Lang,
    pub reply: Reply<Result<Summary, WorkFailure>>,
}

/// A finished summary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Marked if it could not be verified.
    pub text: String,
    /// Whether every number of it occurs in the source (PRE-5).
    pub verified: bool,
    /// Whether the text was too long for the model, so that the summary leaves out its end.
    pub shortened: bool,
}

/// A request to decide what an utterance means (NLU-4, BRG-3, EXE-5).
pub struct Decide {
    /// Identifies the request in [`LanguageTaskMessage::Cancel`].
    pub id: RequestId,
    pub task: DslTask,
    /// What the person said.
    pub utterance: String,
    /// Possible targets, the likeliest first.
    pub candidates: Vec<Candidate>,
    /// The text being read; may be empty.
    pub text: String,
    /// Whether the person interrupted Luna, which shrinks the budgets (REA-2).
    pub barge_in: bool,
    /// Answered even without a model, then with a question to the person (REA-3).
    pub reply: Reply<Result<ModelDecision, WorkFailure>>,
}

/// A command with its element on the screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChosenCommand {
    /// The command as answered by the model (DSL-2).
    pub command: crate::dsl::DslCommand,
    /// The offered candidate that `command.target` names.
    pub element: Option<ElementId>,
}

/// A choice for the person (EXE-3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClarifyOption {
    pub text: String,
    /// The candidate with exactly this text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<ElementId>,
}

/// The meaning of an utterance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Meaning {
    Command(ChosenCommand),
    /// A way of reading.
    Reading(ReadingAnswer),
    /// Several commands in order.
    Plan(Vec<ChosenCommand>),
    /// Unclear: the person must be asked.
    Clarify {
        /// At most three.
        options: Vec<ClarifyOption>,
        /// The candidate that the question is about, if it is about one (DNG-3).
        element: Option<ElementId>,
        /// Whether Luna made this question itself because no model gave a valid answer (REA-3).
        fallback: bool,
    },
}

/// The meaning of an utterance, and the cost of deciding it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelDecision {
    pub meaning: Meaning,
    /// Tokens of thinking (REA-4).
    pub thinking_tokens: u32,
    pub answer_tokens: u32,
    /// Generations used; 0 without a model.
    pub generations: u32,
    /// Why no model was available.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without_model: Option<String>,
}

/// Messages of the language-tasks actor.
#[derive(Debug, Message)]
#[message(lane = Lane::Llm)]
pub enum LanguageTaskMessage {
    Translate(Translate),
    Summarize(Summarize),
    Decide(Decide),
    /// Cancels a request, also one that arrives after this message.
    // A cancellation never waits behind the work that it cancels (KER-6).
    #[message(lane = Lane::Reflex)]
    Cancel {
        id: RequestId,
    },
}

macro_rules! debug_without_text {
    ($($name:ident),*) => {$(
        impl fmt::Debug for $name {
            /// Omits the text: it is screen content (PRV-2).
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).field("id", &self.id).finish_non_exhaustive()
            }
        }
    )*};
}

debug_without_text!(Translate, Summarize, Decide);

#[cfg(test)]
mod tests {
    use super::*;

    // KER-6, PRV-2
    #[test]
    fn a_cancel_goes_ahead_and_no_text_is_written_into_logs_ker_6_prv_2() {
        let summarize =
            Summarize { id: RequestId(1), text: "비밀".to_owned(), to: Lang::Ko, reply: Reply::ignored() };
        let message = LanguageTaskMessage::Summarize(summarize);
        assert!(LanguageTaskMessage::Cancel { id: RequestId(1) }.lane() < message.lane());
        assert!(!format!("{message:?}").contains("비밀"), "{message:?}");
    }
}
