//! Units, currencies and counters that belong to a number. All of them are rows of tables, read by speech and preservation alike.

mod counters;
pub(crate) mod spoken;
mod table;

pub use counters::{KoreanCounter, counter, counters};

use crate::characters::{IndexedText, LatinMap, LatinWord};
use crate::language::is_hangul;
use crate::ratio::Ratio;
use table::{FirstWord, TABLES};

/// What a unit measures, by its name in the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dimension(&'static str);

impl Dimension {
    /// Metres.
    pub const LENGTH: Self = Self("Length");
    /// Seconds.
    pub const TIME: Self = Self("Time");
    /// Counted in months, whose length in days varies.
    pub const MONTHS: Self = Self("Months");
    /// Counted in bits; a byte is eight.
    pub const BITS: Self = Self("Bits");
    /// Bits per second.
    pub const BIT_RATE: Self = Self("BitRate");
    /// Metres per second.
    pub const SPEED: Self = Self("Speed");
    /// Hundredths.
    pub const PERCENT: Self = Self("Percent");
}

impl std::fmt::Debug for Dimension {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

/// A currency, by its name in the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Money(&'static str);

impl Money {
    /// South Korea's.
    pub const WON: Self = Self("Won");
    /// That of the United States.
    pub const DOLLAR: Self = Self("Dollar");
    /// Japan's.
    pub const YEN: Self = Self("Yen");
    /// China's.
    pub const YUAN: Self = Self("Yuan");
    /// That of the United Kingdom.
    pub const POUND: Self = Self("Pound");
}

impl std::fmt::Debug for Money {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

/// A unit: its dimension, and its size in the base unit of the dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeasureUnit {
    /// What it measures.
    pub dimension: Dimension,
    n: i64,
    d: i64,
    /// The offset subtracted before multiplying: 32 for Fahrenheit.
    offset: i64,
    /// Whether the number may also stand without the unit: 60 frames are 60 fps.
    pub counted: bool,
}

impl MeasureUnit {
    const fn of(dimension: Dimension, n: i64, d: i64) -> Self {
        Self { dimension, n, d, offset: 0, counted: false }
    }

    fn with_size(dimension: Dimension, size: Ratio, offset: i64, counted: bool) -> Self {
        let (n, d) = size.terms();
        Self { dimension, n, d, offset, counted }
    }

    /// `amount` of this unit in the base unit; `None` if it overflows.
    #[must_use]
    pub fn convert(self, amount: Ratio) -> Option<Ratio> {
        let amount = amount.plus(Ratio::whole(-self.offset))?;
        amount.times(Ratio::new(self.n.into(), self.d.into())?)
    }

    /// This length or these bits per `time`: a speed, a bit rate. `None` for other dimensions.
    #[must_use]
    pub fn per(self, time: Self) -> Option<Self> {
        let dimension = match self.dimension {
            Dimension::LENGTH => Dimension::SPEED,
            Dimension::BITS => Dimension::BIT_RATE,
            _ => return None,
        };
        if time.dimension != Dimension::TIME {
            return None;
        }
        let size = Ratio::new(self.n.into(), self.d.into())?.over(Ratio::new(time.n.into(), time.d.into())?)?;
        Some(Self::with_size(dimension, size, 0, false))
    }
}

/// °C.
pub const CELSIUS: MeasureUnit = MeasureUnit::of(Dimension("Celsius"), 1, 1);
/// °F, in degrees Celsius.
pub const FAHRENHEIT: MeasureUnit = MeasureUnit { offset: 32, ..MeasureUnit::of(Dimension("Celsius"), 5, 9) };
/// A degree of an angle.
pub const DEGREE: MeasureUnit = MeasureUnit::of(Dimension("Degrees"), 1, 1);
/// A second.
pub const SECOND: MeasureUnit = MeasureUnit::of(Dimension::TIME, 1, 1);
/// A minute, in seconds.
pub const MINUTE: MeasureUnit = MeasureUnit::of(Dimension::TIME, 60, 1);
/// An hour, in seconds.
pub const HOUR: MeasureUnit = MeasureUnit::of(Dimension::TIME, 3600, 1);
/// A day, in seconds.
pub const DAY: MeasureUnit = MeasureUnit::of(Dimension::TIME, 86_400, 1);
/// A week, in seconds.
pub const WEEK: MeasureUnit = MeasureUnit::of(Dimension::TIME, 604_800, 1);
/// A month.
pub const MONTH: MeasureUnit = MeasureUnit::of(Dimension::MONTHS, 1, 1);
/// A year, in months.
pub const YEAR: MeasureUnit = MeasureUnit::of(Dimension::MONTHS, 12, 1);
/// A metre.
pub const METRE: MeasureUnit = MeasureUnit::of(Dimension::LENGTH, 1, 1);
/// A kilometre, in metres.
pub const KILOMETRE: MeasureUnit = MeasureUnit::of(Dimension::LENGTH, 1000, 1);
/// A foot, in metres.
pub const FOOT: MeasureUnit = MeasureUnit::of(Dimension::LENGTH, 381, 1250);
/// An inch, in metres.
pub const INCH: MeasureUnit = MeasureUnit::of(Dimension::LENGTH, 127, 5000);
/// A kilogram, in grams.
pub const KILOGRAM: MeasureUnit = MeasureUnit::of(Dimension("Mass"), 1000, 1);
/// A pound, in grams.
pub const POUND: MeasureUnit = MeasureUnit::of(Dimension("Mass"), 45_359_237, 100_000);

/// The unit with this symbol. Case-sensitive: Mb is not MB.
#[must_use]
pub fn symbol(symbol: &str) -> Option<MeasureUnit> {
    TABLES.symbols.get(symbol).copied()
}

/// How a symbol, an ISO code or an English word of a unit is said in Korean: 킬로그램 for kg.
#[must_use]
pub fn korean_reading(word: &str) -> Option<&'static str> {
    let same = || {
        let unit = symbol(word)?;
        TABLES.unit_readings.iter().find(|(of, _)| *of == unit).map(|(_, said)| said)
    };
    TABLES.readings.get(word).or_else(same).map(String::as_str)
}

