//! Breakages of a right translation, as a model may make them. They know nothing of the scanner: a token is a run of digits with the
//! separators inside it, or a word between spaces.

use std::ops::Range;

use super::pairs::Dice;

/// The kind of a breakage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Breakage {
    /// One digit of one number is another.
    Digit,
    /// A number has a digit more or less.
    Length,
    /// The unit is another, the number is right.
    UnitSwapped,
    Dropped,
    Doubled,
    /// One digit of each of two numbers is another.
    TwoBroken,
    /// Two numbers stand in each other's place.
    Swapped,
    /// A letter of an address, of code or of another Latin word is another.
    Letter,
}

impl Breakage {
    pub const ALL: [Self; 8] = [
        Self::Digit,
        Self::Length,
        Self::UnitSwapped,
        Self::Dropped,
        Self::Doubled,
        Self::TwoBroken,
        Self::Swapped,
        Self::Letter,
    ];
}

const UNITS: &[&str] =
    &["%", "km", "kg", "MB", "GB", "ms", "px", "원", "달러", "초", "분", "시간", "seconds", "minutes", "hours", "won"];

/// The numbers of a text: runs of digits with the separators inside them.
pub fn numbers(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len()
            && (bytes[at].is_ascii_digit()
                || matches!(bytes[at], b'.' | b',' | b':') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit))
        {
            at += 1;
        }
        found.push(start..at);
    }
    found
}

fn replaced(text: &str, range: &Range<usize>, by: &str) -> String {
    format!("{}{by}{}", &text[..range.start], &text[range.end..])
}

/// `text` with one digit of the number at `range` changed.
fn other_digit(text: &str, range: &Range<usize>, dice: &mut Dice) -> String {
    let digits: Vec<usize> = range.clone().filter(|at| text.as_bytes()[*at].is_ascii_digit()).collect();
    let at = digits[dice.below(digits.len())];
    let old = usize::from(text.as_bytes()[at] - b'0');
    let new = (old + 1 + dice.below(9)) % 10;
    replaced(text, &(at..at + 1), &new.to_string())
}

/// `right` with this breakage; `None` if it has nothing to break in this way.
pub fn broken(right: &str, breakage: Breakage, dice: &mut Dice) -> Option<String> {
    let found = numbers(right);
    let one = (!found.is_empty()).then(|| found[dice.below(found.len())].clone());
    // Two numbers with different texts.
    let two = || {
        let first = one.clone()?;
        let other = found.iter().find(|range| right[(*range).clone()] != right[first.clone()])?.clone();
        Some(if first.start < other.start { (first, other) } else { (other, first) })
    };
    let unit_after = |range: &Range<usize>| {
        let rest = &right[range.end..];
        let from = range.end + usize::from(rest.starts_with(' '));
        let rest = &right[from..];
        let unit = UNITS.iter().filter(|unit| rest.starts_with(**unit)).max_by_key(|unit| unit.len())?;
        Some(from..from + unit.len())
    };
    let text = match breakage {
        Breakage::Digit => other_digit(right, &one?, dice),
        Breakage::Length => {
            let range = one?;
            let digit = dice.below(10).to_string();
            let at = range.start + 1 + dice.below(range.len());
            if range.len() > 1 && dice.below(2) == 0 && right.as_bytes()[at - 1].is_ascii_digit() {
                replaced(right, &(at - 1..at), "")
            } else {
                replaced(right, &(at..at), &digit)
            }
        }
        Breakage::UnitSwapped => {
            let range = unit_after(&one?)?;
            replaced(right, &range, dice.pick(UNITS))
        }
        Breakage::Dropped => {
            let range = one?;
            let end = unit_after(&range).map_or(range.end, |unit| unit.end);
            let text = replaced(right, &(range.start..end), "");
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        }
        Breakage::Doubled => {
            let range = one?;
            let number = right[range.clone()].to_owned();
            replaced(right, &(range.end..range.end), &format!(" {number}"))
        }
        Breakage::TwoBroken => {
            let (first, second) = two()?;
            let text = other_digit(right, &second, dice);
            other_digit(&text, &first, dice)
        }
        Breakage::Swapped => {
            let (first, second) = two()?;
            let (a, b) = (right[first.clone()].to_owned(), right[second.clone()].to_owned());
            let text = replaced(right, &second, &a);
            replaced(&text, &first, &b)
        }
        Breakage::Letter => {
            let letters: Vec<usize> =
                right.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_lowercase()).map(|(at, _)| at).collect();
            let at = *letters.get(dice.below(letters.len()))?;
            let letter = char::from(b'a' + u8::try_from(dice.below(26)).unwrap_or(0));
            replaced(right, &(at..at + 1), &letter.to_string())
        }
    };
    (text != right && !text.trim().is_empty()).then_some(text)
}
