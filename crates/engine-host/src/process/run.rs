//! A running job.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use luna_engine_protocol::EngineChunk;
use luna_messages::RequestId;
use tokio::sync::{Notify, oneshot};
use tokio::time::Instant;

use super::drive::EngineShared;
use super::failure::EngineFailure;
use super::pending::JobReceivers;

/// A running job. Dropping it cancels the job; an engine that does not stop it in time is ended, because it would never reach its next request, and
/// no caller is left to notice that (ENG-2).
#[derive(Debug)]
pub struct RunningJob {
    id: RequestId,
    shared: Arc<EngineShared>,
    ends: JobReceivers,
    /// When it was cancelled.
    cancelled: OnceLock<Instant>,
    /// Lets `next` notice a cancel while it waits.
    cancel_notify: Notify,
    /// Its result, once known.
    over: Option<Result<(), EngineFailure>>,
}

impl std::fmt::Debug for JobReceivers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JobReceivers")
    }
}

impl RunningJob {
    pub(super) fn new(id: RequestId, shared: Arc<EngineShared>, ends: JobReceivers) -> Self {
        Self { id, shared, ends, cancelled: OnceLock::new(), cancel_notify: Notify::new(), over: None }
    }

    /// The job's id in [`super::Health`].
    #[must_use]
    pub fn id(&self) -> RequestId {
        self.id
    }

    /// The next part of the result; `None` when the job is complete. Cancel-safe.
    ///
    /// # Errors
    /// [`EngineFailure::Cancelled`] once the engine handled [`RunningJob::cancel`], [`EngineFailure::TimedOut`] if it does not stop in time,
    /// [`EngineFailure::Refused`] if the job can't be done, [`EngineFailure::Protocol`] if too many results were not read, others if the program
    /// ended. Repeated calls return the same.
    pub async fn next(&mut self) -> Result<Option<(EngineChunk, Bytes)>, EngineFailure> {
        if let Some(over) = &self.over {
            return over.clone().map(|()| None);
        }
        let deadline = self.shared.settings.cancel;
        let Self { ends, cancelled, cancel_notify, shared, .. } = self;
        let overdue = async {
            loop {
                match cancelled.get() {
                    Some(at) => return tokio::time::sleep_until(*at + deadline).await,
                    // The notification is stored, so a cancel just before this point is noticed, too.
                    None => cancel_notify.notified().await,
                }
            }
        };
        let over = tokio::select! {
            biased;
            // First, because a job that does not stop may give parts without end.
            () = overdue => Err(EngineFailure::TimedOut { what: "up a cancelled job", after: deadline }),
            chunk = ends.chunks.recv() => match chunk {
                Some(chunk) => return Ok(Some(chunk)),
                None => (&mut ends.end).await.unwrap_or_else(|_| Err(shared.why_ended())),
            },
        };
        self.over = Some(over.clone());
        over.map(|()| None)
    }

    /// Asks the engine to stop at the next boundary. Parts already on the way may still arrive.
    pub fn cancel(&self) {
        if self.over.is_none() && self.cancelled.set(Instant::now()).is_ok() {
            self.shared.cancel(self.id);
            self.cancel_notify.notify_one();
        }
    }
}

impl Drop for RunningJob {
    fn drop(&mut self) {
        if self.over.is_some() {
            return;
        }
        self.cancel();
        // Outside of a runtime, the tasks around the engine have ended, too, and the program with them.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let (_, unused) = oneshot::channel();
        let end = std::mem::replace(&mut self.ends.end, unused);
        let since = self.cancelled.get().copied().unwrap_or_else(Instant::now);
        runtime.spawn(kill_unless_stopped(self.id, self.shared.clone(), end, since));
    }
}

/// Waits until the engine has stopped a job that was cancelled at `since`; kills an engine that does not.
async fn kill_unless_stopped(
    id: RequestId,
    shared: Arc<EngineShared>,
    mut end: oneshot::Receiver<Result<(), EngineFailure>>,
    since: Instant,
) {
    let (mut until, mut was_idle) = (since + shared.settings.cancel, false);
    while tokio::time::timeout_at(until, &mut end).await.is_err() {
        let running = match shared.health(shared.settings.liveness_deadline).await {
            Ok(health) => health.running,
            Err(_) => Some(id),
        };
        match running {
            // A job that waits behind another one is stopped once it would start.
            Some(other) if other != id => was_idle = false,
            // Possibly between two jobs.
            None if !was_idle => was_idle = true,
            Some(_) | None => {
                tracing::warn!("An engine did not stop a cancelled job and is ended.");
                return shared.kill();
            }
        }
        until = Instant::now() + shared.settings.cancel;
    }
}
