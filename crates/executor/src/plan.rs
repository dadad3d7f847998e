//! From a step to what is done to its element (EXE-1).

use luna_messages::dsl::Action;
use luna_messages::element::State;
use luna_messages::element_action::{Capacity, ElementAction, ElementState, EnteredText};
use luna_messages::understanding::{ParsedCommand, Switch};

use crate::expectation::Expectation;

/// States of a switch that is on, of one of several that is chosen, and of what shows its parts.
const ON: &[State] = &[State::Checked, State::Pressed];
const CHOSEN: &[State] = &[State::Selected, State::Checked];
const OPEN: &[State] = &[State::Expanded];

/// Why nothing can be done to an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CannotAct {
    /// It does not accept input now.
    Disabled,
    /// It can't do that.
    NotOffered,
    /// It is not said what to enter.
    NoValue,
    /// The number is beyond the limits of the element.
    OutOfRange,
    /// What was said is nothing that is done to an element.
    NotAnElement,
}

/// What to do.
#[derive(Debug, Clone, PartialEq)]
pub enum StepPlan {
    /// Nothing: it is as wished.
    AlreadySo,
    Cannot(CannotAct),
    Act {
        action: ElementAction,
        expectation: Expectation,
    },
}

/// What a step does to the element as it is now.
#[must_use]
pub fn plan(step: &ParsedCommand, now: &ElementState) -> StepPlan {
    let plan = match step.action {
        Some(Action::Invoke) => press(now),
        Some(Action::Toggle) => switch(step.state, now),
        Some(Action::Select) => choose(now),
        Some(Action::SetValue) => enter(step.value.as_deref(), now),
        Some(Action::Focus) => become_so(&[(Capacity::Focus, ElementAction::Focus)], Expectation::Focused, now),
        Some(Action::Expand) => expand(Expectation::Holds(OPEN), now),
        Some(Action::Collapse) => expand(Expectation::HoldsNot(OPEN), now),
        Some(Action::Scroll | Action::Key | Action::Hotkey | Action::Desktop | Action::Clarify) | None => {
            StepPlan::Cannot(CannotAct::NotAnElement)
        }
    };
    match plan {
        StepPlan::Act { .. } if !now.element.enabled || now.is(State::Disabled) => {
            StepPlan::Cannot(CannotAct::Disabled)
        }
        other => other,
    }
}

fn press(now: &ElementState) -> StepPlan {
    let able = |capacity| now.capacities.contains(capacity);
    let act = |action, expectation| StepPlan::Act { action, expectation };
    if able(Capacity::Toggle) {
        switch(None, now)
    } else if able(Capacity::Press) {
        act(ElementAction::Press, Expectation::AnyChange)
    } else if able(Capacity::Select) {
        choose(now)
    } else if able(Capacity::Expand) {
        act(ElementAction::Expand, Expectation::AnyChange)
    } else if able(Capacity::Focus) {
        become_so(&[(Capacity::Focus, ElementAction::Focus)], Expectation::Focused, now)
    } else {
        StepPlan::Cannot(CannotAct::NotOffered)
    }
}

fn switch(wished: Option<Switch>, now: &ElementState) -> StepPlan {
    let is_on = ON.iter().any(|state| now.is(*state));
    let on = wished.map_or(!is_on, |wished| wished == Switch::On);
    let expectation = if on { Expectation::Holds(ON) } else { Expectation::HoldsNot(ON) };
    let means = [(Capacity::Toggle, ElementAction::Toggle), (Capacity::Press, ElementAction::Press)];
    // Without states nothing tells whether it is on, and pressing it may switch it off.
    let has_states = ON.iter().chain(&[State::Unchecked, State::Unpressed, State::HalfChecked]).any(|s| now.is(*s));
    if has_states { become_so(&means, expectation, now) } else { StepPlan::Cannot(CannotAct::NotOffered) }
}

fn choose(now: &ElementState) -> StepPlan {
    let mut means = vec![(Capacity::Select, ElementAction::Select), (Capacity::Toggle, ElementAction::Toggle)];
    let tells = CHOSEN.iter().chain(&[State::Unselected, State::Unchecked]).any(|state| now.is(*state));
    if now.capacities.contains(Capacity::Press) && !now.capacities.contains(Capacity::Select) {
        if !tells {
            return StepPlan::Act { action: ElementAction::Press, expectation: Expectation::AnyChange };
        }
        means.push((Capacity::Press, ElementAction::Press));
    }
    become_so(&means, Expectation::Holds(CHOSEN), now)
}

fn expand(expectation: Expectation, now: &ElementState) -> StepPlan {
    if !now.is(State::Expanded) && !now.is(State::Collapsed) {
        return StepPlan::Cannot(CannotAct::NotOffered);
    }
    become_so(&[(Capacity::Expand, ElementAction::Expand), (Capacity::Press, ElementAction::Press)], expectation, now)
}

fn enter(value: Option<&str>, now: &ElementState) -> StepPlan {
    let Some(value) = value else { return StepPlan::Cannot(CannotAct::NoValue) };
    if now.capacities.contains(Capacity::SetNumber)
        && let Ok(number) = value.trim().trim_end_matches(['%', '％']).trim().parse::<f64>()
    {
        let limits = now.element.properties.value.as_ref().filter(|limits| limits.max > limits.min);
        if !number.is_finite() || limits.is_some_and(|limits| number < limits.min || number > limits.max) {
            return StepPlan::Cannot(CannotAct::OutOfRange);
        }
        let means = [(Capacity::SetNumber, ElementAction::SetNumber(number))];
        return become_so(&means, Expectation::Number(number), now);
    }
    if now.is(State::ReadOnly) {
        return StepPlan::Cannot(CannotAct::Disabled);
    }
    // What a protected field holds is never asked for, so nothing tells whether it is so already.
    let expectation = if now.protected { Expectation::ContentChanged } else { Expectation::Text(value.to_owned()) };
    let text = ElementAction::SetText(EnteredText(value.to_owned()));
    become_so(&[(Capacity::SetText, text)], expectation, now)
}

/// Acts by the first means that the element offers, unless it is as wished.
fn become_so(means: &[(Capacity, ElementAction)], expectation: Expectation, now: &ElementState) -> StepPlan {
    if expectation.is_met(now) {
        return StepPlan::AlreadySo;
    }
    match means.iter().find(|(capacity, _)| now.capacities.contains(*capacity)) {
        Some((_, action)) => StepPlan::Act { action: action.clone(), expectation },
        None => StepPlan::Cannot(CannotAct::NotOffered),
    }
}
