//! English numerals: cardinals, ordinals, dozens, fractions, years in words.

use super::words::{NumberWordRole, WORDS};
use super::{Numeral, NumeralKind, Spacing};
use crate::characters::IndexedText;
use crate::ratio::Ratio;

/// Maximum words of one number, so that a long run of them is read in linear time.
const MAX_PARTS: usize = 16;

/// The Latin word at `i` with its meaning; without spaces, the longest beginning that has one.
fn word<C: IndexedText>(
    text: &C,
    i: usize,
    spacing: Spacing,
    fits: impl Fn(NumberWordRole) -> bool,
) -> Option<(usize, NumberWordRole, i64)> {
    match spacing {
        Spacing::Kept => {
            let word = text.letters(i).lower();
            let apart = !text.at(word.end).is_alphanumeric() && text.at(word.end) != '_';
            WORDS.latin(&word, fits).filter(|_| apart).map(|(role, value)| (word.end, role, value))
        }
        Spacing::Removed => WORDS.longest(text, i, fits),
    }
}

const fn is_number(role: NumberWordRole) -> bool {
    matches!(
        role,
        NumberWordRole::Ones
            | NumberWordRole::Teens
            | NumberWordRole::Tens
            | NumberWordRole::Hundred
            | NumberWordRole::Scale
            | NumberWordRole::Group
    )
}

const fn is_ordinal(role: NumberWordRole) -> bool {
    matches!(
        role,
        NumberWordRole::OrdinalOnes
            | NumberWordRole::OrdinalTeens
            | NumberWordRole::OrdinalTens
            | NumberWordRole::OrdinalHundred
            | NumberWordRole::OrdinalScale
    )
}

/// A number under construction: what is complete, the section below the next scale, and what may still be added to the section.
#[derive(Clone, Copy)]
struct Sum {
    total: i64,
    section: i64,
    /// The last scale.
    scale: i64,
    /// What is added next must be below this.
    room: i64,
    parts: usize,
    scaled: bool,
}

impl Sum {
    /// With one more word; `None` if it does not belong to the number.
    fn with(self, role: NumberWordRole, value: i64) -> Option<Self> {
        let next = Self { parts: self.parts + 1, ..self };
        Some(match role {
            NumberWordRole::Ones | NumberWordRole::OrdinalOnes if self.room > 9 && (self.parts == 0 || value > 0) => {
                Self { section: self.section + value, room: 0, ..next }
            }
            NumberWordRole::Teens | NumberWordRole::OrdinalTeens if self.room > 99 => {
                Self { section: self.section + value, room: 0, ..next }
            }
            NumberWordRole::Tens | NumberWordRole::OrdinalTens if self.room > 99 => {
                Self { section: self.section + value, room: 10, ..next }
            }
            NumberWordRole::Hundred | NumberWordRole::OrdinalHundred if self.section < 100 && self.room != 100 => {
                Self { section: self.section.max(1) * 100, room: 100, scaled: true, ..next }
            }
            NumberWordRole::Scale | NumberWordRole::OrdinalScale if value < self.scale => {
                let total = self.section.max(1).checked_mul(value)?.checked_add(self.total)?;
                Self { total, section: 0, scale: value, room: i64::MAX, scaled: true, ..next }
            }
            NumberWordRole::Group if self.scale == i64::MAX => Self {
                total: self.section.max(1).checked_mul(value)?,
                section: 0,
                scale: 1,
                room: 0,
                scaled: true,
                ..next
            },
            _ => return None,
        })
    }

    const fn value(self) -> i64 {
        self.total + self.section
    }
}

/// The position of the next word after `end`: across a space or a hyphen, or directly if spaces were removed.
fn next_word<C: IndexedText>(text: &C, end: usize, spacing: Spacing) -> Option<usize> {
    match (text.at(end), spacing) {
        (' ' | '-' | '‑', _) => Some(end + 1),
        (_, Spacing::Removed) => Some(end),
        _ => None,
    }
}

fn is_and<C: IndexedText>(text: &C, k: usize, spacing: Spacing) -> bool {
    match spacing {
        Spacing::Kept => text.letters(k).as_str() == "and",
        Spacing::Removed => text.starts(k, "and"),
    }
}

