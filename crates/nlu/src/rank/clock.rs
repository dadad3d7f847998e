//! Times of day that begin a label, and as they are said (RNK-2): "the nine forty-two" is "09:42, direct", 아홉 시 사십이 분 too.

use luna_text::numerals::{Numeral, NumeralKind, Spacing, readings};

use crate::normalised::NormalisedUtterance;
use crate::numbers::NumberCells;

const HOURS: i64 = 24;
const HALF_DAY: i64 = 12;
const MINUTES: i64 = 60;
/// Fewer minutes are said with a nought: "nine oh five".
const WITHOUT_NOUGHT: i64 = 10;

/// A time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockTime {
    hour: i64,
    minute: i64,
}

impl ClockTime {
    /// The time that a text begins with in digits: "09:42, 2 h".
    #[must_use]
    pub fn written(text: &str) -> Option<Self> {
        let (hour, rest) = text.trim_start().split_once(':')?;
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let minute = rest.get(..end).filter(|minute| minute.len() == 2)?;
        // "9:42:10" and "1:42.5" are none.
        let goes_on = rest.get(end..).is_some_and(|rest| rest.starts_with([':', '.']));
        Self::new(hour.parse().ok()?, minute.parse().ok()?).filter(|_| hour.len() < 3 && !goes_on)
    }

    /// The time that a text says, and at most one word behind it: "nine forty-two", "the 9:42 train", "아홉 시 반".
    #[must_use]
    pub fn said(text: &str) -> Option<Self> {
        if let Some(time) = Self::written(text) {
            return Some(time);
        }
        let heard = NormalisedUtterance::new(text);
        let cells = NumberCells(&heard.cells);
        let ends = |end: usize| end == heard.len() || heard.gap(end) && heard.words(end, heard.len()).len() == 1;
        let mut found = None;
        let is_number = |numeral: &Numeral| !matches!(numeral.kind, NumeralKind::Ordinal | NumeralKind::DigitOrdinal);
        readings(&cells, 0, Spacing::Removed, |hour| {
            let Some(h) = hour.whole().filter(|_| is_number(&hour)) else { return };
            let korean = heard.word_end(hour.end, "시");
            if !korean.map_or_else(|| heard.gap(hour.end), |_| true) {
                return;
            }
            let at = korean.unwrap_or(hour.end);
            let half = korean.and_then(|at| heard.word_end(at, "반")).filter(|end| ends(*end));
            if half.is_some() || korean.is_some() && ends(at) {
                found = found.or(Self::new(h, if half.is_some() { MINUTES / 2 } else { 0 }));
            }
            let nought = ["oh", "o"].iter().find_map(|word| heard.word_end(at, word).filter(|end| heard.gap(*end)));
            readings(&cells, nought.unwrap_or(at), Spacing::Removed, |minute| {
                let end = if korean.is_some() { heard.word_end(minute.end, "분") } else { Some(minute.end) };
                let Some(m) = minute.whole().filter(|_| is_number(&minute) && end.is_some_and(&ends)) else { return };
                let as_said = korean.is_some() || (m < WITHOUT_NOUGHT) == nought.is_some();
                found = Self::new(h, m).filter(|_| as_said).or(found);
            });
        });
        found
    }

    fn new(hour: i64, minute: i64) -> Option<Self> {
        ((0..HOURS).contains(&hour) && (0..MINUTES).contains(&minute)).then_some(Self { hour, minute })
    }

    /// Whether a written time is what was said: who says nine may mean 21.
    #[must_use]
    pub const fn is_said_as(self, said: Self) -> bool {
        let half = said.hour <= HALF_DAY && self.hour % HALF_DAY == said.hour % HALF_DAY;
        self.minute == said.minute && (self.hour == said.hour || half)
    }
}

/// Whether a text says a time of day in words, and at most one word behind it.
#[must_use]
pub fn says_time(text: &str) -> bool {
    ClockTime::said(text).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    // RNK-2
    #[test]
    fn times_are_read_as_they_are_said_rnk_2() {
        for (text, expect) in [
            ("nine forty-two", Some((9, 42))),
            ("nine forty two train", Some((9, 42))),
            ("nine oh five", Some((9, 5))),
            ("twenty ten", Some((20, 10))),
            ("9:42", Some((9, 42))),
            ("아홉 시 사십이 분", Some((9, 42))),
            ("아홉시 반 기차", Some((9, 30))),
            ("10시 15분", Some((10, 15))),
            ("열 시", Some((10, 0))),
            ("nine", None),
            ("nine five", None),
            ("forty-two", None),
            ("nine seventy", None),
            ("seven up", None),
            ("nine forty-two and ten", None),
            ("시작", None),
            ("", None),
        ] {
            let found = ClockTime::said(text).map(|time| (time.hour, time.minute));
            assert_eq!(found, expect, "{text}");
        }
        for (label, expect) in [
            ("09:42, 2 h 05 min", Some((9, 42))),
            ("21:05", Some((21, 5))),
            ("9:42:10", None),
            ("1:425", None),
            ("Chapter 9:42", None),
            ("25:10", None),
        ] {
            assert_eq!(ClockTime::written(label).map(|time| (time.hour, time.minute)), expect, "{label}");
        }
    }
}
