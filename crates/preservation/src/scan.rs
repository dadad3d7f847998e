//! The scanner: a single pass over a text, character by character, that finds where each token begins and ends (PRE-3, PRE-6).
//!
//! It never backtracks: every step returns a later position. Lookahead is bounded, or remembers how far it has read.

mod address;
mod braces;
mod code;
mod dates;
mod english;
mod english_dates;
mod english_times;
mod hangul;
mod marks;
mod measures;
mod number;
mod ranges;
mod shapes;
mod suffix;
mod times;
mod word;

use luna_messages::preserve::TokenClass;
use luna_text::characters::IndexedText;
use luna_text::numerals::{self, ScaledNumber};

use super::glossary::Glossary;
use super::ratio::Ratio;
use super::text::{Text, is_digit, is_space};
use super::token::{CanonicalValue, TokenScan, Weight};
use super::units::{self, MeasureUnit, Money};
use braces::Braces;
use code::BacktickRuns;
use suffix::SuffixKind;

/// The tokens of `text`. `natural` adds their values and spelled-out numbers.
pub(super) fn scan(text: &Text, natural: bool, glossary: &Glossary) -> TokenScan {
    let mut scanner = Scanner {
        t: text,
        natural,
        glossary,
        scan: TokenScan::default(),
        ticks: None,
        chunk_end: 0,
        path_end: 0,
        chain_end: 0,
        lead: None,
        last: None,
        unit: None,
        quoted: false,
        arguments: 0,
        braces: None,
    };
    let mut i = 0;
    while i < text.len() {
        i = scanner.step(i).max(i + 1);
        // Most words end in a space, which begins nothing.
        i += usize::from(text.at(i) == ' ');
    }
    scanner.scan
}

/// The half of the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DayHalf {
    Morning,
    Afternoon,
    Night,
}

/// Words that belong to the following number: 오후, 영하, 섭씨.
#[derive(Debug, Clone, Copy)]
struct LeadingWord {
    start: usize,
    /// Position at which the number must begin.
    number: usize,
    half: Option<DayHalf>,
    negative: bool,
    scale: Option<MeasureUnit>,
    /// The time in which the amount happens: an hour after 시속.
    per: Option<MeasureUnit>,
}

/// What precedes the digits of a number: a sign, a currency, a leading word.
#[derive(Debug, Clone, Copy)]
struct NumberPrefix {
    start: usize,
    negative: bool,
    spread: bool,
    money: Option<Money>,
    half: Option<DayHalf>,
    scale: Option<MeasureUnit>,
    per: Option<MeasureUnit>,
}

/// The previous number, which may share a unit with the next one in a range.
#[derive(Debug, Clone, Copy)]
struct PreviousNumber {
    token: usize,
    end: usize,
    value: Option<Ratio>,
    /// Whether it has no unit of its own.
    plain: bool,
    /// Whether it has no 만 or million of its own.
    bare: bool,
    money: Option<Money>,
    half: Option<DayHalf>,
    /// The year and month of a date.
    month: Option<(i64, u8)>,
}

struct Scanner<'a> {
    t: &'a Text,
    natural: bool,
    glossary: &'a Glossary,
    scan: TokenScan,
    /// The runs of backticks, built at the first one.
    ticks: Option<BacktickRuns>,
    /// How far runs of letters, digits and dots have been read.
    chunk_end: usize,
    /// How far relative paths have been read.
    path_end: usize,
    /// How far groups of digits with hyphens have been read that are no telephone number.
    chain_end: usize,
    lead: Option<LeadingWord>,
    last: Option<PreviousNumber>,
    /// The unit of the last number that had one, which later ones may leave out, and its end.
    unit: Option<(SuffixKind, usize)>,
    /// Whether a quotation mark is open, so that the next one closes it and is no inch.
    quoted: bool,
    /// The number of placeholders without a position so far: the second %s is %2$s.
    arguments: usize,
    /// The end of each brace, built at the first message with branches.
    braces: Option<Braces>,
}

