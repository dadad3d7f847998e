//! From a step to what is done to its element (EXE-1).

use luna_messages::dsl::Action;
use luna_messages::element::State;
use luna_messages::element_action::{Capacity, CapacitySet, ElementAction, ElementState, EnteredText};
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
    /// The application said that it did not do it, by whatever means.
    Declined,
    /// It never reached the application.
    NotDelivered,
    /// It holds a text, which what was dictated would replace.
    HoldsText,
    /// No field has the keyboard focus.
    NoFocusedField,
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

/// What a step does to the element as it is now. `tried`: means that certainly had no effect (EXE-7).
#[must_use]
pub fn plan(step: &ParsedCommand, now: &ElementState, tried: CapacitySet) -> StepPlan {
    let means = MeansLeft { now, tried };
    let plan = match step.action {
        Some(Action::Invoke) => means.press(),
        Some(Action::Toggle) => means.switch(step.state),
        Some(Action::Select) => means.choose(),
        Some(Action::SetValue) => means.enter(step.value.as_deref()),
        Some(Action::Focus) => means.become_so(&[ElementAction::Focus], Expectation::Focused),
        Some(Action::Expand) => means.expand(Expectation::Holds(OPEN)),
        Some(Action::Collapse) => means.expand(Expectation::HoldsNot(OPEN)),
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

/// The element as it is now, and the means that are left.
#[derive(Clone, Copy)]
struct MeansLeft<'a> {
    now: &'a ElementState,
    tried: CapacitySet,
}

impl MeansLeft<'_> {
    const fn can(self, capacity: Capacity) -> bool {
        self.now.capacities.contains(capacity) && !self.tried.contains(capacity)
    }

    fn is_any(self, states: &[State]) -> bool {
        states.iter().any(|state| self.now.is(*state))
    }

    fn press(self) -> StepPlan {
        let act = |action| StepPlan::Act { action, expectation: Expectation::AnyChange };
        if self.can(Capacity::Toggle) && self.tells_whether_on() {
            self.switch(None)
        } else if self.can(Capacity::Press) {
            act(ElementAction::Press)
        } else if self.can(Capacity::Toggle) {
            act(ElementAction::Toggle)
        } else if self.can(Capacity::Select) {
            self.choose()
        } else if self.can(Capacity::Expand) {
            act(ElementAction::Expand)
        } else if self.tried.is_empty() {
            self.become_so(&[ElementAction::Focus], Expectation::Focused)
        } else {
            // To move the focus does not stand in for a press that was declined.
            StepPlan::Cannot(CannotAct::NotOffered)
        }
    }

    fn tells_whether_on(self) -> bool {
        self.is_any(ON) || self.is_any(&[State::Unchecked, State::Unpressed, State::HalfChecked])
    }

    fn switch(self, wished: Option<Switch>) -> StepPlan {
        let on = wished.map_or(!self.is_any(ON), |wished| wished == Switch::On);
        let expectation = if on { Expectation::Holds(ON) } else { Expectation::HoldsNot(ON) };
        // Without states nothing tells whether it is on, and pressing it may switch it off.
        if self.tells_whether_on() {
            self.become_so(&[ElementAction::Toggle, ElementAction::Press], expectation)
        } else {
            StepPlan::Cannot(CannotAct::NotOffered)
        }
    }

    fn choose(self) -> StepPlan {
        let chosen = Expectation::Holds(CHOSEN);
        // What is pressed or toggled may have been chosen already, and then is not any more.
        if self.is_any(CHOSEN) || self.is_any(&[State::Unselected, State::Unchecked]) {
            return self.become_so(&[ElementAction::Select, ElementAction::Toggle, ElementAction::Press], chosen);
        }
        match self.become_so(&[ElementAction::Select], chosen) {
            StepPlan::Cannot(_) => self.become_so(&[ElementAction::Press], Expectation::AnyChange),
            plan => plan,
        }
    }

    fn expand(self, expectation: Expectation) -> StepPlan {
        if !self.is_any(&[State::Expanded, State::Collapsed]) {
            return StepPlan::Cannot(CannotAct::NotOffered);
        }
        self.become_so(&[ElementAction::Expand, ElementAction::Press], expectation)
    }

    fn enter(self, value: Option<&str>) -> StepPlan {
        let now = self.now;
        let Some(value) = value else { return StepPlan::Cannot(CannotAct::NoValue) };
        // What a protected field holds is never asked for, so nothing tells whether it is so already, not even as a number.
        if self.can(Capacity::SetNumber)
            && !now.protected
            && let Ok(number) = value.trim().trim_end_matches(['%', '％']).trim().parse::<f64>()
        {
            let limits = now.element.properties.value.as_ref().filter(|limits| limits.max > limits.min);
            if !number.is_finite() || limits.is_some_and(|limits| number < limits.min || number > limits.max) {
                return StepPlan::Cannot(CannotAct::OutOfRange);
            }
            return self.become_so(&[ElementAction::SetNumber(number)], Expectation::Number(number));
        }
        if now.is(State::ReadOnly) {
            return StepPlan::Cannot(CannotAct::Disabled);
        }
        let text = EnteredText(value.to_owned());
        let expectation = if now.protected { Expectation::ContentChanged } else { Expectation::Text(text.clone()) };
        self.become_so(&[ElementAction::SetText(text)], expectation)
    }

    /// Acts by the first means that the element offers, unless it is as wished.
    fn become_so(self, means: &[ElementAction], expectation: Expectation) -> StepPlan {
        if expectation.is_met(self.now) {
            return StepPlan::AlreadySo;
        }
        match means.iter().find(|action| self.can(action.capacity())) {
            Some(action) => StepPlan::Act { action: action.clone(), expectation },
            None => StepPlan::Cannot(CannotAct::NotOffered),
        }
    }
}
