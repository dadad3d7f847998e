//! Quoted strings: any quotation marks, escapes, and unescaped quotation marks inside.

use super::Cut;
use super::parse::{AnswerSyntaxError, Parsed, Parser};
use super::value::LooseValue;

/// Maximum length of a name before a colon, in characters.
const MAX_NAME_CHARS: usize = 64;

/// The terminator of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Close {
    Mark(char),
    /// Three marks.
    Three(&'static str),
    /// A mark after a backslash: the whole JSON was escaped once more.
    Escaped,
}

impl Parser<'_> {
    /// Whether a quoted string begins at this character.
    pub fn opens_text(&self, c: char) -> bool {
        match c {
            '"' | '\'' | '“' | '‘' | '「' => true,
            '`' => !self.rest().starts_with("```"),
            '\\' => self.rest().starts_with("\\\""),
            'r' | 'u' | 'b' | 'f' | 'R' | 'U' | 'B' | 'F' if self.code => {
                self.rest().chars().nth(1).is_some_and(|next| matches!(next, '"' | '\''))
            }
            _ => false,
        }
    }

    /// Parses a string, and those that `+`, or in a program mere whitespace, joins to it.
    pub fn joined_text(&mut self) -> Parsed<LooseValue> {
        let Some(mut text) = self.text(false)? else { return Ok(None) };
        loop {
            let before = self.position();
            self.blanks();
            let plus = self.eat("+");
            self.blanks();
            let more = self.peek().is_some_and(|c| self.opens_text(c));
            if !more || !(plus || self.code) {
                if plus {
                    return Err(AnswerSyntaxError);
                }
                self.rewind(before);
                return Ok(Some(LooseValue::Text(text)));
            }
            let Some(next) = self.text(false)? else { return Ok(None) };
            text.push_str(&next);
        }
    }

    const fn position(&self) -> usize {
        self.at
    }

    /// Resets to before skipped whitespace.
    const fn rewind(&mut self, place: usize) {
        self.at = place;
    }

    /// Parses a quoted string. `first`: the first mark ends it, as in a name, even if it could be an unescaped quotation mark.
    pub fn text(&mut self, first: bool) -> Parsed<String> {
        let mut raw = false;
        if let Some(prefix) = self.peek().filter(|c| c.is_ascii_alphabetic()) {
            raw = matches!(prefix, 'r' | 'R');
            self.bump();
        }
        let close = match self.peek() {
            Some('"') if self.eat("\"\"\"") => Close::Three("\"\"\""),
            Some('\'') if self.eat("'''") => Close::Three("'''"),
            Some('\\') => {
                self.eat("\\\"");
                Close::Escaped
            }
            Some(open) => {
                self.bump();
                Close::Mark(match open {
                    '“' => '”',
                    '‘' => '’',
                    '「' => '」',
                    open => open,
                })
            }
            None => return Err(AnswerSyntaxError),
        };
        let mut text = String::new();
        loop {
            let Some(c) = self.peek() else {
                self.cut = self.cut.max(Cut::Value);
                return Ok(None);
            };
            match close {
                Close::Three(marks) if self.rest().starts_with(marks) => {
                    self.eat(marks);
                    return Ok(Some(text));
                }
                Close::Escaped if self.rest().starts_with("\\\"") => {
                    self.eat("\\\"");
                    return Ok(Some(text));
                }
                Close::Mark(mark) if c == mark => {
                    self.bump();
                    if first || self.is_end() {
                        return Ok(Some(text));
                    }
                    text.push(c);
                    continue;
                }
                Close::Mark(_) | Close::Three(_) | Close::Escaped => {}
            }
            self.bump();
            if c == '\\' && !raw {
                if self.escape(&mut text).is_none() {
                    self.cut = self.cut.max(Cut::Value);
                    return Ok(None);
                }
            } else {
                text.push(c);
            }
        }
    }

    /// Decodes the character after a backslash; `None` if the text ends in it.
    fn escape(&mut self, text: &mut String) -> Option<()> {
        let c = self.bump()?;
        match c {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'b' => text.push('\u{8}'),
            'f' => text.push('\u{c}'),
            '"' | '\'' | '\\' | '/' | '`' => text.push(c),
            '\n' => {}
            'u' => match self.hex4()? {
                Some(high @ 0xD800..=0xDBFF) if self.rest().starts_with("\\u") => {
                    self.eat("\\u");
                    let low = self.hex4()?;
                    let both = low.filter(|low| (0xDC00..=0xDFFF).contains(low));
                    let code = both.map(|low| 0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00));
                    text.push(code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER));
                }
                Some(code) => text.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)),
                None => text.push_str("\\u"),
            },
            // Kept literally: a path or a pattern with single backslashes.
            other => {
                text.push('\\');
                text.push(other);
            }
        }
        Some(())
    }

    /// Four hexadecimal digits; `Some(None)` if they are malformed, `None` if the text ends before them.
    fn hex4(&mut self) -> Option<Option<u32>> {
        let rest = self.rest();
        let digits: String = rest.chars().take(4).take_while(char::is_ascii_hexdigit).collect();
        if digits.len() < 4 {
            return (rest.len() > digits.len()).then_some(None);
        }
        for _ in 0..4 {
            self.bump();
        }
        Some(u32::from_str_radix(&digits, 16).ok())
    }

    /// Whether the mark just consumed ends its string, judged by what follows; else it is an unescaped quotation mark.
    fn is_end(&self) -> bool {
        let rest = self.rest();
        let behind = rest.trim_start();
        let Some(next) = behind.chars().next() else { return true };
        match next {
            // In an object a name follows the comma: otherwise the comma belongs to the string, and so does the mark.
            ',' if self.in_named() => is_entry(behind.get(1..).unwrap_or_default()),
            ',' | '，' | ':' | '：' | '}' | ']' | ')' | '+' | ';' | '#' | '=' | '\\' => true,
            '/' => behind.starts_with("//") || behind.starts_with("/*"),
            '`' => behind.starts_with("```"),
            '<' => behind.starts_with("</") || behind.starts_with("<|"),
            '"' | '\'' | '“' | '‘' => behind.len() < rest.len() || self.code,
            // A missing comma before the next name.
            _ => behind.len() < rest.len() && is_named(behind),
        }
    }
}

/// Whether the text after a comma can be the next entry of an object or call, or its end.
fn is_entry(text: &str) -> bool {
    let text = text.trim_start();
    match text.chars().next() {
        None => true,
        Some(c) => {
            matches!(c, '"' | '\'' | '“' | '‘' | '`' | '}' | ']' | ')' | ',' | '/' | '#' | '.' | '…' | '\\' | '{' | '*')
                || is_named(text)
        }
    }
}

/// Whether the text begins with a bare name and a colon.
fn is_named(text: &str) -> bool {
    let end = text
        .char_indices()
        .take(MAX_NAME_CHARS)
        .find(|(_, c)| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '-' | '.')));
    let Some((end, _)) = end.filter(|(end, _)| *end > 0) else { return false };
    text.get(end..).unwrap_or_default().trim_start().starts_with([':', '='])
}
