//! The suffix of a number: a percent sign, a currency, a unit (PRE-1, PRE-3).

use luna_text::characters::IndexedText;

use super::super::ratio::Ratio;
use super::super::text::is_hangul;
use super::super::token::CanonicalValue;
use super::super::units::{self, Dimension, KoreanUnit, MeasureUnit, Money};
use super::{Scanner, money_of};

/// The kind of an amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SuffixKind {
    Percent,
    Points,
    Permil,
    /// The currency, and the subunits in one unit of it.
    Money(Money, i64),
    /// ¥: yen or yuan.
    Yen,
    Unit(MeasureUnit),
    Kilo,
    Pound,
    Degree,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Suffix {
    pub(super) end: usize,
    pub(super) kind: SuffixKind,
    /// Whether it is a word of a language rather than a symbol: a word may be translated in faithful mode, too.
    pub(super) word: bool,
    pub(super) korean: bool,
}

impl SuffixKind {
    /// The values of `amount` in this unit.
    pub(super) fn keys(self, amount: Ratio) -> [Option<CanonicalValue>; 2] {
        let measure = |unit: MeasureUnit| unit.convert(amount).map(|n| CanonicalValue::Measure(unit.dimension, n));
        match self {
            Self::Percent => [Some(CanonicalValue::Percent(amount)), None],
            Self::Points => [Some(CanonicalValue::Points(amount)), None],
            Self::Permil => [amount.over(Ratio::whole(10)).map(CanonicalValue::Percent), None],
            Self::Money(money, parts) => {
                [amount.over(Ratio::whole(parts)).map(|n| CanonicalValue::Money(money, n)), None]
            }
            Self::Yen => {
                [Some(CanonicalValue::Money(Money::YEN, amount)), Some(CanonicalValue::Money(Money::YUAN, amount))]
            }
            Self::Unit(unit) => [measure(unit), None],
            Self::Kilo => [measure(units::KILOGRAM), measure(units::KILOMETRE)],
            Self::Pound => [Some(CanonicalValue::Money(Money::POUND, amount)), measure(units::POUND)],
            Self::Degree => [measure(units::DEGREE), measure(units::CELSIUS)],
        }
    }

    /// The unit by which faithful mode compares words of two languages.
    pub(super) fn unit_word(self) -> Option<(Dimension, Ratio)> {
        let unit = match self {
            Self::Percent => return Some((Dimension::PERCENT, Ratio::ONE)),
            Self::Unit(unit) => unit,
            Self::Degree => units::DEGREE,
            Self::Points | Self::Permil | Self::Money(..) | Self::Yen | Self::Kilo | Self::Pound => return None,
        };
        Some((unit.dimension, unit.convert(Ratio::ONE)?))
    }
}

/// Syllables that may follow a one-syllable word that is written apart from its number.
const PARTICLES: &str = "은는이가을를에의로만도까부간동이인입마씩급짜당";

