//! Finds numbers of one class that changed places in one sentence (PRE-2): all of them are there, but beside the wrong neighbours.
//!
//! English and Korean order their words differently, so another order alone proves nothing. Four things do:
//! - the label (파일 3개, row 3, CPU 85%) that one number has in the source stands beside the other in the translation;
//! - in a table or a list, or in texts of as many sentences, one stands in the cell or sentence of the other (the layout stays, TRN-1);
//! - two numbers each stand beside the other's neighbour ("5% in March, 3% in April");
//! - the order changed, although only what joins equals stands between both: "a, b and c" stays so in Korean, "a of b" does not. If each of them
//!   has a noun of its own ("3 cats and 5 dogs"), they may have moved together, and only what the nouns sound like tells.

mod neighbours;
mod nouns;

use luna_messages::preserve::TokenClass;
use luna_text::characters::IndexedText;

use super::Set;
use super::alignment::{AlignedText, Alignment, FixedHashMap, is_amount};
use super::joining::{Joint, WHOLE, joint};
use super::labels::{Label, Labels, is_joined, labels};
use super::layout::{cell, layouts};
use super::text::is_hangul;
use super::token::{CanonicalValue, Token, Weight, narrow};
use super::units::{Dimension, Money};
use nouns::Nouns;

/// The longest text between two numbers that are judged together, in characters.
const NEAR: usize = 80;

/// A token that both sides have once.
struct Item {
    kind: Kind,
    source: usize,
    target: usize,
    /// Whether a label or its cell shows that it stands where it belongs.
    confirmed: bool,
    misplaced: bool,
}

/// Marks the tokens that changed places.
pub(super) fn mark(source: &mut AlignedText<'_>, target: &mut AlignedText<'_>) {
    if source.text == target.text {
        return;
    }
    let mut items = items(source, target);
    if items.len() < 2 {
        return;
    }
    by_cells(source, target, &mut items);
    by_labels(source, target, &mut items);
    by_neighbours(source, target, &mut items);
    by_order(source, target, &mut items);
    for item in items.iter().filter(|item| item.misplaced) {
        source.set(item.source, Alignment::Reordered(narrow(item.target)));
        target.set(item.target, Alignment::Reordered(narrow(item.source)));
    }
}

/// Numbers and placeholders.
fn counts(side: &AlignedText<'_>, token: &Token) -> bool {
    token.weight != Weight::Weak && is_amount(token.class)
        || token.class == TokenClass::Code && side.folded.at(token.start as usize) == '{'
}

/// How often each number occurs, by its text.
fn texts<'a>(side: &AlignedText<'a>) -> FixedHashMap<&'a str, u32> {
    let mut texts = FixedHashMap::default();
    for token in side.scan.tokens.iter().filter(|token| counts(side, token)) {
        *texts.entry(side.text_of(token)).or_default() += 1;
    }
    texts
}

/// The tokens that were kept and occur once, in the order of the source, of classes that have two of them.
fn items(source: &AlignedText<'_>, target: &AlignedText<'_>) -> Vec<Item> {
    if source.scan.tokens.iter().filter(|token| counts(source, token)).take(2).count() < 2 {
        return Vec::new();
    }
    let (of_source, of_target) = (texts(source), texts(target));
    let mut found = Vec::new();
    for (at, token) in source.scan.tokens.iter().enumerate().filter(|(_, token)| counts(source, token)) {
        let Alignment::Kept(other) = source.alignment(at) else { continue };
        let other = other as usize;
        let Some(counterpart) = target.scan.tokens.get(other).filter(|token| counts(target, token)) else { continue };
        let once =
            of_source.get(source.text_of(token)) == Some(&1) && of_target.get(target.text_of(counterpart)) == Some(&1);
        if once && target.alignment(other) == Alignment::Kept(narrow(at)) {
            let kind = kind_of(source, token);
            found.push(Item { kind, source: at, target: other, confirmed: false, misplaced: false });
        }
    }
    found
}

