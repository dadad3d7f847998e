//! From a step to what is done to its element (EXE-1).

mod typing;

use luna_messages::dsl::Action;
use luna_messages::element::{Role, State};
use luna_messages::element_action::{Capacity, CapacitySet, ElementAction, ElementState, EnteredText, NoEffectProof};
use luna_messages::understanding::{ParsedCommand, Switch};

use crate::expectation::Expectation;
use crate::means::StepMeans;
use crate::numbers::number_of;

/// States of a switch that is on, of one of several that is chosen, and of what shows its parts.
pub(crate) const ON: &[State] = &[State::Checked, State::Pressed];
const CHOSEN: &[State] = &[State::Selected, State::Checked];
pub(crate) const OPEN: &[State] = &[State::Expanded];

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
    /// Something lies above it.
    Covered,
    /// Nothing of it lies in its window.
    OutOfView,
    /// It holds a text, which what was dictated would replace.
    HoldsText,
    /// It holds several lines, which are never replaced by a sentence.
    HoldsLines,
    /// Something in it is selected, or may be, which keys would replace.
    Selected,
    /// No field has the keyboard focus.
    NoFocusedField,
    /// It is not said what to enter.
    NoValue,
    /// The number is beyond the limits of the element.
    OutOfRange,
    /// What was said is nothing that is done to an element.
    NotAnElement,
}

impl From<NoEffectProof> for CannotAct {
    fn from(proof: NoEffectProof) -> Self {
        match proof {
            NoEffectProof::NotDelivered => Self::NotDelivered,
            NoEffectProof::Covered => Self::Covered,
            NoEffectProof::OutOfView => Self::OutOfView,
            NoEffectProof::Declined | NoEffectProof::NotOffered => Self::Declined,
        }
    }
}

/// What to do.
#[derive(Debug, Clone, PartialEq)]
pub enum StepPlan {
    /// Nothing: it is as wished.
    AlreadySo,
    Cannot(CannotAct),
    Act {
        means: StepMeans,
        expectation: Expectation,
    },
}

/// What may be done by which means.
#[derive(Debug, Clone, Copy, Default)]
pub struct MeansAllowed {
    /// What the tree was asked for, and certainly had no effect (EXE-7).
    pub tried: CapacitySet,
    /// Whether the pointer may rest on an entry of a menu to show what belongs to it.
    pub hover: bool,
    /// Whether the pointer rests on the entry that the menu belongs to: pages take that one for chosen if another is pressed without the pointer.
    pub hovers: bool,
    /// Whether pointer and keys may be used where the tree has nothing left (`executor.coord_fallback`).
    pub input: bool,
    /// Whether the pointer presses before the tree does (`executor.uia_first` is false), which programs whose tree does not act well need.
    pub pointer_first: bool,
    /// Whether what is entered comes beside what is there, because no field was named.
    pub at_caret: bool,
}

/// What a step does to the element as it is now.
#[must_use]
pub fn plan(step: &ParsedCommand, now: &ElementState, allowed: MeansAllowed) -> StepPlan {
    let means = MeansLeft { now, allowed };
    let plan = match step.action {
        Some(Action::Invoke) => means.press(),
        Some(Action::Toggle) => means.switch(step.state),
        Some(Action::Select) => means.choose(),
        Some(Action::SetValue) => means.enter(step.value.as_deref()),
        Some(Action::Focus) => means.focus(),
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
        StepPlan::Act { means: StepMeans::Tree(action), expectation }
            if allowed.pointer_first && allowed.input && is_pressed(action.capacity()) =>
        {
            StepPlan::Act { means: StepMeans::Click(action.capacity()), expectation }
        }
        other => other,
    }
}

/// The element as it is now, and the means that are left.
#[derive(Clone, Copy)]
struct MeansLeft<'a> {
    now: &'a ElementState,
    allowed: MeansAllowed,
}

