//! A tolerant parser for one value: JSON, Python literals, and their common misspellings.

use super::value::LooseValue;
use super::{Cut, DEPTH};

/// Malformed text. [`Parser::at`] is the position; nothing before it is read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswerSyntaxError;

/// A value, or `None` if the text ends before the value does.
pub type Parsed<T> = Result<Option<T>, AnswerSyntaxError>;

/// Maximum lookahead for a bare name, in characters.
const MAX_NAME_CHARS: usize = 64;

/// A cursor in a text.
#[derive(Debug, Clone)]
pub struct Parser<'a> {
    pub text: &'a str,
    /// Byte offset; always on a character boundary.
    pub at: usize,
    /// What is missing at the end so far.
    pub cut: Cut,
    /// Whether any part of the current value is complete.
    pub has_complete_part: bool,
    /// Whether this is program text, in which a bare word is not a string.
    pub code: bool,
    /// The expected closing brackets, the innermost last.
    expected_closings: Vec<char>,
    /// Characters consumed so far; tests use it to prove linear time.
    pub steps: usize,
}

impl<'a> Parser<'a> {
    pub const fn new(text: &'a str, at: usize) -> Self {
        Self {
            text,
            at,
            cut: Cut::Nothing,
            has_complete_part: false,
            code: false,
            expected_closings: Vec::new(),
            steps: 0,
        }
    }

    /// Resets the state that a malformed value left behind.
    pub fn reset(&mut self) {
        *self = Self { steps: self.steps, ..Self::new(self.text, self.at) };
    }

    pub fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        self.steps += 1;
        Some(c)
    }

    pub fn eat(&mut self, word: &str) -> bool {
        let there = self.rest().starts_with(word);
        if there {
            self.at += word.len();
            self.steps += word.len();
        }
        there
    }

    fn cut(&mut self, what: Cut) {
        self.cut = self.cut.max(what);
    }

    /// Skips whitespace and comments.
    pub fn blanks(&mut self) {
        loop {
            match self.peek() {
                Some(c) if c.is_whitespace() || c == '\u{feff}' || c == '\u{200b}' => {
                    self.bump();
                }
                Some('/') if self.rest().starts_with("/*") => {
                    self.eat("/*");
                    while self.peek().is_some() && !self.eat("*/") {
                        self.bump();
                    }
                }
                Some('/') if self.rest().starts_with("//") => self.line(),
                Some('#') => self.line(),
                Some(_) | None => return,
            }
        }
    }

    fn line(&mut self) {
        while self.peek().is_some_and(|c| c != '\n') {
            self.bump();
        }
    }

    /// Parses a value of any type.
    pub fn value(&mut self) -> Parsed<LooseValue> {
        self.blanks();
        match self.peek() {
            None => {
                self.cut(Cut::Value);
                Ok(None)
            }
            Some('{') => self.object(),
            Some('[') => self.list(']'),
            Some('(') => self.list(')'),
            Some(c) if self.opens_text(c) => self.joined_text(),
            Some(c) => self.word(c),
        }
    }

    fn enter(&mut self, closing: char) -> Result<(), AnswerSyntaxError> {
        if self.expected_closings.len() >= DEPTH {
            self.has_complete_part = true;
            return Err(AnswerSyntaxError);
        }
        self.expected_closings.push(closing);
        self.bump();
        Ok(())
    }

    /// Skips what separates two entries: whitespace, commas, an ellipsis. Returns whether there was a comma.
    fn between(&mut self) -> bool {
        let mut comma = false;
        loop {
            self.blanks();
            match self.peek() {
                Some(',' | '，' | '、') => {
                    comma = true;
                    self.bump();
                }
                Some('…') => {
                    self.bump();
                }
                Some('.') if self.rest().starts_with("...") => {
                    self.eat("...");
                }
                Some(_) | None => return comma,
            }
        }
    }

    /// Whether the current container ends here. A bracket that an outer container expects also ends it and is not consumed; any other bracket is
    /// skipped.
    fn ends(&mut self, comma: bool) -> bool {
        match self.peek() {
            None => {
                self.cut(if comma { Cut::Value } else { Cut::Brackets });
                true
            }
            Some(c) if self.expected_closings.last() == Some(&c) => {
                self.bump();
                true
            }
            Some(c @ ('}' | ']' | ')')) if self.expected_closings.contains(&c) => true,
            Some(_) => false,
        }
    }

    pub fn object(&mut self) -> Parsed<LooseValue> {
        self.enter('}')?;
        let mut entries = Vec::new();
        loop {
            let comma = self.between();
            if self.ends(comma) {
                break;
            }
            let Some(key) = self.key()? else { break };
            self.blanks();
            match self.peek() {
                Some(':' | '：') => {
                    self.bump();
                }
                Some('=') => {
                    self.bump();
                    self.eat(">");
                }
                None => {
                    self.cut(Cut::Value);
                    break;
                }
                Some(_) => return Err(AnswerSyntaxError),
            }
            let Some(value) = self.value()? else { break };
            entries.push((key, value));
            self.has_complete_part = true;
        }
        self.expected_closings.pop();
        Ok(Some(LooseValue::Object(entries)))
    }

    pub fn list(&mut self, closing: char) -> Parsed<LooseValue> {
        self.enter(closing)?;
        let mut elements = Vec::new();
        loop {
            let comma = self.between();
            if self.ends(comma) {
                break;
            }
            let Some(element) = self.value()? else { break };
            elements.push(element);
            self.has_complete_part = true;
        }
        self.expected_closings.pop();
        Ok(Some(LooseValue::List(elements)))
    }

    fn key(&mut self) -> Parsed<String> {
        match self.peek() {
            Some(c) if self.opens_text(c) => self.text(true),
            Some(c) if name_begins(c) || c.is_ascii_digit() => {
                let name = self.name();
                if self.peek().is_none() {
                    self.cut(Cut::Value);
                    return Ok(None);
                }
                Ok(Some(name))
            }
            Some(_) | None => Err(AnswerSyntaxError),
        }
    }

    /// Consumes a bare name; dots and hyphens belong to it.
    pub fn name(&mut self) -> String {
        let mut name = String::new();
        while let Some(c) = self.peek().filter(|c| name_goes_on(*c)) {
            name.push(c);
            self.bump();
        }
        name
    }

    /// Peeks at the bare name here, as [`Self::name`] would read it; at most [`MAX_NAME_CHARS`] characters.
    pub fn name_ahead(&self) -> &'a str {
        let rest = self.rest();
        if !rest.chars().next().is_some_and(name_begins) {
            return "";
        }
        let end = rest.char_indices().take(MAX_NAME_CHARS).take_while(|(_, c)| name_goes_on(*c)).last();
        end.and_then(|(at, c)| rest.get(..at + c.len_utf8())).unwrap_or_default()
    }

    /// Parses a number, a keyword, or, outside of program text, a few bare words.
    fn word(&mut self, first: char) -> Parsed<LooseValue> {
        if matches!(first, ':' | '=' | '<' | '>' | '|' | ';' | '}' | ']' | ')') {
            return Err(AnswerSyntaxError);
        }
        let start = self.at;
        while let Some(c) = self.peek() {
            match c {
                ',' | '，' | '}' | ']' | ')' | '\n' | '\r' => break,
                // A comment, unless it is in the middle of a URL.
                '#' if self.text.get(start..self.at).is_some_and(|word| word.ends_with(' ')) => break,
                '/' if self.rest().starts_with("/*") => break,
                '/' if self.rest().starts_with("//")
                    && !self.text.get(start..self.at).is_some_and(|w| w.ends_with(':')) =>
                {
                    break;
                }
                '"' | '{' | '[' | '(' | '<' | ';' => return Err(AnswerSyntaxError),
                ':' | '=' if self.rest().chars().nth(1).is_none_or(char::is_whitespace) => {
                    return Err(AnswerSyntaxError);
                }
                _ => {
                    self.bump();
                }
            }
        }
        let word = self.text.get(start..self.at).unwrap_or_default().trim();
        if self.peek().is_none() && !self.expected_closings.is_empty() {
            // The word could have continued.
            self.cut(Cut::Value);
            return Ok(None);
        }
        if let Some(number) = number(word) {
            return Ok(Some(LooseValue::Number(number)));
        }
        let value = match word {
            "" => return Err(AnswerSyntaxError),
            "null" | "None" | "NULL" | "Null" | "nil" | "undefined" | "NaN" => LooseValue::Null,
            "true" | "True" | "TRUE" => LooseValue::Bool(true),
            "false" | "False" | "FALSE" => LooseValue::Bool(false),
            // A variable name, or a remark in brackets within prose.
            _ if self.code || self.expected_closings == [']'] || self.expected_closings == [')'] => {
                return Err(AnswerSyntaxError);
            }
            words => LooseValue::Text(words.to_owned()),
        };
        Ok(Some(value))
    }

    /// Whether the innermost bracket is that of an object or a call, in which entries have names.
    pub(super) fn in_named(&self) -> bool {
        self.expected_closings.last() == Some(&'}') || self.code && self.expected_closings.last() == Some(&')')
    }

    /// Enters the parentheses of a call.
    pub fn enter_call(&mut self) -> Result<(), AnswerSyntaxError> {
        self.enter(')')
    }

    pub fn leave_call(&mut self) {
        self.expected_closings.pop();
    }

    /// Whether the call's parentheses end here; see [`Self::ends`].
    pub fn call_ends(&mut self) -> bool {
        let comma = self.between();
        self.ends(comma)
    }
}

