//! Marks by which a number is read from what stands around it: feet and inches, plurals of names, times without a colon.

use luna_messages::preserve::TokenClass::Unit;
use luna_text::characters::IndexedText;
use luna_text::numerals::Figure;

use super::super::ratio::Ratio;
use super::super::text::is_digit;
use super::super::token::Weight;
use super::super::units;
use super::measures::measure;
use super::{NumberPrefix, Scanner};

impl Scanner<'_> {
    /// Whether a length in feet ends before the number at `start`.
    pub(super) fn after_feet(&self, start: usize) -> bool {
        let words = ["ft ", " foot ", " feet ", "-foot-"];
        let feet = words.iter().any(|word| start >= word.len() && self.t.starts(start - word.len(), word));
        feet && self.scan.tokens.last().is_some_and(|token| token.class == Unit && token.end as usize + 1 == start)
    }

    /// The decimals of seconds that stand after their word in results, and their end: 9초58.
    pub(super) fn decimals_after(&self, end: usize) -> Option<(Ratio, usize)> {
        let to = self.t.short_run(end, 4, is_digit);
        let value = self.t.small(end, to).filter(|_| to - end <= 3)?;
        let exponent = i32::try_from(to - end).ok()?;
        Some((Ratio::whole(value).over(Ratio::power_of_ten(exponent)?)?, to))
    }

    /// Whether an s after the digits may be the plural of a name: Boeing 747s, F-16s, in their 20s.
    pub(super) fn is_plural(&self, start: usize, figure: &Figure) -> bool {
        if self.t.at(figure.end) != 's' || figure.decimals || figure.grouped {
            return false;
        }
        let tens = figure.whole == 2 && figure.value.is_none_or(is_ten);
        let joined = self.t.before(start) == '-' && start >= 2 && self.t.at(start - 2).is_ascii_alphabetic();
        tens || joined || (figure.whole >= 2 && self.after_name(start))
    }

    /// Whether the word before `start` begins with a capital letter.
    pub(super) fn after_name(&self, start: usize) -> bool {
        let Some(before) = start.checked_sub(1).filter(|k| self.t.at(*k) == ' ') else { return false };
        let from = before.saturating_sub(16);
        let first = (from..before).rev().take_while(|k| self.t.at(*k).is_ascii_alphabetic()).last();
        first.is_some_and(|first| self.t.at(first).is_ascii_uppercase())
    }

    /// Whether the digits that end at `k` are followed by a letter and a currency: 300m won.
    pub(super) fn money_follows(&self, k: usize) -> bool {
        let word = self.t.letters(k);
        let next = self.t.after_space(word.end);
        matches!(word.end - k, 1 | 2)
            && next > word.end
            && (units::english_money(self.t, next).is_some()
                || matches!(units::korean(self.t, next), Some((_, units::KoreanUnit::Money(..)))))
    }

    /// Whether a word for what is counted may follow a number that ends at `end`.
    pub(super) fn is_counted(&self, end: usize) -> bool {
        self.t.at(end) == ' ' && self.t.at(end + 1).is_alphabetic()
    }

    /// The time of day of four digits: 0715; at 1930.
    pub(super) fn military_time(&self, start: usize, figure: &Figure) -> Option<u32> {
        let named = ["at ", "At ", "by ", "By "].iter().any(|word| start >= 3 && self.t.starts(start - 3, word));
        let zero = self.t.at(start) == '0' && figure.end == start + 4;
        clock_value(figure).filter(|_| zero || named)
    }

    /// The time of an hour whose part of the day is named nearby: tonight at 8.
    pub(super) fn hour_of_day(&self, start: usize, figure: &Figure) -> Option<u32> {
        let hour = figure.value.and_then(Ratio::as_whole).filter(|hour| (1..=12).contains(hour))?;
        let before = ["at ", "by ", "until ", "before ", "after ", "around "];
        let named = before.iter().any(|word| start >= word.len() && self.t.starts(start - word.len(), word));
        if !named && !self.t.starts(figure.end, " tonight") {
            return None;
        }
        super::times::seconds(hour, 0, 0, Some(self.near_half(start, figure.end)?))
    }

    /// `6'2"`, `6′2″`, and inches alone: `27"`.
    pub(super) fn feet_and_inches(&mut self, head: NumberPrefix, figure: Figure) -> Option<usize> {
        let is_foot = matches!(self.t.at(figure.end), '\'' | '′' | '’');
        let (from, inches) = if is_foot && is_digit(self.t.at(figure.end + 1)) {
            (figure.end + 1, self.figure(figure.end + 1))
        } else {
            (head.start, figure)
        };
        let end = match self.t.at(inches.end) {
            '″' => inches.end + 1,
            '"' if !self.quoted => inches.end + 1,
            _ => return None,
        };
        let inch = |value: Option<Ratio>| value.and_then(|value| measure(units::INCH, value));
        if from > head.start {
            let feet = figure.value.and_then(|value| measure(units::FOOT, value));
            self.scan.push(Unit, (head.start, from), Weight::Hard, [feet]);
        }
        self.scan.push(Unit, (from, end), Weight::Hard, [inch(inches.value)]);
        Some(end)
    }
}

/// Four digits as hours and minutes.
pub(super) fn clock_value(figure: &Figure) -> Option<u32> {
    let plain = figure.whole == 4 && !figure.decimals && !figure.grouped;
    let digits = figure.value.and_then(Ratio::as_whole).filter(|_| plain)?;
    let (hour, minute) = (digits / 100, digits % 100);
    if hour < 24 && minute < 60 { super::times::seconds(hour, minute, 0, None) } else { None }
}

/// Whether it is a multiple of ten.
fn is_ten(value: Ratio) -> bool {
    value.as_whole().is_some_and(|n| n % 10 == 0)
}
