//! An engine program with its models: started at need, ended on order, from inside and from outside. One lifecycle for all engines.
//!
//! **Invariant:** dropping the last handle ends the programs, though the tasks of a residency hold the process, too.
//! **Invariant:** under a token, a residency keeps its place until its programs are gone, so that no model is loaded before memory is free (GPU-2).

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

/// How long a program has to end by itself when its model is to leave.
const ENDING: Duration = Duration::from_millis(500);

/// An engine and its programs while they run: one that works and, if the model says so, one that stands by. Whoever has it can end the programs
/// (GPU-2, KER-10).
#[derive(Debug)]
pub struct ManagedEngine {
    policy: &'static EnginePolicy,
    owner: MemoryOwner,
    /// The model that is in memory, or was last.
    residency: Mutex<Option<Arc<Residency>>>,
    /// How often it was stopped from outside, so that a start under way does not go on.
    stops: AtomicU64,
    /// Held while a model is loaded or its programs are ended.
    turn: tokio::sync::Mutex<()>,
    /// When a start failed, if the last one did.
    failed: Mutex<Option<Instant>>,
}

impl Drop for ManagedEngine {
    fn drop(&mut self) {
        // The task of a residency holds its process, too, so it would not end by itself.
        self.stop();
    }
}

impl ManagedEngine {
    /// An engine whose models are in memory by leave of the token. `gate` is the same for all engines of a token.
    #[must_use]
    pub fn leased(kind: EngineKind, token: Inbox<GpuMessage>, gate: LoadGate) -> Arc<Self> {
        Self::with(kind, MemoryOwner::Token { inbox: token, gate })
    }

    /// An engine whose models are too small for leases. It ends with its last handle.
    #[must_use]
    pub fn unleased(kind: EngineKind) -> Arc<Self> {
        Self::with(kind, MemoryOwner::Nobody)
    }

    fn with(kind: EngineKind, owner: MemoryOwner) -> Arc<Self> {
        Arc::new(Self {
            policy: EnginePolicy::of(kind),
            owner,
            residency: Mutex::new(None),
            stops: AtomicU64::new(0),
            turn: tokio::sync::Mutex::new(()),
            failed: Mutex::new(None),
        })
    }

    #[must_use]
    pub const fn kind(&self) -> EngineKind {
        self.policy.kind
    }

    /// Process id of the program that works, while one runs.
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        self.residency().and_then(|residency| residency.living()).map(|process| process.pid())
    }

    /// Process id of the program that stands by with its model, while one does.
    #[must_use]
    pub fn standby_pid(&self) -> Option<u32> {
        self.residency().and_then(|residency| residency.standing_by()).map(|process| process.pid())
    }

    /// Whether a program runs that may hold memory.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.residency().is_some_and(|residency| residency.may_hold_memory())
    }

    /// Whether a program has its model and can work at once.
    #[must_use]
    pub fn is_warm(&self) -> bool {
        self.residency().is_some_and(|residency| residency.is_warm())
    }

    /// Ends its programs at once, whatever they do, also while they start; their work fails. From any thread, also when the actor hangs.
    pub fn stop(&self) {
        // Counted before, so that a start which publishes its residency in between sees it.
        self.stops.fetch_add(1, Ordering::AcqRel);
        if let Some(residency) = self.residency() {
            residency.stop();
        }
    }

    /// Gives the memory of a residency back, with everything else of its programs: they end (ENG-3). What is not here any more, the token is told
    /// at once.
    pub async fn unload(&self, loaded_by: Lease) {
        let _turn = self.turn.lock().await;
        if let Some(residency) = self.residency().filter(|residency| residency.loaded_by() == Some(loaded_by)) {
            residency.close(ENDING).await;
            self.vacate().await;
        } else {
            self.tell_unloaded(loaded_by);
        }
    }

    /// Ends its programs at Luna's end; they have as long to end by themselves as the policy says.
    pub async fn close(&self) {
        self.close_within(self.policy.closing).await;
    }

    /// As [`Self::close`], with a time of its own.
    pub async fn close_within(&self, budget: Duration) {
        let _turn = match self.owner {
            // A load that hangs must not hold up the end.
            MemoryOwner::Token { .. } => None,
            MemoryOwner::Nobody => Some(self.turn.lock().await),
        };
        if let Some(residency) = self.residency() {
            residency.keep_quiet();
            residency.close(budget).await;
        }
    }

    /// Tells the token something that it must hear.
    pub(crate) fn tell(&self, make: impl Fn() -> GpuMessage + Send + 'static) {
        self.owner.tell(make);
    }

    fn tell_unloaded(&self, loaded_by: Lease) {
        let holder = self.kind();
        self.tell(move || GpuMessage::Unloaded { holder, loaded_by });
    }

    /// Asks for leave to have a model in memory. Dropping the future withdraws the claim.
    ///
    /// # Errors
    /// Why there is none.
    pub async fn request_grant(&self, plan: &ModelPlan, lane: Lane) -> Result<MemoryGrant, NoLease> {
        match &self.owner {
            MemoryOwner::Token { inbox, .. } => request_grant(inbox, self.kind(), plan, lane).await,
            MemoryOwner::Nobody => Err(NoLease::NoToken),
        }
    }

    fn residency(&self) -> Option<Arc<Residency>> {
        lock(&self.residency).clone()
    }

    /// Makes sure that no program runs and that the token knows. The residency keeps its place until they are gone, so that nobody takes them for
    /// gone before.
    async fn vacate(&self) {
        if let Some(residency) = self.residency() {
            residency.stop();
            residency.released().await;
            *lock(&self.residency) = None;
        }
    }
}
