//! English numbers in words: two hundred and five, a third, twice, half an hour.

use std::sync::LazyLock;

use luna_messages::preserve::TokenClass::{Currency, Date, Number, Percent, Unit};
use luna_text::characters::{IndexedText, LatinMap, LatinWord};
use luna_text::numerals::{self, Numeral, NumeralKind, Spacing};

use super::super::ratio::Ratio;
use super::super::token::{CanonicalValue, Weight};
use super::super::units::{self, MeasureUnit};
use super::Scanner;
use super::suffix::SuffixKind;

/// Words that [`Scanner::spelled`] knows beside those of numbers.
const OTHERS: &[&str] = &["a", "an", "per", "each", "every", "minus", "negative", "noon", "midday", "midnight"];

/// All words that [`Scanner::spelled`] knows: every word is tested, and few are among them.
static KNOWN: LazyLock<LatinMap<()>> =
    LazyLock::new(|| LatinMap::new(numerals::latin_words().chain(OTHERS.iter().copied()).map(|word| (word, ()))));

impl Scanner<'_> {
    /// The end of `st`, `nd`, `rd` or `th` at `i`.
    pub(super) fn ordinal(&self, i: usize) -> Option<usize> {
        let word = self.t.letters(i).lower();
        let is = matches!(word.as_str(), "st" | "nd" | "rd" | "th");
        (is && !self.t.at(word.end).is_ascii_alphanumeric()).then_some(word.end)
    }

    /// A spelled-out number at `i`; in natural mode only. `said` is the word there, which ends at `end`.
    pub(super) fn spelled(&mut self, i: usize, end: usize, said: &LatinWord) -> Option<usize> {
        let said = said.lower();
        if KNOWN.get(&said).is_none() && !said.ends_with("fold") {
            return None;
        }
        let word = said.as_str();
        match word {
            "minus" | "negative" => {
                let digits = self.t.after_space(end);
                let mut head = self.number_begins(digits).then(|| self.head(i))?;
                head.negative = true;
                return Some(self.number(head, digits));
            }
            "noon" | "midday" | "midnight" => {
                let time = if word == "midnight" { 0 } else { 12 * 3600 };
                self.scan.push(Date, (i, end), Weight::Strong, [Some(CanonicalValue::Time(time))]);
                return Some(end);
            }
            _ => {}
        }
        if matches!(word, "a" | "an" | "per" | "each" | "every" | "one")
            && let Some(end) = self.single(i, end, word)
        {
            return Some(end);
        }
        let numeral = numerals::english(self.t, i, Spacing::Kept);
        if let Some(end) = self.spelled_time(i, word, end, numeral) {
            return Some(end);
        }
        match numeral {
            Some(numeral) if numeral.kind == NumeralKind::Ordinal => Some(self.spelled_ordinal(i, numeral)),
            Some(numeral) => Some(self.spelled_number(i, numeral)),
            None => self.part_or_multiple(i, end, &said),
        }
    }

    /// `half`, `quarter`, `twice`, `threefold`, `thirties`.
    fn part_or_multiple(&mut self, i: usize, end: usize, word: &LatinWord) -> Option<usize> {
        if let Some(below) = numerals::denominator(word) {
            let value = Ratio::new(1, below.into())?;
            let a_half = word.as_str() == "half" && (self.t.starts(end, " a ") || self.t.starts(end, " an "));
            // "Half" is 50 %, and "half an hour" 30 minutes.
            let percent = (below == 2).then_some(CanonicalValue::Percent(Ratio::whole(50)));
            let of = self.of_unit(end, value);
            let weight = if a_half || of.is_some() { Weight::Strong } else { Weight::Weak };
            let (to, measure) = of.map_or((end, None), |(to, measure)| (to, Some(measure)));
            self.scan.push(Number, (i, to), weight, [Some(CanonicalValue::Number(value)), percent, measure]);
            return Some(to);
        }
        if let Some(from) = numerals::decade(word) {
            // Of a life, or of the last century.
            let keys = [from, 1900 + from].map(|years| Some(CanonicalValue::Number(Ratio::whole(years))));
            let weight = if from == 10 { Weight::Weak } else { Weight::Strong };
            self.scan.push(Number, (i, end), weight, keys);
            return Some(end);
        }
        let (value, sure) = match numerals::multiplier(word) {
            Some(found) => found,
            None => {
                let numeral =
                    numerals::english(self.t, i, Spacing::Removed).filter(|numeral| numeral.end + 4 == end)?;
                (numeral.whole().filter(|_| word.ends_with("fold"))?, true)
            }
        };
        let single = (value == 1).then_some(CanonicalValue::Single);
        let weight = if sure { Weight::Strong } else { Weight::Weak };
        // A single byte; "twice a day" is no time.
        let measure = if sure { None } else { self.of_unit(end, Ratio::whole(value)).map(|(_, measure)| measure) };
        self.scan.push(Number, (i, end), weight, [Some(CanonicalValue::Number(Ratio::whole(value))), single, measure]);
        Some(end)
    }

    /// `value` of the unit that follows at `end`, and the end of the unit: `half an hour`, `half-second`, `a quarter of an hour`.
    fn of_unit(&self, end: usize, value: Ratio) -> Option<(usize, CanonicalValue)> {
        let mut k = end + 1;
        for link in ["of", "a", "an"] {
            let word = self.t.letters(k);
            if word.as_str() == link && self.t.at(word.end) == ' ' {
                k = word.end + 1;
            }
        }
        let (end, unit) = units::english(self.t, k).filter(|(end, _)| !self.t.at(*end).is_alphanumeric())?;
        Some((end, measure(unit, value)?))
    }

    /// `an hour`, `per person`, `a file`: weak, matches a 1 of the other language.
    fn single(&mut self, i: usize, end: usize, word: &str) -> Option<usize> {
        let k = self.t.after_space(end);
        let found = units::english(self.t, k).filter(|(end, _)| !self.t.at(*end).is_alphanumeric());
        if let Some((unit_end, unit)) = found {
            // "An hour and a half".
            let (value, to) = match " and a half" {
                half if self.t.starts(unit_end, half) => (Ratio::new(3, 2)?, unit_end + half.len()),
                _ => (Ratio::ONE, unit_end),
            };
            let day = (unit == units::DAY).then_some(CanonicalValue::Single);
            let weight = if to > unit_end { Weight::Strong } else { Weight::Weak };
            self.scan.push(Unit, (i, to), weight, [measure(unit, value), day]);
            return Some(to);
        }
        if word == "one" {
            return None;
        }
        // "a hundred", "a dozen" are parsed with their number.
        let number = numerals::english(self.t, k, Spacing::Kept);
        if word == "a" && number.is_some_and(|number| number.kind == NumeralKind::Cardinal) {
            return Some(end);
        }
        self.scan.push(Number, (i, end), Weight::Weak, [Some(CanonicalValue::Single)]);
        Some(end)
    }

    /// `third`, `twenty-first`; `the third of March`.
    fn spelled_ordinal(&mut self, i: usize, numeral: Numeral) -> usize {
        let day = numeral.whole().filter(|day| (1..=31).contains(day)).and_then(|day| u8::try_from(day).ok());
        if let Some(end) = day.and_then(|day| self.ordinal_date(i, numeral.end, day)) {
            return end;
        }
        // On the fifteenth.
        let followed = self.t.at(numeral.end) == ' ' && self.t.at(numeral.end + 1).is_alphabetic();
        let alone = i >= 7 && self.t.starts(i - 7, "on the ") && !followed;
        let single = (day == Some(1)).then_some(CanonicalValue::Single);
        // A third.
        let part =
            self.t.before(i) == ' ' && i >= 2 && self.t.at(i - 2) == 'a' && !self.t.before(i - 2).is_alphanumeric();
        let fraction = numeral.value.filter(|_| part).and_then(|below| Ratio::ONE.over(below));
        self.scan.push(
            Number,
            (i, numeral.end),
            Weight::Strong,
            [
                numeral.value.map(CanonicalValue::Number),
                single,
                day.filter(|_| alone).map(|day| CanonicalValue::Date(0, 0, day)),
                fraction.map(CanonicalValue::Number),
            ],
        );
        numeral.end
    }

    /// A spelled-out number, with or without a unit after it.
    fn spelled_number(&mut self, i: usize, numeral: Numeral) -> usize {
        let (end, Some(value)) = (numeral.end, numeral.value) else { return numeral.end };
        let Some(suffix) = self.suffix(end) else {
            let one = value == Ratio::ONE;
            let weight = if one || value == Ratio::ZERO { Weight::Weak } else { Weight::Strong };
            let single = one.then_some(CanonicalValue::Single);
            let of = self.of_unit(end, value).filter(|_| self.t.starts(end, " of "));
            let measure = of.map(|(_, measure)| measure);
            self.scan.push(Number, (i, end), weight, [Some(CanonicalValue::Number(value)), single, measure]);
            return end;
        };
        let class = suffix.kind.class();
        let weight = if matches!(class, Percent | Currency) { Weight::Hard } else { Weight::Strong };
        self.scan.push(class, (i, suffix.end), weight, suffix.kind.keys(value));
        // Six foot two.
        let inches = numerals::english(self.t, suffix.end + 1, Spacing::Kept)
            .filter(|_| suffix.kind == SuffixKind::Unit(units::FOOT) && self.t.at(suffix.end) == ' ')
            .filter(|numeral| numeral.kind == NumeralKind::Cardinal && self.suffix(numeral.end).is_none());
        if let Some((inches, value)) = inches.and_then(|inches| Some((inches, inches.value?)))
            && value.is_below(Ratio::whole(12))
        {
            self.scan.push(Unit, (suffix.end + 1, inches.end), Weight::Strong, [measure(units::INCH, value)]);
            return inches.end;
        }
        suffix.end
    }
}

fn measure(unit: MeasureUnit, value: Ratio) -> Option<CanonicalValue> {
    unit.convert(value).map(|n| CanonicalValue::Measure(unit.dimension, n))
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
