//! A model's residency in memory: its active program, its optional standby, and their end.
//!
//! **Invariant:** A crashed engine fails over to its standby; a deliberately stopped one does not.
//! **Invariant:** the token is notified of the end of a residency once, when no program of it is left (GPU-3).

mod standby;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use luna_engine_protocol::LoadSpec;
use luna_messages::engine::EngineKind;
use luna_messages::gpu::{GpuMessage, Lease};
use tokio::sync::watch;

use crate::grant::notify_token;
use crate::load_gate::LoadGate;
use crate::process::{EngineProcess, EngineProgram};
use luna_actor_runtime::inbox::Inbox;
use luna_actor_runtime::metric_names::ENGINE_TAKEOVERS;

/// A model's residency in memory.
#[derive(Debug)]
pub(crate) struct Residency {
    /// What its programs load.
    pub spec: LoadSpec,
    /// Longest time for the load; a longer load counts as hung.
    load_timeout: Duration,
    kind: EngineKind,
    /// The token and the lease that names the residency there; `None` if nothing needs to know of its end.
    report: Option<(Inbox<GpuMessage>, Lease)>,
    /// Whether the token was notified of its end.
    notified: AtomicBool,
    state: watch::Sender<ResidencyState>,
}

#[derive(Debug)]
struct ResidencyState {
    /// The program that gets the work.
    active: EngineProcess,
    /// Whether the active program was used for work.
    used: bool,
    /// Whether the active program's predecessor was used for work.
    after_use: bool,
    standby: Standby,
    phase: ResidencyPhase,
}

/// The phase of a residency; it only advances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ResidencyPhase {
    /// The first program loads its model.
    Loading,
    /// The model is loaded.
    Resident,
    /// No more fail-over: the programs were told to end, or none is left.
    Ending,
    /// No program is left, and the token was notified.
    Released,
}

/// The second program of a residency.
#[derive(Debug, Default)]
enum Standby {
    #[default]
    Absent,
    /// It loads the model.
    Loading(EngineProcess),
    /// The model is loaded.
    Ready(EngineProcess),
}

/// How a program stopped being the standby.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StandbyOutcome {
    /// It is the active program now.
    TookOver {
        /// Whether its predecessor was used for work.
        after_use: bool,
    },
    /// It has ended.
    Ended,
}

impl Standby {
    const fn process(&self) -> Option<&EngineProcess> {
        match self {
            Self::Absent => None,
            Self::Loading(process) | Self::Ready(process) => Some(process),
        }
    }
}

impl ResidencyState {
    /// If the active program has ended, fails over to the standby or ends the residency. Returns whether anything changed.
    fn fail_over(&mut self, kind: EngineKind) -> bool {
        if self.phase >= ResidencyPhase::Ending || self.active.is_alive() {
            return false;
        }
        match &self.standby {
            Standby::Ready(process) if process.is_alive() => {
                self.active = process.clone();
                self.standby = Standby::Absent;
                self.after_use = std::mem::take(&mut self.used);
                metrics::counter!(ENGINE_TAKEOVERS, "engine" => kind.name()).increment(1);
                tracing::info!(engine = kind.name(), "The engine ended; its standby takes over.");
            }
            Standby::Absent | Standby::Loading(_) | Standby::Ready(_) => self.stop(),
        }
        true
    }

    /// Advances to a phase; never goes back.
    fn advance(&mut self, to: ResidencyPhase) {
        self.phase = self.phase.max(to);
    }

    fn stop(&mut self) {
        self.advance(ResidencyPhase::Ending);
        self.active.kill();
        if let Some(process) = self.standby.process() {
            process.kill();
        }
    }
}

impl Residency {
    /// Begins with a program that has yet to load. `report`: the token to notify of the end, and the lease that names the residency there. `standby`:
    /// the program for a standby, if the model wants one, and the gate that its load passes.
    pub fn begin(
        kind: EngineKind,
        report: Option<(Inbox<GpuMessage>, Lease)>,
        (spec, load_timeout): (LoadSpec, Duration),
        active: EngineProcess,
        standby: Option<(EngineProgram, LoadGate)>,
    ) -> Arc<Self> {
        let (phase, no_standby) = (ResidencyPhase::Loading, Standby::Absent);
        let state = ResidencyState { active, used: false, after_use: false, standby: no_standby, phase };
        let (notified, state) = (AtomicBool::new(false), watch::Sender::new(state));
        let residency = Arc::new(Self { spec, load_timeout, kind, report, notified, state });
        tokio::spawn(residency.clone().watch_until_released(standby));
        residency
    }

    /// The lease under which the model was loaded, which names the residency at the token.
    pub fn loaded_by(&self) -> Option<Lease> {
        self.report.as_ref().map(|(_, loaded_by)| *loaded_by)
    }

    /// Watches until no program is left, then notifies the token.
    async fn watch_until_released(self: Arc<Self>, standby: Option<(EngineProgram, LoadGate)>) {
        let keep = async {
            if let Some((program, gate)) = &standby {
                standby::keep(&self, program, gate).await;
            }
        };
        // Each returns when its programs are gone.
        tokio::join!(self.until_last_has_ended(), keep);
        if let Some((token, loaded_by)) = &self.report
            && !self.notified.swap(true, Ordering::AcqRel)
        {
            let (holder, loaded_by) = (self.kind, *loaded_by);
            notify_token(token, move || GpuMessage::Unloaded { holder, loaded_by });
        }
        self.state.send_modify(|state| state.advance(ResidencyPhase::Released));
    }

