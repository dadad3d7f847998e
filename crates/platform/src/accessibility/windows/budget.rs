//! How long a question to UI Automation may take.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::PlatformError;

/// How long a question may take. UI Automation itself would wait 20 seconds for a program that doesn't answer.
pub(super) const LIMIT: Duration = Duration::from_millis(900);

/// What is left of a question's time. Looked at between calls: a call that runs can't be taken back.
#[derive(Debug, Clone)]
pub(super) struct Budget {
    deadline: Instant,
    /// Set when nobody waits for the answer any more.
    cancelled: Arc<AtomicBool>,
}

impl Budget {
    /// That of a question that is asked now.
    pub(super) fn new() -> Self {
        Self { deadline: Instant::now() + LIMIT, cancelled: Arc::default() }
    }

    /// A part of this budget: at most `duration` from now.
    pub(super) fn part(&self, duration: Duration) -> Self {
        Self { deadline: self.deadline.min(Instant::now() + duration), cancelled: Arc::clone(&self.cancelled) }
    }

    /// # Errors
    /// [`PlatformError::NoAnswer`] where the time is over.
    pub(super) fn check(&self) -> Result<(), PlatformError> {
        if Instant::now() >= self.deadline || self.cancelled.load(Ordering::Relaxed) {
            return Err(PlatformError::NoAnswer);
        }
        Ok(())
    }

    /// Ends the question as soon as it is dropped.
    pub(super) fn cancel_on_drop(&self) -> CancelOnDrop {
        CancelOnDrop(Arc::clone(&self.cancelled))
    }
}

/// Cancels a question when its future is dropped.
pub(super) struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
