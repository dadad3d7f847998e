//! Digits with separators, and words that multiply them: 1,234.5; 3만 2천; 1.5 million; 1e-5.

use super::words::{NumberWordRole, WORDS};
use super::{Numeral, NumeralKind, Spacing, vulgar};
use crate::characters::{IndexedText, digit};
use crate::language::is_hangul;
use crate::ratio::Ratio;

/// Digits as written.
#[derive(Debug, Clone, Copy)]
pub struct Figure {
    /// The position after the last digit.
    pub end: usize,
    /// `None` if the number has too many digits.
    pub value: Option<Ratio>,
    /// Digits before the decimal point.
    pub whole: usize,
    /// Whether there is a decimal point.
    pub decimals: bool,
    /// Whether thousands are separated.
    pub grouped: bool,
}

impl Figure {
    /// Whether there are only digits.
    #[must_use]
    pub const fn plain(&self) -> bool {
        !self.decimals && !self.grouped
    }
}

/// A number in digits with its multiplier.
#[derive(Debug, Clone, Copy)]
pub struct ScaledNumber {
    /// The position after the multiplier.
    pub end: usize,
    /// `None` if the number is too large.
    pub value: Option<Ratio>,
    /// The multiplier; 1 for none.
    pub scale: i64,
    /// Whether there are only digits up to `end`.
    pub plain: bool,
    /// A multiplying letter, in upper case: K, M, B, T; or ^.
    pub letter: char,
    /// The end of the digits, if what follows (만, 조) may be another word.
    pub short: Option<(usize, Ratio)>,
}

/// More characters than a number of [`Ratio`] has.
const MAX_FIGURE: usize = 26;

fn is_digit(c: char) -> bool {
    digit(c).is_some()
}

/// The value of a Korean power of ten below 10,000: 십, 백, 천.
#[must_use]
pub fn small_power(c: char) -> Option<i64> {
    power_word(c, NumberWordRole::SinoPower)
}

/// The value of a Korean power of 10,000: 만, 억, 조, 경.
#[must_use]
pub fn big_power(c: char) -> Option<i64> {
    power_word(c, NumberWordRole::SinoGroup)
}

fn power_word(c: char, role: NumberWordRole) -> Option<i64> {
    if !is_hangul(c) {
        return None;
    }
    WORDS.beginning_with(c).iter().find(|(word, of, _)| *of == role && word.chars().eq([c])).map(|(_, _, value)| *value)
}

/// The numerals in digits at `i`, with and without their multiplier.
pub(super) fn readings<C: IndexedText>(text: &C, i: usize, spacing: Spacing, found: &mut impl FnMut(Numeral)) {
    let figure = figure(text, i);
    let numeral = |end: usize, value: Option<Ratio>, kind: NumeralKind| Numeral {
        end,
        value,
        kind,
        parts: figure.whole.max(1),
        scaled: kind == NumeralKind::ScaledDigits,
        upto: None,
    };
    found(numeral(figure.end, figure.value, NumeralKind::Digits));
    if let Some(end) = ordinal_mark(text, figure.end, spacing)
        && !figure.decimals
    {
        found(numeral(end, figure.value, NumeralKind::DigitOrdinal));
    }
    let scaled = scaled(text, figure, false);
    if scaled.end > figure.end {
        found(numeral(scaled.end, scaled.value, NumeralKind::ScaledDigits));
    }
}

/// The end of `st`, `nd`, `rd` or `th` at `i`.
pub(super) fn ordinal_mark<C: IndexedText>(text: &C, i: usize, spacing: Spacing) -> Option<usize> {
    let mark = [text.at(i).to_ascii_lowercase(), text.at(i + 1).to_ascii_lowercase()];
    let known = matches!(mark, ['s', 't'] | ['n', 'd'] | ['r', 'd'] | ['t', 'h']);
    (known && (spacing == Spacing::Removed || !text.at(i + 2).is_ascii_alphanumeric())).then_some(i + 2)
}

/// The digits at `i`, which may begin with a decimal point.
#[must_use]
pub fn figure<C: IndexedText>(text: &C, i: usize) -> Figure {
    let whole_end = text.digit_run(i);
    let (mut end, mut grouped) = (whole_end, false);
    if (1..=3).contains(&(whole_end - i)) {
        while text.at(end) == ',' {
            let group = text.short_run(end + 1, 4, is_digit) - end - 1;
            // Groups of three digits, or of two in Indian notation: 1,23,456.
            let more = text.at(end + 3) == ',' && is_digit(text.at(end + 4)) && is_digit(text.at(end + 5));
            if group == 3 || (group == 2 && more) {
                end += group + 1;
                grouped = true;
            } else {
                break;
            }
        }
    }
    let point = end;
    let decimals = text.at(end) == '.' && is_digit(text.at(end + 1));
    if decimals {
        end = text.digit_run(end + 1);
    }
    Figure { end, value: value(text, i, point, end), whole: whole_end - i, decimals, grouped }
}

