//! How an engine gets its models: reuse, start, load.

use std::sync::atomic::Ordering;
use std::time::Duration;

use luna_engine_protocol::LoadSpec;
use luna_messages::capability::Unavailable;
use luna_messages::gpu::{GpuMessage, MemoryPlace};
use tokio::time::{Instant, timeout};

use super::ManagedEngine;
use crate::grant::MemoryGrant;
use crate::load_gate::LoadPermit;
use crate::owner::MemoryOwner;
use crate::plan::ModelPlan;
use crate::process::{EngineFailure, EngineProcess, EngineProgram, LoadedEngine};
use crate::residency::Residency;
use luna_mailbox::sync::lock;

/// The outcome of preparing an engine for work under a lease.
#[derive(Debug)]
pub enum PrepareOutcome {
    /// The model is loaded.
    Ready(EngineProcess, MemoryGrant),
    /// The token wrongly believed that the model is resident, or that the engine can use the granted place. It was corrected; a new lease is needed.
    RetryLease,
    /// The load failed; nothing is resident.
    Failed(EngineFailure),
}

/// Why an engine without a token did not start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// There is no model to load.
    #[error("{}", .0.reason)]
    Model(Unavailable),
    /// The program did not start, or did not load.
    #[error(transparent)]
    Failed(#[from] EngineFailure),
    /// The last start failed a moment ago, so none was tried.
    #[error("it did not start a moment ago")]
    Paused,
}

/// A load in progress. Dropping it ends the program, and releases grant and permit only once the program is gone: its memory must not count as free
/// before.
struct UnfinishedLoad {
    load: Option<(EngineProcess, Option<MemoryGrant>, Option<LoadPermit>)>,
}

impl UnfinishedLoad {
    fn finish(mut self) -> Option<(EngineProcess, Option<MemoryGrant>)> {
        self.load.take().map(|(process, grant, _)| (process, grant))
    }
}

impl Drop for UnfinishedLoad {
    fn drop(&mut self) {
        let Some((process, grant, permit)) = self.load.take() else { return };
        process.kill();
        if grant.is_none() && permit.is_none() {
            return;
        }
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                process.ended().await;
                drop((grant, permit));
            });
        }
    }
}

/// An engine with its models loaded.
struct StartedEngine {
    process: EngineProcess,
    grant: Option<MemoryGrant>,
    loaded: LoadedEngine,
}

impl ManagedEngine {
    /// Makes the engine ready for work under a lease. Dropping the future ends a program that is loading.
    pub async fn prepare(&self, program: &EngineProgram, plan: &ModelPlan, grant: MemoryGrant) -> PrepareOutcome {
        let _lifecycle = self.lifecycle.lock().await;
        let granted = grant.grant();
        let spec = (plan.spec)(granted.place);
        if !granted.load {
            // The token may have learnt that the model is not in the place that was granted (GPU-6).
            let as_wanted = |it: &Residency| it.spec == spec || it.spec == (plan.spec)(MemoryPlace::Card);
            let there = self.residency().filter(|it| it.loaded_by() == Some(granted.loaded_by) && as_wanted(it));
            if let Some(process) = there.and_then(|residency| residency.use_active()) {
                return PrepareOutcome::Ready(process, grant);
            }
            // The program has ended, or the settings changed.
            self.end_residency().await;
            self.notify_unloaded(granted.loaded_by);
            return PrepareOutcome::RetryLease;
        }
        self.end_residency().await;
        // On a card, the driver would take an unknown amount of memory for a second program.
        let standby = plan.standby && granted.place == MemoryPlace::Ram;
        let within = self.policy.load_timeout.for_bytes(plan.memory_estimate);
        match self.load(program, (spec, within), standby, Some(grant)).await {
            Ok(Some(StartedEngine { process, grant: Some(grant), loaded })) => {
                self.notify_loaded(&grant, &loaded, 1 + u64::from(standby));
                PrepareOutcome::Ready(process, grant)
            }
            Ok(Some(StartedEngine { grant: None, .. }) | None) => PrepareOutcome::RetryLease,
            Err(failure) => PrepareOutcome::Failed(failure),
        }
    }

