//! Which of those that fit is meant: role, number, place and neighbour that were named tell them apart (NLU-3, RNK-1).

use luna_messages::candidate::Zone;
use luna_messages::dsl::Action;
use luna_messages::pick::Role;
use luna_messages::understanding::Relation;

use super::Sought;
use super::features::{CandidateFeatures, beside, reach, role_similarity, suits, within};
use super::fit::{Comparison, Fit};
use super::words::WordedText;
use crate::label_lexicon::WordClass;

/// The candidates that fit best, and how well.
#[derive(Default)]
pub struct Fitting<'b, 'a> {
    pub fit: Option<Fit>,
    pub found: Vec<&'b CandidateFeatures<'a>>,
}

/// The candidate that is meant, or whether several are.
#[derive(Default)]
pub struct Choice<'b, 'a> {
    pub one: Option<&'b CandidateFeatures<'a>>,
    /// If it is none alone, those that are meant alike, in reading order.
    pub several: Vec<&'b CandidateFeatures<'a>>,
    /// Whether its label was said, and not only its role, number or place.
    pub named: bool,
    /// Those whose labels fit alike, before role, number and place told them apart.
    pub alike: Vec<usize>,
}

/// How well each candidate fits each text.
pub fn fits<'t>(
    comparison: &Comparison<'_>,
    texts: impl IntoIterator<Item = &'t WordedText>,
    all: &[CandidateFeatures<'_>],
) -> Vec<Vec<Option<Fit>>> {
    let fit = |text: &WordedText, one: &CandidateFeatures<'_>| {
        if one.is_written(&text.cells) {
            return Some(Fit::Same);
        }
        if one.is_kind(&text.cells) {
            return Some(Fit::Meaning);
        }
        // "the budget 2024 file" is Budget_2024.xlsx, though nothing of its label says that it is a file.
        if let Some(name) = &one.file_name {
            let bare = text.without_files(comparison.lexicon);
            let fits = [comparison.fit(text, &one.label), comparison.fit(bare.as_ref().unwrap_or(text), name)];
            return fits.into_iter().flatten().min();
        }
        let signs = is_close(&text.cells) && is_close(&one.label.cells) && text.cells != one.label.cells;
        if signs { Some(Fit::Meaning) } else { comparison.fit(text, &one.label) }
    };
    texts.into_iter().map(|text| all.iter().map(|one| fit(text, one)).collect()).collect()
}

/// Of the candidates that `may` be meant, those that fit best, by the fits of texts of which all but the first `said` must be the whole label.
pub fn fitting<'b, 'a>(
    table: &[Vec<Option<Fit>>],
    said: usize,
    all: &'b [CandidateFeatures<'a>],
    may: impl Fn(&CandidateFeatures<'a>) -> bool,
) -> Fitting<'b, 'a> {
    let mut best = Fitting::default();
    for (at, fits) in table.iter().enumerate() {
        let mut holding = Vec::new();
        for (one, fit) in all.iter().zip(fits).filter(|(one, _)| may(one)) {
            let Some(fit) = fit.filter(|fit| at < said || *fit < Fit::Part) else { continue };
            if fit == Fit::Part {
                holding.push(one);
            }
            if best.fit.is_none_or(|best| fit < best) {
                best.fit = Some(fit);
                best.found.clear();
            }
            if best.fit == Some(fit) && !best.found.iter().any(|known| known.order == one.order) {
                best.found.push(one);
            }
        }
        // What was said itself goes before what it may be called besides.
        if best.fit.is_some_and(|best| best < Fit::Part) {
            // Another label holds it as it was said: then it was no slip for certain.
            if matches!(best.fit, Some(Fit::Slip(_) | Fit::Sound)) {
                best.found.append(&mut holding);
            }
            break;
        }
    }
    best
}

