//! Reads the answers of models that nobody bound to a grammar (DSL-3).
//!
//! What such a model says is JSON as a person types it, a call in the notation of its family, or either of them between fences, thoughts and
//! friendly words. [`AnswerReader`] takes the text as it comes and [`AnswerReader::finish`] gives what was certainly said:
//!
//! - **Nothing is invented.** A key, a value or a call is there only if the text has it. What touches the end of a text that was cut off is
//!   dropped, never completed: of `{"a": 1, "b": "hel` there is `a`, and [`ParsedAnswer::cut`] says that more was to come. A word that could have gone
//!   on (`"n": 12` at the very end) counts as cut off.
//! - **Thoughts are no answer** (REA-4): text in `<think>` and its likes is skipped, also if only the closing tag is there.
//! - **Time is linear** in the text: what was looked at and made no sense is not looked at again. Nesting is bounded ([`DEPTH`]).
//! - The result does not depend on how the text was cut into pieces.

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

/// How deeply values may be nested; deeper ones make no sense.
pub const DEPTH: usize = 64;
/// Bytes of an answer that are read; the rest is cut off. The largest answer budget is far below.
pub const MOST_BYTES: usize = 1 << 20;

/// What is missing at the end of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Cut {
    #[default]
    Nothing,
    /// Closing brackets only: everything that was begun is there.
    Brackets,
    /// Part of a value, or what was to come after a comma.
    Value,
}

/// A thing that a model said.
#[derive(Debug, Clone, PartialEq)]
pub enum AnswerPart {
    /// A call of a tool.
    Call(ToolCall),
    /// An object or a list that is no call.
    Value(LooseValue),
}

/// What a model said.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ParsedAnswer {
    /// Calls and values, in order.
    pub parts: Vec<AnswerPart>,
    /// The words around them, without thoughts, fences and tags.
    pub text: String,
    /// What is missing at the end.
    pub cut: Cut,
    /// Whether something that began as a value made no sense further on. What is in [`Self::parts`] is complete all the same, but may have been
    /// meant as a part of it.
    pub damaged: bool,
}

impl ParsedAnswer {
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.parts.iter().filter_map(|part| match part {
            AnswerPart::Call(call) => Some(call),
            AnswerPart::Value(_) => None,
        })
    }

    /// The values that are no calls.
    pub fn values(&self) -> impl Iterator<Item = &LooseValue> {
        self.parts.iter().filter_map(|part| match part {
            AnswerPart::Value(value) => Some(value),
            AnswerPart::Call(_) => None,
        })
    }
}

/// Takes an answer piece by piece.
#[derive(Debug, Default)]
pub struct AnswerReader {
    text: String,
    full: bool,
}

impl AnswerReader {
    /// Nothing was said yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { text: String::new(), full: false }
    }

    /// The next piece. What goes over [`MOST_BYTES`] in all is dropped.
    pub fn push(&mut self, piece: &str) {
        if self.full {
            return;
        }
        let room = MOST_BYTES.saturating_sub(self.text.len());
        if piece.len() <= room {
            self.text.push_str(piece);
            return;
        }
        self.full = true;
        let fits = piece.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|end| *end <= room).last();
        self.text.push_str(piece.get(..fits.unwrap_or(0)).unwrap_or_default());
    }

    /// What was said.
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
    /// An answer holds what is on the screen, and thoughts (BUF-2, REA-4).
    fn drop(&mut self) {
        self.text.zeroize();
    }
}

/// Reads a whole answer.
#[must_use]
pub fn read(text: &str) -> ParsedAnswer {
    let mut reader = AnswerReader::new();
    reader.push(text);
    reader.finish()
}

#[cfg(test)]
mod tests;
