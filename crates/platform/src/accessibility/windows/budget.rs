//! The time limit of a UI Automation query.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::PlatformError;

/// Deadline of one query. UI Automation itself would wait 20 seconds for a program that doesn't answer.
pub(super) const QUERY_DEADLINE: Duration = Duration::from_millis(900);

/// The remaining time of a query. Checked between calls: a running call can't be cancelled.
#[derive(Debug, Clone)]
pub(super) struct Budget {
    deadline: Instant,
    /// Set when the caller no longer waits for the answer.
    cancelled: Arc<AtomicBool>,
}

impl Budget {
    /// A budget that starts now and ends after [`QUERY_DEADLINE`].
    pub(super) fn new() -> Self {
        Self { deadline: Instant::now() + QUERY_DEADLINE, cancelled: Arc::default() }
    }

    /// A part of this budget: at most `duration` from now.
    pub(super) fn part(&self, duration: Duration) -> Self {
        Self { deadline: self.deadline.min(Instant::now() + duration), cancelled: Arc::clone(&self.cancelled) }
    }

    /// # Errors
    /// [`PlatformError::NoAnswer`] if the time is over or the query is cancelled.
    pub(super) fn check(&self) -> Result<(), PlatformError> {
        if Instant::now() >= self.deadline || self.cancelled.load(Ordering::Relaxed) {
            return Err(PlatformError::NoAnswer);
        }
        Ok(())
    }

    /// Cancels the query when the returned guard is dropped.
    pub(super) fn cancel_on_drop(&self) -> CancelOnDrop {
        CancelOnDrop(Arc::clone(&self.cancelled))
    }
}

/// Cancels a query when its future is dropped.
pub(super) struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
