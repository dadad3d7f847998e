//! Results of the preservation check, which compares a text with its translation (PRE-1, PRE-2).

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
    /// A web address.
    Url,
    /// An e-mail address.
    Email,
    /// Code, a file name, a key, a placeholder.
    Code,
    /// A term of the glossary (`translation.glossary`).
    Glossary,
    /// A column name of a table.
    Header,
}

impl TokenClass {
    /// Classes that the configuration can choose (`translation.preserve_tokens`); the others are always compared.
    pub const CHOSEN: [Self; 8] =
        [Self::Number, Self::Date, Self::Percent, Self::Unit, Self::Url, Self::Email, Self::Code, Self::Currency];
}

/// What the translation did to a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenStatus {
    /// Both texts have it.
    Kept,
    /// One text spells the number, the other writes it in digits: told, but no failure (PRE-8).
    Respelled,
    /// The translation lacks it.
    Missing,
    /// The translation has another token in its place.
    Altered,
    /// Only the translation has it.
    Added,
    /// Both texts have it, but in the translation it stands where another one belongs.
    Reordered,
}

impl TokenStatus {
    /// Whether a translation with such a token is right.
    #[must_use]
    pub const fn is_ok(self) -> bool {
        matches!(self, Self::Kept | Self::Respelled)
    }
}

/// A range in a text, from `start` up to but excluding `end`, in characters (Unicode scalar values), not bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "[usize; 2]", into = "[usize; 2]")]
pub struct Span {
    pub start: usize,
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

/// A token and its status.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreservedToken {
    pub class: TokenClass,
    /// As in the source; an added token as in the translation.
    pub text: String,
    pub status: TokenStatus,
    /// Its range in the source.
    pub source_span: Option<Span>,
    /// The range of the token, or of its replacement, in the translation.
    pub target_span: Option<Span>,
    /// The token's text in the translation, if it differs from `text`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_text: Option<String>,
}

/// The result of the preservation check for a text and its translation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreservationReport {
    /// Whether every token was kept or respelled and none added.
    pub ok: bool,
    /// Tokens of the source in their order, then added tokens, then altered or missing column names.
    pub tokens: Vec<PreservedToken>,
}

impl PreservationReport {
    /// Tokens whose status is a failure.
    pub fn broken(&self) -> impl Iterator<Item = &PreservedToken> {
        self.tokens.iter().filter(|token| !token.status.is_ok())
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
