//! The preservation check as translations and summaries use it.

use luna_messages::Fidelity;
use luna_messages::preserve::{PreservedToken, TokenClass};

use super::{PreservationCheck, PreservationVerdict};
use luna_preservation::{self as preservation, Glossary};

/// The preservation check with its glossary and the compared classes (`translation.preserve_tokens`).
#[derive(Debug, Clone)]
pub struct TokenPreservationCheck {
    glossary: Glossary,
    classes: Vec<TokenClass>,
}

impl TokenPreservationCheck {
    /// A check that compares these classes, and always glossary names and column names of tables.
    #[must_use]
    pub fn new(glossary: &[String], classes: &[TokenClass]) -> Self {
        Self { glossary: Glossary::new(glossary), classes: classes.to_vec() }
    }

    fn counts(&self, token: &PreservedToken) -> bool {
        matches!(token.class, TokenClass::Glossary | TokenClass::Header) || self.classes.contains(&token.class)
    }
}

impl PreservationCheck for TokenPreservationCheck {
    fn verdict(&self, source: &str, translation: &str, fidelity: Fidelity) -> PreservationVerdict {
        if translation.trim().is_empty() {
            return PreservationVerdict::Broken(Vec::new());
        }
        let repaired = preservation::repair(source, translation, fidelity, &self.glossary);
        let broken: Vec<&PreservedToken> = repaired.report.broken().filter(|token| self.counts(token)).collect();
        if !broken.is_empty() {
            let mut tokens: Vec<String> = Vec::new();
            for token in broken {
                if !tokens.contains(&token.text) {
                    tokens.push(token.text.clone());
                }
            }
            return PreservationVerdict::Broken(tokens);
        }
        if repaired.repaired {
            // The repaired token may be of a class that is not compared: then the model's own words stand.
            let before = preservation::check(source, translation, fidelity, &self.glossary);
            if before.broken().any(|token| self.counts(token)) {
                return PreservationVerdict::Repaired(repaired.text);
            }
        }
        PreservationVerdict::Kept
    }

    fn foreign_numbers(&self, source: &str, summary: &str) -> Vec<String> {
        preservation::invented_numbers(source, summary).into_iter().map(|(number, _)| number).collect()
    }
}
