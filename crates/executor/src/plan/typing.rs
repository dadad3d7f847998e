//! What is typed into an element whose text the tree can't replace (EXE-1), such as a field in a browser.

use luna_messages::element::Role;
use luna_messages::element_action::{Capacity, EnteredText};

use super::{CannotAct, MeansLeft, StepPlan};
use crate::expectation::{Expectation, occurrences};
use crate::means::StepMeans;

impl MeansLeft<'_> {
    /// Types the value in place of what is there. `number`: the value, if it is one and the element is not protected.
    pub(super) fn type_in(self, value: &str, number: Option<(f64, &str)>) -> StepPlan {
        // Enter may send what was entered, and Tab goes to another field.
        let is_typeable = !value.chars().any(char::is_control);
        if !self.allowed.input || !is_typeable || !self.is_editable() {
            return StepPlan::Cannot(CannotAct::NotOffered);
        }
        let is_number_field = self.now.element.role == Role::SpinButton && !self.now.protected;
        let (typed, expectation) = match number {
            Some((number, typed)) if is_number_field => {
                if let Some(cannot) = self.out_of_range(number) {
                    return cannot;
                }
                let text = EnteredText(typed.to_owned());
                let has_number = self.now.element.properties.value.is_some();
                let expectation =
                    if has_number { Expectation::Number(number) } else { Expectation::Text(text.clone()) };
                (text, expectation)
            }
            None if is_number_field => return StepPlan::Cannot(CannotAct::NotOffered),
            Some(_) | None => {
                let text = EnteredText(value.to_owned());
                let is_secret = self.now.protected;
                let expectation = if is_secret { Expectation::ContentChanged } else { Expectation::Text(text.clone()) };
                (text, expectation)
            }
        };
        if expectation.is_met(self.now) {
            return StepPlan::AlreadySo;
        }
        StepPlan::Act { means: StepMeans::Keys(typed), expectation }
    }

    /// Types the value at the caret, if nothing may be replaced and the tree can only do that: no field was named, or it has the focus and holds several
    /// lines. `None` if what is there is empty or a secret, or keys would replace something.
    pub(super) fn insert(self, value: &str) -> Option<StepPlan> {
        let is_empty = self.now.element.text.trim().is_empty();
        let is_field = self.offers(Capacity::SetText) || self.takes_keys();
        let is_beside = self.allowed.at_caret || self.now.focused && self.holds_lines();
        // An application that is slow may hide a text that is there: what takes keys is never replaced for that.
        let is_empty = is_empty && !self.offers(Capacity::Insert);
        if !is_beside || self.now.protected || (is_empty && is_field) {
            return None;
        }
        if self.now.caret.has_selection != Some(false) {
            return self.offers(Capacity::Insert).then_some(StepPlan::Cannot(CannotAct::Selected));
        }
        let is_typeable = !value.is_empty() && !value.chars().any(char::is_control);
        let takes_keys = self.offers(Capacity::Insert) || self.is_editable();
        if !self.allowed.input || !is_typeable || !takes_keys {
            return None;
        }
        let text = EnteredText(value.to_owned());
        let before = occurrences(&self.now.element.text, value);
        let expectation = Expectation::Inserted { text: text.clone(), before };
        Some(StepPlan::Act { means: StepMeans::Insert(text), expectation })
    }

    pub(super) fn holds_lines(self) -> bool {
        let text = self.now.element.text.trim();
        !self.now.protected && (text.contains('\n') || self.now.caret.is_multi_line && !text.is_empty())
    }

    /// Whether keys write in it: a field that can have the focus, or whatever the tree says can be written to. A combo box alone may choose by what is typed.
    fn is_editable(self) -> bool {
        let is_field = self.takes_keys() && self.offers(Capacity::Focus);
        let is_written = self.takes_keys() || self.now.element.role == Role::ComboBox;
        is_field || is_written && (self.offers(Capacity::SetText) || self.offers(Capacity::SetNumber))
    }
}
