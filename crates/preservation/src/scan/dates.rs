//! Dates in digits and in Korean (PRE-3).

use luna_messages::preserve::TokenClass::Date;
use luna_text::characters::IndexedText;

use super::super::ratio::Ratio;
use super::super::text::{is_digit, is_space};
use super::super::token::{CanonicalValue, Weight};
use super::super::units;
use super::{NumberPrefix, PreviousNumber, Scanner};

fn small(n: i64) -> u8 {
    u8::try_from(n).unwrap_or(0)
}

const fn is_year(n: i64) -> bool {
    matches!(n, 1000..3000)
}

impl Scanner<'_> {
    /// A date with its digits at `i`.
    pub(super) fn date(&mut self, head: NumberPrefix, i: usize) -> Option<usize> {
        let end = self.t.short_run(i, 5, is_digit);
        let first = self.t.small(i, end)?;
        let length = end - i;
        let (c, next) = (self.t.at(end), self.t.at(end + 1));
        match (length, c) {
            (4, '-' | '/' | '.') if is_year(first) => self.year_first(head, end, first, c),
            (2 | 4, '년') => self.korean_date(head, end + 1, first, length),
            (1 | 2, '월') => self.month_and_day(head, 0, i),
            (1 | 2, '/' | '.') if is_digit(next) => self.year_last(head, end, first, c),
            (1 | 2, '·') if is_digit(next) && self.natural => self.named_day(head, end, first),
            (1 | 2, ' ' | 's' | 'n' | 'r' | 't') if head.start == i => self.day_first(i, end),
            _ => None,
        }
    }

    /// `9·11`, `3·1`: a day by which an event is named, but not the two numbers of `1·2위` or `10·20대`.
    fn named_day(&mut self, head: NumberPrefix, dot: usize, month: i64) -> Option<usize> {
        let (day, end) = self.part(dot + 1, 31).filter(|_| (1..=12).contains(&month))?;
        let listed = month < day && day < 10 || units::counter(self.t, end, |_| true).is_some();
        if listed || self.t.at(end) == '^' || self.suffix(end).is_some() {
            return None;
        }
        let verbatim = CanonicalValue::Text(self.string(head.start, end));
        let date = CanonicalValue::Date(0, small(month), small(day));
        self.scan.push(Date, (head.start, end), Weight::Hard, [Some(date), Some(verbatim)]);
        Some(end)
    }

    /// A number of one or two digits at `i`, between 1 and `most`, with no digit after it.
    fn part(&self, i: usize, most: i64) -> Option<(i64, usize)> {
        let end = self.t.short_run(i, 3, is_digit);
        let value = self.t.small(i, end)?;
        (end - i <= 2 && (1..=most).contains(&value)).then_some((value, end))
    }

    /// `2026-11-21`, `2026.11.21`, `2026. 11. 21`, `2026/11`, `2026-11-21T14:30:00Z`.
    fn year_first(&mut self, head: NumberPrefix, end: usize, year: i64, separator: char) -> Option<usize> {
        let month_at = if separator == '.' { self.t.after_space(end + 1) } else { end + 1 };
        let (month, month_end) = self.part(month_at, 12)?;
        let day_at = if month_at > end + 1 { self.t.after_space(month_end + 1) } else { month_end + 1 };
        let day = if self.t.at(month_end) == separator { self.part(day_at, 31) } else { None };
        if let Some((day, mut end)) = day {
            if self.t.at(end) == separator && is_digit(self.t.at(end + 1)) {
                return None;
            }
            if self.t.at(end) == 'T' && is_digit(self.t.at(end + 1)) {
                end = self.t.run(end, |c| is_digit(c) || matches!(c, 'T' | ':' | '.' | '+' | '-' | 'Z'));
                end = self.trimmed(head.start, end);
                self.push_text(Date, head.start, end);
                return Some(end);
            }
            self.push_date(head.start, end, year, small(month), small(day));
            return Some(end);
        }
        let more = self.t.at(month_end) == separator && is_digit(self.t.at(month_end + 1));
        if separator == '.' || month_end - month_at != 2 || more || self.t.at(month_end).is_ascii_alphanumeric() {
            return None;
        }
        self.scan.push(
            Date,
            (head.start, month_end),
            Weight::Hard,
            [Some(CanonicalValue::Date(year, small(month), 0))],
        );
        Some(month_end)
    }

    /// `11/21/2026`, `21.11.2026`: the month is not always unambiguous.
    fn year_last(&mut self, head: NumberPrefix, end: usize, first: i64, separator: char) -> Option<usize> {
        let (second, second_end) = self.part(end + 1, 31)?;
        if self.t.at(second_end) != separator {
            return None;
        }
        let from = second_end + 1;
        let to = self.t.short_run(from, 5, is_digit);
        let year = self.t.small(from, to).filter(|year| to - from == 4 && is_year(*year))?;
        let date = |month: i64, day: i64| {
            ((1..=12).contains(&month) && (1..=31).contains(&day))
                .then(|| CanonicalValue::Date(year, small(month), small(day)))
        };
        let (american, other) = (date(first, second), date(second, first));
        if american.is_none() && other.is_none() {
            return None;
        }
        self.scan.push(Date, (head.start, to), Weight::Hard, [american, other]);
        Some(to)
    }

    /// `2026년 11월 21일`, `2026년 11월`; the year ends before `k`.
    fn korean_date(&mut self, head: NumberPrefix, k: usize, year: i64, digits: usize) -> Option<usize> {
        let year = if digits == 2 { 2000 + year } else { year };
        let from = self.t.after_space(k);
        self.month_and_day(head, year, from)
    }

    /// `11월 21일`, `11월`.
    fn month_and_day(&mut self, head: NumberPrefix, year: i64, i: usize) -> Option<usize> {
        let (month, end) = self.part(i, 12)?;
        if self.t.at(end) != '월' {
            return None;
        }
        let mut end = end + 1;
        let mut day = 0;
        let from = if is_space(self.t.at(end)) { end + 1 } else { end };
        if let Some((value, day_end)) = self.part(from, 31) {
            // 11월 3~5일: the first day of a range.
            let ranges = matches!(self.t.at(day_end), '~' | '-' | '–');
            let last = self.part(day_end + 1, 31).filter(|(_, last)| ranges && self.t.at(*last) == '일');
            if self.t.at(day_end) == '일' {
                (day, end) = (value, day_end + 1);
            } else if last.is_some() && self.natural {
                (day, end) = (value, day_end);
            }
        }
        self.push_date(head.start, end, year, small(month), small(day));
        Some(end)
    }

    pub(super) fn push_date(&mut self, start: usize, end: usize, year: i64, month: u8, day: u8) {
        if day == 0 && year == 0 {
            self.share_month(start);
        }
        let word = if year == 0 && day == 0 { self.month_word(month) } else { None };
        let shared = self.share_year(start, year, month, day);
        self.scan.push(Date, (start, end), Weight::Hard, [Some(CanonicalValue::Date(year, month, day)), word, shared]);
        let token = self.scan.tokens.len() - 1;
        let month = Some((year, month));
        self.last =
            Some(PreviousNumber { token, end, value: None, plain: false, bare: false, money: None, half: None, month });
    }

    /// By which faithful mode compares the names of a month in two languages.
    pub(super) fn month_word(&self, month: u8) -> Option<CanonicalValue> {
        (!self.natural).then(|| CanonicalValue::Text(format!("month {month}").into_boxed_str()))
    }

    /// In `1~3월` the first number is a month, too.
    fn share_month(&mut self, start: usize) {
        let Some(last) = self.before_in_range(start).filter(|last| last.plain && last.bare) else { return };
        let month = last.value.and_then(Ratio::as_whole).filter(|month| (1..=12).contains(month));
        if let Some(month) = month {
            self.scan.add_value(last.token, CanonicalValue::Date(0, small(month), 0));
        }
    }

    /// `26.11.21` read as a date.
    pub(super) fn short_date(&self, i: usize, end: usize) -> Option<CanonicalValue> {
        let (year, year_end) = self.part(i, 99)?;
        let (month, month_end) = self.part(year_end + 1, 12)?;
        let (day, day_end) = self.part(month_end + 1, 31)?;
        let dots = self.t.at(year_end) == '.' && self.t.at(month_end) == '.' && day_end == end;
        (dots && year_end == i + 2).then(|| CanonicalValue::Date(2000 + year, small(month), small(day)))
    }
}
