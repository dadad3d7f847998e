//! Times of day in English words: seven-thirty, half past nine, one in the morning; and words of the day near a time.

use luna_messages::preserve::TokenClass::Date;
use luna_text::characters::IndexedText;
use luna_text::numerals::{self, Numeral, NumeralKind, Spacing};

use super::super::token::{CanonicalValue, Weight};
use super::times::{DAY_PARTS, seconds};
use super::{DayHalf, Scanner};

/// How far from a time the word for its part of the day may stand, in characters.
const NEAR: usize = 48;

impl Scanner<'_> {
    /// A time whose first word is at `i` and ends at `end`; `numeral` is the number there.
    pub(super) fn spelled_time(&mut self, i: usize, word: &str, end: usize, numeral: Option<Numeral>) -> Option<usize> {
        if let Some((hour, minute, end)) = self.past(i, word, end, numeral) {
            return Some(self.push_spelled_time(i, end, hour, minute, false));
        }
        let numeral = numeral.filter(|numeral| numeral.kind == NumeralKind::Cardinal && numeral.parts == 1)?;
        let hour = numeral.whole().filter(|hour| (1..=12).contains(hour))?;
        if matches!(self.t.at(numeral.end), ' ' | '-')
            && let Some((minute, end)) = self.spelled_minute(numeral.end + 1)
        {
            return Some(self.push_spelled_time(i, end, hour, minute, false));
        }
        let clock = self.o_clock(numeral.end);
        if clock.is_none() && self.half_after(numeral.end).is_none() {
            return None;
        }
        Some(self.push_spelled_time(i, clock.unwrap_or(numeral.end), hour, 0, true))
    }

    /// `thirty`, `oh five`, without a unit after it.
    fn spelled_minute(&self, k: usize) -> Option<(i64, usize)> {
        let oh = self.t.starts(k, "oh ");
        let numeral = numerals::english(self.t, if oh { k + 3 } else { k }, Spacing::Kept)?;
        let minute = numeral.whole().filter(|minute| if oh { *minute < 10 } else { (10..60).contains(minute) })?;
        let alone = self.suffix(numeral.end).is_none() && self.t.at(numeral.end) != '-';
        (alone && numeral.kind == NumeralKind::Cardinal).then_some((minute, numeral.end))
    }

    /// The time is ambiguous without a word for the part of the day; an hour alone (`whole`) may also be a number.
    fn push_spelled_time(&mut self, i: usize, end: usize, hour: i64, minute: i64, whole: bool) -> usize {
        let (end, half) = match self.half_after(end) {
            Some((end, half)) => (end, Some(half)),
            None => (end, None),
        };
        let time = seconds(hour, minute, 0, half);
        let other = time.filter(|_| half.is_none()).map(|time| (time + 43_200) % 86_400);
        let keys = [
            time.map(CanonicalValue::Time),
            other.map(CanonicalValue::Time),
            whole.then_some(CanonicalValue::Number(super::Ratio::whole(hour))),
        ];
        self.scan.push(Date, (i, end), Weight::Strong, keys);
        end
    }

    /// `half past nine`, `quarter to ten`, `ten past nine`, `at twenty to five`: hour, minute, end.
    fn past(&self, i: usize, word: &str, end: usize, numeral: Option<Numeral>) -> Option<(i64, i64, usize)> {
        let (minutes, end) = match (word, numeral) {
            ("half", None) => (30, end),
            ("quarter", None) => (15, end),
            (_, Some(numeral)) if numeral.kind == NumeralKind::Cardinal => (numeral.whole()?, numeral.end),
            _ => return None,
        };
        let named = numeral.is_none();
        let end = if self.t.starts(end, " minutes") { end + " minutes".len() } else { end };
        // "Five to ten people" is a range.
        let at = named || (i >= 3 && self.t.starts(i - 3, "at ")) || (i >= 3 && self.t.starts(i - 3, "At "));
        let (hour_at, before) = if self.t.starts(end, " past ") {
            (end + 6, false)
        } else if self.t.starts(end, " to ") && at {
            (end + 4, true)
        } else {
            return None;
        };
        let hour =
            numerals::english(self.t, hour_at, Spacing::Kept).filter(|hour| hour.kind == NumeralKind::Cardinal)?;
        let (value, end) = (hour.whole().filter(|hour| (1..=12).contains(hour))?, hour.end);
        if !(1..=30).contains(&minutes) {
            return None;
        }
        let earlier = if value == 1 { 12 } else { value - 1 };
        Some(if before { (earlier, 60 - minutes, end) } else { (value, minutes, end) })
    }

    /// The part of the day named right after a time that ends at `j`: in the morning, at night.
    pub(super) fn day_part_after(&self, j: usize) -> Option<(usize, DayHalf)> {
        let k = self.t.after_space(j);
        if k == j {
            return None;
        }
        let links = ["in the early ", "in the late ", "in the ", "at ", "this "];
        let link = links.iter().find(|link| self.t.starts(k, link))?;
        let from = k + link.len();
        let (word, half) = DAY_PARTS.iter().find(|(word, _)| self.t.starts(from, word))?;
        let end = from + word.len();
        (!self.t.at(end).is_alphanumeric()).then_some((end, *half))
    }

    /// A part of the day that is named in the same sentence, near the time from `start` to `end`.
    pub(super) fn near_half(&self, start: usize, end: usize) -> Option<DayHalf> {
        let ends = |k: usize| matches!(self.t.at(k), '.' | '?' | '!' | '\n' | '\0') && self.t.at(k + 1) != 'm';
        let part = |k: usize| {
            let first = self.t.at(k);
            let mut words = DAY_PARTS.iter().filter(|(word, _)| word.starts_with(first));
            let begins = first.is_alphabetic() && !self.t.before(k).is_alphanumeric();
            if !begins {
                return None;
            }
            words.find(|(word, _)| self.t.starts(k, word)).map(|(_, half)| *half)
        };
        let after = (end..end + NEAR).take_while(|k| !ends(*k)).find_map(part);
        after.or_else(|| (start.saturating_sub(NEAR)..start).rev().take_while(|k| !ends(*k)).find_map(part))
    }
}
