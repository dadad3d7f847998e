//! Candidates: the elements of a window that a command can refer to, with their zone and nearby labels (PIC-9).

use std::cmp::Ordering;
use std::collections::BTreeSet;

use luna_messages::Rect;
use luna_messages::candidate::{Candidate, CandidateDetails, Zone};
use luna_messages::element::State;
use luna_messages::element_action::{ActionableElement, Capacity, CapacitySet};
use luna_messages::pick::{Element, Role};

use crate::announce::{AnnouncementStyle, announce};
use crate::reading_order;

/// Maximum elements per window; the rest is ignored.
const MAX_ELEMENTS: usize = 1000;

/// Maximum labels near a candidate.
const MAX_NEAR: usize = 3;

/// Maximum characters of a label; longer texts are content.
const MAX_LABEL_CHARS: usize = 80;

/// The zone of the centre of `bbox` within `within`, in thirds. A centre outside counts as at the nearest edge.
#[must_use]
pub fn zone(bbox: Rect, within: Rect) -> Zone {
    let third = |centre: i32, start: i32, length: i32| {
        if length <= 0 {
            return Ordering::Equal;
        }
        let place = 3 * (i64::from(centre) - i64::from(start));
        let length = i64::from(length);
        if place < length {
            Ordering::Less
        } else if place < 2 * length {
            Ordering::Equal
        } else {
            Ordering::Greater
        }
    };
    let centre = bbox.center();
    match (third(centre.y, within.y, within.height), third(centre.x, within.x, within.width)) {
        (Ordering::Less, Ordering::Less) => Zone::TopLeft,
        (Ordering::Less, Ordering::Equal) => Zone::Top,
        (Ordering::Less, Ordering::Greater) => Zone::TopRight,
        (Ordering::Equal, Ordering::Less) => Zone::Left,
        (Ordering::Equal, Ordering::Equal) => Zone::Center,
        (Ordering::Equal, Ordering::Greater) => Zone::Right,
        (Ordering::Greater, Ordering::Less) => Zone::BottomLeft,
        (Ordering::Greater, Ordering::Equal) => Zone::Bottom,
        (Ordering::Greater, Ordering::Greater) => Zone::BottomRight,
    }
}

/// The elements that a command can act on or read, in reading order (OCR-2). `within`: the screen that zones refer to. Elements with their centre
/// outside of it are left out, and so are those with neither a text nor a label nearby. `style`: how each is announced.
#[must_use]
pub fn candidates(elements: &[Element], within: Rect, style: AnnouncementStyle) -> Vec<Candidate> {
    let readable = elements.iter().filter(|element| element.role.is_readable());
    let offers = readable.map(|element| (element, CapacitySet::default(), false)).collect();
    offered(offers, within, style)
}

/// As [`candidates`], with what can be done to each (EXE-1). What can be acted on is there even if it can't be read aloud, such as a protected field or a
/// picture that is a button, and even if nothing names it: its role or place may.
#[must_use]
pub fn candidates_to_act_on(elements: &[ActionableElement], within: Rect, style: AnnouncementStyle) -> Vec<Candidate> {
    let of_use = |one: &&ActionableElement| one.element.role.is_readable() || !one.capacities.is_empty();
    let offers = elements.iter().filter(of_use).map(|one| (&one.element, one.capacities, one.protected)).collect();
    offered(offers, within, style)
}

/// An element, what can be done to it, and whether its content is a secret.
type OfferedElement<'a> = (&'a Element, CapacitySet, bool);

fn offered(offers: Vec<OfferedElement<'_>>, within: Rect, style: AnnouncementStyle) -> Vec<Candidate> {
    let mut known = BTreeSet::new();
    let offers: Vec<OfferedElement<'_>> = offers
        .into_iter()
        .filter(|(element, ..)| !element.bbox.is_empty() && within.contains(element.bbox.center()))
        .filter(|(element, ..)| known.insert(&element.id))
        .take(MAX_ELEMENTS)
        .collect();
    let elements: Vec<&Element> = offers.iter().map(|(element, ..)| *element).collect();
    // What somebody entered names nothing: a field that can be written to is called by its label.
    let is_field = |at: usize| {
        let (element, capacities, _) = offers[at];
        let is_edit = matches!(element.role.general(), Role::Edit | Role::Protected);
        // So is a number that can be changed.
        let is_number = element.role.general() == Role::Slider && !element.label.trim().is_empty();
        capacities.contains(Capacity::SetText) || (is_edit || is_number) && !capacities.is_empty()
    };
    let text = |at: usize| if is_field(at) { elements[at].label.trim() } else { elements[at].text.trim() };
    let texts: Vec<String> = (0..elements.len()).map(|at| one_line(text(at))).collect();
    let boxes: Vec<Rect> = elements.iter().map(|element| element.bbox).collect();
    let order = reading_order::rows(&boxes).into_iter().flatten();
    let weights: Vec<Option<i64>> = (0..elements.len()).map(|at| label_weight(elements[at].role, &texts[at])).collect();
    let candidate = |i: usize| {
        let element = elements[i];
        let mut near = near(i, &elements, &texts, &weights);
        let mut name = text(i).to_owned();
        if is_field(i) && name.is_empty() {
            // Pages often only write the label beside the field. A sentence is none.
            name = near.iter().find(|text| !is_sentence(text)).cloned().unwrap_or_default();
        } else if is_field(i) {
            // The label of a field is what stands beside it, too.
            near.insert(0, texts[i].clone());
            near.truncate(MAX_NEAR);
        }
        let (_, capacities, protected) = offers[i];
        if texts[i].is_empty() && near.is_empty() && capacities.is_empty() {
            return None;
        }
        Some(Candidate {
            id: element.id.clone(),
            role: element.role.general(),
            text: name,
            bbox: element.bbox,
            automation_id: element.automation_id.clone(),
            enabled: element.enabled,
            near,
            zone: zone(element.bbox, within),
            details: CandidateDetails { capacities, protected, ..details(element, style) },
        })
    };
    order.filter_map(candidate).collect()
}