impl Scanner<'_> {
    /// The suffix of a number that ends at `j`, with the time in which the amount happens: 120 km per hour.
    pub(super) fn suffix(&self, j: usize) -> Option<Suffix> {
        let suffix = self.unit_after(j)?;
        if let SuffixKind::Unit(unit) = suffix.kind
            && self.t.starts(suffix.end, " per ")
            && let Some((end, time)) = units::english(self.t, suffix.end + 5)
            && let Some(rate) = unit.per(time)
        {
            return Some(Suffix { end, kind: SuffixKind::Unit(rate), ..suffix });
        }
        Some(suffix)
    }

    fn unit_after(&self, j: usize) -> Option<Suffix> {
        let k = self.t.after_space(j);
        let c = self.t.at(k);
        let apart = k > j;
        match c {
            '%' => self.percent(k, apart),
            '‰' => Some(Suffix { end: k + 1, kind: SuffixKind::Permil, word: false, korean: false }),
            'A'..='Z' | 'a'..='z' | '°' | 'μ' => self.latin(k, apart, false),
            '-' if !apart && self.t.at(j + 1).is_ascii_alphabetic() => self.latin(j + 1, true, true),
            _ if is_hangul(c) => self.korean(k, apart),
            '¢' if !apart => {
                Some(Suffix { end: k + 1, kind: SuffixKind::Money(Money::DOLLAR, 100), word: false, korean: false })
            }
            _ if c.is_ascii() => match money_of(c) {
                Some(_) if apart || self.t.at(k + 1).is_ascii_alphanumeric() => None,
                Some(money) => {
                    Some(Suffix { end: k + 1, kind: SuffixKind::Money(money, 1), word: false, korean: false })
                }
                None => None,
            },
            '¥' if !apart => Some(Suffix { end: k + 1, kind: SuffixKind::Yen, word: false, korean: false }),
            '円' => Some(Suffix { end: k + 1, kind: SuffixKind::Money(Money::YEN, 1), word: false, korean: false }),
            '元' => Some(Suffix { end: k + 1, kind: SuffixKind::Money(Money::YUAN, 1), word: false, korean: false }),
            _ if c == '€' || (!apart && money_of(c).is_some()) => money_of(c)
                .filter(|_| !self.t.at(k + 1).is_ascii_digit())
                .map(|money| Suffix { end: k + 1, kind: SuffixKind::Money(money, 1), word: false, korean: false }),
            _ => {
                // ㎞, ℃: one character.
                let mut buffer = [0; 4];
                let unit = units::symbol(c.encode_utf8(&mut buffer))?;
                Some(Suffix { end: k + 1, kind: SuffixKind::Unit(unit), word: false, korean: false })
            }
        }
    }

    fn percent(&self, k: usize, apart: bool) -> Option<Suffix> {
        let next = self.t.at(k + 1);
        if apart && next.is_ascii_alphanumeric() && !matches!(next, 'p' | 'P') {
            return None;
        }
        let points = |end| Some(Suffix { end, kind: SuffixKind::Points, word: false, korean: false });
        if matches!(next, 'p' | 'P') && !self.t.at(k + 2).is_ascii_alphanumeric() {
            return points(k + 2);
        }
        let word = self.t.after_space(k + 1);
        if self.t.starts(word, "포인트") {
            return points(word + 3);
        }
        Some(Suffix { end: k + 1, kind: SuffixKind::Percent, word: false, korean: false })
    }

    /// A unit in Latin letters. After a hyphen only words match: 30-minute.
    fn latin(&self, k: usize, apart: bool, hyphen: bool) -> Option<Suffix> {
        if !hyphen && let Some(suffix) = self.latin_symbol(k, apart) {
            return Some(suffix);
        }
        let word = self.t.letters(k);
        if word.is_empty() || self.t.at(word.end).is_ascii_digit() || self.t.at(word.end) == '_' {
            return None;
        }
        if let Some(money) = units::money_code(&word) {
            return Some(Suffix { end: word.end, kind: SuffixKind::Money(money, 1), word: false, korean: false });
        }
        let said = |end, kind| Some(Suffix { end, kind, word: true, korean: false });
        // The following word.
        let next = self.t.letters(self.t.after_space(word.end));
        let next_lower = next.lower();
        match word.lower().as_str() {
            "percent" | "pct" => return said(word.end, SuffixKind::Percent),
            "per" if next_lower.as_str() == "cent" => return said(next.end, SuffixKind::Percent),
            "percentage" if matches!(next_lower.as_str(), "point" | "points") => {
                return said(next.end, SuffixKind::Points);
            }
            "pound" | "pounds" => return said(word.end, SuffixKind::Pound),
            _ => {}
        }
        if let Some((end, (money, parts))) = units::english_money(self.t, k) {
            return said(end, SuffixKind::Money(money, parts));
        }
        // After a hyphen also a symbol that is no letter or preposition: 11-cm, but not 3-D or 2-in-1.
        let Some((end, unit)) = units::english(self.t, k) else {
            let long = word.end > k + 1 || matches!(word.as_str(), "W" | "V" | "m" | "g" | "L");
            let long = hyphen && long && self.t.at(word.end) != '-';
            return if long { self.latin_symbol(k, true) } else { None };
        };
        // "5 years old" is an age, not a duration.
        let rest = self.t.after_space(end);
        if unit == units::DEGREE {
            return self.degrees(end, rest);
        }
        if unit == units::YEAR && (self.t.starts(rest, "old") || self.t.starts(end, "-old")) {
            return None;
        }
        said(end, SuffixKind::Unit(unit))
    }

    /// `degrees`, with or without a scale after it.
    fn degrees(&self, end: usize, rest: usize) -> Option<Suffix> {
        let scale = self.t.letters(rest);
        let (end, kind) = match scale.lower().as_str() {
            "celsius" | "c" | "centigrade" => (scale.end, SuffixKind::Unit(units::CELSIUS)),
            "fahrenheit" | "f" => (scale.end, SuffixKind::Unit(units::FAHRENHEIT)),
            _ => (end, SuffixKind::Unit(units::DEGREE)),
        };
        Some(Suffix { end, kind, word: true, korean: false })
    }

    fn latin_symbol(&self, k: usize, apart: bool) -> Option<Suffix> {
        let belongs = |c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '²' | '³' | '°' | 'Ω' | 'μ');
        let end = self.t.short_run(k, 8, belongs);
        // The longest match first: "10 km/h", then "10 km" of "10 km/일".
        let mut to = end;
        loop {
            let after = self.t.at(to);
            if !(after.is_ascii_alphanumeric() || after == '_') {
                let name: String = self.t.slice(k, to).iter().collect();
                let clear = !apart || !matches!(&*name, "A" | "t" | "B" | "N" | "J" | "l" | "in" | "us" | "pt" | "nit");
                if let Some(unit) = units::symbol(&name).filter(|_| clear) {
                    return Some(Suffix { end: to, kind: SuffixKind::Unit(unit), word: false, korean: false });
                }
            }
            let slash = (k + 1..to).rev().find(|at| matches!(self.t.at(*at), '/' | '²' | '³'))?;
            to = slash;
        }
    }

    fn korean(&self, k: usize, apart: bool) -> Option<Suffix> {
        let (end, meaning) = units::korean(self.t, k)?;
        let next = self.t.at(end);
        // A single syllable apart from its number counts only at the end of its word.
        let first = self.t.at(k);
        if apart && end == k + 1 && !matches!(first, '원' | '엔') && is_hangul(next) && !PARTICLES.contains(next) {
            return None;
        }
        let kind = match meaning {
            KoreanUnit::Percent => SuffixKind::Percent,
            KoreanUnit::Points => SuffixKind::Points,
            KoreanUnit::Money(money, parts) => SuffixKind::Money(money, parts),
            KoreanUnit::Unit(unit) => SuffixKind::Unit(unit),
            KoreanUnit::Kilo => SuffixKind::Kilo,
            KoreanUnit::Pound => SuffixKind::Pound,
            KoreanUnit::Degree => SuffixKind::Degree,
        };
        // 퍼센트 포인트, written apart.
        if kind == SuffixKind::Percent {
            let rest = self.t.after_space(end);
            if self.t.starts(rest, "포인트") {
                return Some(Suffix { end: rest + 3, kind: SuffixKind::Points, word: true, korean: true });
            }
        }
        Some(Suffix { end, kind, word: true, korean: true })
    }
}