impl MeansLeft<'_> {
    const fn offers(self, capacity: Capacity) -> bool {
        self.now.capacities.contains(capacity)
    }

    const fn tried(self, capacity: Capacity) -> bool {
        self.allowed.tried.contains(capacity)
    }

    const fn can(self, capacity: Capacity) -> bool {
        self.offers(capacity) && !self.tried(capacity)
    }

    fn is_any(self, states: &[State]) -> bool {
        states.iter().any(|state| self.now.is(*state))
    }

    fn press(self) -> StepPlan {
        let act = |action| tree(action, Expectation::AnyChange);
        let is_text_field = matches!(self.now.element.role, Role::Edit | Role::Protected | Role::DateField);
        // The tree has no press for a field of text. Pages may do something when it is clicked, besides giving it the focus.
        if is_text_field && self.allowed.input && !self.offers(Capacity::Press) {
            return if self.tried(Capacity::Press) {
                self.by_tree(&[ElementAction::Focus], &Expectation::Focused)
            } else {
                self.click(Capacity::Press, Expectation::Focused)
            };
        }
        let opens_menu = self.now.element.role == Role::MenuItem && self.now.is(State::HasPopup);
        if opens_menu && self.allowed.hover && self.allowed.input && !self.tried(Capacity::Expand) {
            return StepPlan::Act { means: StepMeans::Hover, expectation: Expectation::AnyChange };
        }
        if let Some(click) = self.click_in_shown_menu() {
            return click;
        }
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
        } else {
            self.press_by_other_means()
        }
    }

    /// An entry of a menu that the pointer made a page show is clicked, not pressed by the tree.
    fn click_in_shown_menu(self) -> Option<StepPlan> {
        let is_entry = self.now.element.role == Role::MenuItem && self.allowed.hovers && self.allowed.input;
        (is_entry && !self.tried(Capacity::Press)).then(|| self.click(Capacity::Press, Expectation::AnyChange))
    }

    /// The tree offers no kind of press, or each was declined.
    fn press_by_other_means(self) -> StepPlan {
        if self.tried(Capacity::Toggle) && self.tells_whether_on() {
            self.switch(None)
        } else if self.tried(Capacity::Press) {
            self.click(Capacity::Press, Expectation::AnyChange)
        } else if self.tried(Capacity::Select) {
            self.choose()
        } else if self.tried(Capacity::Toggle) {
            self.click(Capacity::Toggle, Expectation::AnyChange)
        } else if self.tried(Capacity::Expand) {
            self.click(Capacity::Expand, Expectation::AnyChange)
        } else if !self.allowed.input || self.is_entered() {
            // Who presses a field wants to write in it, and a click on a slider changes it.
            self.focus()
        } else {
            self.click(Capacity::Press, Expectation::AnyChange)
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
        if let Some(click) = self.click_in_shown_menu() {
            return click;
        }
        // What is pressed or toggled may have been chosen already, and then is not any more.
        if self.is_any(CHOSEN) || self.is_any(&[State::Unselected, State::Unchecked]) {
            return self.become_so(&[ElementAction::Select, ElementAction::Toggle, ElementAction::Press], chosen);
        }
        // Some toolkits tell of no tab that it is the chosen one: then the page that it shows must do.
        if self.can(Capacity::Select) {
            let is_told = self.now.element.role != Role::Tab;
            return tree(ElementAction::Select, if is_told { chosen } else { Expectation::AnyChange });
        }
        if self.can(Capacity::Press) {
            return tree(ElementAction::Press, Expectation::AnyChange);
        }
        if self.offers(Capacity::Select) {
            self.click(Capacity::Select, chosen)
        } else {
            self.click(Capacity::Press, Expectation::AnyChange)
        }
    }

    fn expand(self, expectation: Expectation) -> StepPlan {
        if !self.is_any(&[State::Expanded, State::Collapsed]) {
            return StepPlan::Cannot(CannotAct::NotOffered);
        }
        self.become_so(&[ElementAction::Expand, ElementAction::Press], expectation)
    }

    fn focus(self) -> StepPlan {
        let plan = self.by_tree(&[ElementAction::Focus], &Expectation::Focused);
        // A click elsewhere than in a field presses what it meets.
        match plan {
            StepPlan::Cannot(_) if self.takes_keys() => self.click(Capacity::Focus, Expectation::Focused),
            plan => plan,
        }
    }

    fn enter(self, value: Option<&str>) -> StepPlan {
        let now = self.now;
        let Some(value) = value else { return StepPlan::Cannot(CannotAct::NoValue) };
        // What a protected field holds is never asked for, so nothing tells whether it is so already, not even as a number.
        let number = if now.protected { None } else { number_of(value) };
        if self.can(Capacity::SetNumber)
            && let Some((number, _)) = number
        {
            return match self.out_of_range(number) {
                Some(cannot) => cannot,
                None => self.by_tree(&[ElementAction::SetNumber(number)], &Expectation::Number(number)),
            };
        }
        if now.is(State::ReadOnly) {
            return StepPlan::Cannot(CannotAct::Disabled);
        }
        if let Some(insert) = self.insert(value) {
            return insert;
        }
        // What can't be read may be long.
        let is_withheld = !now.protected && now.is(State::Withheld);
        if (is_withheld || self.holds_lines()) && !value.is_empty() {
            return StepPlan::Cannot(CannotAct::HoldsLines);
        }
        let text = EnteredText(value.to_owned());
        let expectation = if now.protected { Expectation::ContentChanged } else { Expectation::Text(text.clone()) };
        match self.by_tree(&[ElementAction::SetText(text)], &expectation) {
            StepPlan::Cannot(_) => self.type_in(value, number),
            plan => plan,
        }
    }

    fn out_of_range(self, number: f64) -> Option<StepPlan> {
        let limits = self.now.element.properties.value.as_ref().filter(|limits| limits.max > limits.min);
        let is_out = !number.is_finite() || limits.is_some_and(|limits| number < limits.min || number > limits.max);
        is_out.then_some(StepPlan::Cannot(CannotAct::OutOfRange))
    }

    /// Acts by the first means that is left, unless it is as wished: those of the tree, then a click in place of the first that the element offers.
    fn become_so(self, means: &[ElementAction], expectation: Expectation) -> StepPlan {
        match self.by_tree(means, &expectation) {
            StepPlan::Cannot(_) => {
                let offered = means.iter().find(|action| self.offers(action.capacity())).or(means.first());
                let capacity = offered.map_or(Capacity::Press, ElementAction::capacity);
                self.click(capacity, expectation)
            }
            plan => plan,
        }
    }

    /// Acts by the first means of the tree that is left, unless it is as wished.
    fn by_tree(self, means: &[ElementAction], expectation: &Expectation) -> StepPlan {
        if expectation.is_met(self.now) {
            return StepPlan::AlreadySo;
        }
        match means.iter().find(|action| self.can(action.capacity())) {
            Some(action) => tree(action.clone(), expectation.clone()),
            None => StepPlan::Cannot(CannotAct::NotOffered),
        }
    }

    /// The tree has nothing left.
    fn click(self, in_place_of: Capacity, expectation: Expectation) -> StepPlan {
        if self.allowed.input {
            StepPlan::Act { means: StepMeans::Click(in_place_of), expectation }
        } else {
            StepPlan::Cannot(CannotAct::NotOffered)
        }
    }

    fn is_entered(self) -> bool {
        let role = self.now.element.role;
        self.now.protected || role.has_content() && role != Role::ComboBox
    }

    /// Whether it is a field of text, in which a click does nothing but put the focus there.
    fn takes_keys(self) -> bool {
        matches!(self.now.element.role, Role::Edit | Role::Protected | Role::SpinButton | Role::DateField)
    }
}

/// Whether a click does what the tree's action for a capacity does.
const fn is_pressed(capacity: Capacity) -> bool {
    matches!(capacity, Capacity::Press | Capacity::Toggle | Capacity::Select)
}

const fn tree(action: ElementAction, expectation: Expectation) -> StepPlan {
    StepPlan::Act { means: StepMeans::Tree(action), expectation }
}
