//! Acting on elements of the accessibility tree: what can be done to one, what was done, and what is seen of it (EXE-1, EXE-2, EXE-7).

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::element::{Element, State};
use crate::{ElementId, Rect};

/// What can be done to an element by the accessibility tree, and whether keys write in it (EXE-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Capacity {
    /// A button, a link, an entry of a menu: something happens.
    Press,
    /// A check box, a switch, a button that stays down: it changes between two states.
    Toggle,
    /// One of several, such as a tab, a radio button or an option.
    Select,
    /// It shows or hides what belongs to it.
    Expand,
    /// It has a number within limits.
    SetNumber,
    /// Its text can be replaced.
    SetText,
    /// It can have the keyboard focus.
    Focus,
    /// Keys write in it at its caret, even if its text can't be replaced: a document, a terminal. No action of the tree does that.
    Insert,
}

impl Capacity {
    pub const ALL: [Self; 8] = [
        Self::Press,
        Self::Toggle,
        Self::Select,
        Self::Expand,
        Self::SetNumber,
        Self::SetText,
        Self::Focus,
        Self::Insert,
    ];
}

/// Capacities that an element has at the same time, kept as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Capacity>", into = "Vec<Capacity>")]
pub struct CapacitySet(u8);

impl CapacitySet {
    /// The set with `capacity` added.
    #[must_use]
    pub const fn with(self, capacity: Capacity) -> Self {
        Self(self.0 | 1 << capacity as u8)
    }

    /// The set with `capacity` added if `holds`.
    #[must_use]
    pub const fn with_if(self, capacity: Capacity, holds: bool) -> Self {
        if holds { self.with(capacity) } else { self }
    }

    #[must_use]
    pub const fn contains(self, capacity: Capacity) -> bool {
        self.0 >> capacity as u8 & 1 == 1
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0 == 0
    }
}

impl From<Vec<Capacity>> for CapacitySet {
    fn from(capacities: Vec<Capacity>) -> Self {
        capacities.into_iter().collect()
    }
}

impl From<CapacitySet> for Vec<Capacity> {
    fn from(set: CapacitySet) -> Self {
        Capacity::ALL.into_iter().filter(|capacity| set.contains(*capacity)).collect()
    }
}

impl FromIterator<Capacity> for CapacitySet {
    fn from_iter<T: IntoIterator<Item = Capacity>>(capacities: T) -> Self {
        capacities.into_iter().fold(Self::default(), Self::with)
    }
}

/// A text that a person has Luna enter. It may be a secret: it is never logged and never read back (PRV-2).
#[derive(Clone, PartialEq, Eq)]
pub struct EnteredText(pub String);

impl fmt::Debug for EnteredText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EnteredText({} characters)", self.0.chars().count())
    }
}

/// What is done to an element by the accessibility tree (EXE-1).
#[derive(Debug, Clone, PartialEq)]
pub enum ElementAction {
    Press,
    /// Changes to the other state; whether that is the wished one, the caller knows.
    Toggle,
    Select,
    /// Shows what is hidden, or hides what is shown.
    Expand,
    Focus,
    /// Within the limits of the element.
    SetNumber(f64),
    /// In place of the whole text.
    SetText(EnteredText),
}

impl ElementAction {
    /// What an element must be capable of.
    #[must_use]
    pub const fn capacity(&self) -> Capacity {
        match self {
            Self::Press => Capacity::Press,
            Self::Toggle => Capacity::Toggle,
            Self::Select => Capacity::Select,
            Self::Expand => Capacity::Expand,
            Self::Focus => Capacity::Focus,
            Self::SetNumber(_) => Capacity::SetNumber,
            Self::SetText(_) => Capacity::SetText,
        }
    }
}

/// Why an action certainly had no effect, so that another way may be tried (EXE-7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoEffectProof {
    /// The element offers no such action.
    NotOffered,
    /// The application said that it did not do it.
    Declined,
    /// The call never reached the element.
    NotDelivered,
    /// Nothing was clicked: something else lies above the element.
    Covered,
    /// Nothing was clicked: nothing of the element lies in its window.
    OutOfView,
}

