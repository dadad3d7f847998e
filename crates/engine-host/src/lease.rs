//! An engine with its model, for one piece of work.

use std::time::Duration;

use luna_messages::work::WorkFailure;

use crate::availability::lost_work;
use crate::grant::MemoryGrant;
use crate::process::{EngineFailure, EngineProcess};
use crate::work::error::WorkError;
use crate::work::queue::StopReason;

/// Longest time for the system to end a killed program.
const KILL_TIMEOUT: Duration = Duration::from_secs(2);

/// An engine with its model loaded, and the grant of its memory.
#[derive(Debug)]
pub struct EngineLease {
    /// Dropped before the grant.
    pub process: EngineProcess,
    /// Ends the lease on drop; the model stays in memory.
    pub grant: MemoryGrant,
}

impl EngineLease {
    /// Turns a job's failure into the error for its caller. First ends an engine that is no longer reliable, so that the next work gets another
    /// program.
    /// `stop`: why the job was stopped, if it was; `begun`: whether a part of the result was delivered already.
    pub async fn fail(&self, failure: EngineFailure, stop: Option<StopReason>, begun: bool) -> WorkError {
        let is_reliable =
            matches!(failure, EngineFailure::Refused(_) | EngineFailure::Cancelled | EngineFailure::Busy { .. });
        if !is_reliable {
            self.process.kill();
            if tokio::time::timeout(KILL_TIMEOUT, self.process.ended()).await.is_err() {
                tracing::error!("An engine that was killed is still there; its driver may hang.");
            }
        }
        match (stop, failure) {
            (Some(StopReason::Cancel), _) => WorkError::Cancelled(None),
            (_, EngineFailure::Refused(error)) => WorkError::Failed(WorkFailure::Refused(error)),
            (Some(StopReason::Preempt), _) => WorkError::Preempted { begun },
            (None, failure) => WorkError::Failed(lost_work(&failure)),
        }
    }
}
