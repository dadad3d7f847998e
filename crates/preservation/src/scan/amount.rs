//! Digits with separators, and words that multiply them: 1,234.5; 3만 2천; 1.5 million; 1e-5 (PRE-3).

use super::super::ratio::Ratio;
use super::super::text::{digit, is_digit, is_hangul, is_space};
use super::Scanner;

/// Digits as written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Figure {
    pub(super) end: usize,
    /// `None` if the number has too many digits.
    pub(super) value: Option<Ratio>,
    /// Digits before the decimal point.
    pub(super) whole: usize,
    pub(super) decimals: bool,
    pub(super) grouped: bool,
}

/// A number with its multiplier.
#[derive(Debug, Clone, Copy)]
pub(super) struct ScaledNumber {
    pub(super) end: usize,
    pub(super) value: Option<Ratio>,
    /// The multiplier; 1 for none.
    pub(super) scale: i64,
    /// Whether there are only digits up to `end`.
    pub(super) plain: bool,
    /// A multiplying letter: K, M, B.
    pub(super) letter: char,
    /// The end of the digits, if what follows (만, 조) may be another word.
    pub(super) short: Option<(usize, Ratio)>,
}

/// Korean powers of ten below 10,000.
pub(super) const fn small_scale(c: char) -> Option<i64> {
    match c {
        '십' => Some(10),
        '백' => Some(100),
        '천' => Some(1000),
        _ => None,
    }
}

/// Korean powers of 10,000.
pub(super) const fn big_scale(c: char) -> Option<i64> {
    match c {
        '만' => Some(10_000),
        '억' => Some(100_000_000),
        '조' => Some(1_000_000_000_000),
        '경' => Some(10_000_000_000_000_000),
        _ => None,
    }
}

