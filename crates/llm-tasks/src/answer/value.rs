//! A value as a model wrote it: keys in order, numbers with their original digits.

use std::fmt;

/// A JSON value. Keys keep their order, and duplicates are kept: the reader decides what a duplicate means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LooseValue {
    /// `null`, `None`.
    Null,
    /// `true`, `True`.
    Bool(bool),
    /// A number in JSON notation, digit for digit as written.
    Number(String),
    Text(String),
    /// A list or a tuple.
    List(Vec<Self>),
    Object(Vec<(String, Self)>),
}

impl LooseValue {
    /// The value of a key; the first if the key occurs twice.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.entries().iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The entries of an object; empty for any other value.
    #[must_use]
    pub fn entries(&self) -> &[(String, Self)] {
        match self {
            Self::Object(entries) => entries,
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::Text(_) | Self::List(_) => &[],
        }
    }

    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::List(_) | Self::Object(_) => None,
        }
    }

    #[must_use]
    pub fn as_list(&self) -> Option<&[Self]> {
        match self {
            Self::List(elements) => Some(elements),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::Text(_) | Self::Object(_) => None,
        }
    }

    /// A whole number, also if written as `2.0`.
    #[must_use]
    pub fn as_integer(&self) -> Option<i64> {
        let Self::Number(digits) = self else { return None };
        let whole = match digits.split_once('.') {
            Some((whole, rest)) if rest.bytes().all(|digit| digit == b'0') => whole,
            Some(_) => return None,
            None => digits,
        };
        whole.parse().ok()
    }

    #[must_use]
    pub const fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }

    /// The type name for error messages.
    #[must_use]
    pub const fn sort(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a truth value",
            Self::Number(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}

/// Formats JSON on one line.
impl fmt::Display for LooseValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(digits) => f.write_str(digits),
            Self::Text(text) => quoted(text, f),
            Self::List(elements) => {
                f.write_str("[")?;
                for (i, element) in elements.iter().enumerate() {
                    f.write_str(if i == 0 { "" } else { "," })?;
                    element.fmt(f)?;
                }
                f.write_str("]")
            }
            Self::Object(entries) => {
                f.write_str("{")?;
                for (i, (key, value)) in entries.iter().enumerate() {
                    f.write_str(if i == 0 { "" } else { "," })?;
                    quoted(key, f)?;
                    f.write_str(":")?;
                    value.fmt(f)?;
                }
                f.write_str("}")
            }
        }
    }
}

fn quoted(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("\"")?;
    for c in text.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            c if c < ' ' => write!(f, "\\u{:04x}", u32::from(c))?,
            c => write!(f, "{c}")?,
        }
    }
    f.write_str("\"")
}
