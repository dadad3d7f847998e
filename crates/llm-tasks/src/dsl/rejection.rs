//! Why an answer is not used.

use luna_messages::dsl::{Action, DslTask};

/// Why an answer of a model is rejected (DSL-4). A rejected answer is never executed, not even in part. What it holds of the screen's or the
/// model's words is short, and not for logs above debug level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// There is no object, no call and, if text is wanted, no text.
    #[error("there is no answer in what the model said")]
    NoAnswer,
    /// The answer ends in its middle.
    #[error("the answer ends in its middle")]
    CutOff,
    /// A part of it made no sense.
    #[error("a part of the answer makes no sense")]
    Damaged,
    /// There are several answers that differ, and one is wanted.
    #[error("there are {count} answers where one is wanted")]
    Several { count: usize },
    /// A field that there is not.
    #[error("there is no field \"{field}\" in an answer")]
    Unknown {
        /// Its name, shortened.
        field: String,
    },
    /// A place on the screen, in a field of its own or in an option (DSL-4).
    #[error("the answer names a place on the screen in \"{field}\"; only offered ids can be targets")]
    Coordinate {
        /// Where.
        field: String,
    },
    /// A field stands twice.
    #[error("the field \"{field}\" stands twice")]
    Twice {
        /// Its name.
        field: &'static str,
    },
    /// A field is missing.
    #[error("the field \"{field}\" is missing")]
    Missing {
        /// Its name.
        field: &'static str,
    },
    /// A field holds something else.
    #[error("the field \"{field}\" must be {expected}")]
    Wrong {
        /// Its name.
        field: &'static str,
        /// What it must be.
        expected: &'static str,
    },
    /// A text is too long, or empty.
    #[error("the text of \"{field}\" must have 1 to {most} characters")]
    Length {
        field: &'static str,
        /// Characters at most.
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
    /// A fourth option (DSL-4).
    #[error("there are {count} options; at most three are allowed")]
    Options { count: usize },
    /// A plan without steps, or with too many.
    #[error("a plan has 1 to {most} steps, not {count}")]
    Steps {
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// A shape that belongs to another task (DSL-5).
    #[error("this is no answer to {}", .task.name())]
    NotForTask { task: DslTask },
}

impl Rejection {
    /// The beginning of a text out of an answer.
    pub(super) fn short(text: &str) -> String {
        const SHOWN: usize = 40;
        let mut short: String = text.chars().take(SHOWN).filter(|c| !c.is_control()).collect();
        if text.chars().nth(SHOWN).is_some() {
            short.push('…');
        }
        short
    }
}
