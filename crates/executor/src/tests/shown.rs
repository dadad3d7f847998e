//! Elements of a scripted screen, and what becomes of them.

use luna_messages::element::{Element, Role, State, StateSet};
use luna_messages::element_action::{
    ActionResult, Capacity, CapacitySet, CaretState, ElementAction, ElementState, NoEffectProof, ObservedChange,
};
use luna_messages::element_action::{ChangedElement, EnteredText};
use luna_messages::{ElementId, Rect};

/// How an element behaves when it is acted on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Behaviour {
    Works,
    /// The application answers nothing, but does it.
    Late,
    /// It answers that it did it, and nothing changes.
    Ignores,
    /// It answers nothing, and nothing changes.
    Silent,
    Declines,
    /// It declines only one means, and does what it is asked by another.
    DeclinesAt(Capacity),
}

/// How an element takes a click or what is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InputBehaviour {
    /// What the platform says about it.
    pub answer: ActionResult,
    pub works: bool,
}

impl InputBehaviour {
    pub const WORKS: Self = Self { answer: ActionResult::Accepted, works: true };
    pub const LATE: Self = Self { answer: ActionResult::Unknown, works: true };
    pub const IGNORES: Self = Self { answer: ActionResult::Accepted, works: false };
    pub const SILENT: Self = Self { answer: ActionResult::Unknown, works: false };

    /// Nothing is sent.
    pub const fn refuses(proof: NoEffectProof) -> Self {
        Self { answer: ActionResult::NoEffect(proof), works: false }
    }
}

#[derive(Debug, Clone)]
pub(super) struct ShownElement {
    pub state: ElementState,
    pub behaviour: Behaviour,
    pub input: InputBehaviour,
}

pub(super) fn button(label: &str) -> ShownElement {
    shown(label, Role::Button, &[Capacity::Press, Capacity::Focus], &[])
}

pub(super) fn check_box(label: &str, checked: bool) -> ShownElement {
    let state = if checked { State::Checked } else { State::Unchecked };
    shown(label, Role::CheckBox, &[Capacity::Toggle, Capacity::Focus], &[state])
}

pub(super) fn field(label: &str) -> ShownElement {
    let mut field = shown("", Role::Edit, &[Capacity::SetText, Capacity::Focus], &[]);
    field.state.element.label = label.to_owned();
    field
}

pub(super) fn shown(label: &str, role: Role, can: &[Capacity], states: &[State]) -> ShownElement {
    let mut element = Element::new(ElementId(String::new()), role, label, Rect::new(0, 0, 80, 30));
    element.properties.states = states.iter().copied().collect();
    let capacities: CapacitySet = can.iter().copied().collect();
    let caret = CaretState { is_multi_line: false, has_selection: Some(false) };
    let state = ElementState { element, capacities, focused: false, protected: false, caret };
    ShownElement { state, behaviour: Behaviour::Works, input: InputBehaviour::WORKS }
}

/// What an element does if it is acted on.
pub(super) fn perform(state: &mut ElementState, action: &ElementAction) {
    let states = &mut state.element.properties.states;
    let swap = |states: &mut StateSet, on: State, off: State| {
        let is_on = states.contains(on);
        let kept: Vec<State> = states.iter().filter(|state| *state != on && *state != off).collect();
        *states = kept.into_iter().chain([if is_on { off } else { on }]).collect();
    };
    match action {
        ElementAction::Toggle => swap(states, State::Checked, State::Unchecked),
        ElementAction::Select if !states.contains(State::Selected) => swap(states, State::Selected, State::Unselected),
        ElementAction::Press if states.contains(State::Unselected) => swap(states, State::Selected, State::Unselected),
        ElementAction::Expand => swap(states, State::Expanded, State::Collapsed),
        ElementAction::Focus => state.focused = true,
        ElementAction::SetText(text) => text.0.clone_into(&mut state.element.text),
        ElementAction::SetNumber(number) => {
            if let Some(value) = &mut state.element.properties.value {
                value.now = *number;
            }
        }
        ElementAction::Press | ElementAction::Select => {}
    }
}

/// What an element does if it is clicked, as the tree would call it.
pub(super) fn clicked(state: &ElementState) -> ElementAction {
    let has = |one| state.is(one);
    if has(State::Checked) || has(State::Unchecked) {
        ElementAction::Toggle
    } else if has(State::Selected) || has(State::Unselected) {
        ElementAction::Select
    } else if has(State::Expanded) || has(State::Collapsed) {
        ElementAction::Expand
    } else if state.element.role.has_content() {
        ElementAction::Focus
    } else {
        ElementAction::Press
    }
}

/// What an element does if this is typed into it.
pub(super) fn typed_into(state: &ElementState, text: &EnteredText) -> ElementAction {
    match (state.element.role, text.0.parse()) {
        (Role::SpinButton, Ok(number)) => ElementAction::SetNumber(number),
        _ => ElementAction::SetText(text.clone()),
    }
}

/// What is seen of it.
pub(super) fn change_of(action: &ElementAction) -> ObservedChange {
    match action {
        ElementAction::Press => ObservedChange::WindowOpened,
        ElementAction::SetText(_) | ElementAction::SetNumber(_) => {
            ObservedChange::Content { of: ChangedElement::Target }
        }
        ElementAction::Toggle | ElementAction::Select | ElementAction::Expand | ElementAction::Focus => {
            ObservedChange::State { of: ChangedElement::Target, holds: true }
        }
    }
}