/// What Luna says of an element that is a candidate.
fn details(element: &Element, style: AnnouncementStyle) -> CandidateDetails {
    let properties = &element.properties;
    CandidateDetails {
        states: properties.states.with_if(State::Disabled, !element.enabled),
        value: properties.value.clone(),
        position: properties.position,
        level: properties.level,
        kind: Some(element.role).filter(|role| *role != role.general()),
        said: announce(element, None, style).said(),
        ..CandidateDetails::default()
    }
}

/// The labels of the element at `i`: its own first, then nearby ones. `weights`: [`label_weight`] of each element.
fn near(i: usize, elements: &[&Element], texts: &[String], weights: &[Option<i64>]) -> Vec<String> {
    let mut found: Vec<(i64, usize)> = (0..elements.len())
        .filter_map(|other| {
            let weight = weights[other].filter(|_| other != i)?;
            Some((remoteness(elements[i].bbox, elements[other].bbox)? + weight, other))
        })
        .collect();
    // Ties keep the platform's order.
    found.sort_unstable();
    let own = one_line(&elements[i].label);
    let labels = std::iter::once(own.as_str()).chain(found.iter().map(|&(_, other)| texts[other].as_str()));
    let mut near: Vec<String> = Vec::new();
    for label in labels {
        if near.len() == MAX_NEAR {
            break;
        }
        if !label.is_empty() && label != texts[i] && near.iter().all(|taken| taken != label) {
            near.push(label.to_owned());
        }
    }
    near
}

/// What an element that can label others adds to its distance, in the unit of [`remoteness`]: an actionable element is a weaker label than plain text. `None` if it
/// can't: the contents of a field do not describe its neighbours.
fn label_weight(role: Role, text: &str) -> Option<i64> {
    let is_plain = matches!(role.general(), Role::Text | Role::Heading | Role::Cell | Role::ListItem);
    is_label(role, text).then_some(if is_plain { 0 } else { 2 * UNIT })
}

fn is_label(role: Role, text: &str) -> bool {
    let names = matches!(
        role.general(),
        Role::Text
            | Role::Heading
            | Role::Cell
            | Role::ListItem
            | Role::Hyperlink
            | Role::Button
            | Role::MenuItem
            | Role::Tab
            | Role::CheckBox
            | Role::RadioButton
    );
    names && !text.is_empty() && text.chars().count() <= MAX_LABEL_CHARS
}

/// One line height in the unit of [`remoteness`].
const UNIT: i64 = 100;

/// Distance of a label from an element, in hundredths of a line height; `None` if it is too far or a part of the element.
///
/// Labels are left of their fields, above them, or right of them (check boxes), and seldom below; at equal distance, the more usual side costs
/// less.
fn remoteness(of: Rect, label: Rect) -> Option<i64> {
    let meets = of.intersection(label);
    if meets == label {
        return None;
    }
    if meets == of {
        // A list item or a cell around a button.
        return Some(UNIT / 2);
    }
    let line = i64::from(of.height.min(label.height)).clamp(8, 60);
    let lines = |gap: i32| i64::from(gap.max(0)) * UNIT / line;
    // An overlap of at least half of the smaller extent counts as the same row or column.
    let overlap = |a: i32, a_end: i32, b: i32, b_end: i32| {
        let shared = i64::from(a_end.min(b_end)) - i64::from(a.max(b));
        2 * shared >= i64::from((a_end - a).min(b_end - b))
    };
    let within = |gap: i64, most: i64| (gap <= most * UNIT).then_some(gap);
    if overlap(of.y, of.bottom(), label.y, label.bottom()) {
        return if label.center().x < of.center().x {
            within(lines(of.x.saturating_sub(label.right())), 10).map(|gap| gap / 2)
        } else {
            within(lines(label.x.saturating_sub(of.right())), 5).map(|gap| 2 * UNIT + gap)
        };
    }
    if !overlap(of.x, of.right(), label.x, label.right()) {
        return None;
    }
    if label.center().y < of.center().y {
        within(lines(of.y.saturating_sub(label.bottom())), 3).map(|gap| UNIT + gap)
    } else {
        within(lines(label.y.saturating_sub(of.bottom())), 1).map(|gap| 4 * UNIT + gap)
    }
}

fn is_sentence(text: &str) -> bool {
    text.ends_with(['.', '!', '。']) && text.contains(' ')
}

/// Collapses whitespace to single spaces.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
#[path = "candidates/tests.rs"]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests;
