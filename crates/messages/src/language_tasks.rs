//! What the Mind actor hears and answers: whatever needs a language model (TRN, REA, NLU-4).

use std::fmt;

use async_channel::Sender;
use serde::{Deserialize, Serialize};

use crate::candidate::Candidate;
use crate::dsl::{DslTask, ReadingAnswer};
use crate::work::WorkFailure;
use crate::{ElementId, Fidelity, Lane, Lang, Message, Reply, RequestId};

/// A text to be translated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TranslationSource {
    /// Running text, with its layout.
    Text(String),
    /// A table; its first row is a header if it says so, and stays as it is (PRE-2).
    Rows {
        /// The cells.
        rows: Vec<Vec<String>>,
        /// Whether the first row is a header.
        has_header: bool,
    },
}

/// How a piece came through the preserve lock (PRE-2 to PRE-7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PieceStatus {
    /// Every token was kept.
    Kept,
    /// One token was put back (PRE-7).
    Repaired,
    /// It was not to be translated: a number alone, code, the header of a table, a sentence in the language that was asked for.
    Unchanged,
    /// Tokens were altered twice; original and translation are both there, marked (PRE-4).
    Failed,
    /// The model gave no translation; the original is there, marked.
    Missing,
}

/// A finished sentence or row (TRN-2). Pieces come in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TranslatedPiece {
    /// Its number, from 0.
    pub index: usize,
    /// What stood between it and the piece before: blanks, line ends, marks of lists.
    pub gap: String,
    /// The original.
    pub source: String,
    /// The translation; of one that failed original and translation, marked.
    pub text: String,
    /// How it came through.
    pub status: PieceStatus,
    /// The tokens that were altered, as they stand in the source.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tokens: Vec<String>,
    /// Whether the larger model made it (TRN-4).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub larger: bool,
}

/// What a translation came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TranslationEnd {
    pub pieces: usize,
    /// Pieces in which a token was put back.
    pub repaired: usize,
    /// Pieces that failed, or have no translation.
    pub failed: usize,
}

/// A wish for a translation (TRN-1, TRN-2).
pub struct Translate {
    /// Names it, for [`LanguageTaskMessage::Cancel`].
    pub id: RequestId,
    pub source: TranslationSource,
    /// Into which language.
    pub to: Lang,
    /// How free.
    pub fidelity: Fidelity,
    /// Where finished pieces go. An asker who drops the other end cancels the work (KER-6).
    pub pieces: Sender<TranslatedPiece>,
    /// Told once all pieces were given, or why not.
    pub reply: Reply<Result<TranslationEnd, WorkFailure>>,
}

/// A wish for a summary (PRE-5).
pub struct Summarize {
    /// Names it, for [`LanguageTaskMessage::Cancel`].
    pub id: RequestId,
    pub text: String,
    /// In which language.
    pub to: Lang,
    pub reply: Reply<Result<Summary, WorkFailure>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// The words; marked if they could not be verified.
    pub text: String,
    /// Whether every number of it stands in the source (PRE-5).
    pub verified: bool,
    /// Whether the text was too long for the model, so that its end is not in the summary.
    pub shortened: bool,
}

/// A wish to have decided what was meant (NLU-4, BRG-3, EXE-5).
pub struct Decide {
    /// Names it, for [`LanguageTaskMessage::Cancel`].
    pub id: RequestId,
    /// Understanding, choosing, or planning.
    pub task: DslTask,
    /// What the person said.
    pub utterance: String,
    /// What may be meant, the likeliest first.
    pub candidates: Vec<Candidate>,
    /// State of the devices, a line each.
    pub device_state: Vec<String>,
    /// What happened lately, the newest last.
    pub digest: Vec<String>,
    /// The text that is being read; may be empty.
    pub text: String,
    /// Whether the person interrupted Luna; then the budgets shrink (REA-2).
    pub barge_in: bool,
    /// The answer. There is one even without a model: a question to the person (REA-3).
    pub reply: Reply<Result<ModelDecision, WorkFailure>>,
}

/// A command with the element that it is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChosenCommand {
    /// What is to be done, in the words of DSL-2; the target is named below.
    pub command: crate::dsl::DslCommand,
    /// The element that `target.id` stands for: one of the candidates that were offered.
    pub element: Option<ElementId>,
}

/// What a person may choose from (EXE-3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClarifyOption {
    /// The words.
    pub text: String,
    /// The candidate with exactly this text, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<ElementId>,
}

/// What was meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Meaning {
    Command(ChosenCommand),
    /// A way of reading.
    Reading(ReadingAnswer),
    /// Several commands.
    Plan(Vec<ChosenCommand>),
    /// It has to be asked.
    Clarify {
        /// At most three.
        options: Vec<ClarifyOption>,
        /// The candidate that the question is about, where it is one (DNG-3).
        element: Option<ElementId>,
        /// Whether no model gave this, but Luna itself, for want of an answer (REA-3).
        fallback: bool,
    },
}

/// What was decided, and what it took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelDecision {
    /// What was meant.
    pub meaning: Meaning,
    /// Tokens of thinking (REA-4).
    pub thinking_tokens: u32,
    /// Tokens of answers.
    pub answer_tokens: u32,
    /// Generations that it took; 0 if there was no model.
    pub generations: u32,
    /// Why no model could be asked, if none could.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without_model: Option<String>,
}

/// What the Mind actor hears.
#[derive(Debug, Message)]
#[message(lane = Lane::Llm)]
pub enum LanguageTaskMessage {
    Translate(Translate),
    /// Summarise.
    Summarize(Summarize),
    /// Decide what was meant.
    Decide(Decide),
    /// That request is not wanted any more. Also counts for one that comes after this.
    // What makes work give way never waits behind work (KER-6).
    #[message(lane = Lane::Reflex)]
    Cancel {
        id: RequestId,
    },
}

macro_rules! debug_without_text {
    ($($name:ident),*) => {$(
        impl fmt::Debug for $name {
            /// Without its text: that is what is on the screen (PRV-2).
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