    /// For an engine without a token: returns the running program, else runs `find`, starts and loads. One start serves concurrent callers, and
    /// `started` gets its outcome before any caller gets the engine. Dropping the future ends a program that is loading.
    ///
    /// # Errors
    /// [`StartError::Model`] if `find` fails, [`StartError::Failed`] if the program does not start or load, [`StartError::Paused`] if the last start
    /// failed a moment ago.
    pub async fn ready(
        &self,
        program: &EngineProgram,
        find: impl Future<Output = Result<LoadSpec, Unavailable>> + Send,
        started: impl FnOnce(Result<&LoadedEngine, &StartError>) + Send,
    ) -> Result<EngineProcess, StartError> {
        let _lifecycle = self.lifecycle.lock().await;
        if let Some(process) = self.residency().and_then(|residency| residency.use_active()) {
            return Ok(process);
        }
        let failed = *lock(&self.failed);
        if failed.is_some_and(|at| at.elapsed() < self.policy.start_pause) {
            return Err(StartError::Paused);
        }
        // No claim waits for the old program's memory, so the new one starts without waiting for its end, which may hang.
        let old = lock(&self.residency).take();
        if let Some(old) = old {
            old.stop();
        }
        let outcome = async {
            let spec = find.await.map_err(StartError::Model)?;
            let within = self.policy.load_timeout.for_bytes(0);
            let done = self.load(program, (spec, within), false, None).await?;
            done.ok_or(StartError::Failed(EngineFailure::Cancelled))
        };
        let outcome = outcome.await;
        *lock(&self.failed) = outcome.is_err().then(Instant::now);
        started(outcome.as_ref().map(|done| &done.loaded));
        outcome.map(|done| done.process)
    }

    /// Ends the pause after a failed start: the next request tries again (KER-9).
    pub fn end_start_pause(&self) {
        *lock(&self.failed) = None;
    }

    /// `None` if the engine can't use the granted place; the token is notified (GPU-6).
    async fn load(
        &self,
        program: &EngineProgram,
        (spec, within): (LoadSpec, Duration),
        standby: bool,
        grant: Option<MemoryGrant>,
    ) -> Result<Option<StartedEngine>, EngineFailure> {
        // Read before the start and compared once the residency is published, so that a stop in between is noticed.
        let stops = self.stops.load(Ordering::Acquire);
        let permit = match &self.owner {
            MemoryOwner::Token { gate, .. } => Some(gate.acquire_granted().await),
            MemoryOwner::Unleased => None,
        };
        let process = EngineProcess::start(program).await?;
        let holder = self.kind();
        let card = process.backends().iter().any(|backend| backend.is_card());
        self.notify_token(move || GpuMessage::Ability { holder, card });
        let granted = grant.as_ref().map(MemoryGrant::grant);
        if let Some(granted) = granted.filter(|granted| !card && granted.place == MemoryPlace::Card) {
            process.kill();
            process.ended().await;
            self.notify_unloaded(granted.loaded_by);
            return Ok(None);
        }
        let (mut report, mut standby_of) = (None, None);
        if let (MemoryOwner::Token { inbox, gate }, Some(granted)) = (&self.owner, granted) {
            report = Some((inbox.clone(), granted.loaded_by));
            standby_of = standby.then(|| (program.clone(), gate.clone()));
        }
        let residency = Residency::begin(self.kind(), report, (spec.clone(), within), process.clone(), standby_of);
        // From here on, a stop from outside ends the residency.
        *lock(&self.residency) = Some(residency.clone());
        if self.stops.load(Ordering::Acquire) != stops {
            residency.stop();
        }
        let unfinished = UnfinishedLoad { load: Some((process.clone(), grant, permit)) };
        let loaded = match timeout(within, process.load(spec)).await {
            Ok(loaded) => loaded?,
            Err(_) => return Err(self.load_timed_out(within)),
        };
        let (process, grant) = unfinished.finish().ok_or(EngineFailure::Cancelled)?;
        residency.loaded();
        Ok(Some(StartedEngine { process, grant, loaded }))
    }

    fn load_timed_out(&self, within: Duration) -> EngineFailure {
        if matches!(self.owner, MemoryOwner::Token { .. }) {
            let limit_s = within.as_secs();
            tracing::warn!(
                engine = self.kind().name(),
                limit_s,
                "A model was not loaded in time, as by a disk that hangs; its engine is ended."
            );
        }
        EngineFailure::TimedOut { what: self.policy.load_subject, after: within }
    }

    fn notify_loaded(&self, grant: &MemoryGrant, loaded: &LoadedEngine, programs: u64) {
        for note in &loaded.notes {
            let (topic, reason) = (&note.topic, &note.reason);
            tracing::info!(engine = self.kind().name(), topic, reason, "The engine has a limitation.");
        }
        let lease = grant.lease();
        self.notify_token(move || GpuMessage::Loaded { lease });
        let (place, bytes) = match loaded.card_bytes {
            0 => (MemoryPlace::Ram, loaded.resident_bytes.saturating_mul(programs)),
            bytes => (MemoryPlace::Card, bytes),
        };
        let loaded_by = grant.grant().loaded_by;
        self.notify_token(move || GpuMessage::Used { loaded_by, place, bytes });
    }
}
