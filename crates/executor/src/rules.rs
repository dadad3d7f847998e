//! What the executor needs of the rules of understanding.

use luna_messages::candidate::Candidate;
use luna_messages::understanding::{Interpretation, ParsedCommand, TargetMatch};

/// Nothing is understood, and everything is dangerous: the rules are not made yet.
#[derive(Debug, Clone, Copy)]
pub struct NoCommandRules;

impl CommandRules for NoCommandRules {
    fn understand(&self, _: &str, _: bool, _: &[Candidate]) -> Interpretation {
        Interpretation::default()
    }

    fn resolve(&self, _: &ParsedCommand, _: &[Candidate]) -> TargetMatch {
        TargetMatch::default()
    }

    fn is_dangerous(&self, _: &str) -> bool {
        true
    }

    fn is_yes(&self, _: &str) -> bool {
        false
    }
}

/// The rules, as they are configured.
pub trait CommandRules {
    /// What an utterance means on a screen (NLU-3). `asking`: single words answer a question about the candidates (EXE-3).
    fn understand(&self, utterance: &str, asking: bool, candidates: &[Candidate]) -> Interpretation;

    /// Which candidate a later step means (EXE-5).
    fn resolve(&self, step: &ParsedCommand, candidates: &[Candidate]) -> TargetMatch;

    /// Whether a label, or what is said of an element, asks for a confirmation (DNG-1, DNG-4).
    fn is_dangerous(&self, text: &str) -> bool;

    /// Whether the title of a menu says that what its entries do asks for a confirmation (DNG-4): "Delete" does, "Format" is what the entries are about.
    fn is_dangerous_title(&self, title: &str) -> bool {
        self.is_dangerous(title)
    }

    /// The number that a text says and nothing else, as what is entered may be a number in words: "열두 명".
    fn number_said(&self, _text: &str) -> Option<i64> {
        None
    }

    /// Whether an utterance says yes, with or without the wake word, and nothing else (DNG-2). The likeliest meaning is not enough: "yes, stop" is most
    /// likely a yes.
    fn is_yes(&self, utterance: &str) -> bool;
}
