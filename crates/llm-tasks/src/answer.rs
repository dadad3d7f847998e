//! Parses answers of models that are not constrained by a grammar (DSL-3).
//!
//! Such a model emits JSON as a person types it, a call in its family's notation, or either of them between fences, thoughts and chatty prose.
//! [`AnswerReader`] takes the text as it streams in; [`AnswerReader::finish`] returns what the text certainly says:
//!
//! - **Nothing is invented.** A key, a value or a call is present only if the text has it. The incomplete last item of a truncated text is
//!   dropped, never completed: `{"a": 1, "b": "hel` yields `a`, and [`ParsedAnswer::cut`] reports that more was to come. A word that could have
//!   continued (`"n": 12` at the very end) counts as truncated.
//! - **Thoughts are not part of the answer** (REA-4): text in `<think>` and similar tags is skipped, even if only the closing tag is present.
//! - **Linear time** in the length of the text: a rejected part is never read again. Nesting is bounded ([`DEPTH`]).
//! - The result does not depend on how the text was split into pieces.

mod call;
mod parse;
mod plain;
mod scan;
mod tags;
mod text;
mod thought;
mod value;

use zeroize::Zeroize;

pub use call::ToolCall;
pub use plain::plain;
pub use value::LooseValue;

/// Maximum nesting depth of values; deeper ones are rejected.
pub const DEPTH: usize = 64;
/// Maximum bytes of an answer that are read; the rest is dropped. The largest answer budget is far below.
pub const MAX_BYTES: usize = 1 << 20;

/// What is missing at the end of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Cut {
    #[default]
    Nothing,
    /// Closing brackets only: every opened entry is complete.
    Brackets,
    /// Part of a value, or the item after a comma.
    Value,
}

/// One item of a model's answer.
#[derive(Debug, Clone, PartialEq)]
pub enum AnswerPart {
    Call(ToolCall),
    /// An object or a list.
    Value(LooseValue),
}

/// A parsed model answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ParsedAnswer {
    /// Calls and values, in order.
    pub parts: Vec<AnswerPart>,
    /// The surrounding prose, without thoughts, fences and tags.
    pub text: String,
    /// What is missing at the end.
    pub cut: Cut,
    /// Whether a value was malformed after its beginning. What is in [`Self::parts`] is complete all the same, but may have been meant as a part
    /// of that value.
    pub damaged: bool,
}

impl ParsedAnswer {
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.parts.iter().filter_map(|part| match part {
            AnswerPart::Call(call) => Some(call),
            AnswerPart::Value(_) => None,
        })
    }

    /// The values that are not calls.
    pub fn values(&self) -> impl Iterator<Item = &LooseValue> {
        self.parts.iter().filter_map(|part| match part {
            AnswerPart::Value(value) => Some(value),
            AnswerPart::Call(_) => None,
        })
    }
}

/// Accumulates a streamed answer.
#[derive(Debug, Default)]
pub struct AnswerReader {
    text: String,
    full: bool,
}

impl AnswerReader {
    #[must_use]
    pub const fn new() -> Self {
        Self { text: String::new(), full: false }
    }

    /// Appends the next piece. Bytes beyond [`MAX_BYTES`] in total are dropped.
    pub fn push(&mut self, piece: &str) {
        if self.full {
            return;
        }
        let room = MAX_BYTES.saturating_sub(self.text.len());
        if piece.len() <= room {
            self.text.push_str(piece);
            return;
        }
        self.full = true;
        let fits = piece.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|end| *end <= room).last();
        self.text.push_str(piece.get(..fits.unwrap_or(0)).unwrap_or_default());
    }

    /// Parses the accumulated text.
    #[must_use]
    pub fn finish(self) -> ParsedAnswer {
        let mut answer = scan::scan(thought::without_leading(&self.text));
        if self.full {
            answer.cut = Cut::Value;
        }
        answer
    }
}

impl Drop for AnswerReader {
    /// Wipes the text: an answer holds screen text and thoughts (BUF-2, REA-4).
    fn drop(&mut self) {
        self.text.zeroize();
    }
}

/// Parses a whole answer.
#[must_use]
pub fn read(text: &str) -> ParsedAnswer {
    let mut reader = AnswerReader::new();
    reader.push(text);
    reader.finish()
}

#[cfg(test)]
mod tests;
