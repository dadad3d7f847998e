//! English dates with a month name, and spelled-out numbers.

use luna_messages::preserve::TokenClass::{Currency, Date, Number, Percent, Unit};

use super::super::ratio::Ratio;
use super::super::text::is_digit;
use super::super::token::{CanonicalValue, Weight};
use super::super::units;
use super::Scanner;
use super::suffix::SuffixKind;
use luna_text::units::MONTHS;

/// The month that a word names, 1 to 12.
fn month(word: &str) -> Option<u8> {
    let names = MONTHS.get(..12).unwrap_or_default();
    let whole = names.iter().position(|name| *name == word);
    let short = || match word.len() {
        3 => names.iter().position(|name| name.starts_with(word)),
        4 if word == "sept" => Some(8),
        _ => None,
    };
    whole.or_else(short).and_then(|m| u8::try_from(m + 1).ok())
}

/// The role of a number word, which determines how it combines with the words before it.
#[derive(Clone, Copy)]
enum NumberWordRole {
    /// Below ten, ten to nineteen, or a multiple of ten.
    Ones(i64),
    Teens(i64),
    Tens(i64),
    Hundred,
    Scale(i64),
}

fn part(word: &str) -> Option<NumberWordRole> {
    Some(match word {
        "zero" => NumberWordRole::Ones(0),
        "one" => NumberWordRole::Ones(1),
        "two" => NumberWordRole::Ones(2),
        "three" => NumberWordRole::Ones(3),
        "four" => NumberWordRole::Ones(4),
        "five" => NumberWordRole::Ones(5),
        "six" => NumberWordRole::Ones(6),
        "seven" => NumberWordRole::Ones(7),
        "eight" => NumberWordRole::Ones(8),
        "nine" => NumberWordRole::Ones(9),
        "ten" => NumberWordRole::Teens(10),
        "eleven" => NumberWordRole::Teens(11),
        "twelve" => NumberWordRole::Teens(12),
        "thirteen" => NumberWordRole::Teens(13),
        "fourteen" => NumberWordRole::Teens(14),
        "fifteen" => NumberWordRole::Teens(15),
        "sixteen" => NumberWordRole::Teens(16),
        "seventeen" => NumberWordRole::Teens(17),
        "eighteen" => NumberWordRole::Teens(18),
        "nineteen" => NumberWordRole::Teens(19),
        "twenty" => NumberWordRole::Tens(20),
        "thirty" => NumberWordRole::Tens(30),
        "forty" => NumberWordRole::Tens(40),
        "fifty" => NumberWordRole::Tens(50),
        "sixty" => NumberWordRole::Tens(60),
        "seventy" => NumberWordRole::Tens(70),
        "eighty" => NumberWordRole::Tens(80),
        "ninety" => NumberWordRole::Tens(90),
        "hundred" => NumberWordRole::Hundred,
        "thousand" => NumberWordRole::Scale(1000),
        "million" => NumberWordRole::Scale(1_000_000),
        "billion" => NumberWordRole::Scale(1_000_000_000),
        "trillion" => NumberWordRole::Scale(1_000_000_000_000),
        _ => return None,
    })
}

/// Whether [`Scanner::spelled`] may know a word, by its first letters: a quick filter, because every word is tested and few match.
const fn may_count(word: &[u8]) -> bool {
    match word {
        [b'a'] | [b'a', b'n'] => true,
        [b't', b'h', third, ..] => matches!(third, b'i' | b'o' | b'r'),
        [first, second, ..] => matches!(
            (first, second),
            (b'b', b'i' | b'o')
                | (b'c', b'o')
                | (b'd', b'o')
                | (b'e', b'a' | b'i' | b'l' | b'v')
                | (b'f', b'i' | b'o')
                | (b'h', b'a' | b'u')
                | (b'm', b'i')
                | (b'n', b'e' | b'i' | b'o')
                | (b'o', b'n')
                | (b'p', b'a' | b'e')
                | (b'q', b'u')
                | (b's', b'e' | b'i')
                | (b't', b'e' | b'r' | b'w')
                | (b'z', b'e')
        ),
        _ => false,
    }
}

/// Ordinals and other words for a number, as numerator and denominator.
fn other_number(word: &str) -> Option<(i64, i64)> {
    Some(match word {
        "first" | "once" | "single" => (1, 1),
        "second" | "twice" | "double" | "doubled" | "doubles" | "both" | "pair" | "couple" => (2, 1),
        "third" | "triple" | "thrice" | "tripled" => (3, 1),
        "fourth" | "quadruple" => (4, 1),
        "fifth" => (5, 1),
        "sixth" => (6, 1),
        "seventh" => (7, 1),
        "eighth" => (8, 1),
        "ninth" => (9, 1),
        "tenth" => (10, 1),
        "dozen" => (12, 1),
        "half" => (1, 2),
        "quarter" => (1, 4),
        "no" | "none" => (0, 1),
        _ => return None,
    })
}

