//! Understanding, as turns need it.

use luna_messages::understanding::{Interpretation, UtteranceInput, WakeCall};

/// Nothing is understood: the rules are not made yet.
#[derive(Debug, Clone, Copy)]
pub struct NoRules;

impl UtteranceRules for NoRules {
    fn understand(&self, _: &UtteranceInput) -> Interpretation {
        Interpretation::default()
    }

    fn wake(&self, _: &str) -> WakeCall {
        WakeCall::NotCalled
    }
}

/// The rules of understanding. A trait, because this crate does not know how they are made.
pub trait UtteranceRules {
    /// What an utterance means.
    fn understand(&self, utterance: &UtteranceInput) -> Interpretation;
    /// Whether an utterance, or its beginning, calls Luna.
    fn wake(&self, text: &str) -> WakeCall;
}
