//! What was done to an element, in words.

use luna_messages::Lang;
use luna_messages::element_action::Capacity;

/// What was done, in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DoneAction {
    Pressed,
    /// To the other state.
    Switched,
    SwitchedOn,
    SwitchedOff,
    Selected,
    /// Shown if it was hidden, else hidden.
    Folded,
    Expanded,
    Collapsed,
    Focused,
    Entered,
    /// Nothing is left in a field.
    Cleared,
}

impl From<Capacity> for DoneAction {
    fn from(capacity: Capacity) -> Self {
        match capacity {
            Capacity::Press => Self::Pressed,
            Capacity::Toggle => Self::Switched,
            Capacity::Select => Self::Selected,
            Capacity::Expand => Self::Folded,
            Capacity::Focus => Self::Focused,
            Capacity::SetNumber | Capacity::SetText | Capacity::Insert => Self::Entered,
        }
    }
}

impl DoneAction {
    /// As a statement.
    pub(crate) const fn past(self, lang: Lang) -> &'static str {
        match (self, lang) {
            (Self::Pressed, Lang::Ko) => "눌렀어요",
            (Self::Switched, Lang::Ko) => "바꿨어요",
            (Self::Selected, Lang::Ko) => "골랐어요",
            (Self::SwitchedOn, Lang::Ko) => "켰어요",
            (Self::SwitchedOff, Lang::Ko) => "껐어요",
            (Self::Folded, Lang::Ko) => "펼치거나 접었어요",
            (Self::Expanded, Lang::Ko) => "펼쳤어요",
            (Self::Collapsed, Lang::Ko) => "접었어요",
            (Self::Focused, Lang::Ko) => "옮겼어요",
            (Self::Entered, Lang::Ko) => "입력했어요",
            (Self::Cleared, Lang::Ko) => "지웠어요",
            (Self::Pressed, Lang::En) => "Pressed",
            (Self::Switched, Lang::En) => "Switched",
            (Self::Selected, Lang::En) => "Selected",
            (Self::SwitchedOn, Lang::En) => "Switched on",
            (Self::SwitchedOff, Lang::En) => "Switched off",
            (Self::Folded, Lang::En) => "Opened or closed",
            (Self::Expanded, Lang::En) => "Expanded",
            (Self::Collapsed, Lang::En) => "Collapsed",
            (Self::Focused, Lang::En) => "Moved to",
            (Self::Entered, Lang::En) => "Entered",
            (Self::Cleared, Lang::En) => "Cleared",
        }
    }

    /// As a question without its mark.
    pub(crate) const fn asked(self, lang: Lang) -> &'static str {
        match (self, lang) {
            (Self::Pressed, Lang::Ko) => "누를까요",
            (Self::Switched, Lang::Ko) => "바꿀까요",
            (Self::Selected, Lang::Ko) => "고를까요",
            (Self::SwitchedOn, Lang::Ko) => "켤까요",
            (Self::SwitchedOff, Lang::Ko) => "끌까요",
            (Self::Folded, Lang::Ko) => "펼치거나 접을까요",
            (Self::Expanded, Lang::Ko) => "펼칠까요",
            (Self::Collapsed, Lang::Ko) => "접을까요",
            (Self::Focused, Lang::Ko) => "옮길까요",
            (Self::Entered, Lang::Ko) => "입력할까요",
            (Self::Cleared, Lang::Ko) => "지울까요",
            (Self::Pressed, Lang::En) => "Press",
            (Self::Switched, Lang::En) => "Switch",
            (Self::Selected, Lang::En) => "Select",
            (Self::SwitchedOn, Lang::En) => "Switch on",
            (Self::SwitchedOff, Lang::En) => "Switch off",
            (Self::Folded, Lang::En) => "Open or close",
            (Self::Expanded, Lang::En) => "Expand",
            (Self::Collapsed, Lang::En) => "Collapse",
            (Self::Focused, Lang::En) => "Move to",
            (Self::Entered, Lang::En) => "Enter it in",
            (Self::Cleared, Lang::En) => "Clear",
        }
    }
}
