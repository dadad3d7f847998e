//! Asking the token, and giving back.

use std::time::Duration;

use luna_messages::engine::EngineKind;
use luna_messages::gpu::{Claim, GpuMessage, GpuRefusal, Grant, Lease};
use luna_messages::{Lane, Reply, RequestId};
use tokio::sync::oneshot;

use crate::plan::ModelPlan;
use luna_actor_runtime::inbox::{Inbox, PostError};

/// How often a message that the token must hear is offered again if it takes none now.
const OFFER_EVERY: Duration = Duration::from_millis(50);
/// How often at most: half a minute. A token that is away longer finds out by itself who lives.
const OFFERS: u32 = 600;
/// How often a claim is made that the token lost by crashing.
const TRIES: u32 = 3;

/// A lease with its grant; given back when it is dropped, however that comes.
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

    /// What was granted.
    #[must_use]
    pub const fn grant(&self) -> Grant {
        self.grant
    }
}

impl Drop for MemoryGrant {
    fn drop(&mut self) {
        let lease = self.grant.lease;
        tell(&self.token, move || GpuMessage::Release { lease });
    }
}

/// A claim that waits; withdrawn when it is dropped, also if it was granted meanwhile.
struct PendingGrant<'a> {
    token: &'a Inbox<GpuMessage>,
    id: RequestId,
    over: bool,
}

impl Drop for PendingGrant<'_> {
    fn drop(&mut self) {
        let id = self.id;
        if !self.over {
            tell(self.token, move || GpuMessage::Withdraw { id });
        }
    }
}

/// Why there is no lease.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoLease {
    /// The token says so.
    #[error(transparent)]
    Refused(#[from] GpuRefusal),
    /// The token took the claim and crashed, several times.
    #[error("The part that shares out memory to models does not run now.")]
    NoToken,
    /// More wait than the token takes.
    #[error("Too much waits for memory already.")]
    Full,
}

/// Waits for a lease. Dropping the future withdraws the claim; a lease that was given meanwhile goes straight back.
///
/// # Errors
/// Why there is none.
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
        // An asker that has gone has withdrawn its claim.
        let reply = Reply::new(move |answer| drop(sender.send(answer)));
        let mut waiting = PendingGrant { token, id, over: false };
        match token.post(GpuMessage::Acquire { claim, reply }) {
            Ok(()) => {}
            Err(refused) => {
                waiting.over = true;
                return Err(match refused {
                    PostError::Full(_) => NoLease::Full,
                    PostError::Closed(_) => NoLease::NoToken,
                });
            }
        }
        // If the token crashed with the claim, its next incarnation gets another one.
        if let Ok(Ok(outcome)) = answer.await {
            waiting.over = true;
            return Ok(MemoryGrant { token: token.clone(), grant: outcome? });
        }
    }
    Err(NoLease::NoToken)
}

/// Tells the token something that it must hear; offers it again for a while if its lane is full or it is being restarted.
pub fn tell(token: &Inbox<GpuMessage>, make: impl Fn() -> GpuMessage + Send + 'static) {
    if token.post(make()).is_ok() {
        return;
    }
    let Ok(runtime) = tokio::runtime::Handle::try_current() else {
        return;
    };
    let token = token.clone();
    runtime.spawn(async move {
        for _ in 0..OFFERS {
            tokio::time::sleep(OFFER_EVERY).await;
            if token.post(make()).is_ok() {
                return;
            }
        }
        tracing::warn!("The token could not be told that memory is free.");
    });
}
