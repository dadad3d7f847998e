//! Why work was not done.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use luna_messages::work::WorkFailure;

use super::queue::StopReason;

/// A load that goes on in the background after the caller got its answer.
pub type BackgroundLoad = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Why work was not done.
pub enum WorkError {
    /// The work can't be done.
    Failed(WorkFailure),
    /// More urgent work needed the memory.
    Preempted {
        /// Whether a part of the result was delivered already, so that it must not be redone without the caller's knowledge.
        begun: bool,
    },
    /// The result is no longer wanted. A load goes on in the background, because the next request is likely to want the model; await it after the
    /// caller got its answer.
    Cancelled(Option<BackgroundLoad>),
}

impl fmt::Debug for WorkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(failure) => f.debug_tuple("Failed").field(failure).finish(),
            Self::Preempted { begun } => f.debug_struct("Preempted").field("begun", begun).finish(),
            Self::Cancelled(rest) => f.debug_tuple("Cancelled").field(&rest.is_some()).finish(),
        }
    }
}

impl WorkError {
    /// For work that was stopped before any result.
    pub(crate) const fn from_stop(stop: StopReason) -> Self {
        match stop {
            StopReason::Preempt => Self::Preempted { begun: false },
            StopReason::Cancel => Self::Cancelled(None),
        }
    }
}