/// What numbers must have in common to be taken for each other: the class, and the unit's dimension or currency. The first end of a range may have
/// its unit at the other.
type Kind = (TokenClass, Option<UnitKind>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum UnitKind {
    Percent,
    Money(Money),
    Measure(Dimension),
    /// A time of day, which the languages put before or after its date.
    Time,
}

fn kind_of(side: &AlignedText<'_>, token: &Token) -> Kind {
    let unit = side.scan.keys_of(token).iter().find_map(|key| match key {
        CanonicalValue::Percent(_) => Some((TokenClass::Percent, UnitKind::Percent)),
        CanonicalValue::Money(money, _) => Some((TokenClass::Currency, UnitKind::Money(*money))),
        CanonicalValue::Measure(dimension, _) => Some((TokenClass::Unit, UnitKind::Measure(*dimension))),
        CanonicalValue::Time(_) => Some((TokenClass::Date, UnitKind::Time)),
        _ => None,
    });
    unit.map_or((token.class, None), |(class, unit)| (class, Some(unit)))
}

/// In the same layout, what stands in the cell of another of its class that left it.
fn by_cells(source: &AlignedText<'_>, target: &AlignedText<'_>, items: &mut [Item]) {
    let Some((left, right)) = layouts(source.folded, target.folded) else { return };
    let start = |side: &AlignedText<'_>, at: usize| side.scan.tokens.get(at).map_or(0, |token| token.start as usize);
    let places: Vec<(usize, usize)> = items
        .iter()
        .map(|item| (cell(&left, start(source, item.source)), cell(&right, start(target, item.target))))
        .collect();
    let mut left_free: Set<(Kind, usize)> = Set::default();
    for (item, (from, to)) in items.iter().zip(&places) {
        if from != to {
            left_free.insert((item.kind, *from));
        }
    }
    for (item, (from, to)) in items.iter_mut().zip(&places) {
        item.misplaced |= from != to && left_free.contains(&(item.kind, *to));
    }
}

/// The one item that has a label, on each side.
#[derive(Default)]
struct Owners {
    source: Option<usize>,
    target: Option<usize>,
    shared: bool,
}

/// What has the label of another beside it.
fn by_labels(source: &AlignedText<'_>, target: &AlignedText<'_>, items: &mut [Item]) {
    let of_source = labels_of(source, items.iter().map(|item| item.source));
    let of_target = labels_of(target, items.iter().map(|item| item.target));
    let mut owners: FixedHashMap<(Kind, &Label), Owners> = FixedHashMap::default();
    for (at, item) in items.iter().enumerate() {
        for (labels, is_source) in [(of_source.get(at), true), (of_target.get(at), false)] {
            for label in labels.into_iter().flat_map(Labels::own) {
                let owner = owners.entry((item.kind, label)).or_default();
                let slot = if is_source { &mut owner.source } else { &mut owner.target };
                owner.shared |= slot.is_some_and(|other| other != at);
                *slot = Some(at);
            }
        }
    }
    let mut moves: Vec<(usize, usize)> = Vec::new();
    for ((_, label), owner) in owners.iter().filter(|(_, owner)| !owner.shared) {
        let (Some(from), Some(to)) = (owner.source, owner.target) else { continue };
        let shares = |labels: &[Labels], at: usize| labels.get(at).is_some_and(|labels| labels.shares(label));
        if from == to {
            if let Some(item) = items.get_mut(from) {
                item.confirmed = true;
            }
        } else if !shares(&of_target, from) && !shares(&of_source, to) {
            moves.push((from, to));
        }
    }
    for (from, to) in moves {
        let (Some(one), Some(other)) = (items.get(from), items.get(to)) else { continue };
        let near =
            gap(source, (one.source, other.source)).is_some() && gap(target, (one.target, other.target)).is_some();
        if near && !one.confirmed && !other.confirmed {
            mark_misplaced(items, [from, to]);
        }
    }
}

/// The labels of these tokens.
fn labels_of(side: &AlignedText<'_>, tokens: impl Iterator<Item = usize>) -> Vec<Labels> {
    let (places, numbers): (Vec<usize>, Vec<&Token>) =
        side.scan.tokens.iter().enumerate().filter(|(_, token)| counts(side, token)).unzip();
    let found = labels(side, &numbers);
    let of = |at: usize| places.binary_search(&at).ok().and_then(|place| found.get(place)).cloned().unwrap_or_default();
    tokens.map(of).collect()
}

/// What stands beside the neighbour of another.
fn by_neighbours(source: &AlignedText<'_>, target: &AlignedText<'_>, items: &mut [Item]) {
    for (one, other) in neighbours::exchanged(source, target, items) {
        let confirmed = |at: usize| items.get(at).is_some_and(|item| item.confirmed);
        if !confirmed(one) && !confirmed(other) {
            mark_misplaced(items, [one, other]);
        }
    }
}

fn mark_misplaced(items: &mut [Item], both: [usize; 2]) {
    for at in both {
        if let Some(item) = items.get_mut(at) {
            item.misplaced = true;
        }
    }
}

/// Which side is English if the other is Korean: it shows whether both languages order its words alike.
#[derive(Debug, Clone, Copy)]
enum EnglishSide {
    Source,
    Target,
    /// Of two texts of one language neither gives a reason for another order, or none.
    Neither,
}

/// Neighbours of one class whose order changed without a reason.
fn by_order(source: &AlignedText<'_>, target: &AlignedText<'_>, items: &mut [Item]) {
    let korean = |side: &AlignedText<'_>| (0..side.folded.len()).any(|at| is_hangul(side.folded.at(at)));
    let english = match (korean(source), korean(target)) {
        (true, false) => EnglishSide::Target,
        (false, true) => EnglishSide::Source,
        _ => EnglishSide::Neither,
    };
    let mut last: FixedHashMap<Kind, usize> = FixedHashMap::default();
    for at in 0..items.len() {
        let Some(kind) = items.get(at).map(|item| item.kind) else { break };
        let Some(before) = last.insert(kind, at) else { continue };
        let (Some(one), Some(other)) = (items.get(before), items.get(at)) else { break };
        if is_out_of_order(source, target, one, other, english) {
            mark_misplaced(items, [before, at]);
        }
    }
}

fn is_out_of_order(
    source: &AlignedText<'_>,
    target: &AlignedText<'_>,
    one: &Item,
    other: &Item,
    english: EnglishSide,
) -> bool {
    let (of_source, of_target) = ((one.source, other.source), (one.target, other.target));
    let (Some(here), Some(there)) = (gap(source, of_source), gap(target, of_target)) else { return false };
    let joint = match english {
        EnglishSide::Source => joint(&before(source, of_source), &here, &after(source, of_source)),
        EnglishSide::Target => joint(&before(target, of_target), &there, &after(target, of_target)),
        EnglishSide::Neither => joint("", &here, "").min(joint("", &there, "")),
    };
    let nouns = || match english {
        EnglishSide::Source => nouns::compare((source, of_source), (target, of_target)),
        EnglishSide::Target => nouns::compare((target, of_target), (source, of_source)),
        EnglishSide::Neither => Nouns::Shared,
    };
    // A label stands beside one of them on both sides.
    let confirmed = one.confirmed || other.confirmed;
    let inverted = one.target > other.target;
    match joint {
        // Nothing but the range has a label: "a ratio of 3 to 1".
        Joint::Range => {
            inverted && (!confirmed || is_only_joined(source, of_source) && is_only_joined(target, of_target))
        }
        Joint::Word | Joint::Sign if confirmed => false,
        Joint::Word | Joint::Sign if !inverted => nouns() == Nouns::BothExchanged,
        Joint::Word => matches!(nouns(), Nouns::Shared | Nouns::Exchanged | Nouns::BothExchanged),
        // Placeholders are often joined otherwise in the other language: first name and last name.
        Joint::Sign => is_amount(one.kind.0) && nouns() != Nouns::Kept,
        // A label says nothing of a part and its whole: in "5개 중 10개 파일", too, the files are ten.
        Joint::Part => {
            let names_whole = |gap: &String| {
                if confirmed {
                    gap.split_whitespace().any(|word| WHOLE.contains(&word))
                } else {
                    WHOLE.iter().any(|word| gap.contains(word))
                }
            };
            !inverted && [here, there].iter().any(names_whole)
        }
        Joint::Other => !confirmed && nouns() == Nouns::BothExchanged,
    }
}

/// Whether no word of its own stands between two tokens.
fn is_only_joined(side: &AlignedText<'_>, (one, other): (usize, usize)) -> bool {
    let place = |at: usize| side.span_of(at).unwrap_or_default();
    is_joined(side.folded, place(one.min(other)).1, place(one.max(other)).0)
}

/// The text before the earlier of two tokens.
fn before(side: &AlignedText<'_>, (one, other): (usize, usize)) -> String {
    let start = side.span_of(one.min(other)).unwrap_or_default().0;
    side.folded.string(start.saturating_sub(8), start)
}

/// The text after the later of two tokens.
fn after(side: &AlignedText<'_>, (one, other): (usize, usize)) -> String {
    let end = side.span_of(one.max(other)).unwrap_or_default().1;
    side.folded.string(end, end + 8)
}

/// The text between two tokens of one sentence, in either order; `None` if a sentence ends between them, or they are far apart.
fn gap(side: &AlignedText<'_>, (one, other): (usize, usize)) -> Option<String> {
    let (first, last) = (side.scan.tokens.get(one.min(other))?, side.scan.tokens.get(one.max(other))?);
    let (from, to) = (first.end as usize, last.start as usize);
    if from > to || to - from > NEAR {
        return None;
    }
    let ends = |at: usize| super::layout::is_sentence_end(side.folded, at) || side.folded.at(at) == '\n';
    (!(from..to).any(ends)).then(|| side.folded.string(from, to))
}
