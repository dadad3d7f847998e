//! When the newest move of the keyboard focus was told, for the stages that it begins (MET-4). Beside the mailbox, because
//! of several moves the mailbox keeps only the newest.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::time::Instant;

/// Set by the watch, taken by the actor. Clones share the same time.
#[derive(Debug, Clone, Default)]
pub struct FocusClock(Arc<Mutex<Option<Instant>>>);

impl FocusClock {
    /// Sets the time of the newest move.
    pub fn set(&self, at: Instant) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(at);
    }

    /// The time of the newest move that was not taken yet.
    #[must_use]
    pub fn take(&self) -> Option<Instant> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
