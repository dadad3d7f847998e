//! Separates thinking from the answer (REA-3, REA-4).

use super::Cut;
use super::parse::Parser;

/// Opening and closing tags of a thought.
pub const MARKS: [(&str, &str); 6] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("[THINK]", "[/THINK]"),
    ("<|channel|>analysis<|message|>", "<|end|>"),
];

/// The text without a leading thought, with its tags or with its opening tag in the prompt.
///
/// A closing tag within a leading value belongs to the value.
pub fn without_leading(text: &str) -> &str {
    let begin = text.trim_start();
    for (open, close) in MARKS {
        if begin.starts_with(open) {
            // The scan skips the tagged thought.
            return begin;
        }
        // The last pair has no distinct closing tag.
        if !close.starts_with("</") && !close.starts_with("[/") {
            continue;
        }
        let Some(at) = text.find(close) else { continue };
        let opened = text.get(..at).is_some_and(|before| before.contains(open));
        if opened || is_within_value(text, at) {
            continue;
        }
        return text.get(at + close.len()..).unwrap_or_default();
    }
    text
}

/// Whether a leading value extends beyond `at`.
fn is_within_value(text: &str, at: usize) -> bool {
    let start = text.len() - text.trim_start().len();
    let mut parser = Parser::new(text, start);
    if !matches!(parser.peek(), Some('{' | '[')) {
        return false;
    }
    matches!(parser.value(), Ok(Some(_))) && parser.cut == Cut::Nothing && parser.at > at
}
