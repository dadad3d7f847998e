//! English dates with the name of a month: November 21, 2026; the third of March; in November.

use luna_messages::preserve::TokenClass::Date;
use luna_text::characters::IndexedText;
use luna_text::numerals::{self, NumeralKind, Spacing};

use super::super::text::is_digit;
use super::super::token::{CanonicalValue, Weight};
use super::super::units::month;
use super::Scanner;

/// Words after which the name of a month is no verb and no person.
const BEFORE_MONTHS: &[&str] = &[
    "in", "by", "since", "until", "till", "from", "to", "of", "last", "next", "this", "every", "each", "late", "early",
    "mid", "during", "between", "and", "through", "before", "after", "past", "coming", "for",
];

impl Scanner<'_> {
    /// `November 21, 2026`, `Nov. 21st`, `November 2026`; the word ends at `end`. In natural mode also a month alone.
    pub(super) fn english_date(&mut self, i: usize, end: usize) -> Option<usize> {
        let capital = self.t.at(i).is_ascii_uppercase();
        let dotted = if self.t.at(end) == '.' { end + 1 } else { end };
        let numbered = self.t.at(dotted) == ' ' && is_digit(self.t.at(dotted + 1));
        if end - i < 3 || !(numbered || capital) {
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
                if year == 0
                    && let Some(end) = self.days_of_month((i, end), m, day)
                {
                    return Some(end);
                }
                self.push_date(i, end, year, m, day);
                return Some(end);
            }
            if to - from == 4 && (1000..3000).contains(&value) && capital {
                self.scan.push(Date, (i, to), Weight::Hard, [Some(CanonicalValue::Date(value, m, 0))]);
                return Some(to);
            }
        }
        // March third, March the third.
        let from = if self.t.starts(after, " the ") { after + 5 } else { after + 1 };
        let ordinal = numerals::english(self.t, from, Spacing::Kept)
            .filter(|numeral| self.natural && numeral.kind == NumeralKind::Ordinal && self.t.at(after) == ' ');
        let day = ordinal.and_then(|numeral| Some((numeral.end, u8::try_from(numeral.whole()?).ok()?)));
        if let Some((day_end, day)) = day.filter(|(_, day)| capital && (1..=31).contains(day)) {
            let (year, end) = self.year_after(day_end);
            self.push_date(i, end, year, m, day);
            return Some(end);
        }
        if !capital || !self.t.at(i + 1).is_ascii_lowercase() {
            return None;
        }
        let weight = self.month_weight(i, end, word.as_str());
        if !self.natural && weight != Weight::Hard {
            return None;
        }
        self.scan.push(Date, (i, end), weight, [Some(CanonicalValue::Date(0, m, 0)), self.month_word(m)]);
        Some(end)
    }

    /// `March 3-15, 2025`: two days of one month and year, the first of which is at `(i, end)`.
    fn days_of_month(&mut self, (i, end): (usize, usize), month: u8, day: u8) -> Option<usize> {
        let from = self.t.run(end, |c| matches!(c, ' ' | '-' | '–'));
        let to = self.t.short_run(from, 3, is_digit);
        let last = self.t.small(from, to).and_then(|last| u8::try_from(last).ok());
        let last = last.filter(|last| self.is_range(end, from) && to - from <= 2 && day < *last && *last <= 31)?;
        let (year, year_end) = self.year_after(to);
        (year > 0).then(|| {
            self.push_date(i, end, year, month, day);
            self.push_date(from, year_end, year, month, last);
            year_end
        })
    }

    /// How certainly the name of a month at `i` means the month.
    fn month_weight(&self, i: usize, end: usize, word: &str) -> Weight {
        let after = self.t.after_space(end);
        // A person: April Smith.
        let person =
            after > end && self.t.at(after).is_ascii_uppercase() && !self.t.at(i.saturating_sub(1)).is_ascii_digit();
        let before = i.saturating_sub(1);
        let from = (before.saturating_sub(10)..before).rev().find(|k| !self.t.at(*k).is_ascii_alphabetic());
        let from = from.map_or(if before > 10 { before } else { 0 }, |k| k + 1);
        let previous: String = self.t.slice(from, before).iter().map(char::to_ascii_lowercase).collect();
        let dated = matches!(self.t.before(i), ' ' | '-') && BEFORE_MONTHS.contains(&previous.as_str());
        match word {
            _ if dated && !person => Weight::Hard,
            // "May" and "March" may be verbs, and others names.
            "May" | "Mar" | "March" | "Sep" | "Dec" | "Jan" => Weight::Weak,
            "April" | "June" | "August" => {
                if person {
                    Weight::Weak
                } else {
                    Weight::Strong
                }
            }
            _ => Weight::Hard,
        }
    }

    /// The date that an ordinal begins, which ends at `end`: the third of March, 2026.
    pub(super) fn ordinal_date(&mut self, i: usize, end: usize, day: u8) -> Option<usize> {
        if !self.t.starts(end, " of ") {
            return None;
        }
        let word = self.t.letters(end + 4);
        let m = month(word.lower().as_str()).filter(|_| self.t.at(end + 4).is_ascii_uppercase())?;
        if self.t.at(word.end).is_ascii_alphanumeric() {
            return None;
        }
        let (year, end) = self.year_after(word.end);
        self.push_date(i, end, year, m, day);
        Some(end)
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
}
