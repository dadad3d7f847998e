//! Reasons to reject an answer.

use luna_messages::dsl::{Action, DslTask};

/// Why a model's answer is rejected (DSL-4). A rejected answer is never executed, not even in part. Screen text or model output in it is
/// shortened, and must not be logged above debug level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// Neither an object nor a call, nor text if text is wanted.
    #[error("there is no answer in what the model said")]
    NoAnswer,
    /// The answer is truncated.
    #[error("the answer ends in its middle")]
    CutOff,
    /// A part of it is malformed.
    #[error("a part of the answer makes no sense")]
    Damaged,
    /// Several different answers, but one is wanted.
    #[error("there are {count} answers instead of one")]
    Several { count: usize },
    /// An unknown field.
    #[error("there is no field \"{field}\" in an answer")]
    Unknown {
        /// Its name, shortened.
        field: String,
    },
    /// A coordinate, in a field of its own or in an option (DSL-4).
    #[error("the answer names a place on the screen in \"{field}\"; only offered ids can be targets")]
    Coordinate {
        /// The field's name.
        field: String,
    },
    /// A duplicate field.
    #[error("the field \"{field}\" occurs twice")]
    Twice { field: &'static str },
    #[error("the field \"{field}\" is missing")]
    Missing { field: &'static str },
    /// A field of the wrong type or value.
    #[error("the field \"{field}\" must be {expected}")]
    Wrong { field: &'static str, expected: &'static str },
    /// A text that is too long or empty.
    #[error("the text of \"{field}\" must have 1 to {most} characters")]
    Length {
        field: &'static str,
        /// Maximum characters.
        most: usize,
    },
    /// A field that belongs to another action.
    #[error("\"{field}\" does not belong to {}", .action.name())]
    NotWith { field: &'static str, action: Action },
    /// An id that was not offered (DSL-4).
    #[error("the id \"{id}\" was not offered")]
    NotOffered {
        /// The id, shortened.
        id: String,
    },
    /// More than three options (DSL-4).
    #[error("there are {count} options; at most three are allowed")]
    Options { count: usize },
    /// A plan without steps, or with too many.
    #[error("a plan has 1 to {most} steps, not {count}")]
    Steps {
        count: usize,
        /// The maximum.
        most: usize,
    },
    /// An answer of another task's form (DSL-5).
    #[error("this is no answer to {}", .task.name())]
    NotForTask { task: DslTask },
}

impl Rejection {
    /// Shortens text from an answer.
    pub(super) fn short(text: &str) -> String {
        const SHOWN: usize = 40;
        let mut short: String = text.chars().take(SHOWN).filter(|c| !c.is_control()).collect();
        if text.chars().nth(SHOWN).is_some() {
            short.push('…');
        }
        short
    }
}
