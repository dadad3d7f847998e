//! What an element offers by the patterns of UI Automation, and the one call that does it.

use luna_messages::element::RangeValue;
use luna_messages::element_action::{ActionResult, Capacity, CapacitySet, ElementAction, NoEffectProof};
use uiautomation::UIElement;
use uiautomation::patterns::{
    UIExpandCollapsePattern, UIInvokePattern, UIRangeValuePattern, UISelectionItemPattern, UITogglePattern,
    UIValuePattern,
};
use uiautomation::types::{ExpandCollapseState, UIProperty};
use uiautomation::variants::Value;

use super::super::tree::{WindowsNode, WindowsTree, from_uia};
use crate::PlatformError;

const ASKED: [UIProperty; 10] = [
    UIProperty::IsInvokePatternAvailable,
    UIProperty::IsTogglePatternAvailable,
    UIProperty::IsSelectionItemPatternAvailable,
    UIProperty::IsExpandCollapsePatternAvailable,
    UIProperty::IsRangeValuePatternAvailable,
    UIProperty::IsValuePatternAvailable,
    UIProperty::ValueIsReadOnly,
    UIProperty::RangeValueIsReadOnly,
    UIProperty::IsKeyboardFocusable,
    UIProperty::HasKeyboardFocus,
];

/// The patterns of an element.
#[derive(Debug, Clone, Copy)]
pub(super) struct PatternOffer {
    invokes: bool,
    toggles: bool,
    selects: bool,
    expands: bool,
    takes_number: bool,
    takes_text: bool,
    is_focusable: bool,
    /// Whether it has the keyboard focus.
    pub(super) is_focused: bool,
}

impl PatternOffer {
    /// Asks the element, in one call. No text is asked for.
    pub(super) fn of(tree: &WindowsTree, node: &WindowsNode) -> Result<Self, PlatformError> {
        let request = tree.automation.create_cache_request().map_err(|error| from_uia(&error))?;
        for property in ASKED {
            request.add_property(property).map_err(|error| from_uia(&error))?;
        }
        let element = node.element.build_updated_cache(&request).map_err(|error| from_uia(&error))?;
        let holds = |property| is_true(&element, property);
        Ok(Self {
            invokes: holds(UIProperty::IsInvokePatternAvailable),
            toggles: holds(UIProperty::IsTogglePatternAvailable),
            selects: holds(UIProperty::IsSelectionItemPatternAvailable),
            expands: holds(UIProperty::IsExpandCollapsePatternAvailable),
            takes_number: holds(UIProperty::IsRangeValuePatternAvailable) && !holds(UIProperty::RangeValueIsReadOnly),
            takes_text: holds(UIProperty::IsValuePatternAvailable) && !holds(UIProperty::ValueIsReadOnly),
            is_focusable: holds(UIProperty::IsKeyboardFocusable),
            is_focused: holds(UIProperty::HasKeyboardFocus),
        })
    }

    /// What can be done to the element; a protected field is only focused and written (PIC-5).
    pub(super) fn capacities(&self, protected: bool) -> CapacitySet {
        CapacitySet::default()
            .with_if(Capacity::Press, !protected && (self.invokes || self.toggles || self.selects))
            .with_if(Capacity::Toggle, !protected && self.toggles)
            .with_if(Capacity::Select, !protected && self.selects)
            .with_if(Capacity::Expand, !protected && self.expands)
            .with_if(Capacity::SetNumber, !protected && self.takes_number)
            .with_if(Capacity::SetText, self.takes_text)
            .with_if(Capacity::Focus, self.is_focusable)
            .with_if(Capacity::Insert, self.takes_text && self.is_focusable)
    }

    /// Gets what the action needs; nothing is done yet.
    pub(super) fn prepare<'a>(
        &self,
        node: &'a WindowsNode,
        action: &'a ElementAction,
    ) -> Result<PreparedAction<'a>, uiautomation::Error> {
        let element = &node.element;
        Ok(match action {
            ElementAction::Press if self.invokes => PreparedAction::Invoke(element.get_pattern()?),
            ElementAction::Press if self.toggles => PreparedAction::Toggle(element.get_pattern()?),
            ElementAction::Press | ElementAction::Select => PreparedAction::Select(element.get_pattern()?),
            ElementAction::Toggle => PreparedAction::Toggle(element.get_pattern()?),
            ElementAction::Expand => {
                let pattern: UIExpandCollapsePattern = element.get_pattern()?;
                let is_shown = pattern.get_state()? == ExpandCollapseState::Expanded;
                PreparedAction::Expand(pattern, !is_shown)
            }
            ElementAction::SetNumber(number) => PreparedAction::Number(element.get_pattern()?, *number),
            ElementAction::SetText(text) => PreparedAction::Text(element.get_pattern()?, &text.0),
            ElementAction::Focus => PreparedAction::Focus(element),
        })
    }
}

fn is_true(element: &UIElement, property: UIProperty) -> bool {
    let value = element.get_cached_property_value(property).and_then(|value| value.get_value());
    matches!(value, Ok(Value::BOOL(true)))
}

/// Whether a number lies within the limits of the element.
pub(super) fn is_possible(limits: Option<&RangeValue>, action: &ElementAction) -> bool {
    let ElementAction::SetNumber(number) = action else { return true };
    let limits = limits.filter(|limits| limits.max > limits.min);
    number.is_finite() && limits.is_none_or(|limits| (limits.min..=limits.max).contains(number))
}

/// An action of which only the call is left.
pub(super) enum PreparedAction<'a> {
    Invoke(UIInvokePattern),
    Toggle(UITogglePattern),
    Select(UISelectionItemPattern),
    /// Whether to show what is hidden.
    Expand(UIExpandCollapsePattern, bool),
    Number(UIRangeValuePattern, f64),
    Text(UIValuePattern, &'a str),
    Focus(&'a UIElement),
}

impl PreparedAction<'_> {
    /// Asks the program, once.
    pub(super) fn carry_out(self) -> Result<(), uiautomation::Error> {
        match self {
            Self::Invoke(pattern) => pattern.invoke(),
            Self::Toggle(pattern) => pattern.toggle(),
            Self::Select(pattern) => pattern.select(),
            Self::Expand(pattern, true) => pattern.expand(),
            Self::Expand(pattern, false) => pattern.collapse(),
            Self::Number(pattern, number) => pattern.set_value(number),
            Self::Text(pattern, text) => pattern.set_value(text),
            Self::Focus(element) => element.set_focus(),
        }
    }
}

/// What the answer tells. Only errors that come before the program acts prove anything.
pub(super) fn judge(answer: Result<(), uiautomation::Error>) -> ActionResult {
    /// The element is disabled, and it has no such pattern: UIA_E_ELEMENTNOTENABLED, UIA_E_NOTSUPPORTED.
    const NOT_OFFERED: [u32; 2] = [0x8004_0200, 0x8004_0204];
    match answer {
        Ok(()) => ActionResult::Accepted,
        Err(error) if NOT_OFFERED.contains(&error.code().cast_unsigned()) => {
            ActionResult::NoEffect(NoEffectProof::NotOffered)
        }
        Err(_) => ActionResult::Unknown,
    }
}
