//! Sentence-by-sentence translation, and the handling of a sentence with altered tokens (TRN-1 to TRN-4, PRE-2, PRE-4, PRE-5, PRE-7).
//!
//! [`units`] segments a text; [`TranslationRun::step`] decides which sentence goes to which model and emits finished pieces immediately, in
//! order; [`summary`] does the same for summaries. A [`PreservationCheck`] decides whether tokens were kept.

pub mod summary;
pub mod units;

mod escalation;
mod pipeline;
mod token_check;

use luna_messages::Fidelity;

pub use escalation::Escalation;
pub use pipeline::{Ask, TranslationEffect, TranslationEvent, TranslationRun};
pub use token_check::TokenPreservationCheck;

/// Verdict of the preservation check on a translation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PreservationVerdict {
    /// Every token was kept.
    Kept,
    /// One token was altered; this is the translation with the original token restored (PRE-7).
    Repaired(String),
    /// Tokens that were altered, lost or added; empty if the check can't name one.
    Broken(Vec<String>),
}

/// The preservation check ("preserve lock").
pub trait PreservationCheck {
    /// Compares a translation with its source (PRE-2), and repairs it if the repair is certain.
    fn verdict(&self, source: &str, translation: &str, fidelity: Fidelity) -> PreservationVerdict;

    /// The numbers of a summary that do not occur in the source (PRE-5).
    fn foreign_numbers(&self, source: &str, summary: &str) -> Vec<String>;
}

#[cfg(test)]
mod tests;