impl Scanner<'_> {
    /// The digits at `i`, which may begin with a decimal point.
    pub(super) fn figure(&self, i: usize) -> Figure {
        let whole_end = self.t.digits(i);
        let (mut end, mut grouped) = (whole_end, false);
        if (1..=3).contains(&(whole_end - i)) {
            while self.t.at(end) == ',' {
                let group = self.t.short_run(end + 1, 4, is_digit) - end - 1;
                // Groups of three digits, or of two in Indian notation: 1,23,456.
                let more = self.t.at(end + 3) == ',' && is_digit(self.t.at(end + 4)) && is_digit(self.t.at(end + 5));
                if group == 3 || (group == 2 && more) {
                    end += group + 1;
                    grouped = true;
                } else {
                    break;
                }
            }
        }
        let point = end;
        let decimals = self.t.at(end) == '.' && is_digit(self.t.at(end + 1));
        if decimals {
            end = self.t.digits(end + 1);
        }
        Figure { end, value: self.value(i, point, end), whole: whole_end - i, decimals, grouped }
    }

    fn value(&self, from: usize, point: usize, end: usize) -> Option<Ratio> {
        if !self.natural || end - from > 26 {
            return None;
        }
        let (mut n, mut d): (i128, i128) = (0, 1);
        for k in from..end {
            let c = self.t.at(k);
            if is_digit(c) {
                n = n.checked_mul(10)?.checked_add(digit(c).into())?;
                if k > point {
                    d = d.checked_mul(10)?;
                }
            }
        }
        Ratio::new(n, d)
    }

    /// Applies the multiplier after `figure`.
    pub(super) fn amount(&self, figure: Figure) -> ScaledNumber {
        let plain =
            ScaledNumber { end: figure.end, value: figure.value, scale: 1, plain: true, letter: '\0', short: None };
        let end = figure.end;
        match self.t.at(end) {
            'e' | 'E' => self.exponent(figure, end + 1),
            '×' | '*' | 'x' | 'X' | '·' if self.t.starts(end + 1, "10") => self.power(figure, end + 3),
            ' ' if matches!(self.t.at(end + 1), '×' | 'x') && self.t.starts(end + 2, " 10") => {
                self.power(figure, end + 5)
            }
            '^' => self.raised(end),
            '½' => {
                let value = figure.value.zip(Ratio::new(1, 2)).and_then(|(whole, half)| whole.plus(half));
                Some(ScaledNumber { end: end + 1, value, plain: false, ..plain })
            }
            // 120 만원, with its power written apart.
            ' ' if big_scale(self.t.at(end + 1)).is_some()
                && "원명개달유엔위".contains(self.t.at(self.t.after_space(end + 2)))
                && self.t.after_space(end + 2) < self.t.len() =>
            {
                self.magnitudes(Figure { end: end + 1, ..figure })
            }
            c if small_scale(c).is_some() || big_scale(c).is_some() => self.magnitudes(figure),
            c => self.english_scale(figure, end, c),
        }
        .unwrap_or(plain)
    }

    fn exponent(&self, figure: Figure, k: usize) -> Option<ScaledNumber> {
        let (digits, negative) = match self.t.at(k) {
            '-' => (k + 1, true),
            '+' => (k + 1, false),
            _ => (k, false),
        };
        let end = self.t.short_run(digits, 5, is_digit);
        let exponent = i32::try_from(self.t.small(digits, end)?).ok()?;
        if self.t.at(end).is_ascii_alphanumeric() {
            return None;
        }
        Some(self.scaled(figure, end, if negative { -exponent } else { exponent }))
    }

    /// `10^8`, `10⁸`; the ten ends at `k`.
    fn power(&self, figure: Figure, k: usize) -> Option<ScaledNumber> {
        if self.t.at(k) == '^' {
            return self.exponent(figure, k + 1);
        }
        let high = |c: char| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|s| s == c);
        let negative = self.t.at(k) == '⁻';
        let from = if negative { k + 1 } else { k };
        let end = self.t.short_run(from, 3, |c| high(c).is_some());
        let exponent = (from..end).try_fold(0, |value, at| high(self.t.at(at)).map(|d| 10 * value + d))?;
        let exponent = i32::try_from(exponent).ok().filter(|_| end > from)?;
        Some(self.scaled(figure, end, if negative { -exponent } else { exponent }))
    }

    /// `2^10`.
    fn raised(&self, k: usize) -> Option<ScaledNumber> {
        let from = if self.t.at(k + 1) == '-' { k + 2 } else { k + 1 };
        let end = self.t.short_run(from, 5, is_digit);
        (end > from).then_some(ScaledNumber { end, value: None, scale: 1, plain: false, letter: '^', short: None })
    }

    fn scaled(&self, figure: Figure, end: usize, exponent: i32) -> ScaledNumber {
        let value = figure.value.zip(Ratio::power_of_ten(exponent)).and_then(|(value, ten)| value.times(ten));
        ScaledNumber { end, value, scale: 1, plain: false, letter: '\0', short: None }
    }

    /// ` million`, `K`, `bn`.
    fn english_scale(&self, figure: Figure, end: usize, c: char) -> Option<ScaledNumber> {
        let (word_at, apart) = if is_space(c) || c == '-' { (end + 1, true) } else { (end, false) };
        let word = self.t.letters(word_at);
        if word.is_empty() || is_digit(self.t.at(word.end)) {
            return None;
        }
        let (scale, letter) = match (word.lower().as_str(), word.as_str()) {
            ("hundred", _) => (100, '\0'),
            ("thousand", _) => (1000, '\0'),
            ("million" | "millions" | "mln" | "mn", _) => (1_000_000, '\0'),
            ("billion" | "billions" | "bn", _) => (1_000_000_000, '\0'),
            ("trillion" | "trillions", _) => (1_000_000_000_000, '\0'),
            ("dozen", _) => (12, '\0'),
            (_, "K" | "k") if !apart => (1000, 'K'),
            (_, "M") if !apart => (1_000_000, 'M'),
            (_, "B") if !apart => (1_000_000_000, 'B'),
            (_, "T") if !apart => (1_000_000_000_000, 'T'),
            _ => return None,
        };
        let value = figure.value.and_then(|value| value.times(Ratio::whole(scale)));
        Some(ScaledNumber { end: word.end, value, scale, plain: false, letter, short: None })
    }

    /// Korean powers of ten after digits: `3만 2천`, `1억 2,345만`, `5천`.
    fn magnitudes(&self, first: Figure) -> Option<ScaledNumber> {
        let mut end = first.end;
        let counted = self.natural;
        let zero = Ratio::ZERO;
        let (mut total, mut section, mut current) = (Some(zero), Some(zero), first.value);
        let mut fresh = true;
        let (mut big, mut small) = (i64::MAX, i64::MAX);
        let mut scales = 0;
        let mut scale = 1;
        loop {
            let c = self.t.at(end);
            let next = self.t.at(end + 1);
            if let Some(s) = small_scale(c).filter(|s| *s < small) {
                if (c == '백' && matches!(next, '신' | '업' | '화')) || (c == '천' && next == '장') {
                    break;
                }
                let times = if fresh { current } else { Some(Ratio::ONE) };
                section = section.zip(times.and_then(|n| n.times(Ratio::whole(s)))).and_then(|(a, b)| a.plus(b));
                (current, fresh, small, scale) = (Some(zero), false, s, s);
            } else if let Some(b) = big_scale(c).filter(|b| *b < big) {
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
            // More digits, of lower magnitude.
            let from = self.t.after_space(end);
            if is_digit(self.t.at(from)) {
                let figure = self.figure(from);
                let room = big.min(small);
                let digits = figure.end - from;
                let fits = digits <= 5
                    && self.t.small(from, from + figure.whole).is_some_and(|n| n < room)
                    && !figure.decimals;
                if !fits || (from > end && !self.goes_on(figure.end)) {
                    break;
                }
                (current, fresh, end) = (figure.value, true, figure.end);
            }
        }
        if scales == 0 {
            return None;
        }
        let value = if counted {
            let tail = if fresh { current } else { Some(zero) };
            total.zip(section).and_then(|(a, b)| a.plus(b)).zip(tail).and_then(|(a, b)| a.plus(b))
        } else {
            None
        };
        // "3만 입력" may mean "only 3"; "3조" may mean a group.
        let doubtful = scales == 1 && end == first.end + 1 && matches!(self.t.before(end), '만' | '조');
        let short = if doubtful && (self.t.before(end) == '조' || !is_hangul(self.t.at(end))) {
            Some((first.end, first.value.unwrap_or(zero)))
        } else {
            None
        };
        Some(ScaledNumber { end, value, scale: if scales == 1 { scale } else { 1 }, plain: false, letter: '\0', short })
    }

    /// Whether separate digits that end at `k` continue the previous number: a power or a counter follows.
    fn goes_on(&self, k: usize) -> bool {
        let at = self.t.after_space(k);
        let c = self.t.at(at);
        small_scale(c).is_some()
            || big_scale(c).is_some()
            || "원달유엔위명개불파톤킬미장건대권표평점여".contains(c) && c != '\0'
    }
}
