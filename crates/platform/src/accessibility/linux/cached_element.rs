//! What is kept of the elements that an application of GTK 3 tells in one answer ([`super::cached_tree`]).

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use atspi::Role as Native;
use atspi::zbus::zvariant::OwnedObjectPath;

use super::interfaces::Interfaces;
use super::states::States;

/// Maximum number of elements of an application that is asked again. Each costs the application 30 to 50 µs in which it does nothing else (measured with GTK 3.24):
/// 60 ms in all are not felt. LibreOffice has 1,900.
const MAX_ELEMENTS: usize = 1500;

/// Number of elements that an application told, so that one with too many is asked once only. 0: it was not asked yet.
#[derive(Debug, Default)]
pub(super) struct CacheSize(AtomicUsize);

impl CacheSize {
    /// That of an application that is never asked.
    pub(super) const fn unasked() -> Self {
        Self(AtomicUsize::new(usize::MAX))
    }

    pub(super) fn is_small(&self) -> bool {
        self.0.load(Ordering::Relaxed) <= MAX_ELEMENTS
    }

    pub(super) fn note(&self, size: usize) {
        self.0.store(size, Ordering::Relaxed);
    }
}

/// The ids that an application gave its elements (`AccessibleId`), which are not in its answer and do not change: a window is listed at each step of an order.
/// Its object paths are never used again.
#[derive(Debug, Default)]
pub(super) struct AutomationIds(Mutex<HashMap<OwnedObjectPath, String>>);

impl AutomationIds {
    /// Maximum number of ids that are kept.
    const MAX: usize = 4 * MAX_ELEMENTS;

    fn known(&self) -> MutexGuard<'_, HashMap<OwnedObjectPath, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get(&self, path: &OwnedObjectPath) -> Option<String> {
        self.known().get(path).cloned()
    }

    pub(super) fn keep(&self, path: &OwnedObjectPath, id: &str) {
        let mut known = self.known();
        if known.len() >= Self::MAX {
            known.clear();
        }
        known.insert(path.clone(), id.to_owned());
    }
}

/// What was told of an element.
pub(super) struct CachedElement {
    pub(super) native: Native,
    pub(super) states: States,
    pub(super) interfaces: Interfaces,
    pub(super) name: String,
    pub(super) description: String,
    /// Position among its siblings; `None` if it was not told.
    pub(super) index: Option<i32>,
    /// Number of children; `None` if it was not told, because they are made when they are asked for.
    pub(super) children: Option<i32>,
    /// Whether the element around it says which of its children are selected.
    pub(super) is_in_selection: bool,
    pub(super) parent: Reference,
}

/// Shows no text of the screen (PRV-2).
impl fmt::Debug for CachedElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CachedElement").field("native", &self.native).finish_non_exhaustive()
    }
}

impl CachedElement {
    /// Whether it is a control of which nothing but its name says what it is, so that its attributes and relations need not be asked for.
    pub(super) fn is_plain(&self) -> bool {
        !self.name.trim().is_empty() && self.plain_action().is_some()
    }

    /// The name of the only action that an element of this role has in GTK 3, if it has any.
    pub(super) fn plain_action(&self) -> Option<&'static str> {
        let presses = matches!(
            self.native,
            Native::Button
                | Native::CheckBox
                | Native::RadioButton
                | Native::MenuItem
                | Native::CheckMenuItem
                | Native::RadioMenuItem
        );
        (presses && self.interfaces.has("Action")).then_some("click")
    }
}

/// Bus name and object path.
pub(super) type Reference = (String, OwnedObjectPath);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_application_with_very_many_elements_is_asked_once_ker_11() {
        let size = CacheSize::default();
        for (told, asks_again) in [(0, true), (MAX_ELEMENTS, true), (MAX_ELEMENTS + 1, false), (usize::MAX, false)] {
            size.note(told);
            assert_eq!(size.is_small(), asks_again, "{told}");
        }
        assert!(!CacheSize::unasked().is_small());
    }
}