/// What is known after an action was asked for, once (EXE-7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActionResult {
    /// The application says that it did it; what changed must be seen.
    Accepted,
    /// It certainly had no effect.
    NoEffect(NoEffectProof),
    /// The application did not answer in time, or went away: it may have happened. It must not be tried again.
    Unknown,
}

/// Why an element can't be acted on; nothing was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ElementRefusal {
    /// It is not there any more.
    Gone,
    /// Another element is in its place.
    Replaced,
    /// The application does not answer.
    NoAnswer,
    /// The accessibility tree can't be reached.
    Unavailable,
}

/// An element as it is now (DNG-2).
#[derive(Debug, Clone, PartialEq)]
pub struct ElementState {
    /// With its states; of a protected field without its text (PIC-5).
    pub element: Element,
    pub capacities: CapacitySet,
    /// Whether it has the keyboard focus.
    pub focused: bool,
    /// Whether its content is a secret (PIC-5).
    pub protected: bool,
    pub caret: CaretState,
}

/// What keys would meet in an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CaretState {
    /// Whether it may hold several lines.
    pub is_multi_line: bool,
    /// Whether something is selected, which keys replace; `None` if that is not known, or it has not the focus.
    pub has_selection: Option<bool>,
}

impl ElementState {
    /// Whether a state holds.
    #[must_use]
    pub const fn is(&self, state: State) -> bool {
        self.element.properties.states.contains(state)
    }
}

/// What is seen after an action, in the application that it was done in (EXE-2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ObservedChange {
    /// A state of an element; whether it holds now.
    State { of: ChangedElement, holds: bool },
    /// A number, a name or a text of an element, without what it is: it may be a secret.
    Content { of: ChangedElement },
    /// Something was added or taken away in the window.
    Children,
    /// The keyboard focus went to another element.
    Focus,
    /// A window, a menu or a dialog of the application appeared.
    WindowOpened,
    /// One went away.
    WindowClosed,
}

/// Which element a change is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChangedElement {
    /// The one that was acted on.
    Target,
    /// Another one of the application.
    Other,
}

/// What can be acted on in a window, with what labels it (PIC-9, EXE-1).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WindowElements {
    /// Protected fields are among them with label, role and states alone (PIC-5).
    pub elements: Vec<ActionableElement>,
    /// Whether nothing is missing, because of a limit or of an application that is too slow.
    pub is_complete: bool,
    /// Whether something is missing because the application was too slow, so that another listing may have it.
    pub is_late: bool,
    /// Which of them has the keyboard focus.
    pub focused: Option<ElementId>,
    /// Boxes of the web pages that the window shows. What is said is about them sooner than about the browser's own controls.
    pub pages: Vec<Rect>,
}

/// An element, and what can be done to it.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionableElement {
    pub element: Element,
    /// Empty for a text that can only be read.
    pub capacities: CapacitySet,
    /// Whether its content is a secret (PIC-5).
    pub protected: bool,
}

impl ActionableElement {
    #[must_use]
    pub const fn id(&self) -> &ElementId {
        &self.element.id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // EXE-1
    #[test]
    fn capacities_are_kept_and_listed_exe_1() {
        let set: CapacitySet = [Capacity::Press, Capacity::Focus].into_iter().collect();
        assert!(set.contains(Capacity::Press) && set.contains(Capacity::Focus) && !set.contains(Capacity::Toggle));
        assert_eq!(Vec::from(set), [Capacity::Press, Capacity::Focus]);
        assert_eq!(CapacitySet::from(Capacity::ALL.to_vec()), Capacity::ALL.into_iter().collect());
        assert!(CapacitySet::default().is_empty() && !set.is_empty());
        assert_eq!(CapacitySet::default().with_if(Capacity::Select, false), CapacitySet::default());
    }

    // PRV-2
    #[test]
    fn what_a_person_enters_is_never_written_anywhere_prv_2() {
        let action = ElementAction::SetText(EnteredText("비밀번호".to_owned()));
        assert_eq!(format!("{action:?}"), "SetText(EnteredText(4 characters))");
        assert_eq!(action.capacity(), Capacity::SetText);
    }
}
