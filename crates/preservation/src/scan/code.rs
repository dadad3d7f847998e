//! Code: backtick spans, tags, placeholders, flags, paths, colours (PRE-1).

use std::collections::BTreeMap;

use luna_messages::preserve::TokenClass::Code;
use luna_text::characters::IndexedText;

use super::super::text::{Text, is_digit, is_hangul};
use super::super::token::{CanonicalValue, Weight, narrow};
use super::super::units;
use super::Scanner;

/// Tag names of HTML and of interface markup.
const TAGS: &[&str] = &[
    "a",
    "b",
    "i",
    "u",
    "s",
    "p",
    "q",
    "br",
    "hr",
    "em",
    "strong",
    "span",
    "div",
    "code",
    "pre",
    "kbd",
    "sub",
    "sup",
    "small",
    "mark",
    "del",
    "ins",
    "img",
    "ul",
    "ol",
    "li",
    "dl",
    "dt",
    "dd",
    "table",
    "tr",
    "td",
    "th",
    "thead",
    "tbody",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "blockquote",
    "input",
    "button",
    "label",
    "form",
    "select",
    "option",
    "textarea",
    "script",
    "style",
    "link",
    "meta",
    "title",
    "head",
    "body",
    "html",
    "section",
    "article",
    "nav",
    "header",
    "footer",
    "main",
    "aside",
    "video",
    "audio",
    "iframe",
    "svg",
    "canvas",
    "font",
    "center",
    "bold",
    "italic",
];

/// The runs of backticks in a text, each with its closing run.
pub(super) struct BacktickRuns {
    /// Start, and the end of the code that it opens (0: none).
    runs: Vec<(usize, usize)>,
    /// Index of the next run.
    next: usize,
}

impl BacktickRuns {
    /// Collects the runs from `from` on. A code span ends at the next run of the same length, within the same line or paragraph unless it is a
    /// fence.
    fn of(text: &Text, from: usize) -> Self {
        let mut found: Vec<(usize, usize, usize, usize)> = Vec::new();
        let (mut i, mut paragraph, mut apostrophes) = (from, 0, 0);
        while i < text.len() {
            match text.at(i) {
                '`' => {
                    let end = text.run(i, |c| c == '`');
                    found.push((i, end - i, paragraph, apostrophes));
                    i = end;
                }
                '\'' => {
                    // Not that of "don't".
                    let inside = text.before(i).is_alphanumeric() && text.at(i + 1).is_ascii_alphabetic();
                    apostrophes += usize::from(!inside);
                    i += 1;
                }
                '\n' => {
                    if text.at(i + 1) == '\n' {
                        paragraph += 1;
                    }
                    i += 1;
                }
                _ => i += 1,
            }
        }
        // Backwards, so that the next run of each length is known.
        let mut closing: BTreeMap<usize, (usize, usize, usize)> = BTreeMap::new();
        let mut runs = Vec::with_capacity(found.len());
        for (start, length, paragraph, apostrophes) in found.into_iter().rev() {
            let end = match closing.get(&length) {
                // In `this' way a backtick is closed by an apostrophe.
                Some((_, _, more)) if length == 1 && (more - apostrophes) % 2 == 1 => 0,
                Some((close, other, _)) if length >= 3 || *other == paragraph => close + length,
                _ => 0,
            };
            runs.push((start, end));
            closing.insert(length, (start, paragraph, apostrophes));
        }
        runs.reverse();
        Self { runs, next: 0 }
    }

    /// The end of the code that the run at `i` opens.
    fn end(&mut self, i: usize) -> Option<usize> {
        while let Some((start, end)) = self.runs.get(self.next) {
            if *start >= i {
                return (*start == i && *end > 0).then_some(*end);
            }
            self.next += 1;
        }
        None
    }
}