impl Scanner<'_> {
    fn step(&mut self, i: usize) -> usize {
        let c = self.t.at(i);
        match c {
            ' ' | '\n' | ',' | '\t' | ')' | '(' | '\'' | ':' | ';' | '!' | '?' => i + 1,
            '"' => {
                self.quoted = !self.quoted;
                i + 1
            }
            'A'..='Z' | 'a'..='z' | '_' => self.word(i),
            '0'..='9' => self.number_at(i),
            '\u{AC00}'..='\u{D7A3}' => self.hangul(i),
            '-' | '+' | '±' | '–' => self.signed(i),
            '.' => self.dot(i),
            '`' => self.backtick_span(i),
            '<' => self.tag(i),
            '{' => self.braces(i),
            '%' => self.percent_sign(i),
            '/' | '~' => self.path(i),
            '\\' => self.backslash(i),
            '#' => self.hash(i),
            '&' => self.entity(i),
            '½' | '⅓' | '⅔' | '¼' | '¾' | '⅛' | '⅜' | '⅝' | '⅞' => {
                let value = numerals::vulgar(c).map(CanonicalValue::Number);
                self.scan.push(TokenClass::Number, (i, i + 1), Weight::Hard, [value]);
                i + 1
            }
            '①'..='⑳' => {
                let value = i64::from(c as u32 - '①' as u32) + 1;
                self.scan.push(
                    TokenClass::Number,
                    (i, i + 1),
                    Weight::Hard,
                    [Some(CanonicalValue::Number(Ratio::whole(value)))],
                );
                i + 1
            }
            _ => match money_of(c) {
                Some(money) => self.money(i, i, money),
                None => i + 1,
            },
        }
    }

    /// Adds a token that is compared verbatim.
    fn push_text(&mut self, class: TokenClass, start: usize, end: usize) {
        self.scan.push(class, (start, end), Weight::Hard, []);
    }

    fn string(&self, from: usize, to: usize) -> Box<str> {
        self.t.string(from, to).into_boxed_str()
    }

    /// Whether the character before `i` allows a sign, a flag or a path to begin there.
    fn begins(&self, i: usize) -> bool {
        let before = self.t.before(i);
        before == '\0'
            || before.is_whitespace()
            || "([{<>=:/|~,;\"'“‘«≤≥≈×*±`「『（".contains(before)
            || is_space(before)
    }

    fn dot(&mut self, i: usize) -> usize {
        let (before, next) = (self.t.before(i), self.t.at(i + 1));
        if is_digit(next) && !before.is_alphanumeric() && before != '.' && before != ')' {
            let head = self.head(i);
            return self.number(head, i);
        }
        if !self.begins(i) {
            return i + 1;
        }
        if next == '/' || (next == '.' && self.t.at(i + 2) == '/') {
            return self.path(i);
        }
        // A file such as .gitignore.
        if next.is_ascii_lowercase() {
            let end = self.t.run(i + 1, |c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
            if end > i + 2 {
                self.push_text(TokenClass::Code, i, end);
                return end;
            }
        }
        i + 1
    }

    /// A sign of a number or of a flag, or a lone sign.
    fn signed(&mut self, i: usize) -> usize {
        let (c, next) = (self.t.at(i), self.t.at(i + 1));
        let before = self.t.before(i);
        if c == '±' || (self.begins(i) && (c != '–' || before == '\0' || before.is_whitespace() || before == '(')) {
            let mut head = self.head(i);
            head.negative = c == '-' || c == '–';
            head.spread = c == '±';
            if self.number_begins(i + 1) {
                return self.number(head, i + 1);
            }
            if let Some(money) = money_of(next) {
                let digits = self.t.after_space(i + 2);
                if self.number_begins(digits) {
                    head.money = Some(money);
                    return self.number(head, digits);
                }
            }
            if c == '-' {
                return self.flag(i);
            }
        }
        i + 1
    }

    fn number_begins(&self, i: usize) -> bool {
        is_digit(self.t.at(i)) || (self.t.at(i) == '.' && is_digit(self.t.at(i + 1)))
    }

    /// An amount after the currency sign at `sign`; the token begins at `start`.
    fn money(&mut self, start: usize, sign: usize, money: Money) -> usize {
        let mut digits = self.t.after_space(sign + 1);
        let negative = self.t.at(digits) == '-';
        if negative {
            digits += 1;
        }
        if self.number_begins(digits) {
            let mut head = self.head(start);
            head.money = Some(money);
            head.negative |= negative;
            return self.number(head, digits);
        }
        if self.t.at(sign) == '$' { self.variable(sign) } else { sign + 1 }
    }

    /// The prefix of a number that begins at `start`, including a pending leading word.
    fn head(&mut self, start: usize) -> NumberPrefix {
        let plain =
            NumberPrefix { start, negative: false, spread: false, money: None, half: None, scale: None, per: None };
        match self.lead.take() {
            Some(lead) if lead.number == start => NumberPrefix {
                start: lead.start,
                negative: lead.negative,
                half: lead.half,
                scale: lead.scale,
                per: lead.per,
                ..plain
            },
            _ => plain,
        }
    }

    fn number_at(&mut self, i: usize) -> usize {
        if let Some(end) = self.glossary_name(i).or_else(|| self.chunk(i)) {
            return end;
        }
        let head = self.head(i);
        self.number(head, i)
    }

    /// A glossary name at `i`, if a word begins there.
    fn glossary_name(&mut self, i: usize) -> Option<usize> {
        if self.glossary.is_empty() {
            return None;
        }
        let (end, exact) = self.glossary.at(self.t, i)?;
        let weight = if exact { Weight::Hard } else { Weight::Strong };
        self.scan.push(TokenClass::Glossary, (i, end), weight, []);
        Some(end)
    }
}

#[cfg(test)]
mod tests;

/// The currency of a sign.
fn money_of(c: char) -> Option<Money> {
    if c.is_ascii_alphanumeric() || c == ' ' {
        return None;
    }
    units::money_sign(c.encode_utf8(&mut [0; 4]))
}
