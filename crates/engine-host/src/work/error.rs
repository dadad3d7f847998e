//! Why work was not done.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use luna_messages::work::WorkFailure;

use super::queue::StopReason;

/// What goes on in the background after its asker was told.
pub type BackgroundLoad = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Why work was not done.
pub enum WorkError {
    /// It can't be done.
    Failed(WorkFailure),
    /// More urgent work needed the memory.
    Preempted {
        /// Whether a part of the result was given already, so that it can't be done anew behind the asker's back.
        begun: bool,
    },
    /// Nobody wants it any more. A load goes on in the background, because the next request is likely to want the model: to be awaited after
    /// the asker was told.
    Cancelled(Option<BackgroundLoad>),
}

impl fmt::Debug for WorkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(failure) => f.debug_tuple("Failed").field(failure).finish(),
            Self::Preempted { begun } => f.debug_struct("GaveWay").field("begun", begun).finish(),
            Self::Cancelled(rest) => f.debug_tuple("Cancelled").field(&rest.is_some()).finish(),
        }
    }
}

impl WorkError {
    /// Of work that was told to stop before anything was given.
    pub(crate) const fn of_stop(stop: StopReason) -> Self {
        match stop {
            StopReason::Preempt => Self::Preempted { begun: false },
            StopReason::Cancel => Self::Cancelled(None),
        }
    }
}
