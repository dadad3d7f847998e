//! What is known about the keyboard focus from earlier events.

use std::collections::HashMap;
use std::sync::Arc;

use atspi::Role as Native;
use tokio::time::Instant;

use super::display::TopLevelWindow;
use super::events::{FocusSignal, ObjectRef};
use super::node::{App, LinuxNode};

/// A window or dialog that the focus is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EnteredWindow {
    pub(super) object: ObjectRef,
    pub(super) native: Native,
    pub(super) title: String,
}

impl EnteredWindow {
    /// Whether it is the same window. LibreOffice has two elements for each of its windows.
    pub(super) fn is(&self, other: &Self) -> bool {
        let is_alike =
            self.native == other.native && self.title == other.title && self.object.name == other.object.name;
        self.object == other.object || is_alike
    }
}

/// What is known from earlier events. A query gets a copy, and its result replaces the original.
#[derive(Clone, Default)]
pub(super) struct FocusMemory {
    /// What was reported last.
    pub(super) element: Option<LinuxNode>,
    /// The windows that it is in, the outermost first.
    pub(super) windows: Vec<EnteredWindow>,
    /// What had the focus last in each window: some applications don't tell it again after a menu or dialog.
    pub(super) contents: HashMap<ObjectRef, ObjectRef>,
    /// The last path from an element up to its window, and when it was followed.
    pub(super) path: Option<(Instant, Vec<(LinuxNode, Native)>)>,
    /// The window on the display, searched once while the same window is active.
    pub(super) shown: Option<(ObjectRef, TopLevelWindow)>,
    /// A window that is not on the display, as those of Wayland, and when that was found out.
    pub(super) hidden: Option<(ObjectRef, Instant)>,
    /// Applications by their names on the bus, with their processes.
    pub(super) apps: HashMap<String, (Arc<App>, u32)>,
}

impl FocusMemory {
    /// Drops what an event makes doubtful.
    pub(super) fn note(&mut self, event: &FocusSignal) {
        if matches!(event, FocusSignal::Activated(_) | FocusSignal::Deactivated(_)) {
            (self.path, self.shown, self.hidden) = (None, None, None);
        }
    }

    /// Everything that a new connection has to find out again.
    pub(super) fn forget_connection(&mut self) {
        let windows = std::mem::take(&mut self.windows);
        *self = Self { windows, ..Self::default() };
    }

    /// What was reported last.
    pub(super) fn element(&self) -> Option<ObjectRef> {
        self.element.as_ref().map(LinuxNode::reference_to)
    }

    /// The person left for a window that is not on the bus.
    pub(super) fn leave(&mut self) {
        self.windows.clear();
        self.element = None;
    }
}