/// The English numerals at `i`.
pub(super) fn readings<C: IndexedText>(text: &C, i: usize, spacing: Spacing, found: &mut impl FnMut(Numeral)) {
    // Most words are no numbers.
    if spacing == Spacing::Kept && WORDS.latin(&text.letters(i).lower(), |_| true).is_none() {
        return;
    }
    let mut sum = Sum { total: 0, section: 0, scale: i64::MAX, room: i64::MAX, parts: 0, scaled: false };
    let (mut end, mut k) = (i, i);
    let mut first = 0;
    while sum.parts < MAX_PARTS {
        let numeral = |sum: Sum, end: usize, kind: NumeralKind| Numeral {
            end,
            value: Some(Ratio::whole(sum.value())),
            kind,
            parts: sum.parts,
            scaled: sum.scaled,
            upto: None,
        };
        // An ordinal ends the number.
        if let Some((to, role, value)) = word(text, k, spacing, is_ordinal)
            && let Some(sum) = sum.with(role, value)
        {
            found(numeral(sum, to, NumeralKind::Ordinal));
        }
        let Some((to, role, value)) = word(text, k, spacing, is_number) else { break };
        let Some(with) = sum.with(role, value) else {
            if sum.parts == 1 && matches!(role, NumberWordRole::Teens | NumberWordRole::Tens) {
                year(text, first, (to, role, value), spacing, found);
            }
            break;
        };
        (sum, end) = (with, to);
        if sum.parts == 1 {
            first = value;
        }
        found(numeral(sum, end, NumeralKind::Cardinal));
        let Some(next) = next_word(text, end, spacing) else { break };
        k = next;
        // "Two hundred and five", but not "two and five".
        if (sum.room == 100 || sum.scale < i64::MAX) && is_and(text, k, spacing) {
            k = next_word(text, k + "and".len(), spacing).unwrap_or(k);
        }
    }
    if sum.parts > 0 {
        with_parts(text, sum.value(), end, spacing, found);
    } else {
        fraction_of(text, i, spacing, found);
    }
}

/// `nineteen ninety-nine`, `twenty twenty-six`: centuries, then the years of the century.
fn year<C: IndexedText>(
    text: &C,
    century: i64,
    (mut end, role, mut years): (usize, NumberWordRole, i64),
    spacing: Spacing,
    found: &mut impl FnMut(Numeral),
) {
    if !(13..=20).contains(&century) {
        return;
    }
    if role == NumberWordRole::Tens
        && let Some(next) = next_word(text, end, spacing)
        && let Some((to, _, ones)) = word(text, next, spacing, |role| role == NumberWordRole::Ones)
    {
        (end, years) = (to, years + ones);
    }
    let value = Some(Ratio::whole(100 * century + years));
    found(Numeral { end, value, kind: NumeralKind::Year, parts: 2, scaled: false, upto: None });
}

/// `two and a half`, `two thirds`, after `value` that ends at `end`; `one and a half million`.
fn with_parts<C: IndexedText>(text: &C, value: i64, end: usize, spacing: Spacing, found: &mut impl FnMut(Numeral)) {
    const AND_A_HALF: &str = " and a half";
    let numeral = |end: usize, value: Option<Ratio>| Numeral {
        end,
        value,
        kind: NumeralKind::Cardinal,
        parts: 2,
        scaled: true,
        upto: None,
    };
    if spacing == Spacing::Kept && text.starts(end, AND_A_HALF) && !text.at(end + AND_A_HALF.len()).is_alphanumeric() {
        let half = Ratio::new(1, 2).and_then(|half| Ratio::whole(value).plus(half));
        let end = end + AND_A_HALF.len();
        found(numeral(end, half));
        if text.at(end) == ' '
            && let Some((to, _, scale)) = word(text, end + 1, spacing, |role| {
                matches!(role, NumberWordRole::Hundred | NumberWordRole::Scale | NumberWordRole::Group)
            })
        {
            found(numeral(to, half.and_then(|half| half.times(Ratio::whole(scale)))));
        }
        return;
    }
    if value >= 20 {
        return;
    }
    if let Some(next) = next_word(text, end, spacing)
        && let Some((to, _, below)) = word(text, next, spacing, |role| role == NumberWordRole::Part)
    {
        found(numeral(to, Ratio::new(value.into(), below.into())));
    }
}

/// `half a million`, `a quarter of a million`, `half a dozen`.
fn fraction_of<C: IndexedText>(text: &C, i: usize, spacing: Spacing, found: &mut impl FnMut(Numeral)) {
    if spacing == Spacing::Removed {
        return;
    }
    let Some((end, _, below)) = word(text, i, spacing, |role| role == NumberWordRole::Part) else { return };
    let mut k = end + 1;
    for link in ["of", "a", "an"] {
        let next = text.letters(k).lower();
        if next.as_str() == link && text.at(next.end) == ' ' {
            k = next.end + 1;
        }
    }
    if k == end + 1 && below != 2 || text.at(end) != ' ' {
        return;
    }
    if let Some((to, _, scale)) = word(text, k, spacing, |role| {
        matches!(role, NumberWordRole::Hundred | NumberWordRole::Scale | NumberWordRole::Group)
    }) {
        let value = Ratio::new(scale.into(), below.into());
        found(Numeral { end: to, value, kind: NumeralKind::Cardinal, parts: 2, scaled: true, upto: None });
    }
}
