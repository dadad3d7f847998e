//! What a step is about that is done to no element: the desktop, the wheel, a list on the way.

use luna_messages::candidate::Candidate;
use luna_messages::desktop_order::WindowArrangement;
use luna_messages::dsl::ScrollDirection;
use luna_messages::keyboard::KeyChord;
use luna_messages::understanding::ParsedCommand;
use luna_messages::{ElementId, Rect};

use crate::desktop_orders::DesktopWish;
use crate::phrases::ExecutorPhrase;

/// Which keys go where. A confirmation is void if any of it is different (DNG-2).
#[derive(Debug, Clone, PartialEq)]
pub(super) struct KeyAim {
    pub step: ParsedCommand,
    pub chord: KeyChord,
    pub window: u64,
    /// What has the focus there.
    pub focused: Option<ElementId>,
}

/// What was asked of the desktop, and what for.
#[derive(Debug, Clone)]
pub(super) struct DesktopAim {
    pub step: ParsedCommand,
    pub wish: DesktopWish,
    /// What has the keyboard focus, as it is called.
    pub focused: String,
    /// The keys that close the window, if the desktop does not know it: under Wayland.
    pub keys: Option<KeyAim>,
    /// The window that something is done to, once it is known, and what is done.
    pub arranged: Option<(String, WindowArrangement)>,
}

/// A step that scrolls.
#[derive(Debug, Clone)]
pub(super) struct ScrollAim {
    pub step: ParsedCommand,
    pub direction: ScrollDirection,
    /// Where things were before.
    pub before: Vec<(ElementId, Rect)>,
    /// Whether the wheel was turned, and the screen is looked at again.
    pub turned: bool,
}

/// A list that was opened for a step, and is closed after it: an open list has the keyboard for itself.
#[derive(Debug)]
pub(super) struct OpenedList {
    pub list: Candidate,
    /// How many steps were left when it was opened, the one that it is for among them.
    pub left: usize,
    /// What is to be said of that step.
    pub said: Option<ExecutorPhrase>,
    /// If what was to be chosen is not among its options: what is said of that, once the list is closed.
    pub missing: Option<ExecutorPhrase>,
}

impl OpenedList {
    /// How many steps are left when it is closed: the closing one and those behind the step that it was opened for.
    pub const fn closes_at(&self) -> usize {
        self.left
    }
}
