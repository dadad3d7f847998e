//! An engine program with its models: started on demand, ended on order, from inside and from outside. One lifecycle for all engines.
//!
//! **Invariant:** dropping the last handle ends the programs, although the tasks of a residency own the process, too.
//! **Invariant:** under a token, a residency stays until its programs are gone, so that no model is loaded before memory is free (GPU-2).

mod prepare;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use luna_messages::Lane;
use luna_messages::engine::EngineKind;
use luna_messages::gpu::{GpuMessage, Lease};
use tokio::time::Instant;

use crate::grant::{MemoryGrant, NoLease, request_grant};
use crate::load_gate::LoadGate;
use crate::owner::MemoryOwner;
use crate::plan::ModelPlan;
use crate::policy::EnginePolicy;
use crate::residency::Residency;
use luna_actor_runtime::inbox::Inbox;
use luna_mailbox::sync::lock;

pub use prepare::{PrepareOutcome, StartError};

/// How long a program may take to end by itself when its model is unloaded.
const UNLOAD_TIMEOUT: Duration = Duration::from_millis(500);

/// An engine and its running programs: the active program and, if the plan of the model asks for it, a standby. Every handle can end them (GPU-2,
/// KER-10).
#[derive(Debug)]
pub struct ManagedEngine {
    policy: &'static EnginePolicy,
    owner: MemoryOwner,
    /// The current or last residency.
    residency: Mutex<Option<Arc<Residency>>>,
    /// Number of stops from outside; a start in progress checks it and does not go on.
    stops: AtomicU64,
    /// Locked while a model is loaded or its programs are ended.
    lifecycle: tokio::sync::Mutex<()>,
    /// When the last start failed; `None` if it succeeded or may be repeated at once.
    failed: Mutex<Option<Instant>>,
}

impl Drop for ManagedEngine {
    fn drop(&mut self) {
        // The task of a residency owns its process, too, so the process would not end by itself.
        self.stop();
    }
}

impl ManagedEngine {
    /// An engine whose models are leased from the token. `gate` is the same for all engines of a token.
    #[must_use]
    pub fn leased(kind: EngineKind, token: Inbox<GpuMessage>, gate: LoadGate) -> Arc<Self> {
        Self::with(kind, MemoryOwner::Token { inbox: token, gate })
    }

    /// An engine whose models are too small for leases. It ends with its last handle.
    #[must_use]
    pub fn unleased(kind: EngineKind) -> Arc<Self> {
        Self::with(kind, MemoryOwner::Unleased)
    }

    fn with(kind: EngineKind, owner: MemoryOwner) -> Arc<Self> {
        Arc::new(Self {
            policy: EnginePolicy::of(kind),
            owner,
            residency: Mutex::new(None),
            stops: AtomicU64::new(0),
            lifecycle: tokio::sync::Mutex::new(()),
            failed: Mutex::new(None),
        })
    }

    #[must_use]
    pub const fn kind(&self) -> EngineKind {
        self.policy.kind
    }

    /// Process id of the active program, if it is alive.
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        self.residency().and_then(|residency| residency.live_process()).map(|process| process.pid())
    }

    /// Process id of the standby, if its model is loaded.
    #[must_use]
    pub fn standby_pid(&self) -> Option<u32> {
        self.residency().and_then(|residency| residency.ready_standby()).map(|process| process.pid())
    }

    /// Whether a program is alive that may hold memory.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.residency().is_some_and(|residency| residency.may_hold_memory())
    }

    /// Whether a program has its model and can work at once.
    #[must_use]
    pub fn is_warm(&self) -> bool {
        self.residency().is_some_and(|residency| residency.is_warm())
    }

    /// Ends its programs at once, whatever they do, also while they start; their work fails. Callable from any thread, also if the actor hangs.
    pub fn stop(&self) {
        // Counted first, so that a start that publishes its residency meanwhile sees it.
        self.stops.fetch_add(1, Ordering::AcqRel);
        if let Some(residency) = self.residency() {
            residency.stop();
        }
    }

    /// Frees the memory of a residency by ending its programs (ENG-3). Notifies the token at once if the residency is gone already.
    pub async fn unload(&self, loaded_by: Lease) {
        let _lifecycle = self.lifecycle.lock().await;
        if let Some(residency) = self.residency().filter(|residency| residency.loaded_by() == Some(loaded_by)) {
            residency.close(UNLOAD_TIMEOUT).await;
            self.end_residency().await;
        } else {
            self.notify_unloaded(loaded_by);
        }
    }

    /// Ends its programs at Luna's shutdown; they have the policy's time to end by themselves.
    pub async fn close(&self) {
        self.close_within(self.policy.closing).await;
    }

    /// Like [`Self::close`], with another budget.
    pub async fn close_within(&self, budget: Duration) {
        let _lifecycle = match self.owner {
            // A load that hangs must not delay the shutdown.
            MemoryOwner::Token { .. } => None,
            MemoryOwner::Unleased => Some(self.lifecycle.lock().await),
        };
        if let Some(residency) = self.residency() {
            residency.skip_notification();
            residency.close(budget).await;
        }
    }

    /// Notifies the token, if the engine has one; retries for a while if its inbox does not accept the message.
    pub(crate) fn notify_token(&self, make: impl Fn() -> GpuMessage + Send + 'static) {
        self.owner.notify_token(make);
    }

    fn notify_unloaded(&self, loaded_by: Lease) {
        let holder = self.kind();
        self.notify_token(move || GpuMessage::Unloaded { holder, loaded_by });
    }

    /// Requests a lease on memory for a model. Dropping the future withdraws the claim.
    ///
    /// # Errors
    /// [`NoLease::Refused`] if the token refuses, [`NoLease::Full`] if its inbox is full, [`NoLease::NoToken`] if it does not run or the engine has
    /// no token.
    pub async fn request_grant(&self, plan: &ModelPlan, lane: Lane) -> Result<MemoryGrant, NoLease> {
        match &self.owner {
            MemoryOwner::Token { inbox, .. } => request_grant(inbox, self.kind(), plan, lane).await,
            MemoryOwner::Unleased => Err(NoLease::NoToken),
        }
    }

    fn residency(&self) -> Option<Arc<Residency>> {
        lock(&self.residency).clone()
    }

    /// Ends all programs and notifies the token. The residency stays until they are gone, so that nothing treats them as gone before.
    async fn end_residency(&self) {
        if let Some(residency) = self.residency() {
            residency.stop();
            residency.released().await;
            *lock(&self.residency) = None;
        }
    }
}