impl Scanner<'_> {
    /// `November 21, 2026`, `Nov. 21st`, `November 2026`; the word ends at `end`. In natural mode also a month alone.
    pub(super) fn english_date(&mut self, i: usize, end: usize) -> Option<usize> {
        let capital = self.t.at(i).is_ascii_uppercase();
        let dotted = if self.t.at(end) == '.' { end + 1 } else { end };
        let numbered = self.t.at(dotted) == ' ' && is_digit(self.t.at(dotted + 1));
        if end - i < 3 || !(numbered || (self.natural && capital)) {
            return None;
        }
        // "To march 5 km."
        if !capital && end - i < 6 {
            return None;
        }
        if !matches!(self.t.at(i).to_ascii_lowercase(), 'j' | 'f' | 'm' | 'a' | 's' | 'o' | 'n' | 'd') {
            return None;
        }
        let word = self.t.letters(i);
        let m = month(word.lower().as_str())?;
        let after = if self.t.at(end) == '.' && end - i <= 4 { end + 1 } else { end };
        if self.t.at(after) == ' ' && is_digit(self.t.at(after + 1)) {
            let from = after + 1;
            let to = self.t.digits(from);
            let value = self.t.small(from, to)?;
            let amount = self.suffix(to).is_some();
            if to - from <= 2 && (1..=31).contains(&value) && !matches!(self.t.at(to), ':' | '%') && !amount {
                let day_end = self.ordinal(to).unwrap_or(to);
                let (year, end) = self.year_after(day_end);
                let day = u8::try_from(value).ok()?;
                self.push_date(i, end, year, m, day);
                return Some(end);
            }
            if to - from == 4 && (1000..3000).contains(&value) && capital {
                self.scan.push(Date, (i, to), Weight::Hard, [Some(CanonicalValue::Date(value, m, 0))]);
                return Some(to);
            }
        }
        // "May" and "March" may be verbs.
        if self.natural && capital && !matches!(word.as_str(), "May" | "Mar" | "March" | "Sep" | "Dec") {
            self.scan.push(Date, (i, end), Weight::Strong, [Some(CanonicalValue::Date(0, m, 0))]);
            return Some(end);
        }
        if self.natural && capital {
            self.scan.push(Date, (i, end), Weight::Weak, [Some(CanonicalValue::Date(0, m, 0))]);
            return Some(end);
        }
        None
    }

    /// A date that begins with its day; the digits of the day end at `end`: `21 November 2026`, `21st of November`.
    pub(super) fn day_first(&mut self, i: usize, end: usize) -> Option<usize> {
        let day = self.t.small(i, end).filter(|day| (1..=31).contains(day))?;
        let mut k = self.ordinal(end).unwrap_or(end);
        if self.t.at(k) != ' ' {
            return None;
        }
        k += 1;
        if self.t.starts(k, "of ") {
            k += 3;
        }
        let word = self.t.letters(k);
        let m = month(word.lower().as_str()).filter(|_| self.t.at(k).is_ascii_uppercase())?;
        if self.t.at(word.end).is_ascii_alphanumeric() {
            return None;
        }
        let end = if self.t.at(word.end) == '.' && is_digit(self.t.at(word.end + 2)) { word.end + 1 } else { word.end };
        let (year, end) = self.year_after(end);
        self.push_date(i, end, year, m, u8::try_from(day).ok()?);
        Some(end)
    }

    /// The year after a day and a month; 0 if there is none.
    fn year_after(&self, end: usize) -> (i64, usize) {
        let comma = if self.t.at(end) == ',' { end + 1 } else { end };
        let from = self.t.after_space(comma);
        let to = self.t.short_run(from, 5, is_digit);
        match self.t.small(from, to) {
            Some(year) if from > end && to - from == 4 && (1000..3000).contains(&year) && self.t.at(to) != ':' => {
                (year, to)
            }
            _ => (0, end),
        }
    }

    /// The end of `st`, `nd`, `rd` or `th` at `i`.
    pub(super) fn ordinal(&self, i: usize) -> Option<usize> {
        let word = self.t.letters(i).lower();
        let is = matches!(word.as_str(), "st" | "nd" | "rd" | "th");
        (is && !self.t.at(word.end).is_ascii_alphanumeric()).then_some(word.end)
    }

    /// A spelled-out number at `i`; in natural mode only.
    pub(super) fn spelled(&mut self, i: usize, end: usize) -> Option<usize> {
        let first = [0, 1, 2].map(|k| u8::try_from(self.t.at(i + k).to_ascii_lowercase()).unwrap_or(0));
        if !first.get(..(end - i).min(first.len())).is_some_and(may_count) {
            return None;
        }
        let word = self.t.letters(i).lower();
        let word = word.as_str();
        if matches!(word, "minus" | "negative") {
            let digits = self.t.after_space(end);
            if self.number_begins(digits) {
                let mut head = self.head(i);
                head.negative = true;
                return Some(self.number(head, digits));
            }
            return None;
        }
        if matches!(word, "noon" | "midday" | "midnight") {
            let time = if word == "midnight" { 0 } else { 12 * 3600 };
            self.scan.push(Date, (i, end), Weight::Strong, [Some(CanonicalValue::Time(time))]);
            return Some(end);
        }
        if matches!(word, "a" | "an" | "per" | "each" | "every" | "one")
            && let Some(end) = self.single(i, end, word)
        {
            return Some(end);
        }
        if let Some((value, end)) = self.words(i) {
            let (value, end) = self.parts(value, end);
            return Some(self.spelled_number(i, end, value));
        }
        if let Some((time, end)) = self.past(word, end) {
            self.scan.push(
                Date,
                (i, end),
                Weight::Strong,
                [Some(CanonicalValue::Time(time)), Some(CanonicalValue::Time((time + 43_200) % 86_400))],
            );
            return Some(end);
        }
        let (n, d) = other_number(word)?;
        // "Half a dozen" is six.
        if word == "half" {
            let article = self.t.letters(end + 1);
            let noun = if matches!(article.as_str(), "a" | "an") { self.t.letters(article.end + 1) } else { article };
            if noun.lower().as_str() == "dozen" {
                self.scan.push(Number, (i, noun.end), Weight::Strong, [Some(CanonicalValue::Number(Ratio::whole(6)))]);
                return Some(noun.end);
            }
        }
        let a_half = word == "half" && (self.t.starts(end, " a ") || self.t.starts(end, " an ")) && {
            // "Half a million" is a number of its own.
            let noun = self.t.letters(self.t.letters(end + 1).end + 1);
            !matches!(noun.lower().as_str(), "hundred" | "thousand" | "million" | "billion")
        };
        let weight = if a_half
            || matches!(word, "once" | "first" | "second" | "third" | "fourth" | "fifth" | "twice" | "dozen" | "triple")
        {
            Weight::Strong
        } else {
            Weight::Weak
        };
        let value = Ratio::new(n.into(), d.into())?;
        let single = (value == Ratio::ONE).then_some(CanonicalValue::Single);
        // "Half" is 50 %, and "half an hour" 30 minutes.
        let (percent, unit) = if word == "half" {
            (Some(CanonicalValue::Percent(Ratio::whole(50))), self.half_of(end))
        } else {
            (None, None)
        };
        self.scan.push(Number, (i, end), weight, [Some(CanonicalValue::Number(value)), single, percent, unit]);
        Some(end)
    }

    /// `half past nine`, `quarter to ten`: seconds since midnight, and the end.
    fn past(&self, word: &str, end: usize) -> Option<(u32, usize)> {
        let minutes = match word {
            "half" => 30,
            "quarter" => 15,
            _ => return None,
        };
        let (hour_at, before) = if self.t.starts(end, " past ") {
            (end + 6, false)
        } else if self.t.starts(end, " to ") {
            (end + 4, true)
        } else {
            return None;
        };
        let (hour, end) = self.words(hour_at)?;
        let hour = hour.as_whole().filter(|hour| (1..=12).contains(hour))?;
        let seconds = if before { hour * 3600 - minutes * 60 } else { hour * 3600 + minutes * 60 };
        Some((u32::try_from(seconds).ok()?, end))
    }

    /// Half of the unit that follows at `end`: `half an hour`, `half-second`.
    fn half_of(&self, end: usize) -> Option<CanonicalValue> {
        let mut word = self.t.letters(end + 1);
        if matches!(word.as_str(), "a" | "an") {
            word = self.t.letters(word.end + 1);
        }
        let unit = units::english(word.lower().as_str())?;
        Some(CanonicalValue::Measure(unit.dimension, unit.convert(Ratio::new(1, 2)?)?))
    }

    /// `an hour`, `per person`, `a file`: weak, matches a 1 of the other language.
    fn single(&mut self, i: usize, end: usize, word: &str) -> Option<usize> {
        let k = self.t.after_space(end);
        let unit = self.t.letters(k);
        let measure = units::english(unit.lower().as_str())
            .filter(|_| !unit.is_empty() && !self.t.at(unit.end).is_alphanumeric());
        if let Some(unit_of) = measure {
            let amount = unit_of.convert(Ratio::ONE).map(|n| CanonicalValue::Measure(unit_of.dimension, n));
            let day = (unit_of == units::DAY).then_some(CanonicalValue::Single);
            self.scan.push(Unit, (i, unit.end), Weight::Weak, [amount, day]);
            return Some(unit.end);
        }
        if word == "one" {
            return None;
        }
        // "a hundred", "a dozen" are parsed with their number.
        if word == "a" && (part(unit.lower().as_str()).is_some() || unit.lower().as_str() == "dozen") {
            return Some(end);
        }
        self.scan.push(Number, (i, end), Weight::Weak, [Some(CanonicalValue::Single)]);
        Some(end)
    }

    /// Number words from `i` on that form one number: `two hundred and five`, `twenty-five`.
    fn words(&self, i: usize) -> Option<(Ratio, usize)> {
        let (mut total, mut section): (i64, i64) = (0, 0);
        let (mut end, mut k) = (i, i);
        let mut scale = i64::MAX;
        // Exclusive upper bound of what may still be added to the section.
        let mut room = i64::MAX;
        loop {
            let word = self.t.letters(k);
            let Some(part) = part(word.lower().as_str()) else { break };
            if self.t.at(word.end).is_ascii_alphanumeric() {
                break;
            }
            match part {
                NumberWordRole::Ones(n) if room > 9 => (section, room) = (section + n, 0),
                NumberWordRole::Teens(n) if room > 99 => (section, room) = (section + n, 0),
                NumberWordRole::Tens(n) if room > 99 => (section, room) = (section + n, 10),
                NumberWordRole::Hundred if section < 100 && room != 100 => {
                    (section, room) = (section.max(1) * 100, 100)
                }
                NumberWordRole::Scale(s) if s < scale => {
                    total += section.max(1) * s;
                    (section, scale, room) = (0, s, i64::MAX);
                }
                _ => break,
            }
            end = word.end;
            k = if matches!(self.t.at(end), ' ' | '-') { end + 1 } else { break };
            if self.t.starts(k, "and ") && (room == 100 || scale < i64::MAX) {
                k += 4;
            }
        }
        (end > i).then(|| (Ratio::whole(total + section), end))
    }

    /// The fraction after a spelled-out number that ends at `end`: `two thirds`, `two and a half`.
    fn parts(&self, value: Ratio, end: usize) -> (Ratio, usize) {
        if self.t.starts(end, " and a half") {
            return value.plus(Ratio::new(1, 2).unwrap_or(Ratio::ZERO)).map_or((value, end), |value| (value, end + 11));
        }
        if !matches!(self.t.at(end), ' ' | '-') || !value.is_below(Ratio::whole(20)) {
            return (value, end);
        }
        let word = self.t.letters(end + 1);
        let below = match word.lower().as_str() {
            "half" | "halves" => 2,
            "third" | "thirds" => 3,
            "quarter" | "quarters" | "fourth" | "fourths" => 4,
            "fifth" | "fifths" => 5,
            "tenth" | "tenths" => 10,
            _ => return (value, end),
        };
        value.over(Ratio::whole(below)).map_or((value, end), |value| (value, word.end))
    }

    /// A spelled-out number, with or without a unit after it.
    fn spelled_number(&mut self, i: usize, end: usize, value: Ratio) -> usize {
        match self.suffix(end) {
            Some(suffix) => {
                let class = suffix.kind.class();
                let hard = matches!(class, Percent | Currency);
                let keys = suffix.kind.keys(value);
                let weight = if hard { Weight::Hard } else { Weight::Strong };
                self.scan.push(class, (i, suffix.end), weight, keys);
                suffix.end
            }
            None => {
                let one = value == Ratio::ONE;
                let weight = if one || value == Ratio::ZERO { Weight::Weak } else { Weight::Strong };
                let single = one.then_some(CanonicalValue::Single);
                self.scan.push(Number, (i, end), weight, [Some(CanonicalValue::Number(value)), single]);
                end
            }
        }
    }
}

impl SuffixKind {
    /// The token class of an amount of this kind.
    pub(super) const fn class(self) -> luna_messages::preserve::TokenClass {
        match self {
            Self::Percent | Self::Points | Self::Permil => Percent,
            Self::Money(..) | Self::Yen => Currency,
            Self::Unit(_) | Self::Kilo | Self::Pound | Self::Degree => Unit,
        }
    }
}
