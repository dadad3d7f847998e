//! The one grammar of numbers, for understanding, preservation and speech: digits with separators (1,234.5; full-width too) and powers (3만 2천,
//! 1.5 million), Sino-Korean (삼만 이천), native Korean (스물한, 셋), both mixed (백스물세), English cardinals and ordinals (two hundred and five,
//! twenty-first), dozens and scores, fractions in words (two thirds), years in words (nineteen ninety-nine).
//!
//! A numeral is read at a character position. Particles, counters (번째, 개) and units are not part of it: the caller reads them from its end on.
//! Time is linear in the length of the numeral.

mod digits;
mod english;
mod korean;
mod words;

pub use digits::{Figure, ScaledNumber, big_power, figure, scaled, small_power};

use luna_messages::Lang;

use super::characters::{IndexedText, LatinWord, digit};
use super::ratio::Ratio;

/// How a numeral is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NumeralKind {
    /// 1,234; 0.5; １２.
    Digits,
    /// 3만 2천; 1.5 million; 5k.
    ScaledDigits,
    /// 3rd, 21st.
    DigitOrdinal,
    /// 이십일, 삼만 이천.
    Sino,
    /// 한, 세, 스무: only before a counter.
    NativeBound,
    /// 하나, 셋, 열: alone or before a counter. 다섯 to 아홉 are the same in both.
    Native,
    /// one, two hundred and five.
    Cardinal,
    /// first, twenty-first.
    Ordinal,
    /// nineteen ninety-nine.
    Year,
}

/// A number as written from some position on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numeral {
    /// The position after its last character.
    pub end: usize,
    /// `None` if it has too many digits for [`Ratio`].
    pub value: Option<Ratio>,
    pub kind: NumeralKind,
    /// The number of numeral words or digits; a numeral of one Korean syllable is often a part of another word.
    pub parts: usize,
    /// Whether a power word (십, 만, hundred, million) is among them.
    pub scaled: bool,
    /// The upper end of "두세": 3.
    pub upto: Option<i64>,
}

impl Numeral {
    /// The value, if it is an integer.
    #[must_use]
    pub fn whole(&self) -> Option<i64> {
        self.value.and_then(Ratio::as_whole)
    }
}

/// Whether words of the text are apart by spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spacing {
    /// As written: Latin words must end at the end of a word, and are apart by a space or a hyphen.
    Kept,
    /// A text whose spaces were removed ("twentyfirst", "세번째"): Latin words may touch each other and what follows; the caller checks the border.
    Removed,
}

/// Calls `found` with every numeral that begins at `at`, shorter ones first: of 이십일 two, twenty and twenty-one. Lower case is expected with
/// [`Spacing::Removed`]; any case with [`Spacing::Kept`].
pub fn readings<C: IndexedText>(text: &C, at: usize, spacing: Spacing, mut found: impl FnMut(Numeral)) {
    let first = text.at(at);
    if digit(first).is_some() {
        digits::readings(text, at, spacing, &mut found);
    } else if words::WORDS.beginning_with(first.to_ascii_lowercase()).is_empty() {
        // Most places of a text: no number begins there.
    } else if first.is_ascii_alphabetic() {
        english::readings(text, at, spacing, &mut found);
    } else {
        korean::native(text, at, &mut found);
        korean::sino(text, at, spacing, &mut found);
    }
}

/// The longest numeral that begins at `at`. If a native and a Sino-Korean one are equally long, it is the native one.
pub fn longest<C: IndexedText>(text: &C, at: usize, spacing: Spacing) -> Option<Numeral> {
    let mut best: Option<Numeral> = None;
    readings(text, at, spacing, |numeral| {
        if best.is_none_or(|best| numeral.end > best.end) {
            best = Some(numeral);
        }
    });
    best
}

/// Whether a Korean numeral may begin with `c`: a quick test for callers that try every word.
#[must_use]
pub fn may_begin(c: char) -> bool {
    !words::WORDS.beginning_with(c).is_empty()
}

/// The longest native Korean numeral at `at`: 스물한, 백스물세, 두세.
pub fn native<C: IndexedText>(text: &C, at: usize) -> Option<Numeral> {
    let mut best = None;
    korean::native(text, at, &mut |numeral| best = Some(numeral));
    best
}

/// The longest Sino-Korean numeral at `at`: 삼만 이천.
pub fn sino<C: IndexedText>(text: &C, at: usize, spacing: Spacing) -> Option<Numeral> {
    let mut best = None;
    korean::sino(text, at, spacing, &mut |numeral| best = Some(numeral));
    best
}

/// The longest English numeral at `at`: two hundred and five, twenty-first, half a million.
pub fn english<C: IndexedText>(text: &C, at: usize, spacing: Spacing) -> Option<Numeral> {
    let mut best: Option<Numeral> = None;
    english::readings(text, at, spacing, &mut |numeral: Numeral| {
        if best.is_none_or(|best| numeral.end > best.end) {
            best = Some(numeral);
        }
    });
    best
}

/// The denominator that a lower-case English word names: 3 for "third" and "thirds".
#[must_use]
pub fn denominator(word: &LatinWord) -> Option<i64> {
    words::WORDS.latin(word, |role| matches!(role, words::NumberWordRole::Part)).map(|(_, value)| value)
}

/// How many a lower-case English word such as "twice" or "double" means, and whether it hardly means anything else.
#[must_use]
pub fn multiplier(word: &LatinWord) -> Option<(i64, bool)> {
    let found =
        words::WORDS.latin(word, |role| matches!(role, words::NumberWordRole::Times | words::NumberWordRole::Multiple));
    found.map(|(role, value)| (value, role == words::NumberWordRole::Times))
}

/// The first of the ten years that a lower-case English word means: 30 for "thirties", 10 for "teenager".
#[must_use]
pub fn decade(word: &LatinWord) -> Option<i64> {
    words::WORDS.latin(word, |role| matches!(role, words::NumberWordRole::Decade)).map(|(_, value)| value)
}

/// The value of a fraction of one character: ½.
#[must_use]
pub fn vulgar(c: char) -> Option<Ratio> {
    let (n, d) = match c {
        '½' => (1, 2),
        '⅓' => (1, 3),
        '⅔' => (2, 3),
        '¼' => (1, 4),
        '¾' => (3, 4),
        '⅛' => (1, 8),
        '⅜' => (3, 8),
        '⅝' => (5, 8),
        '⅞' => (7, 8),
        _ => return None,
    };
    Ratio::new(n, d)
}

/// The end of a word at `i` for a zero among digits that are said one by one, which elsewhere is another word: 공.
pub fn zero_digit<C: IndexedText>(text: &C, i: usize) -> Option<usize> {
    words::WORDS.longest(text, i, |role| role == words::NumberWordRole::ZeroDigit).map(|(end, ..)| end)
}

/// How a digit is said by itself: 육, six.
#[must_use]
pub fn digit_word(digit: u32, lang: Lang) -> Option<&'static str> {
    words::WORDS.digit(digit, lang == Lang::En)
}

/// English words that multiply the number before them, lower case: hundred, million.
pub fn powers() -> impl Iterator<Item = &'static str> {
    words::WORDS.latin_powers()
}

/// All Latin words that may belong to a number, lower case.
pub fn latin_words() -> impl Iterator<Item = &'static str> {
    words::WORDS.latin_words()
}

#[cfg(test)]
mod tests;
