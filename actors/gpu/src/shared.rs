//! The state that outlives a crash of the actor.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use luna_actor_runtime::metric_names::{GPU_BUDGET, GPU_RESIDENT, GPU_WAITING};
use luna_ledger::{Ledger, LedgerEffect, LedgerEvent, Terms, decide};
use luna_messages::engine::EngineKind;
use luna_messages::gpu::{GpuRefusal, GpuStatus, Grant, Lease, MemoryPlace};
use luna_messages::{Reply, RequestId};
use tokio::time::Instant;

use crate::MeasuredMachine;

type ClaimReply = Reply<Result<Grant, GpuRefusal>>;

/// The ledger, the pending replies and the pending effects. One per Luna; clones share it.
#[derive(Clone)]
pub struct GpuShared {
    state: Arc<Mutex<GpuSharedState>>,
}

struct GpuSharedState {
    /// The reference time of the ledger.
    created_at: Instant,
    /// `None` before the first event.
    ledger: Option<Ledger>,
    /// Replies to waiting claims.
    replies: HashMap<RequestId, ClaimReply>,
    /// Effects that are decided but not yet begun.
    effects: VecDeque<LedgerEffect>,
    /// The lease that is being delivered right now.
    delivering: Option<Lease>,
    measured: Option<MeasuredMachine>,
}

/// What the actor must watch for.
pub(crate) struct UpcomingWork {
    /// Whether a model is resident or a claim waits.
    pub in_use: bool,
    /// Whether an engine is being unloaded or ended.
    pub awaits_end: bool,
    /// When the ledger wants its next step.
    pub wake_at: Option<Instant>,
}

impl Default for GpuShared {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for GpuShared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GpuShared").field("ledger", &self.lock().ledger).finish_non_exhaustive()
    }
}

impl GpuShared {
    /// No model is resident, no claim waits.
    #[must_use]
    pub fn new() -> Self {
        let state = GpuSharedState {
            created_at: Instant::now(),
            ledger: None,
            replies: HashMap::new(),
            effects: VecDeque::new(),
            delivering: None,
            measured: None,
        };
        Self { state: Arc::new(Mutex::new(state)) }
    }

    /// Each change is atomic, so a poisoned lock guards a consistent value.
    fn lock(&self) -> MutexGuard<'_, GpuSharedState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Applies one event to the ledger, after any change of the rules.
    pub(crate) fn step(&self, terms: Terms, event: LedgerEvent) {
        let mut state = self.lock();
        let now = state.created_at.elapsed();
        let (mut ledger, mut effects) = match &state.ledger {
            None => (Ledger::new(terms), Vec::new()),
            Some(ledger) if *ledger.terms() != terms => decide(ledger, LedgerEvent::Terms(terms), now),
            Some(ledger) => (ledger.clone(), Vec::new()),
        };
        effects.extend(ledger.step(event, now));
        state.ledger = Some(ledger);
        state.effects.extend(effects);
    }

    /// Removes the next effect to perform. It counts as begun.
    pub(crate) fn next_effect(&self) -> Option<LedgerEffect> {
        self.lock().effects.pop_front()
    }

    /// Registers the reply to a claim.
    pub(crate) fn expect(&self, id: RequestId, reply: ClaimReply) {
        let before = self.lock().replies.insert(id, reply);
        // Dropping a reply answers its caller, so it is dropped outside of the lock.
        drop(before);
    }

    /// Drops the reply to a claim that is no longer wanted.
    pub(crate) fn forget(&self, id: RequestId) {
        let reply = self.lock().replies.remove(&id);
        drop(reply);
    }

    /// Delivers a grant; false if no claimant waits for it.
    pub(crate) fn deliver(&self, id: RequestId, grant: Grant) -> bool {
        let reply = {
            let mut state = self.lock();
            let reply = state.replies.remove(&id);
            state.delivering = reply.as_ref().map(|_| grant.lease);
            reply
        };
        let Some(reply) = reply else { return false };
        reply.answer(Ok(grant));
        self.lock().delivering = None;
        true
    }