/// The entry of a table for the one or two English words at `i`, and its end. The two words may be apart by a space or a hyphen.
fn english_words<C: IndexedText, T: Copy>(
    text: &C,
    i: usize,
    firsts: &LatinMap<FirstWord>,
    known: impl Fn(&str) -> Option<T>,
) -> Option<(usize, T)> {
    let word = text.letters(i).lower();
    let first = firsts.get(&word)?;
    let ends = |end: usize| !(text.at(end).is_ascii_digit() || text.at(end) == '_');
    if first.of_two && matches!(text.at(word.end), ' ' | '-') {
        let second = text.letters(word.end + 1).lower();
        if !second.is_empty()
            && ends(second.end)
            && let Some(found) = known(&format!("{} {}", word.as_str(), second.as_str()))
        {
            return Some((second.end, found));
        }
    }
    known(word.as_str()).filter(|_| first.alone && ends(word.end)).map(|found| (word.end, found))
}

/// The unit of the English words at `i`, and its end: kilowatt-hours, square feet, miles per hour.
pub fn english<C: IndexedText>(text: &C, i: usize) -> Option<(usize, MeasureUnit)> {
    let unit = |i: usize| english_words(text, i, &TABLES.english_firsts, |words| TABLES.english.get(words).copied());
    let (end, found) = unit(i)?;
    let per = text.after_space(end);
    if per > end && text.starts(per, "per ") {
        let of = unit(per + 4).and_then(|(end, time)| Some((end, found.per(time)?)));
        return of.or(Some((end, found)));
    }
    Some((end, found))
}

/// The currency of the English words at `i`, with the subunits in one unit of it, and its end.
pub fn english_money<C: IndexedText>(text: &C, i: usize) -> Option<(usize, (Money, i64))> {
    english_words(text, i, &TABLES.money_firsts, |words| TABLES.money.get(words).copied())
}

/// The currency of an ISO code, which is in capitals.
#[must_use]
pub fn money_code(code: &LatinWord) -> Option<Money> {
    // Every word is looked up.
    code.is_capitals().then(|| TABLES.codes.get(code.as_str())).flatten().copied()
}

/// The currency of a sign: $, US$ without its letters, A$, ₩.
#[must_use]
pub fn money_sign(sign: &str) -> Option<Money> {
    TABLES.signs.get(sign).copied()
}

/// The meaning of a Korean word after a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KoreanUnit {
    /// 퍼센트.
    Percent,
    /// 퍼센트포인트.
    Points,
    /// The currency, and the subunits in one unit of it.
    Money(Money, i64),
    /// Any other unit.
    Unit(MeasureUnit),
    /// Kilo: grams or metres.
    Kilo,
    /// A weight or a currency.
    Pound,
    /// 도: of temperature or of an angle.
    Degree,
}

/// The longest Korean word of a unit or a currency at `i`, and its end.
pub fn korean<C: IndexedText>(text: &C, i: usize) -> Option<(usize, KoreanUnit)> {
    TABLES.korean.get(text.at(i)).iter().find_map(|entry| {
        if !text.starts(i, &entry.word) {
            return None;
        }
        let end = i + entry.word.chars().count();
        let next = text.at(end);
        // 도입니다 is not 도입.
        let verb = next == '입' && text.at(end + 1) == '니';
        let other = is_hangul(next) && entry.not_before.contains(next) && !verb;
        (!other).then_some((end, entry.unit))
    })
}

/// English months: the twelve names in order, then their abbreviations.
pub const MONTHS: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "jan",
    "feb",
    "mar",
    "apr",
    "jun",
    "jul",
    "aug",
    "sep",
    "sept",
    "oct",
    "nov",
    "dec",
];

/// The month, 1 to 12, that a lower-case English name or abbreviation means.
#[must_use]
pub fn month(word: &str) -> Option<u8> {
    let names = MONTHS.get(..12).unwrap_or_default();
    let whole = names.iter().position(|name| *name == word);
    let short = || match word.len() {
        3 => names.iter().position(|name| name.starts_with(word)),
        4 if word == "sept" => Some(8),
        _ => None,
    };
    whole.or_else(short).and_then(|m| u8::try_from(m + 1).ok())
}

#[cfg(test)]
mod tests;
