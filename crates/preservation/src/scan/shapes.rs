//! Numbers with special notation: versions, ratios, fractions, sizes, telephone numbers (PRE-3).

use luna_messages::preserve::TokenClass::{self, Code, Number};
use luna_text::characters::IndexedText;
use luna_text::numerals::{self, Figure};

use super::super::ratio::Ratio;
use super::super::text::{is_digit, is_space};
use super::super::token::{CanonicalValue, Weight};
use super::super::units::{self, Dimension};
use super::number::signed;
use super::{NumberPrefix, Scanner};

impl Scanner<'_> {
    /// Versions, ratios, fractions, sizes.
    pub(super) fn special(&mut self, head: NumberPrefix, i: usize, figure: Figure) -> Option<usize> {
        let end = figure.end;
        let (c, next) = (self.t.at(end), self.t.at(end + 1));
        match c {
            '.' if figure.decimals && is_digit(next) => Some(self.version(head.start, i, end)),
            '-' if figure.decimals && self.is_stage(end + 1) => Some(self.version(head.start, i, end)),
            ':' if is_digit(next) => Some(self.ratio(head, i, figure)),
            '/' if is_digit(next) && !figure.decimals => self.fraction(head, i, figure),
            'x' | 'X' | '×' if is_digit(next) && !self.t.starts(end + 1, "10^") && !self.is_power(end) => {
                Some(self.dimensions(head, i))
            }
            ' ' if matches!(next, '×' | 'x') && is_space(self.t.at(end + 2)) && is_digit(self.t.at(end + 3)) => {
                (!self.t.starts(end + 3, "10^") && !self.is_power(end + 2)).then(|| self.dimensions(head, i))
            }
            '분' if next == '의' => {
                let (value, end) = self.part_of(figure)?;
                Some(self.part_token(head, end, value))
            }
            ' ' | '과' | '와' if figure.plain() && figure.whole <= 3 => self.whole_and_part(head, figure),
            _ => None,
        }
    }

    /// `16:9`: by value two numbers, as in "16 to 9". Longer ones are verbatim.
    fn ratio(&mut self, head: NumberPrefix, i: usize, figure: Figure) -> usize {
        let to = self.t.run(figure.end, |c| is_digit(c) || c == ':');
        let to = self.trimmed(i, to);
        let second = figure.end + 1;
        let two = self.t.digits(second) == to && to - second <= 3 && self.t.at(second) != '0' && figure.whole <= 3;
        if !self.natural || !two {
            let key = Some(CanonicalValue::Text(self.string(i, to)));
            self.scan.push(Number, (head.start, to), Weight::Hard, [key]);
            return to;
        }
        for ((start, end), value) in
            [((head.start, figure.end), figure.value), ((second, to), self.figure(second).value)]
        {
            self.scan.push(Number, (start, end), Weight::Hard, [value.map(CanonicalValue::Number)]);
        }
        to
    }

    /// `분의 2` after the denominator: the value, and the end.
    fn part_of(&self, below: Figure) -> Option<(Option<Ratio>, usize)> {
        let from = self.t.after_space(below.end + 2);
        let above = is_digit(self.t.at(from)).then(|| self.figure(from))?;
        Some((above.value.zip(below.value).and_then(|(n, d)| n.over(d)), above.end))
    }

    /// A number below one, with the unit after it: 100분의 1초, 1/2인치.
    fn part_token(&mut self, head: NumberPrefix, end: usize, value: Option<Ratio>) -> usize {
        if let Some(suffix) = self.suffix(end) {
            let keys = value.map_or([None, None], |value| suffix.kind.keys(value));
            self.scan.push(suffix.kind.class(), (head.start, suffix.end), Weight::Hard, keys);
            return suffix.end;
        }
        self.scan.push(Number, (head.start, end), Weight::Hard, [value.map(CanonicalValue::Number)]);
        end
    }

    /// `1 1/2`, `1 ½`, `1과 1/2`, `1과 2분의 1`.
    fn whole_and_part(&mut self, head: NumberPrefix, whole: Figure) -> Option<usize> {
        let from = if self.t.at(whole.end) == ' ' { whole.end + 1 } else { self.t.after_space(whole.end + 1) };
        if let Some(part) = numerals::vulgar(self.t.at(from)) {
            let value = whole.value.and_then(|whole| whole.plus(part));
            return Some(self.part_token(head, from + 1, value));
        }
        if !is_digit(self.t.at(from)) {
            return None;
        }
        let one = self.figure(from);
        let (part, end) = match (self.t.at(one.end), self.t.at(one.end + 1)) {
            ('/', next) if is_digit(next) && one.whole <= 2 => {
                let below = self.figure(one.end + 1);
                let part = one.value.zip(below.value).and_then(|(n, d)| n.over(d));
                (part, below.end)
            }
            ('분', '의') => self.part_of(one)?,
            _ => return None,
        };
        let part = part.filter(|part| part.is_below(Ratio::ONE) && self.t.at(end) != '/')?;
        let value = whole.value.and_then(|whole| whole.plus(part)).and_then(|value| signed(value, head.negative));
        Some(self.part_token(head, end, value))
    }

    /// Whether a ten with a superscript exponent follows the sign at `k`.
    fn is_power(&self, k: usize) -> bool {
        let ten = self.t.after_space(k + 1);
        self.t.starts(ten, "10") && "⁰¹²³⁴⁵⁶⁷⁸⁹⁻".contains(self.t.at(ten + 2)) && self.t.at(ten + 2) != '\0'
    }

    /// Whether a release stage of a version begins at `k`, as in 1.0-beta.
    fn is_stage(&self, k: usize) -> bool {
        ["rc", "beta", "alpha", "dev", "pre", "SNAPSHOT", "RC", "stable", "nightly", "canary"]
            .iter()
            .any(|stage| self.t.starts(k, stage))
    }

    /// A version, an IP address, or a date with a two-digit year; `end` is the end of its first two parts.
    pub(super) fn version(&mut self, start: usize, i: usize, end: usize) -> usize {
        let mut end = end;
        while self.t.at(end) == '.' && is_digit(self.t.at(end + 1)) {
            end = self.t.digits(end + 1);
        }
        let numbers_end = end;
        if self.t.at(end).is_ascii_alphabetic() {
            end = self.t.run(end, |c| c.is_ascii_alphanumeric());
        }
        while matches!(self.t.at(end), '-' | '+') && (self.t.at(end + 1).is_ascii_alphabetic() || end > numbers_end) {
            let more = self.t.run(end + 1, |c| c.is_ascii_alphanumeric() || c == '.');
            if more == end + 1 {
                break;
            }
            end = more;
        }
        if matches!(self.t.at(end), ':' | '/') && is_digit(self.t.at(end + 1)) && end == numbers_end {
            end = self.t.digits(end + 1);
        }
        end = self.trimmed(i + 1, end);
        let keys = if self.natural {
            let value =
                if numbers_end == end && end - i <= 20 { Some(self.figure(i)).filter(|f| f.end == end) } else { None };
            // As a version, 1.10 is not 1.1.
            let zero = self.t.before(end) == '0' && value.is_some_and(|figure| figure.decimals);
            let number = value.and_then(|figure| figure.value).filter(|_| !zero).map(CanonicalValue::Number);
            [Some(CanonicalValue::Text(self.string(i, end))), number, self.short_date(i, end)]
        } else {
            [None, None, None]
        };
        self.scan.push(Number, (start, end), Weight::Hard, keys);
        end
    }

    fn fraction(&mut self, head: NumberPrefix, i: usize, figure: Figure) -> Option<usize> {
        let below = self.figure(figure.end + 1);
        let end = below.end;
        if below.decimals || self.t.at(end) == '/' {
            return None;
        }
        let value = figure.value.zip(below.value).and_then(|(n, d)| n.over(d)).and_then(|v| signed(v, head.negative));
        // Around the clock.
        if self.natural && self.t.starts(i, "24/7") && end == i + 4 {
            let days =
                |n: i64| units::DAY.convert(Ratio::whole(n)).map(|n| CanonicalValue::Measure(Dimension::TIME, n));
            let verbatim = CanonicalValue::Text("24/7".into());
            self.scan.push(Number, (head.start, end), Weight::Hard, [Some(verbatim), days(1)]);
            self.scan.push(Number, (end - 1, end), Weight::Weak, [days(7)]);
            return Some(end);
        }
        let month = self.t.small(i, figure.end).filter(|m| figure.whole <= 2 && (1..=12).contains(m));
        let day = self.t.small(figure.end + 1, end).filter(|d| below.whole <= 2 && (1..=31).contains(d));
        let date = month
            .zip(day)
            .map(|(m, d)| CanonicalValue::Date(0, u8::try_from(m).unwrap_or(0), u8::try_from(d).unwrap_or(0)));
        // 3/4분기 is the third quarter.
        let quarter = self.t.starts(end, "분기").then(|| figure.value.map(CanonicalValue::Number)).flatten();
        // 11/21 is a day of the year, 1/2 a fraction.
        let class =
            if date.is_some() && below.value.is_some_and(|d| Ratio::whole(12).is_below(d)) || self.far_day(&date) {
                TokenClass::Date
            } else {
                Number
            };
        if quarter.is_none() && self.suffix(end).is_some() {
            return Some(self.part_token(head, end, value));
        }
        self.scan.push(class, (head.start, end), Weight::Hard, [value.map(CanonicalValue::Number), date, quarter]);
        Some(end)
    }

    /// Whether the day is above twelve; used if values are not computed.
    fn far_day(&self, date: &Option<CanonicalValue>) -> bool {
        matches!(date, Some(CanonicalValue::Date(_, _, day)) if *day > 12 && *day != 16)
    }

    /// `1920x1080`, `3 × 4 × 5`.
    fn dimensions(&mut self, head: NumberPrefix, i: usize) -> usize {
        let mut end = self.figure(i).end;
        let mut said = self.string(i, end).into_string();
        loop {
            let sign = self.t.after_space(end);
            let from = self.t.after_space(sign + 1);
            if !matches!(self.t.at(sign), 'x' | 'X' | '×') || !is_digit(self.t.at(from)) {
                break;
            }
            let next = self.figure(from).end;
            if self.natural {
                said.push('x');
                said.push_str(&self.string(from, next));
            }
            end = next;
        }
        let suffix = self.suffix(end);
        let (class, to) = suffix.map_or((Number, end), |suffix| (suffix.kind.class(), suffix.end));
        if let Some((dimension, size)) = suffix.and_then(|suffix| suffix.kind.unit_word()) {
            said = format!("{said} {dimension:?} {size:?}");
        }
        let key = self.natural.then(|| CanonicalValue::Text(said.into_boxed_str()));
        self.scan.push(class, (head.start, to), Weight::Hard, [key]);
        to
    }

    pub(super) fn hexadecimal(&mut self, head: NumberPrefix, i: usize) -> Option<usize> {
        if self.t.at(i) != '0' || !matches!(self.t.at(i + 1), 'x' | 'X') {
            return None;
        }
        let end = self.t.run(i + 2, |c| c.is_ascii_hexdigit() || c == '_');
        if end == i + 2 || self.t.at(end).is_ascii_alphanumeric() {
            return None;
        }
        self.push_text(Code, head.start, end);
        Some(end)
    }

    /// Groups of digits with hyphens: a telephone or card number.
    pub(super) fn telephone(&mut self, head: NumberPrefix, i: usize) -> Option<usize> {
        let first = self.t.digits(i);
        if self.t.at(first) != '-' || !is_digit(self.t.at(first + 1)) || first - i > 20 || i < self.chain_end {
            return None;
        }
        let (mut end, mut groups) = (first, 1);
        while self.t.at(end) == '-' && is_digit(self.t.at(end + 1)) {
            end = self.t.digits(end + 1);
            groups += 1;
        }
        let number = groups >= 3 || (self.t.at(i) == '0' && end - i >= 8);
        if self.t.at(end) == '.' && is_digit(self.t.at(end + 1)) {
            self.chain_end = end;
            return None;
        }
        if !number {
            return None;
        }
        let key = self.natural.then(|| {
            let digits: String = self.t.slice(i, end).iter().filter(|c| **c != '-').collect();
            CanonicalValue::Text(digits.into_boxed_str())
        });
        self.scan.push(Number, (head.start, end), Weight::Hard, [key]);
        Some(end)
    }
}
