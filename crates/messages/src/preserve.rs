//! What the preserve lock says about a text and its translation (PRE-1, PRE-2).

use serde::{Deserialize, Serialize};

/// The kinds of text that a translation may not change (PRE-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum TokenClass {
    /// A number, a version, a telephone number.
    Number,
    /// A date or a time of day.
    Date,
    /// A percentage, its sign included.
    Percent,
    /// An amount of money, its currency included.
    Currency,
    /// A quantity with its unit.
    Unit,
    /// An address of the web.
    Url,
    /// A mail address.
    Email,
    /// Code, a file, a key, a placeholder.
    Code,
    /// A name from the glossary.
    Glossary,
    /// The name of a column of a table.
    Header,
}

impl TokenClass {
    /// Those whose comparison is a person's choice (`translation.preserve_tokens`); the others are always compared.
    pub const CHOSEN: [Self; 8] =
        [Self::Number, Self::Date, Self::Percent, Self::Unit, Self::Url, Self::Email, Self::Code, Self::Currency];
}

/// What became of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenStatus {
    /// It is in both texts.
    Kept,
    /// The translation lacks it.
    Missing,
    /// The translation has another one in its place.
    Altered,
    /// Only the translation has it.
    Added,
}

/// A place in a text: from `start` up to and without `end`, counted in characters (Unicode scalar values), not in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "[usize; 2]", into = "[usize; 2]")]
pub struct Span {
    /// The first character.
    pub start: usize,
    /// One past the last.
    pub end: usize,
}

impl From<[usize; 2]> for Span {
    fn from([start, end]: [usize; 2]) -> Self {
        Self { start, end }
    }
}

impl From<Span> for [usize; 2] {
    fn from(span: Span) -> Self {
        [span.start, span.end]
    }
}

/// A token and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreservedToken {
    /// Its kind.
    pub class: TokenClass,
    /// As it stands in the source; one that was added, as it stands in the translation.
    pub text: String,
    /// What became of it.
    pub status: TokenStatus,
    /// Where it stands in the source, in characters.
    pub source_span: Option<Span>,
    /// Where it, or what replaced it, stands in the translation, in characters.
    pub target_span: Option<Span>,
    /// What stands in the translation, if that is written otherwise than `text`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_text: Option<String>,
}

/// The outcome for a text and its translation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreservationReport {
    /// Whether every token was kept and none added.
    pub ok: bool,
    /// All tokens: those of the source in their order, then those that were added.
    pub tokens: Vec<PreservedToken>,
}

impl PreservationReport {
    /// The tokens that were not kept.
    pub fn broken(&self) -> impl Iterator<Item = &PreservedToken> {
        self.tokens.iter().filter(|token| token.status != TokenStatus::Kept)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    // PRE-2
    #[test]
    fn a_report_is_written_as_agreed_pre_2() {
        let token = PreservedToken {
            class: TokenClass::Percent,
            text: "30%".to_owned(),
            status: TokenStatus::Missing,
            source_span: Some(Span { start: 2, end: 5 }),
            target_span: None,
            target_text: None,
        };
        let json = serde_json::to_string(&PreservationReport { ok: false, tokens: vec![token] }).unwrap();
        assert_eq!(
            json,
            r#"{"ok":false,"tokens":[{"class":"PERCENT","text":"30%","status":"missing","source_span":[2,5],"target_span":null}]}"#
        );
    }
}