    async fn until_last_has_ended(&self) {
        loop {
            let active = self.state.borrow().active.clone();
            active.ended().await;
            if self.live_process().is_none() {
                return;
            }
        }
    }

    /// The active program if it is alive, after a fail-over if it crashed.
    pub fn live_process(&self) -> Option<EngineProcess> {
        self.with_live_process(|_| ())
    }

    /// Like [`Self::live_process`], for work; `None` before the model is loaded and once the residency is ending.
    pub fn use_active(&self) -> Option<EngineProcess> {
        let mut resident = false;
        let process = self.with_live_process(|state| {
            state.used = true;
            resident = state.phase == ResidencyPhase::Resident;
        });
        process.filter(|_| resident)
    }

    fn with_live_process(&self, then: impl FnOnce(&mut ResidencyState)) -> Option<EngineProcess> {
        let mut live_process = None;
        self.state.send_if_modified(|state| {
            let changed = state.fail_over(self.kind);
            if state.active.is_alive() {
                live_process = Some(state.active.clone());
                then(state);
            }
            changed
        });
        live_process
    }

    /// The standby, if its model is loaded.
    pub fn ready_standby(&self) -> Option<EngineProcess> {
        match &self.state.borrow().standby {
            Standby::Ready(process) if process.is_alive() => Some(process.clone()),
            Standby::Absent | Standby::Loading(_) | Standby::Ready(_) => None,
        }
    }

    /// Whether a program is alive that may hold memory. A program that has not greeted yet holds none.
    pub fn may_hold_memory(&self) -> bool {
        self.live_process().is_some() || self.state.borrow().standby.process().is_some_and(EngineProcess::is_alive)
    }

    /// Records that the model is loaded and that the first program gets work.
    pub fn loaded(&self) {
        self.state.send_modify(|state| {
            state.advance(ResidencyPhase::Resident);
            state.used = true;
        });
    }

    /// Kills its programs at once. Callable from any thread.
    pub fn stop(&self) {
        self.state.send_modify(ResidencyState::stop);
    }

    /// Waits until no program is left and the token was notified.
    pub async fn released(&self) {
        self.until(|state| state.phase == ResidencyPhase::Released).await;
    }

    /// Ends the residency; its programs have `budget` to end by themselves.
    pub async fn close(&self, budget: Duration) {
        self.state.send_modify(|state| state.advance(ResidencyPhase::Ending));
        let active = self.state.borrow().active.clone();
        // A standby that is still loading is ended by its loader.
        let standby = self.ready_standby();
        let close_standby = async {
            if let Some(standby) = standby {
                standby.close(budget).await;
            }
        };
        tokio::join!(active.close(budget), close_standby);
        self.released().await;
    }

    /// Skips the notification of the token at its end.
    pub fn skip_notification(&self) {
        self.notified.store(true, Ordering::Release);
    }

    /// Waits until the first program has loaded the model; false if the residency ends first.
    async fn is_loaded(&self) -> bool {
        self.until(|state| state.phase > ResidencyPhase::Loading).await;
        self.state.borrow().phase == ResidencyPhase::Resident
    }

    /// Returns once it is ending.
    async fn until_ending(&self) {
        self.until(|state| state.phase >= ResidencyPhase::Ending).await;
    }

    /// The result of `work`, or `None` if the residency ends first.
    async fn run_unless_over<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = self.until_ending() => None,
            done = work => Some(done),
        }
    }

    /// Whether work can start at once.
    pub fn is_warm(&self) -> bool {
        self.live_process().is_some() && self.state.borrow().phase == ResidencyPhase::Resident
    }

    /// Sets the standby; false if the residency is ending, which takes no standby any more.
    fn set_standby(&self, standby: Standby) -> bool {
        self.state.send_if_modified(|state| {
            let is_open = state.phase < ResidencyPhase::Ending;
            if is_open {
                state.standby = standby;
            }
            is_open
        })
    }

    /// Removes the standby, which has ended.
    fn clear_standby(&self) {
        self.state.send_modify(|state| state.standby = Standby::Absent);
    }

    /// Waits until a ready program is no longer the standby.
    async fn standby_outcome(&self, process: &EngineProcess) -> StandbyOutcome {
        tokio::select! {
            biased;
            () = self.until(|state| matches!(state.standby, Standby::Absent)) => {}
            () = process.ended() => {}
        }
        let mut outcome = StandbyOutcome::Ended;
        self.state.send_if_modified(|state| {
            let stood_by = !matches!(state.standby, Standby::Absent);
            if stood_by {
                state.standby = Standby::Absent;
            } else {
                outcome = StandbyOutcome::TookOver { after_use: state.after_use };
            }
            stood_by
        });
        outcome
    }

    async fn until(&self, is: impl FnMut(&ResidencyState) -> bool) {
        // The sender lives in `self`, so this can't fail.
        drop(self.state.subscribe().wait_for(is).await);
    }
}
