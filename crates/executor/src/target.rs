//! The element of a step, as it was when it was chosen or confirmed.

use luna_messages::candidate::Candidate;
use luna_messages::element::Role;
use luna_messages::element_action::{Capacity, CapacitySet, ElementState};
use luna_messages::understanding::ParsedCommand;

use crate::means::StepMeans;

/// Characters of a name that are spoken; a longer text is no name.
const LONGEST_NAME: usize = 80;

/// An element and what is to be done to it, as the person was told. A confirmation is void if any of it is different (DNG-2). The words name the action and the
/// element, and not whether the tree or the pointer does it.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundTarget {
    state: ElementState,
    means: StepMeans,
}

impl BoundTarget {
    #[must_use]
    pub fn new(state: &ElementState, means: &StepMeans) -> Self {
        Self { state: state.clone(), means: means.clone() }
    }

    /// Whether the element is the same and in the same state.
    #[must_use]
    pub fn is_unchanged(&self, now: &ElementState) -> bool {
        is_unchanged(&self.state, now)
    }

    /// Whether the same would be done to the same element in the same state; it may have moved, and the focus too.
    #[must_use]
    pub fn still_holds(&self, now: &ElementState, means: &StepMeans) -> bool {
        (self.means == *means || means.stands_in_for(&self.means)) && self.is_unchanged(now)
    }
}

/// Whether an element is the same and in the same state; it may have moved, and the focus too.
#[must_use]
pub fn is_unchanged(before: &ElementState, now: &ElementState) -> bool {
    let (was, is) = (&before.element, &now.element);
    was.id == is.id
        && was.role == is.role
        && was.label == is.label
        && was.text == is.text
        && was.automation_id == is.automation_id
        && was.enabled == is.enabled
        && was.properties.states == is.properties.states
        && was.properties.value == is.properties.value
        && was.properties.description == is.properties.description
        && before.capacities == now.capacities
        && before.protected == now.protected
}

/// Whether the text of an element is what was entered or chosen in it, and no name.
const fn holds_content(role: Role, capacities: CapacitySet, protected: bool) -> bool {
    protected
        || role.has_content()
        || capacities.contains(Capacity::SetText)
        || capacities.contains(Capacity::SetNumber)
}

/// What an element is called: its label, or its text unless that is what somebody entered.
#[must_use]
pub fn name_of(now: &ElementState) -> &str {
    let element = &now.element;
    let is_content = holds_content(element.role, now.capacities, now.protected);
    if !element.label.is_empty() || is_content { &element.label } else { &element.text }
}

/// What a candidate is called: its text unless that is what somebody entered, else what stands beside it, else `said`, the person's own words for it.
#[must_use]
pub fn candidate_name<'a>(candidate: &'a Candidate, said: &'a str) -> &'a str {
    let beside = || candidate.near.first().map_or(said, String::as_str);
    name_shown(candidate).filter(|name| !name.is_empty()).unwrap_or_else(beside)
}

/// The text of a candidate if that is its name.
#[must_use]
pub fn name_shown(candidate: &Candidate) -> Option<&str> {
    let details = &candidate.details;
    (!holds_content(candidate.role, details.capacities, details.protected)).then_some(candidate.text.as_str())
}

/// Whether a candidate was found by a word that was said of it, and not only by its kind or its place.
#[must_use]
pub fn is_called(step: &ParsedCommand, candidate: &Candidate) -> bool {
    let told = [&candidate.text, &candidate.automation_id].into_iter().chain(&candidate.near);
    let told: Vec<String> = told.map(|text| text.to_lowercase()).collect();
    let said = step.target_text.iter().chain(&step.also).flat_map(|said| said.split_whitespace());
    said.map(str::to_lowercase).any(|word| told.iter().any(|text| text.contains(&word)))
}

/// Whether an element still shows the name that it was chosen by.
#[must_use]
pub fn still_shows(name: &str, now: &ElementState) -> bool {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    words(name) == words(&now.element.text)
}

/// A name as it is spoken.
#[must_use]
pub fn spoken_name(name: &str) -> String {
    if name.chars().count() <= LONGEST_NAME {
        return name.to_owned();
    }
    let begin: String = name.chars().take(LONGEST_NAME).collect();
    format!("{}…", begin.trim_end())
}
