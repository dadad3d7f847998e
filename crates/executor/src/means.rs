//! By what a step is done to its element (EXE-1).

use luna_messages::element_action::{Capacity, ElementAction, EnteredText};
use luna_messages::executor::ActedBy;

use crate::done_action::DoneAction;

/// By what a step is done to its element. Its debug output shows nothing that is to be entered (PRV-2).
#[derive(Debug, Clone, PartialEq)]
pub enum StepMeans {
    /// An action of the accessibility tree.
    Tree(ElementAction),
    /// One click of the left button, in place of the tree's action for this capacity.
    Click(Capacity),
    /// The pointer rests on it, in place of the tree's action that shows what belongs to it.
    Hover,
    /// Keys that replace the whole text.
    Keys(EnteredText),
    /// Keys that write beside what is there, at the caret.
    Insert(EnteredText),
}

impl StepMeans {
    /// What it reports.
    #[must_use]
    pub const fn by(&self) -> ActedBy {
        match self {
            Self::Tree(_) => ActedBy::Tree,
            Self::Click(_) | Self::Hover => ActedBy::Pointer,
            Self::Keys(_) | Self::Insert(_) => ActedBy::Keys,
        }
    }

    /// What it does, as the tree would call it.
    #[must_use]
    pub const fn capacity(&self) -> Capacity {
        match self {
            Self::Tree(action) => action.capacity(),
            Self::Click(capacity) => *capacity,
            Self::Hover => Capacity::Expand,
            Self::Keys(_) | Self::Insert(_) => Capacity::SetText,
        }
    }

    /// Whether it only enters something, moves the focus, or shows or hides a part.
    #[must_use]
    pub const fn presses_nothing(&self) -> bool {
        match self {
            Self::Keys(_) | Self::Insert(_) => true,
            Self::Click(_) | Self::Hover => false,
            Self::Tree(action) => match action.capacity() {
                Capacity::SetText | Capacity::SetNumber | Capacity::Expand | Capacity::Focus | Capacity::Insert => true,
                Capacity::Press | Capacity::Toggle | Capacity::Select => false,
            },
        }
    }

    /// What it does, in words.
    #[must_use]
    pub fn done(&self) -> DoneAction {
        let clears = match self {
            Self::Tree(ElementAction::SetText(text)) | Self::Keys(text) => text.0.is_empty(),
            Self::Tree(_) | Self::Click(_) | Self::Hover | Self::Insert(_) => false,
        };
        if clears { DoneAction::Cleared } else { DoneAction::from(self.capacity()) }
    }

    /// Whether it does by other means what `confirmed` would have done, so that the same words confirm both (DNG-2).
    #[must_use]
    pub fn stands_in_for(&self, confirmed: &Self) -> bool {
        match (self, confirmed) {
            (Self::Click(capacity), Self::Tree(action)) | (Self::Tree(action), Self::Click(capacity)) => {
                *capacity == action.capacity()
            }
            (Self::Keys(typed), Self::Tree(ElementAction::SetText(text))) => typed == text,
            (Self::Keys(typed), Self::Tree(ElementAction::SetNumber(number))) => {
                typed.0.parse::<f64>().is_ok_and(|typed| typed.total_cmp(number).is_eq())
            }
            (Self::Tree(_) | Self::Hover | Self::Insert(_), _)
            | (
                Self::Click(_) | Self::Keys(_),
                Self::Tree(_) | Self::Click(_) | Self::Hover | Self::Keys(_) | Self::Insert(_),
            ) => false,
        }
    }
}
