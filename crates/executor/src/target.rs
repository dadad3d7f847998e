//! The element of a step, as it was when it was chosen or confirmed.

use luna_messages::element::Element;
use luna_messages::element_action::{Capacity, ElementState};

/// An element as the person was told of it. A confirmation is void if any of it is different (DNG-2).
#[derive(Debug, Clone, PartialEq)]
pub struct BoundTarget {
    element: Element,
}

impl BoundTarget {
    #[must_use]
    pub fn new(now: &ElementState) -> Self {
        Self { element: now.element.clone() }
    }

    /// Whether the element is still the same and in the same state; it may have moved.
    #[must_use]
    pub fn still_holds(&self, now: &ElementState) -> bool {
        let (bound, now) = (&self.element, &now.element);
        bound.id == now.id
            && bound.role == now.role
            && bound.label == now.label
            && bound.text == now.text
            && bound.automation_id == now.automation_id
            && bound.enabled == now.enabled
            && bound.properties.states == now.properties.states
            && bound.properties.value == now.properties.value
    }
}

/// What an element is called: its label, or its text unless that is what somebody entered.
#[must_use]
pub fn name_of(now: &ElementState) -> &str {
    let element = &now.element;
    let holds_content = now.protected || now.capacities.contains(Capacity::SetText);
    if !element.label.is_empty() || holds_content { &element.label } else { &element.text }
}
