//! Pointer and keys, by which Luna acts where the accessibility tree can't (EXE-1, EXE-4, EXE-7).

use std::fmt;

use crate::element_action::ElementRefusal;
use crate::{Point, Rect};

/// A place in a window that can be clicked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClickPoint {
    /// In physical pixels of the desktop.
    pub point: Point,
    /// The window's handle, as in [`crate::pick::WindowInfo`].
    pub window: u64,
    /// The window's bounds when the point was determined: if they are others, the point means something else.
    pub bounds: Rect,
    /// Whether the application itself told that the element is what lies there; some toolkits know only what it lies in.
    pub is_confirmed: bool,
}

/// Why there is no place to click an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NoClickPoint {
    /// The element can't be found again.
    Element(ElementRefusal),
    /// Nothing of it lies in its window.
    OutOfView,
    /// The application tells that another element lies there.
    Covered,
}

impl From<ElementRefusal> for NoClickPoint {
    fn from(refusal: ElementRefusal) -> Self {
        Self::Element(refusal)
    }
}

/// A button of the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum MouseButton {
    Left,
    Right,
}

/// A click or a double click.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClickRequest {
    pub at: ClickPoint,
    pub button: MouseButton,
    /// Whether it is a double click.
    pub is_double: bool,
}

impl ClickRequest {
    /// A single click of the left button.
    #[must_use]
    pub const fn left(at: ClickPoint) -> Self {
        Self { at, button: MouseButton::Left, is_double: false }
    }
}

/// A window that is not the one that was meant.
#[derive(Clone, PartialEq, Eq)]
pub struct OtherWindow {
    /// The platform's handle, widened.
    pub window: u64,
    /// Screen content, empty if it has none: `Debug` leaves it out.
    pub title: String,
}

impl fmt::Debug for OtherWindow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OtherWindow({})", self.window)
    }
}

/// Why nothing was sent. Nothing happened, so another way may be tried (EXE-7).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputRefusal {
    /// A stop came (KER-11).
    Stopped,
    /// The window is closed or hidden.
    Gone,
    /// The window was moved, or its size changed.
    Moved,
    /// Something else lies at the point; `None` if that is no window.
    Covered { by: Option<OtherWindow> },
    /// The window does not have the keyboard focus; `None` if no window has it.
    NotFocused { focused: Option<OtherWindow> },
    /// Another program has the pointer or the keys for itself, as with an open menu or a locked screen.
    Grabbed,
    /// The pointer can't be brought to the point.
    Unreachable,
    /// The person holds a button of the mouse or a modifier key.
    Held,
    /// This keyboard can't produce the key, and has no spare key to do so.
    NoSuchKey,
    /// The text contains a control character, at this place counted in characters from 0.
    NotTypeable { place: usize },
}

/// Why only a part was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputInterruption {
    /// What would have been a refusal at the start.
    Refused(InputRefusal),
    /// The application took what was sent before, but did not answer in time any more.
    NoAnswer,
    /// The display was lost, or refused.
    Display,
}

/// What is known after input was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputResult {
    /// All of it was sent; what it led to must be seen (EXE-2).
    Done,
    /// Certainly nothing was sent.
    NotDone(InputRefusal),
    /// It must not be repeated (EXE-7): a part was sent.
    Partly {
        /// Clicks, presses or characters that were sent. One more may have been if the display was lost.
        sent: usize,
        why: InputInterruption,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    // PRV-2
    #[test]
    fn titles_of_windows_are_not_logged_prv_2() {
        let by = Some(OtherWindow { window: 7, title: "은행 계좌".to_owned() });
        let result = InputResult::NotDone(InputRefusal::Covered { by });
        assert_eq!(format!("{result:?}"), "NotDone(Covered { by: Some(OtherWindow(7)) })");
    }
}