fn value<C: IndexedText>(text: &C, from: usize, point: usize, end: usize) -> Option<Ratio> {
    if end - from > MAX_FIGURE {
        return None;
    }
    let (mut n, mut d): (i128, i128) = (0, 1);
    for k in from..end {
        if let Some(value) = digit(text.at(k)) {
            n = n.checked_mul(10)?.checked_add(value.into())?;
            if k > point {
                d = d.checked_mul(10)?;
            }
        }
    }
    Ratio::new(n, d)
}

/// Applies the multiplier after `figure`. After a currency sign (`money`) small letters multiply, too: $5m, £2 bn.
pub fn scaled<C: IndexedText>(text: &C, figure: Figure, money: bool) -> ScaledNumber {
    let plain = ScaledNumber { end: figure.end, value: figure.value, scale: 1, plain: true, letter: '\0', short: None };
    let end = figure.end;
    match text.at(end) {
        'e' | 'E' => exponent(text, figure, end + 1),
        '×' | '*' | 'x' | 'X' | '·' if text.starts(end + 1, "10") => power(text, figure, end + 3),
        ' ' if matches!(text.at(end + 1), '×' | 'x') && text.starts(end + 2, " 10") => power(text, figure, end + 5),
        '^' => raised(text, end),
        c if vulgar(c).is_some() => {
            let value = figure.value.zip(vulgar(c)).and_then(|(whole, part)| whole.plus(part));
            Some(ScaledNumber { end: end + 1, value, plain: false, ..plain })
        }
        // 120 만원, with its power written apart.
        ' ' if big_power(text.at(end + 1)).is_some()
            && "원명개달유엔위".contains(text.at(text.after_space(end + 2)))
            && text.at(text.after_space(end + 2)) != '\0' =>
        {
            magnitudes(text, Figure { end: end + 1, ..figure })
        }
        c if small_power(c).is_some() || big_power(c).is_some() => magnitudes(text, figure),
        _ => english_scale(text, figure, money),
    }
    .unwrap_or(plain)
}

fn exponent<C: IndexedText>(text: &C, figure: Figure, k: usize) -> Option<ScaledNumber> {
    let (digits, negative) = match text.at(k) {
        '-' => (k + 1, true),
        '+' => (k + 1, false),
        _ => (k, false),
    };
    let end = text.short_run(digits, 5, is_digit);
    let exponent = i32::try_from(text.small(digits, end)?).ok()?;
    if text.at(end).is_ascii_alphanumeric() {
        return None;
    }
    Some(times_ten(figure, end, if negative { -exponent } else { exponent }))
}

/// `10^8`, `10⁸`; the ten ends at `k`.
fn power<C: IndexedText>(text: &C, figure: Figure, k: usize) -> Option<ScaledNumber> {
    if text.at(k) == '^' {
        return exponent(text, figure, k + 1);
    }
    let high = |c: char| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|s| s == c);
    let negative = text.at(k) == '⁻';
    let from = if negative { k + 1 } else { k };
    let end = text.short_run(from, 3, |c| high(c).is_some());
    let exponent = (from..end).try_fold(0, |value, at| high(text.at(at)).map(|d| 10 * value + d))?;
    let exponent = i32::try_from(exponent).ok().filter(|_| end > from)?;
    Some(times_ten(figure, end, if negative { -exponent } else { exponent }))
}

/// `2^10`.
fn raised<C: IndexedText>(text: &C, k: usize) -> Option<ScaledNumber> {
    let from = if text.at(k + 1) == '-' { k + 2 } else { k + 1 };
    let end = text.short_run(from, 5, is_digit);
    (end > from).then_some(ScaledNumber { end, value: None, scale: 1, plain: false, letter: '^', short: None })
}

fn times_ten(figure: Figure, end: usize, exponent: i32) -> ScaledNumber {
    let value = figure.value.zip(Ratio::power_of_ten(exponent)).and_then(|(value, ten)| value.times(ten));
    ScaledNumber { end, value, scale: 1, plain: false, letter: '\0', short: None }
}

