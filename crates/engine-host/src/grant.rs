//! Claims at the token and their release.

use std::time::Duration;

use luna_messages::engine::EngineKind;
use luna_messages::gpu::{Claim, GpuMessage, GpuRefusal, Grant, Lease};
use luna_messages::{Lane, Reply, RequestId};
use tokio::sync::oneshot;

use crate::plan::ModelPlan;
use luna_actor_runtime::inbox::{Inbox, PostError};

/// Interval of retries to notify a token that does not accept messages.
const RETRY_INTERVAL: Duration = Duration::from_millis(50);
/// Number of these retries: half a minute. A token that is away longer finds out by itself which programs are alive.
const RETRIES: u32 = 600;
/// Maximum number of tries of a claim that the token loses in a crash.
const TRIES: u32 = 3;

/// A lease with its grant; released on drop.
#[derive(Debug)]
pub struct MemoryGrant {
    token: Inbox<GpuMessage>,
    grant: Grant,
}

impl MemoryGrant {
    #[must_use]
    pub const fn lease(&self) -> Lease {
        self.grant.lease
    }

    #[must_use]
    pub const fn grant(&self) -> Grant {
        self.grant
    }
}

impl Drop for MemoryGrant {
    fn drop(&mut self) {
        let lease = self.grant.lease;
        notify_token(&self.token, move || GpuMessage::Release { lease });
    }
}

/// A waiting claim; withdrawn on drop, also if it was granted meanwhile.
struct PendingGrant<'a> {
    token: &'a Inbox<GpuMessage>,
    id: RequestId,
    settled: bool,
}

impl Drop for PendingGrant<'_> {
    fn drop(&mut self) {
        let id = self.id;
        if !self.settled {
            notify_token(self.token, move || GpuMessage::Withdraw { id });
        }
    }
}

/// Why there is no lease.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoLease {
    /// The token refused.
    #[error(transparent)]
    Refused(#[from] GpuRefusal),
    /// The token is shut down or given up, or crashed repeatedly with the claim; or the engine has no token.
    #[error("The part that shares out memory to models does not run now.")]
    NoToken,
    /// The lane of the claim is full at the token's inbox.
    #[error("Too much waits for memory already.")]
    Full,
}

/// Waits for a lease. Dropping the future withdraws the claim; a lease granted meanwhile is released at once.
///
/// # Errors
/// [`NoLease::Refused`] if the token refuses the claim, [`NoLease::Full`] if its inbox is full, [`NoLease::NoToken`] if its inbox is closed or it
/// crashed [`TRIES`] times with the claim.
pub(crate) async fn request_grant(
    token: &Inbox<GpuMessage>,
    holder: EngineKind,
    plan: &ModelPlan,
    lane: Lane,
) -> Result<MemoryGrant, NoLease> {
    for _ in 0..TRIES {
        let id = RequestId::next();
        let claim = Claim { id, holder, model: plan.name.clone(), bytes: plan.memory_estimate, lane };
        let (sender, answer) = oneshot::channel();
        // If the receiver is gone, the claim was withdrawn.
        let reply = Reply::new(move |answer| drop(sender.send(answer)));
        let mut waiting = PendingGrant { token, id, settled: false };
        match token.post(GpuMessage::Acquire { claim, reply }) {
            Ok(()) => {}
            Err(refused) => {
                waiting.settled = true;
                return Err(match refused {
                    PostError::Full(_) => NoLease::Full,
                    PostError::Closed(_) => NoLease::NoToken,
                });
            }
        }
        // If the token crashed with the claim, its next incarnation gets a new claim.
        if let Ok(Ok(outcome)) = answer.await {
            waiting.settled = true;
            return Ok(MemoryGrant { token: token.clone(), grant: outcome? });
        }
    }
    Err(NoLease::NoToken)
}

/// Notifies the token; retries for a while if its lane is full or it restarts.
pub fn notify_token(token: &Inbox<GpuMessage>, make: impl Fn() -> GpuMessage + Send + 'static) {
    if token.post(make()).is_ok() {
        return;
    }
    let Ok(runtime) = tokio::runtime::Handle::try_current() else {
        return;
    };
    let token = token.clone();
    runtime.spawn(async move {
        for _ in 0..RETRIES {
            tokio::time::sleep(RETRY_INTERVAL).await;
            if token.post(make()).is_ok() {
                return;
            }
        }
        tracing::warn!("The token could not be notified that memory is free.");
    });
}