    /// Answers a claim with the reason for its refusal.
    pub(crate) fn refuse(&self, id: RequestId, why: GpuRefusal) {
        let reply = self.lock().replies.remove(&id);
        if let Some(reply) = reply {
            reply.answer(Err(why));
        }
    }

    /// The event for a lease that was being delivered when the actor crashed: the lease counts as undelivered.
    pub(crate) fn interrupted(&self) -> Option<LedgerEvent> {
        self.lock().delivering.take().map(LedgerEvent::Undelivered)
    }

    pub(crate) fn measured(&self) -> MeasuredMachine {
        self.lock().measured.clone().unwrap_or_default()
    }

    /// Whether there is a graphics card that the engine can use, as far as known (GPU-6).
    #[must_use]
    pub fn can_use_card(&self, engine: EngineKind) -> bool {
        let state = self.lock();
        state.measured.as_ref().is_some_and(|measured| measured.card.is_some())
            && state.ledger.as_ref().is_none_or(|ledger| ledger.can_use_card(engine))
    }

    /// Where models of an engine live now; `None` before the first event.
    pub(crate) fn place_of(&self, engine: EngineKind) -> Option<MemoryPlace> {
        self.lock().ledger.as_ref().map(|ledger| ledger.place_for(engine, 0))
    }

    pub(crate) fn is_measured(&self) -> bool {
        self.lock().measured.is_some()
    }

    pub(crate) fn set_measured(&self, measured: MeasuredMachine) {
        let before = self.lock().measured.replace(measured.clone());
        if before.as_ref().is_none_or(|before| before.card.is_some() != measured.card.is_some()) {
            match &measured.card {
                Some(card) => {
                    tracing::info!(card = card.name, mb = card.total >> 20, "Models may use the graphics card.")
                }
                None => tracing::info!("There is no graphics card that models could use; they run on the processor."),
            }
        }
    }

    pub(crate) fn should_live(&self) -> Vec<EngineKind> {
        self.lock().ledger.as_ref().map(|ledger| ledger.should_live().collect()).unwrap_or_default()
    }

    pub(crate) fn upcoming(&self) -> UpcomingWork {
        let state = self.lock();
        let now = state.created_at.elapsed();
        let Some(ledger) = &state.ledger else {
            return UpcomingWork { in_use: false, awaits_end: false, wake_at: None };
        };
        let used = ledger.used(MemoryPlace::Card) > 0 || ledger.used(MemoryPlace::Ram) > 0;
        UpcomingWork {
            in_use: used || ledger.waiting() > 0,
            awaits_end: ledger.awaits_end(),
            wake_at: ledger.wake_at(now).map(|at| state.created_at + at + Duration::from_micros(1)),
        }
    }

    pub(crate) fn status(&self, card: Option<String>, budget_mb: u64) -> GpuStatus {
        let state = self.lock();
        let ledger = state.ledger.as_ref();
        GpuStatus {
            card,
            budget_mb,
            pools: ledger.map(Ledger::pools).unwrap_or_default(),
            resident: ledger.map(Ledger::resident).unwrap_or_default(),
            waiting: ledger.map_or(0, Ledger::waiting),
        }
    }

    /// Publishes the state as gauges (MET-1).
    pub(crate) fn publish_gauges(&self) {
        let state = self.lock();
        let Some(ledger) = &state.ledger else { return };
        #[expect(clippy::cast_precision_loss, reason = "bytes of memory; a gauge is a float")]
        for place in [MemoryPlace::Card, MemoryPlace::Ram] {
            metrics::gauge!(GPU_BUDGET, "place" => place.name()).set(ledger.terms().budget(place) as f64);
            metrics::gauge!(GPU_RESIDENT, "place" => place.name()).set(ledger.used(place) as f64);
        }
        #[expect(clippy::cast_precision_loss, reason = "some hundred at most")]
        metrics::gauge!(GPU_WAITING).set(ledger.waiting() as f64);
    }
}
