//! Whether one token was made of another by a slip: the evidence that both mean the same thing (PRE-7).

use luna_messages::preserve::TokenClass;

use super::glossary::Glossary;
use super::scan;
use super::text::Text;
use super::token::CanonicalValue;

/// How alike two numbers are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Likeness {
    /// All digits but one are the same.
    OneSlip,
    /// Each is one digit, and they differ.
    SingleDigit,
}

/// A figure: digits with points and separators between them; and what stands around the figures.
fn figures(text: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut figures, mut between) = (Vec::new(), Vec::new());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from) = rest.split_at(start);
        let mut end = 0;
        for (at, c) in from.char_indices() {
            let inner = matches!(c, ',' | '.')
                && from.get(at + 1..).is_some_and(|more| more.starts_with(|c: char| c.is_ascii_digit()));
            if !c.is_ascii_digit() && !inner {
                break;
            }
            end = at + 1;
        }
        let (figure, after) = from.split_at(end);
        between.push(before);
        figures.push(figure);
        rest = after;
    }
    between.push(rest);
    (figures, between)
}

/// `to` with the one figure of `from` in which they differ; `None` if they are not written alike, or differ in more than a slip.
pub(super) fn with_figure_of(from: &str, to: &str, class: TokenClass) -> Option<(String, Likeness)> {
    let ((own, own_between), (other, other_between)) = (figures(from), figures(to));
    let unit = |between: &[&str]| between.iter().map(|text| text.replace(' ', "")).collect::<Vec<_>>();
    let alike = own.len() == other.len()
        && (unit(&own_between) == unit(&other_between)
            || own.len() == 1 && unit_word(from).is_some_and(|unit| Some(unit) == unit_word(to)));
    let mut differing = own.iter().zip(&other).enumerate().filter(|(_, (own, other))| own != other);
    let (at, (own_figure, other_figure)) = differing.next().filter(|_| alike && differing.next().is_none())?;
    // More than 10 is at least 11.
    (!are_neighbours(own_figure, other_figure)).then_some(())?;
    let digits: usize = own.iter().map(|figure| figure.len()).sum();
    let likeness = if own_figure.len() == 1 && other_figure.len() == 1 && digits == 1 {
        Likeness::SingleDigit
    } else {
        // Another hour may be the same hour counted otherwise (1:00, 13:00); it has a digit more.
        let same_length = own_figure.len() == other_figure.len();
        // Whether the translation separates thousands is its own affair.
        (own_figure.contains(',') == other_figure.contains(',')).then_some(())?;
        one_slip(own_figure, other_figure, digits)
            .then_some(())
            .filter(|()| same_length || class != TokenClass::Date)?;
        Likeness::OneSlip
    };
    let mut text = String::with_capacity(to.len() + own_figure.len());
    for (k, between) in other_between.iter().enumerate() {
        text.push_str(between);
        text.push_str(if k == at { own_figure } else { other.get(k).copied().unwrap_or("") });
    }
    Some((text, likeness))
}

/// The unit that a word names after a number, in any language.
fn unit_word(token: &str) -> Option<(super::units::Dimension, super::ratio::Ratio)> {
    let text = Text::new(token);
    let found = scan::scan(&text, false, &Glossary::default());
    let [only] = found.tokens.as_slice() else { return None };
    (only.span() == (0, text.len())).then_some(())?;
    found.keys_of(only).iter().find_map(|key| match key {
        CanonicalValue::WithUnitWord(dimension, size, _) => Some((*dimension, *size)),
        _ => None,
    })
}

/// Whether two whole numbers differ by one, as bounds do that are counted in or out.
fn are_neighbours(one: &str, other: &str) -> bool {
    let value = |figure: &str| figure.replace(',', "").parse::<u64>().ok();
    value(one).zip(value(other)).is_some_and(|(one, other)| one.abs_diff(other) == 1)
}

/// Whether one digit was replaced, added or left out, or two beside each other were exchanged; `digits` of the whole token bear witness. Of two
/// digits one must remain in its place, of a length that changed two must remain.
fn one_slip(one: &str, other: &str, digits: usize) -> bool {
    let bare = |figure: &str| figure.chars().filter(|c| *c != ',').collect::<Vec<char>>();
    let (one, other) = (bare(one), bare(other));
    let (long, short) = if one.len() >= other.len() { (&one, &other) } else { (&other, &one) };
    let head = long.iter().zip(short).take_while(|(a, b)| a == b).count();
    let tail = long.iter().rev().zip(short.iter().rev()).take_while(|(a, b)| a == b).count();
    let tail = tail.min(short.len() - head);
    match (long.len() - short.len(), short.len() - head - tail) {
        (0, 1) => digits >= 2,
        (0, 2) => {
            let exchanged = long.get(head) == short.get(head + 1) && long.get(head + 1) == short.get(head);
            digits >= 3 && exchanged
        }
        (1, 0) => digits.max(long.len()) >= 3,
        _ => false,
    }
}

/// Whether two texts differ in one or two characters, and agree in most of the others. What is longer is so inside: at an edge the scanner may have
/// read too little.
pub(super) fn verbatim_slip(one: &str, other: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let shorter = one.len().min(other.len());
    let head = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let tail = one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count().min(shorter - head);
    let differing = one.len().max(other.len()) - head - tail;
    let inside = tail >= 1 || one.len() == other.len();
    head >= 1 && inside && differing <= 2 && head + tail >= 3 && 2 * (head + tail) >= one.len().max(other.len())
}
