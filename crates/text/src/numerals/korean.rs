//! Korean numerals.

use super::words::{NumberWordRole, WORDS};
use super::{Numeral, NumeralKind, Spacing};
use crate::characters::IndexedText;
use crate::ratio::Ratio;

/// Maximum numeral syllables of one number, so that a long run of them is read in linear time.
const MAX_PARTS: usize = 20;

/// Native numerals at `i`: tens, ones or both; after 백 too (백스물세).
pub(super) fn native<C: IndexedText>(text: &C, i: usize, found: &mut impl FnMut(Numeral)) {
    let (from, hundreds) = match text.at(i) {
        '백' => (i + 1, 100),
        _ => (i, 0),
    };
    let numeral = |end: usize, value: i64, bound: bool, parts: usize| Numeral {
        end,
        value: Some(Ratio::whole(hundreds + value)),
        kind: if bound { NumeralKind::NativeBound } else { NumeralKind::Native },
        parts: parts + usize::from(hundreds > 0),
        scaled: hundreds > 0,
        upto: None,
    };
    let tens =
        WORDS.longest(text, from, |role| matches!(role, NumberWordRole::NativeTens | NumberWordRole::NativeTensBound));
    if let Some((end, role, value)) = tens {
        found(numeral(end, value, role == NumberWordRole::NativeTensBound, 1));
    }
    let (after, ten, parts) = tens.map_or((from, 0, 0), |(end, _, value)| (end, value, 1));
    // 스무 stands alone, and 열두세 is "twelve or three" to nobody.
    if tens.is_some_and(|(_, role, _)| role == NumberWordRole::NativeTensBound) {
        return;
    }
    if let Some((end, role, value)) =
        WORDS.longest(text, after, |role| matches!(role, NumberWordRole::NativeOnes | NumberWordRole::NativeOnesBound))
    {
        found(numeral(end, ten + value, role == NumberWordRole::NativeOnesBound, parts + 1));
    }
    if let Some((end, _, value)) = WORDS.longest(text, after, |role| role == NumberWordRole::NativeAbout) {
        let upto = Some(hundreds + ten + value + 1);
        found(Numeral { upto, ..numeral(end, ten + value, true, parts + 1) });
    }
}

/// Sino-Korean numerals at `i`. Powers of ten fall within a group of four, groups fall within the number.
pub(super) fn sino<C: IndexedText>(text: &C, i: usize, spacing: Spacing, found: &mut impl FnMut(Numeral)) {
    let fits = |role| matches!(role, NumberWordRole::Sino | NumberWordRole::SinoPower | NumberWordRole::SinoGroup);
    let (mut total, mut section, mut current) = (0_i64, 0_i64, 0_i64);
    let (mut group, mut power) = (i64::MAX, i64::MAX);
    let mut scaled = false;
    let mut k = i;
    for parts in 1..=MAX_PARTS {
        let Some((end, role, value)) = WORDS.longest(text, k, fits) else { break };
        match role {
            // 영 and 공 stand alone.
            NumberWordRole::Sino if value == 0 && parts > 1 => break,
            NumberWordRole::Sino if current == 0 => current = value,
            NumberWordRole::SinoPower if value < power => {
                section += current.max(1) * value;
                (current, power, scaled) = (0, value, true);
            }
            NumberWordRole::SinoGroup if value < group => {
                let Some(sum) = (section + current).max(1).checked_mul(value).and_then(|n| n.checked_add(total)) else {
                    break;
                };
                total = sum;
                (section, current, group, power, scaled) = (0, 0, value, i64::MAX, true);
            }
            _ => break,
        }
        let value = Some(Ratio::whole(total + section + current));
        found(Numeral { end, value, kind: NumeralKind::Sino, parts, scaled, upto: None });
        if value == Some(Ratio::ZERO) {
            break;
        }
        // 삼만 이천: groups may be apart.
        let apart = text.after_space(end);
        let goes_on = || {
            WORDS
                .longest(text, apart, |role| matches!(role, NumberWordRole::Sino | NumberWordRole::SinoPower))
                .is_some()
        };
        k = if apart > end && spacing == Spacing::Kept && role == NumberWordRole::SinoGroup && goes_on() {
            apart
        } else {
            end
        };
    }
}
