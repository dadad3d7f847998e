//! The windows that the newest moves of the keyboard focus entered. Beside the mailbox, because of several moves the mailbox
//! keeps only the newest, which may be a move within the window that an earlier one entered.

use std::sync::{Arc, Mutex, PoisonError};

use luna_messages::pick::Element;

/// Kept by the watch, taken by the actor. Clones share the same windows.
#[derive(Debug, Clone, Default)]
pub struct EnteredWindows(Arc<Mutex<Vec<Element>>>);

impl EnteredWindows {
    /// Keeps the windows that a move entered, instead of those of earlier moves. A move within a window keeps what is there.
    pub fn keep(&self, entered: Vec<Element>) {
        if !entered.is_empty() {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = entered;
        }
    }

    /// The windows that were entered since they were taken last.
    #[must_use]
    pub fn take(&self) -> Vec<Element> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use luna_messages::pick::Role;
    use luna_messages::{ElementId, Rect};

    use super::*;

    fn window(title: &str) -> Element {
        Element::new(ElementId(title.into()), Role::Dialog, title, Rect::default())
    }

    // ATT-2
    #[test]
    fn a_window_that_was_entered_outlasts_moves_within_it_att_2() {
        let windows = EnteredWindows::default();
        windows.keep(vec![window("a")]);
        windows.keep(Vec::new());
        assert_eq!(windows.take(), [window("a")]);
        assert_eq!(windows.take(), []);
        windows.keep(vec![window("a")]);
        windows.keep(vec![window("b")]);
        assert_eq!(windows.take(), [window("b")]);
    }
}
