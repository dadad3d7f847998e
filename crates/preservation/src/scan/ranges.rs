//! What a number shares with the one before it: the unit, scale and month of a range, the unit that only one number of a sentence has.

use luna_text::characters::IndexedText;

use super::super::joining::{is_article, is_function_word};
use super::super::layout::is_sentence_end;
use super::super::ratio::Ratio;
use super::super::text::is_digit;
use super::super::token::CanonicalValue;
use super::suffix::SuffixKind;
use super::{NumberPrefix, PreviousNumber, ScaledNumber, Scanner};

/// How far from a number the unit may be that it leaves out, in characters.
const NEAR: usize = 60;
/// How far apart two members of a list may be, in characters.
const LIST: usize = 24;

impl Scanner<'_> {
    /// In a range, the earlier number inherits the unit and scale of the later one if it has none: `10~20%`, `3~5만`.
    pub(super) fn inherit(&mut self, head: NumberPrefix, kind: Option<SuffixKind>, amount: ScaledNumber) {
        let Some(last) = self.before_in_range(head.start) else { return };
        // $5-10 million
        if let (Some(money), true, None) = (last.money, last.bare && amount.scale > 1, kind) {
            let value = last.value.and_then(|value| value.times(Ratio::whole(amount.scale)));
            if let Some(value) = value {
                self.scan.add_value(last.token, CanonicalValue::Money(money, value));
            }
        }
        if !last.plain || kind.is_none() && amount.scale == 1 {
            return;
        }
        let scale = if last.bare { amount.scale } else { 1 };
        let Some(value) = last.value.and_then(|value| value.times(Ratio::whole(scale))) else { return };
        let keys = match kind {
            Some(kind) => kind.keys(value),
            None => [Some(CanonicalValue::Number(value)), None],
        };
        for key in keys.into_iter().flatten() {
            self.scan.add_value(last.token, key);
        }
    }

    /// The previous number, if it forms a range with the number at `start`.
    pub(super) fn before_in_range(&self, start: usize) -> Option<PreviousNumber> {
        self.last.filter(|last| self.natural && self.is_range(last.end, start))
    }

    /// Values that the previous number of a range implies: the currency in `₩3,000~5,000`, the month in `11월 21일~25일`.
    pub(super) fn shared(
        &self,
        head: NumberPrefix,
        kind: Option<SuffixKind>,
        day: bool,
        value: Option<Ratio>,
    ) -> [Option<CanonicalValue>; 2] {
        let Some((last, value)) = self.before_in_range(head.start).zip(value) else { return [None, None] };
        let money = last.money.filter(|_| kind.is_none()).map(|money| CanonicalValue::Money(money, value));
        let whole = value
            .as_whole()
            .filter(|d| (1..=31).contains(d) && (day || kind.is_none()))
            .and_then(|d| u8::try_from(d).ok());
        let date = last.month.zip(whole).map(|((year, month), day)| CanonicalValue::Date(year, month, day));
        [money, date]
    }

    /// Whether only a range sign or word stands between.
    pub(super) fn is_range(&self, from: usize, to: usize) -> bool {
        if to < from || to - from > 9 {
            return false;
        }
        let between: String = self.t.slice(from, to).iter().filter(|c| **c != ' ').collect();
        matches!(
            &*between,
            "~" | "-" | "–" | "—" | "to" | "through" | "until" | "and" | "or" | "에서" | "내지" | "부터" | "과" | "와"
        )
    }

    /// The values of a number without a unit, if a number before it in the same sentence has one: "40 dollars, up from 35 a year earlier".
    pub(super) fn implied(&self, (start, end): (usize, usize), value: Ratio) -> Option<[Option<CanonicalValue>; 2]> {
        let (kind, from) = self.unit.filter(|(_, from)| self.natural && (*from..=from + NEAR).contains(&start))?;
        let ends = (from..start).any(|at| is_sentence_end(self.t, at) || self.t.at(at) == '\n');
        (!ends && self.before_in_range(start).is_none_or(|last| last.plain) && self.is_without_noun(end))
            .then(|| kind.keys(value))
    }

    /// Gives the unit of a number to the one before it in a list: "lows of -3 and highs of 8 degrees".
    pub(super) fn share_unit_back(&mut self, head: NumberPrefix, kind: Option<SuffixKind>) {
        let Some((last, kind)) = self.last.filter(|last| self.natural && last.plain && last.bare).zip(kind) else {
            return;
        };
        let near = last.end < head.start && head.start - last.end <= LIST;
        if !near || self.before_in_range(head.start).is_some() || !self.is_without_noun(last.end) {
            return;
        }
        let between = self.t.slice(last.end, head.start);
        let plain = between.iter().all(|c| c.is_ascii() && !is_digit(*c) && !matches!(c, '.' | '\n' | '|' | '\t'));
        let words: String = between.iter().collect();
        if plain && words.split(' ').any(|word| matches!(word, "and" | "or")) {
            for key in last.value.into_iter().flat_map(|value| kind.keys(value)).flatten() {
                self.scan.add_value(last.token, key);
            }
        }
    }

    /// Whether what follows a number that ends at `end` is not what it counts.
    fn is_without_noun(&self, end: usize) -> bool {
        let next = self.t.after_space(end);
        let word = self.t.letters(next);
        match self.t.at(next) {
            c if c.is_ascii_alphabetic() => is_function_word(word.as_str()) || is_article(word.as_str()),
            '\0' | '.' | ',' | ';' | ')' | '?' | '!' => true,
            _ => false,
        }
    }

    /// In a range of dates, a year that only one of them names is that of both: 2025년 3월 3일부터 4월 15일까지. The new date begins at `start`; returns
    /// its other value.
    pub(super) fn share_year(&mut self, start: usize, year: i64, month: u8, day: u8) -> Option<CanonicalValue> {
        let last = self.before_in_range(start)?;
        let token = self.scan.tokens.get(last.token)?;
        let (other, other_month, other_day) = self.scan.keys_of(token).iter().find_map(|key| match key {
            CanonicalValue::Date(year, month, day) if *month > 0 => Some((*year, *month, *day)),
            _ => None,
        })?;
        match (other, year) {
            (0, 1..) => {
                self.scan.add_value(last.token, CanonicalValue::Date(year, other_month, other_day));
                None
            }
            (1.., 0) => Some(CanonicalValue::Date(other, month, day)),
            _ => None,
        }
    }
}
