//! Numbers beside tokens of another kind, which go with them: "5% in March after 3% in February" (PRE-2).

use luna_text::characters::IndexedText;

use super::super::alignment::AlignedText;
use super::super::labels::is_break;
use super::Item;

/// How far a neighbour may be, in characters.
const REACH: usize = 12;

/// The index of the item of another kind that is nearest to each, if that one has no nearer item of the first one's kind.
fn neighbours(side: &AlignedText<'_>, items: &[Item], token: impl Fn(&Item) -> usize) -> Vec<Option<usize>> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|at| items.get(*at).map_or(0, &token));
    let gap = |one: usize, other: usize| {
        let (one, other) = (items.get(one)?, items.get(other)?);
        let (from, to) = (side.span_of(token(one))?.1, side.span_of(token(other))?.0);
        let near = from <= to && to - from <= REACH && !(from..to).any(|at| is_break(side.folded.at(at)));
        (near && one.kind != other.kind).then_some(to - from)
    };
    let before =
        |place: usize| Some((*order.get(place.checked_sub(1)?)?, gap(*order.get(place - 1)?, *order.get(place)?)?));
    let after = |place: usize| Some((*order.get(place + 1)?, gap(*order.get(place)?, *order.get(place + 1)?)?));
    let mut nearest = vec![None; items.len()];
    for (place, at) in order.iter().enumerate() {
        let found = match (before(place), after(place)) {
            (Some(one), Some(other)) if one.1 == other.1 => None,
            (Some(one), Some(other)) => Some(if one.1 < other.1 { one.0 } else { other.0 }),
            (one, other) => one.or(other).map(|(other, _)| other),
        };
        if let Some(slot) = nearest.get_mut(*at) {
            *slot = found;
        }
    }
    let mutual = |at: usize| nearest.get(at).copied().flatten().filter(|other| nearest.get(*other) == Some(&Some(at)));
    (0..items.len()).map(mutual).collect()
}

/// Pairs of items of one kind that changed places beside two neighbours of another kind.
pub(super) fn exchanged(source: &AlignedText<'_>, target: &AlignedText<'_>, items: &[Item]) -> Vec<(usize, usize)> {
    let of_source = neighbours(source, items, |item| item.source);
    let of_target = neighbours(target, items, |item| item.target);
    let kind = |at: usize| items.get(at).map(|item| item.kind);
    let beside = |of: &[Option<usize>], at: usize| of.get(at).copied().flatten();
    let pair = |one: usize| {
        let with_one = beside(&of_source, one)?;
        let other = beside(&of_target, with_one).filter(|other| *other > one && kind(*other) == kind(one))?;
        let with_other = beside(&of_source, other)?;
        (beside(&of_target, one) == Some(with_other)).then_some((one, other))
    };
    (0..items.len()).filter_map(pair).collect()
}
