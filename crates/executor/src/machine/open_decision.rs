//! What a language model is asked about an order, and what happens without its answer.

use luna_messages::candidate::Candidate;
use luna_messages::executor::OrderOutcome;
use luna_messages::understanding::ParsedCommand;

use crate::phrases::ExecutorPhrase;

/// What is asked of the model, and what happens without its answer.
#[derive(Debug)]
pub(super) enum OpenDecision {
    /// Several fit; without an answer the person is asked which.
    Among { step: ParsedCommand, dangerous: bool, options: Vec<Candidate> },
    /// Nothing fits the step, or the words mean nothing to the rules; without an answer that is told.
    Unknown { given_up: GivenUp, candidates: Vec<Candidate>, otherwise: ExecutorPhrase },
}

/// What the rules leave open.
#[derive(Debug)]
pub(super) struct GivenUp {
    /// What is to be done; `None` if the words mean nothing to them.
    pub step: Option<ParsedCommand>,
    /// Whether the words say something dangerous.
    pub dangerous: bool,
    /// What is reported without an answer of the model.
    pub outcome: OrderOutcome,
}