/// The candidate that a step means.
pub fn choose<'b, 'a>(
    sought: &Sought<'_>,
    table: &[Vec<Option<Fit>>],
    anchors: &[&'b CandidateFeatures<'a>],
    all: &'b [CandidateFeatures<'a>],
) -> Choice<'b, 'a> {
    let wish = &sought.draft.wish;
    let may = |one: &CandidateFeatures<'_>| !one.only_labels();
    let Fitting { mut fit, mut found } = fitting(table, sought.texts.len(), all, may);
    // "a "radio" widget": a word for a role, and nothing is called so.
    let said_role = || sought.texts.first().filter(|_| fit.is_none()).and_then(|text| role_word(&text.cells));
    let role = wish.role.or_else(said_role);
    let role_only = role.is_some() && sought.texts.first().is_some_and(says_only_a_role);
    if found.is_empty() || (role_only && fit != Some(Fit::Same)) {
        if !(sought.texts.is_empty() || role_only) {
            return Choice::default();
        }
        (fit, found) = (None, all.iter().filter(|one| may(one)).collect());
    }
    let named = fit.is_some();
    let alike = found.iter().map(|one| one.order).collect();
    if let Some(role) = role {
        let alike = |one: &CandidateFeatures<'a>| role_similarity(role, one.role);
        // What a list holds may be entries of a menu, cells or texts.
        let is_item = role == Role::ListItem && !found.iter().any(|one| alike(one) >= 0.5);
        let least = if is_item { 0.4 } else { 0.5 };
        let is = |one: &CandidateFeatures<'a>| alike(one) >= least || (role == Role::Slider && one.is_number());
        narrow(&mut found, is, !named);
    }
    // What is typed goes into a field, though a button is called the same.
    if let (None, Some(action @ (Action::SetValue | Action::Toggle))) = (role, wish.action) {
        let best = found.iter().map(|one| suits(action, one.role)).fold(0.0, f64::max);
        narrow(&mut found, |one| suits(action, one.role) >= best, false);
    }
    // What can't do it gives way to what can.
    if let Some(action) = wish.action {
        let best = found.iter().map(|one| one.is_able(action)).max().unwrap_or_default();
        narrow(&mut found, |one| one.is_able(action) >= best, false);
    }
    let farthest = wish.zone.filter(|_| wish.outermost).and_then(|side| farthest(side, &found));
    if let Some(farthest) = farthest {
        found = farthest;
    } else if let Some(zone) = wish.zone {
        narrow(&mut found, |one| one.zone.is_some_and(|place| within(zone, place) > 0.0), true);
        let best = found.iter().filter_map(|one| one.zone).map(|place| within(zone, place)).fold(0.0, f64::max);
        narrow(&mut found, |one| one.zone.is_some_and(|place| within(zone, place) >= best), false);
    }
    if let (Some(relation), Some(anchor)) = (wish.relation, &sought.anchor) {
        found = placed(relation, anchor, anchors, found, wish.ordinal.is_some());
    }
    if let Some(n) = wish.ordinal {
        found.sort_by_key(|one| one.order);
        let index = if n > 0 {
            usize::try_from(n - 1).ok()
        } else {
            usize::try_from(-n).ok().and_then(|n| found.len().checked_sub(n))
        };
        let one = index.and_then(|index| found.get(index)).copied();
        return Choice { one, several: Vec::new(), named, alike };
    }
    // "press any button": the first will do.
    if wish.any && !named {
        found.sort_by_key(|one| one.order);
        return Choice { one: found.first().copied(), several: Vec::new(), named, alike };
    }
    // "expand the section": the only one that can be expanded.
    if let (false, Some(action @ (Action::Expand | Action::Collapse | Action::Focus))) = (named, wish.action) {
        narrow(&mut found, |one| one.is_known_able(action), true);
        found.sort_by_key(|one| one.order);
        return match found.as_slice() {
            [only] => Choice { one: Some(*only), several: Vec::new(), named, alike },
            _ => Choice { one: None, several: found, named, alike },
        };
    }
    if !named && wish.zone.is_none() && wish.relation.is_none() && role.is_none() {
        return Choice::default();
    }
    match found.as_slice() {
        [only] => Choice { one: Some(*only), several: Vec::new(), named, alike },
        _ => {
            found.sort_by_key(|one| one.order);
            Choice { one: None, several: found, named, alike }
        }
    }
}

