//! Translating sentence by sentence, and what becomes of a sentence whose tokens were altered (TRN-1 to TRN-4, PRE-2, PRE-4, PRE-5, PRE-7).
//!
//! [`units`] cuts a text, [`TranslationRun::step`] says which sentence is asked of which model and hands finished ones out at once, in order;
//! [`summary`] does the like for summaries. Whether tokens were kept says a [`PreservationCheck`].

pub mod summary;
pub mod units;

mod escalation;
mod locked;
mod pipeline;

use luna_messages::Fidelity;

pub use escalation::Escalation;
pub use locked::PreserveLock;
pub use pipeline::{Ask, TranslationEffect, TranslationEvent, TranslationRun};

/// What the preserve lock says of a translation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PreservationVerdict {
    /// Every token was kept.
    Kept,
    /// One token was altered, and this is the translation with the original put back (PRE-7).
    Repaired(String),
    /// These tokens were altered, are missing or were added.
    Broken(Vec<String>),
}

/// The preserve lock.
pub trait PreservationCheck {
    /// Compares a translation with its source (PRE-2), and repairs it if that is certain.
    fn verdict(&self, source: &str, translation: &str, fidelity: Fidelity) -> PreservationVerdict;

    /// The numbers of a summary that do not occur in the source (PRE-5).
    fn foreign_numbers(&self, source: &str, summary: &str) -> Vec<String>;
}

#[cfg(test)]
mod tests;
