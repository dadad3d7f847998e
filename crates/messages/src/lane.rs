//! The lanes of a priority mailbox and what a message says of itself (KER-3, KER-4, KER-7).

pub use luna_messages_derive::Message;
use serde::{Deserialize, Serialize};

/// The priority class of a message, highest first (KER-3).
///
/// The lane comes from the message's type and never from the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lane {
    /// Reflexes: stop, pause, next. Never waits behind anything.
    Reflex,
    /// Speech that is to be heard now.
    Tts,
    /// Work on the accessibility tree. Also where a message of a lower lane is promoted to (KER-5).
    Uia,
    /// Text recognition.
    Ocr,
    /// Language model work.
    Llm,
}

impl Lane {
    /// All lanes, highest first.
    pub const ALL: [Self; 5] = [Self::Reflex, Self::Tts, Self::Uia, Self::Ocr, Self::Llm];

    /// Position of the lane, 0 for the highest.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The name used in metrics labels and configuration.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reflex => "reflex",
            Self::Tts => "tts",
            Self::Uia => "uia",
            Self::Ocr => "ocr",
            Self::Llm => "llm",
        }
    }
}

/// What happens to a message whose lane is full (KER-4). Every choice is counted in the metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overflow {
    /// The sender gets the message back with an error.
    Refuse,
    /// The oldest message of the lane makes room.
    DropOldest,
    /// Only the newest of its kind counts: a waiting message of the same [`Message::kind`] is replaced, at any fill level.
    Coalesce,
}

/// What every message of an actor says of itself.
///
/// `#[derive(Message)]` writes it from attributes. `#[message(lane = …)]` of the enum is the lane of all variants that have none of their own; the
/// other keys belong to a variant:
///
/// | key | meaning |
/// |---|---|
/// | `lane = PATH` | a constant, such as `Lane::Uia`: a lane never comes from a value (KER-3) |
/// | `kind = "word"` | else the variant's name in small letters, `end_pick`; two variants may share one |
/// | `coalesce`, `drop_oldest` | the [`Overflow`]; else it is refused |
/// | `retry = N`, `retry = always` | copies the fields if the actor crashed on it, at most N times; else it is not retried |
/// | `survives_restart` | it does; else it doesn't |
/// | `class_of = FIELD` | the field's [`MessageClass`] says kind and overflow, and retries for `retry = class`; a `kind` beside it wins |
/// | `retry_as = Variant(FIELD, …)` | what is retried instead, made of these fields |
pub trait Message: Send + Sized + 'static {
    /// The priority class.
    fn lane(&self) -> Lane;

    /// What happens at the bound of the lane. Refusing is the default.
    fn overflow(&self) -> Overflow {
        Overflow::Refuse
    }

    /// A short constant name of the variant, for metrics, logs and coalescing.
    fn kind(&self) -> &'static str;

    /// A copy to be handled once more if the actor crashes on this message (KER-7).
    /// `attempt` counts from 1 for the first repetition. `None`, the default: it is not retried, and dropping it answers its asker.
    fn retry(&self, attempt: u32) -> Option<Self> {
        let _ = attempt;
        None
    }

    /// Whether it is kept, and still accepted, while its actor is given up for a while (KER-7). For facts that nobody says twice and nobody waits
    /// for an answer to; all others are refused then, so that their askers know at once.
    fn survives_restart(&self) -> bool {
        false
    }
}

/// What a value says of the messages that carry it: `class_of` of `#[derive(Message)]`.
pub trait MessageClass {
    /// As [`Message::kind`].
    fn kind(&self) -> &'static str;

    /// As [`Message::overflow`].
    fn overflow(&self) -> Overflow;

    /// How often it is handled once more if the actor crashes on it (KER-7).
    fn retries(&self) -> u32 {
        0
    }
}

#[cfg(test)]
mod tests;
