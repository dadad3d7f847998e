//! The lanes of a priority mailbox, and the properties of a message: lane, overflow, retries (KER-3, KER-4, KER-7).

pub use luna_messages_derive::Message;
use serde::{Deserialize, Serialize};

/// The priority class of a message, highest first (KER-3).
///
/// The lane comes from the message's type and never from the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lane {
    /// Reflex commands: stop, pause, next. Never waits behind another lane.
    Reflex,
    /// Speech.
    Tts,
    /// Work on the accessibility tree. Messages of lower lanes are promoted to this lane (KER-5).
    Uia,
    /// Text recognition.
    Ocr,
    /// Language model work.
    Llm,
}

impl Lane {
    /// All lanes, highest first.
    pub const ALL: [Self; 5] = [Self::Reflex, Self::Tts, Self::Uia, Self::Ocr, Self::Llm];

    /// 0 for the highest lane.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The name in metrics labels and configuration.
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

/// What happens to a message whose lane is full (KER-4). Metrics count each outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overflow {
    /// The sender gets the message back with an error.
    Refuse,
    /// The oldest message of the lane is dropped.
    DropOldest,
    /// Replaces a waiting message of the same lane and [`Message::kind`], even if the lane is not full. Without such a message, a full lane refuses.
    Coalesce,
}

/// A message of an actor, with its delivery properties.
///
/// `#[derive(Message)]` implements it from attributes. `#[message(lane = …)]` on the enum is the default lane of its variants; the other keys
/// belong on a variant:
///
/// | key | meaning |
/// |---|---|
/// | `lane = PATH` | a constant, such as `Lane::Uia`; never a value of the message (KER-3) |
/// | `kind = "word"` | default: the variant's name in snake case, `end_pick`; variants may share a kind |
/// | `coalesce`, `drop_oldest` | the [`Overflow`]; default: refuse |
/// | `retry = N`, `retry = always` | retries a copy of the fields if the actor crashes on it, at most N times; default: no retry |
/// | `survives_restart` | see [`Message::survives_restart`]; default: false |
/// | `class_of = FIELD` | the field's [`MessageClass`] gives kind and overflow, and the retries of `retry = class`; an explicit `kind` wins |
/// | `retry_as = Variant(FIELD, …)` | retries this variant, made of these fields |
pub trait Message: Send + Sized + 'static {
    fn lane(&self) -> Lane;

    /// What happens if the lane is full.
    fn overflow(&self) -> Overflow {
        Overflow::Refuse
    }

    /// A constant name of the variant, for metrics, logs and coalescing.
    fn kind(&self) -> &'static str;

    /// A copy to retry if the actor crashes on this message (KER-7). `attempt` counts from 1 for the first retry.
    /// `None`, the default: no retry, and dropping the message answers its sender.
    fn retry(&self, attempt: u32) -> Option<Self> {
        let _ = attempt;
        None
    }

    /// Whether the mailbox keeps and accepts the message while the supervisor has given up on the actor for a while (KER-7). For facts that are sent
    /// once and need no answer; all other messages are then refused, so that their senders learn it at once.
    fn survives_restart(&self) -> bool {
        false
    }
}

/// Delivery properties that a field gives to its message: `class_of` of `#[derive(Message)]`.
pub trait MessageClass {
    /// As [`Message::kind`].
    fn kind(&self) -> &'static str;

    /// As [`Message::overflow`].
    fn overflow(&self) -> Overflow;

    /// Maximum retries if the actor crashes on the message (KER-7).
    fn retries(&self) -> u32 {
        0
    }
}

#[cfg(test)]
mod tests;