pub fn name_begins(c: char) -> bool {
    c.is_alphabetic() || c == '_' || c == '$' || c == '@'
}

fn name_goes_on(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '@' | '.' | '-')
}

/// A number in JSON notation, if the word is a number: `+1`, `.5`, `5.`, `1_000` and `0x1F` are numbers too.
pub fn number(word: &str) -> Option<String> {
    let (sign, digits) = match word.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", word.strip_prefix('+').unwrap_or(word)),
    };
    if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        return u64::from_str_radix(hex, 16).ok().map(|number| format!("{sign}{number}"));
    }
    let (mantissa, exponent) = match digits.find(['e', 'E']) {
        Some(at) => (digits.get(..at)?, digits.get(at + 1..)),
        None => (digits, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let is_digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit() || b == b'_') && !part.starts_with('_');
    let exponent_digits = exponent.map(|e| e.strip_prefix(['+', '-']).unwrap_or(e));
    let sound = is_digits(whole)
        && fraction.is_none_or(is_digits)
        && exponent_digits.is_none_or(|e| !e.is_empty() && e.bytes().all(|b| b.is_ascii_digit()))
        && !(whole.is_empty() && fraction.is_none_or(str::is_empty));
    if !sound {
        return None;
    }
    // JSON has no leading zeros, and their meaning is uncertain ("007").
    let plain: String = whole.chars().filter(|c| *c != '_').collect();
    if plain.len() > 1 && plain.starts_with('0') {
        return None;
    }
    let whole = if plain.is_empty() { "0" } else { &plain };
    let fraction: String = fraction.unwrap_or_default().chars().filter(|c| *c != '_').collect();
    let dot = if fraction.is_empty() { "" } else { "." };
    let exponent = exponent.map(|e| format!("e{e}")).unwrap_or_default();
    Some(format!("{sign}{whole}{dot}{fraction}{exponent}"))
}
