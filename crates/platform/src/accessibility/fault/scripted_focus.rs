//! A keyboard focus that moves and gets lost on request, for tests.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use luna_messages::RequestId;
use luna_messages::focus::FocusChange;
use tokio::time::Instant;

use super::{FocusMove, Watch};
use crate::PlatformError;

/// A double of the keyboard focus. Clones share the same focus.
#[derive(Clone, Default)]
pub struct ScriptedFocus {
    watchers: Arc<Mutex<Watchers>>,
}

#[derive(Default)]
struct Watchers {
    /// In the order of their registration.
    all: BTreeMap<u64, FocusWatcher>,
    next: u64,
    /// Where the focus is.
    place: Option<FocusChange>,
}

struct FocusWatcher {
    moved: Box<dyn Fn(FocusMove) + Send>,
    lost: Box<dyn FnOnce(PlatformError) + Send>,
}

impl fmt::Debug for ScriptedFocus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScriptedFocus").field("watchers", &self.watcher_count()).finish()
    }
}

impl ScriptedFocus {
    pub(super) fn watch(
        &self,
        moved: Box<dyn Fn(FocusMove) + Send>,
        lost: Box<dyn FnOnce(PlatformError) + Send>,
    ) -> Watch {
        let mut watchers = self.lock();
        let id = watchers.next;
        watchers.next += 1;
        watchers.all.insert(id, FocusWatcher { moved, lost });
        let focus = self.clone();
        Watch::new(move || drop(focus.lock().all.remove(&id)))
    }

    /// Moves the focus; all watchers are called on this thread before the call returns.
    pub fn move_to(&self, change: &FocusChange) {
        let (id, event_at) = (RequestId::next(), Instant::now());
        let mut watchers = self.lock();
        watchers.place = Some(change.clone());
        for watcher in watchers.all.values() {
            (watcher.moved)(FocusMove { id, change: change.clone(), event_at });
        }
    }

    /// Where it was moved to last.
    pub(super) fn place(&self) -> Option<FocusChange> {
        self.lock().place.clone()
    }

    /// Simulates the loss of the tree: every watcher gets `error` once and then no more calls.
    pub fn lose(&self, error: &PlatformError) {
        let watchers = std::mem::take(&mut self.lock().all);
        for watcher in watchers.into_values() {
            (watcher.lost)(error.clone());
        }
    }

    /// The current number of watchers.
    #[must_use]
    pub fn watcher_count(&self) -> usize {
        self.lock().all.len()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Watchers> {
        self.watchers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
