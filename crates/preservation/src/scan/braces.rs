//! Messages with branches, as ICU writes them: `{count, plural, one {# file} other {# files}}`. Languages have different branches, so only the
//! argument counts, and the text of the last branch.

use luna_messages::preserve::TokenClass::Code;
use luna_text::characters::IndexedText;

use super::super::text::{Text, is_space};
use super::super::token::{CanonicalValue, Weight};
use super::Scanner;

/// The closing brace of each opening one.
pub(super) struct Braces {
    /// Position of an opening brace and of its closing one (0: none), in order.
    pairs: Vec<(usize, usize)>,
}

impl Braces {
    fn of(text: &Text, from: usize) -> Self {
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        let mut open = Vec::new();
        for k in from..text.len() {
            match text.at(k) {
                '{' => {
                    open.push(pairs.len());
                    pairs.push((k, 0));
                }
                '}' => {
                    if let Some(pair) = open.pop().and_then(|at| pairs.get_mut(at)) {
                        pair.1 = k;
                    }
                }
                _ => {}
            }
        }
        Self { pairs }
    }

    fn end(&self, open: usize) -> Option<usize> {
        let at = self.pairs.binary_search_by_key(&open, |pair| pair.0).ok()?;
        self.pairs.get(at).map(|pair| pair.1).filter(|end| *end > 0)
    }
}

impl Scanner<'_> {
    /// A message with branches at `i`: `{name, plural, …}`. Returns the beginning of the text of its last branch.
    pub(super) fn branches(&mut self, i: usize) -> Option<usize> {
        let (head, kind) = self.argument(i)?;
        if !matches!(&*kind, "plural" | "select" | "selectordinal") {
            return None;
        }
        let text = self.t;
        let braces = self.braces.get_or_insert_with(|| Braces::of(text, i));
        let close = braces.end(i)?;
        // Each branch: a selector, then its text in braces. Their insides are jumped over.
        let mut last = None;
        let mut k = head;
        while k < close {
            if text.at(k) == '{' {
                last = Some(k + 1);
                k = braces.end(k)?;
            }
            k += 1;
        }
        let last = last?;
        let name: String = text.slice(i + 1, head).iter().filter(|c| !is_space(**c)).collect();
        self.scan.push(Code, (i, head), Weight::Hard, [Some(CanonicalValue::Text(name.into_boxed_str()))]);
        Some(last)
    }

    /// `{0, number}`, `{when, date, short}`.
    pub(super) fn formatted_argument(&mut self, i: usize) -> Option<usize> {
        let (head, kind) = self.argument(i)?;
        if !matches!(&*kind, "number" | "date" | "time" | "ordinal" | "duration" | "spellout") {
            return None;
        }
        let end = self.t.short_run(head, 32, |c| c.is_ascii_alphanumeric() || " ,.:#/%-".contains(c));
        if self.t.at(end) != '}' {
            return None;
        }
        let name: String = self.t.slice(i, end + 1).iter().filter(|c| !is_space(**c)).collect();
        self.scan.push(Code, (i, end + 1), Weight::Hard, [Some(CanonicalValue::Text(name.into_boxed_str()))]);
        Some(end + 1)
    }

    /// The name and the kind of an argument whose brace is at `i`: the end of the kind, and the kind.
    fn argument(&self, i: usize) -> Option<(usize, String)> {
        let name = self.t.short_run(i + 1, 40, |c| c.is_ascii_alphanumeric() || c == '_');
        if name == i + 1 || self.t.at(name) != ',' {
            return None;
        }
        let from = self.t.after_space(name + 1);
        let end = self.t.short_run(from, 16, |c| c.is_ascii_lowercase());
        let kind = self.t.slice(from, end).iter().collect();
        matches!(self.t.at(end), ',' | '}').then_some((end, kind))
    }
}