/// ` million`, `K`, `bn`.
fn english_scale<C: IndexedText>(text: &C, figure: Figure, money: bool) -> Option<ScaledNumber> {
    let end = figure.end;
    let (word_at, apart) = if matches!(text.at(end), ' ' | '\t' | '-') { (end + 1, true) } else { (end, false) };
    let word = text.letters(word_at).lower();
    let after = text.at(word.end);
    if word.is_empty() || is_digit(after) {
        return None;
    }
    let known = WORDS
        .latin(&word, |role| matches!(role, NumberWordRole::Hundred | NumberWordRole::Scale | NumberWordRole::Group));
    let letter = || {
        let c = text.at(word_at);
        // Alone, m is metres and b may be anything.
        let sure = money || (!apart && (c.is_ascii_uppercase() || c == 'k'));
        let role = WORDS.latin(&word, |role| role == NumberWordRole::Letter).filter(|_| sure && after != '/');
        role.map(|(_, scale)| (scale, c.to_ascii_uppercase()))
    };
    let (scale, letter) = known.map(|(_, scale)| (scale, '\0')).or_else(letter)?;
    let value = figure.value.and_then(|value| value.times(Ratio::whole(scale)));
    Some(ScaledNumber { end: word.end, value, scale, plain: false, letter, short: None })
}

/// Korean powers of ten after digits: `3만 2천`, `1억 2,345만`, `5천`.
fn magnitudes<C: IndexedText>(text: &C, first: Figure) -> Option<ScaledNumber> {
    let mut end = first.end;
    let zero = Ratio::ZERO;
    let (mut total, mut section, mut current) = (Some(zero), Some(zero), first.value);
    let mut fresh = true;
    let (mut big, mut small) = (i64::MAX, i64::MAX);
    let mut scales = 0;
    let mut scale = 1;
    loop {
        let c = text.at(end);
        let next = text.at(end + 1);
        if let Some(s) = small_power(c).filter(|s| *s < small) {
            if (c == '백' && matches!(next, '신' | '업' | '화')) || (c == '천' && next == '장') {
                break;
            }
            let times = if fresh { current } else { Some(Ratio::ONE) };
            section = section.zip(times.and_then(|n| n.times(Ratio::whole(s)))).and_then(|(a, b)| a.plus(b));
            (current, fresh, small, scale) = (Some(zero), false, s, s);
        } else if let Some(b) = big_power(c).filter(|b| *b < big) {
            let other_word = match c {
                '조' => "각건항합",
                '경' => "기우로",
                '만' => "화족",
                _ => "",
            };
            if other_word.contains(next) && next != '\0' {
                break;
            }
            let sum = section.zip(if fresh { current } else { Some(zero) }).and_then(|(a, b)| a.plus(b));
            total = total.zip(sum.and_then(|n| n.times(Ratio::whole(b)))).and_then(|(a, b)| a.plus(b));
            (section, current, fresh, big, small, scale) = (Some(zero), Some(zero), false, b, i64::MAX, b);
        } else {
            break;
        }
        scales += 1;
        end += 1;
        // 2백여만: some two million.
        if text.at(end) == '여' && big_power(text.at(end + 1)).is_some_and(|b| b < big) {
            end += 1;
            continue;
        }
        // More digits, of lower magnitude.
        let from = text.after_space(end);
        if is_digit(text.at(from)) {
            let figure = figure(text, from);
            let room = big.min(small);
            let digits = figure.end - from;
            let fits =
                digits <= 5 && text.small(from, from + figure.whole).is_some_and(|n| n < room) && !figure.decimals;
            if !fits || (from > end && !goes_on(text, figure.end)) {
                break;
            }
            (current, fresh, end) = (figure.value, true, figure.end);
        }
    }
    if scales == 0 {
        return None;
    }
    let tail = if fresh { current } else { Some(zero) };
    let value = total.zip(section).and_then(|(a, b)| a.plus(b)).zip(tail).and_then(|(a, b)| a.plus(b));
    // "3만 입력" may mean "only 3"; "3조" may mean a group.
    let doubtful = scales == 1 && end == first.end + 1 && matches!(text.before(end), '만' | '조');
    let short = if doubtful && (text.before(end) == '조' || !is_hangul(text.at(end))) {
        Some((first.end, first.value.unwrap_or(zero)))
    } else {
        None
    };
    Some(ScaledNumber { end, value, scale: if scales == 1 { scale } else { 1 }, plain: false, letter: '\0', short })
}

/// Whether separate digits that end at `k` continue the previous number: a power or a counter follows.
fn goes_on<C: IndexedText>(text: &C, k: usize) -> bool {
    let at = text.after_space(k);
    let c = text.at(at);
    small_power(c).is_some()
        || big_power(c).is_some()
        || "원달유엔위명개불파톤킬미장건대권표평점여".contains(c) && c != '\0'
}