impl Scanner<'_> {
    pub(super) fn backtick_span(&mut self, i: usize) -> usize {
        let text = self.t;
        let ticks = self.ticks.get_or_insert_with(|| BacktickRuns::of(text, i));
        match ticks.end(i) {
            Some(end) => {
                self.push_text(Code, i, end);
                end
            }
            None => self.t.run(i, |c| c == '`'),
        }
    }

    /// `<b>`, `</b>`, `<br/>`, `<a href="…">`.
    pub(super) fn tag(&mut self, i: usize) -> usize {
        let name = if self.t.at(i + 1) == '/' { i + 2 } else { i + 1 };
        if !self.t.at(name).is_ascii_alphabetic() {
            return i + 1;
        }
        let after = self.t.run(name, |c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        if !matches!(self.t.at(after), ' ' | '/' | '>') {
            return i + 1;
        }
        let end = self.t.run(after, |c| !matches!(c, '<' | '>' | '\n'));
        if self.t.at(end) != '>' {
            return i + 1;
        }
        // <file> may be a word to translate; a known name, an attribute or a slash makes it a tag for certain.
        let lower: String = self.t.slice(name, after.min(name + 12)).iter().collect();
        let known = TAGS.contains(&&*lower) || name > i + 1 || (after..end).any(|k| matches!(self.t.at(k), '=' | '/'));
        if !known {
            return i + 1;
        }
        self.push_text(Code, i, end + 1);
        end + 1
    }

    /// `{0}`, `{name}`, `{{ name }}`.
    pub(super) fn braces(&mut self, i: usize) -> usize {
        if let Some(end) = self.branches(i).or_else(|| self.formatted_argument(i)) {
            return end;
        }
        let double = self.t.at(i + 1) == '{';
        let inner = if double { i + 2 } else { i + 1 };
        let end = self.t.short_run(inner, 64, |c| {
            c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':' | ',' | '#' | '-' | '%') || (double && c == ' ')
        });
        let closed = self.t.at(end) == '}' && (!double || self.t.at(end + 1) == '}');
        if !closed || (end == inner && double) {
            return i + 1;
        }
        let end = if double { end + 2 } else { end + 1 };
        self.push_text(Code, i, end);
        end
    }

    /// `${name}`, `$NAME`, after a `$` that no amount follows.
    pub(super) fn variable(&mut self, i: usize) -> usize {
        let next = self.t.at(i + 1);
        if next == '{' || next == '(' {
            let close = if next == '{' { '}' } else { ')' };
            let end = self.t.short_run(i + 2, 64, |c| c.is_ascii() && c != close && !c.is_ascii_control());
            if self.t.at(end) == close && end > i + 2 {
                self.push_text(Code, i, end + 1);
                return end + 1;
            }
        } else if next.is_ascii_alphabetic() || next == '_' {
            let end = self.t.run(i + 1, |c| c.is_ascii_alphanumeric() || c == '_');
            self.push_text(Code, i, end);
            return end;
        }
        i + 1
    }

    /// `%s`, `%1$d`, `%.2f`, `%(name)s`, `%PATH%`.
    pub(super) fn percent_sign(&mut self, i: usize) -> usize {
        let ends = |end: usize| !self.t.at(end).is_ascii_alphanumeric();
        let (mut end, mut printed) = (None, false);
        if self.t.at(i + 1) == '(' {
            let close = self.t.short_run(i + 2, 40, |c| c.is_ascii_alphanumeric() || c == '_');
            if self.t.at(close) == ')' && self.t.at(close + 1).is_ascii_alphabetic() {
                end = Some(close + 2);
            }
        } else {
            let flags = self.t.short_run(i + 1, 12, |c| is_digit(c) || matches!(c, '.' | '-' | '+' | '#' | '$' | '*'));
            let length = self.t.short_run(flags, 2, |c| matches!(c, 'l' | 'h' | 'z'));
            let unit = || {
                let word = self.t.letters(length + 1);
                !self.t.at(word.end).is_ascii_alphanumeric() && units::symbol(word.as_str()).is_some()
            };
            // %.1fMB
            if "sdifuxXcegpo@".contains(self.t.at(length))
                && self.t.at(length) != '\0'
                && (ends(length + 1) || matches!(self.t.at(length), 's' | 'd') || unit())
            {
                (end, printed) = (Some(length + 1), true);
            } else {
                let name = self.t.short_run(i + 1, 40, |c| c.is_ascii_uppercase() || is_digit(c) || c == '_');
                if name > i + 1 && self.t.at(i + 1).is_ascii_uppercase() && self.t.at(name) == '%' {
                    end = Some(name + 1);
                }
            }
        }
        // %% is a plain percent sign.
        let Some(end) = end else { return if self.t.at(i + 1) == '%' { i + 2 } else { i + 1 } };
        let key = if printed { self.positional(i, end) } else { None };
        self.scan.push(Code, (i, end), Weight::Hard, [key]);
        end
    }

    /// A placeholder with its position: the second `%s` is `%2$s`, which a translation in another order needs.
    fn positional(&mut self, i: usize, end: usize) -> Option<CanonicalValue> {
        let rest = self.string(i + 1, end);
        if rest.contains('$') {
            return Some(CanonicalValue::Text(self.string(i, end)));
        }
        self.arguments += 1;
        Some(CanonicalValue::Text(format!("%{}${rest}", self.arguments).into_boxed_str()))
    }

    /// `--help`, `-v`, `--level=3`.
    pub(super) fn flag(&mut self, i: usize) -> usize {
        let long = self.t.at(i + 1) == '-';
        let name = if long { i + 2 } else { i + 1 };
        let begins = self.t.at(name);
        if !begins.is_ascii_lowercase() && (long || !begins.is_ascii_alphabetic()) {
            return i + 1;
        }
        let mut end = self.t.run(name, |c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        if (!long && end - name > 2) || self.t.before(end) == '-' {
            return i + 1;
        }
        let mut short = 0;
        if long && self.t.at(end) == '=' {
            let value = self.t.run(end + 1, |c| c.is_ascii_alphanumeric() || "_-./:,@+%".contains(c));
            let named = value > end + 1 && !self.t.slice(end + 1, value).iter().any(char::is_ascii_lowercase);
            // In --file=NAME the name stands for a value, and is translated.
            if named && self.t.at(end + 1).is_ascii_uppercase() {
                short = end;
            }
            end = if value > end + 1 { self.trimmed(end, value) } else { end };
        }
        self.push_text(Code, i, end);
        if let Some(token) = self.scan.tokens.last_mut() {
            token.short_end = narrow(short);
        }
        end
    }

    /// `/etc/hosts`, `~/x`, `./x`, `../x`.
    pub(super) fn path(&mut self, i: usize) -> usize {
        let first = self.t.run(i, |c| matches!(c, '.' | '~' | '/'));
        let begins = self.begins(i) && self.t.before(i) != '/' && first - i <= 6;
        let slash = self.t.before(first) == '/';
        let next = self.t.at(first);
        if !begins || !slash || !(next.is_ascii_alphanumeric() || matches!(next, '_' | '.' | '@')) {
            return first.max(i + 1);
        }
        let end = self.path_tail(i, first, '/');
        self.push_text(Code, i, end);
        end
    }

    /// The end of a path with this `separator`. Hangul belongs to it if a part begins with Hangul.
    pub(super) fn path_tail(&mut self, start: usize, from: usize, separator: char) -> usize {
        let mut end = from;
        loop {
            let c = self.t.at(end);
            let hangul = is_hangul(c) && (self.t.before(end) == separator || is_hangul(self.t.before(end)));
            if end >= self.t.len() || !(c.is_ascii_alphanumeric() || c == separator || "_-.@+%~$".contains(c) || hangul)
            {
                break;
            }
            end += 1;
        }
        self.trimmed(start + 1, end)
    }

    /// `C:\Users\a.txt` after its letter, or `\\server\share`, or an escape such as `\n`.
    pub(super) fn backslash(&mut self, i: usize) -> usize {
        if self.t.at(i + 1) == '\\' && self.t.at(i + 2).is_ascii_alphanumeric() && self.begins(i) {
            let end = self.path_tail(i, i + 2, '\\');
            self.push_text(Code, i, end);
            return end;
        }
        // The letter of an escape is not a word.
        if self.t.at(i + 1).is_ascii_alphabetic() { i + 2 } else { i + 1 }
    }

    /// `#FF8800`.
    pub(super) fn hash(&mut self, i: usize) -> usize {
        let end = self.t.short_run(i + 1, 9, |c| c.is_ascii_hexdigit());
        let length = end - i - 1;
        let letter = (i + 1..end).any(|k| self.t.at(k).is_ascii_alphabetic());
        let digit = (i + 1..end).any(|k| is_digit(self.t.at(k)));
        let colour = length == 6 || length == 8 || (length == 3 && letter && digit);
        if !colour || self.t.at(end).is_ascii_alphanumeric() {
            return i + 1;
        }
        self.push_text(Code, i, end);
        end
    }

    /// `&#39;`, `&amp;`: a character, not a token.
    pub(super) fn entity(&mut self, i: usize) -> usize {
        let name = if self.t.at(i + 1) == '#' { i + 2 } else { i + 1 };
        let end = self.t.short_run(name, 8, |c| c.is_ascii_alphanumeric());
        if end > name && self.t.at(end) == ';' { end + 1 } else { self.access_key(i) }
    }

    /// `end` without the sentence's trailing punctuation, not before `least`.
    pub(super) fn trimmed(&self, least: usize, mut end: usize) -> usize {
        while end > least
            && matches!(self.t.before(end), '.' | ',' | ':' | ';' | '!' | '?' | '-' | '~' | '@' | '…' | '*')
        {
            end -= 1;
        }
        end
    }
}