/// Those that lie farthest on a side, all in one row if they do; none if not all places are known.
fn farthest<'b, 'a>(side: Zone, found: &[&'b CandidateFeatures<'a>]) -> Option<Vec<&'b CandidateFeatures<'a>>> {
    /// Pixels by which things in a row differ.
    const ROW: f64 = 4.0;
    let reaches = found.iter().map(|one| reach(side, one.bbox?)).collect::<Option<Vec<f64>>>()?;
    let most = reaches.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Some(found.iter().zip(reaches).filter(|(_, reach)| *reach > most - ROW).map(|(one, _)| *one).collect())
}

/// Whether a text is what a button that closes is called, as a word or as its sign: "x", 닫기.
fn is_close(cells: &[char]) -> bool {
    matches!(cells, ['x'] | ['엑', '스'] | ['닫', '기'] | ['c', 'l', 'o', 's', 'e'])
}

fn narrow<'b, 'a>(
    found: &mut Vec<&'b CandidateFeatures<'a>>,
    test: impl Fn(&CandidateFeatures<'a>) -> bool,
    must: bool,
) {
    let kept: Vec<&CandidateFeatures<'a>> = found.iter().copied().filter(|one| test(one)).collect();
    if must || !kept.is_empty() {
        *found = kept;
    }
}

/// Those that stand so beside an anchor: the nearest, all that are as near, or all by distance if one of them is counted.
fn placed<'b, 'a>(
    relation: Relation,
    anchor: &WordedText,
    anchors: &[&'b CandidateFeatures<'a>],
    mut found: Vec<&'b CandidateFeatures<'a>>,
    counted: bool,
) -> Vec<&'b CandidateFeatures<'a>> {
    let is_anchor = |one: &CandidateFeatures<'a>| anchors.iter().any(|other| other.order == one.order);
    // A field is called by the label that stands beside it: "the spinner next to Count" is the one of that name, and not the next field after it.
    let is_labelled = |one: &CandidateFeatures<'a>| is_anchor(one) && one.role.is_some_and(Role::has_content);
    let labels = || anchors.iter().filter(|other| other.only_labels());
    if relation == Relation::Near && found.iter().any(|one| is_labelled(one)) {
        found.retain(|one| is_labelled(one));
        return found;
    }
    found.retain(|one| !is_anchor(one) || is_labelled(one) && labels().next().is_some());
    let distance = |one: &CandidateFeatures<'a>| {
        // From what only labels it, if it is called the same itself.
        let others = anchors.iter().filter(|other| !is_anchor(one) || other.only_labels());
        others.filter_map(|other| beside(relation, one, other)).reduce(f64::min)
    };
    let mut by_distance: Vec<(f64, &CandidateFeatures<'a>)> =
        found.iter().filter_map(|one| Some((distance(one)?, *one))).collect();
    by_distance.sort_by(|a, b| a.0.total_cmp(&b.0));
    match by_distance.as_slice() {
        [] => {
            found.retain(|one| one.bbox.is_none() && one.near.iter().any(|near| near.cells == anchor.cells));
            found
        }
        [first, second, ..] if !counted && second.0 - first.0 >= 1.0 => vec![first.1],
        [first] => vec![first.1],
        _ => by_distance.iter().map(|one| one.1).collect(),
    }
}

/// The role of something to act on that a whole text is the word for.
fn role_word(cells: &[char]) -> Option<Role> {
    let role = crate::roles::role(&cells.iter().collect::<String>())?;
    // What is only read is no target; who says "text" means where one is written.
    Some(if role == Role::Text { Role::Edit } else { role })
}

/// Whether a text is a word for a role and nothing else: "button".
fn says_only_a_role(text: &WordedText) -> bool {
    text.words.iter().all(|word| word.class == WordClass::Kind)
        || crate::roles::role(&text.cells.iter().collect::<String>()).is_some()
}
