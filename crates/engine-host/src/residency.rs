//! A model's residency in memory: the program that works, the one that stands by if it is wanted, and their end.
//!
//! **Invariant:** an engine that ends by itself fails over to its standby, which was loaded under the same residency; a deliberately stopped one does
//! not.
//! **Invariant:** the token hears of the end of a residency once, when no program of it is left (GPU-3).

mod standby;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use luna_engine_protocol::LoadSpec;
use luna_messages::engine::EngineKind;
use luna_messages::gpu::{GpuMessage, Lease};
use tokio::sync::watch;

use crate::grant::tell;
use crate::load_gate::LoadGate;
use crate::process::{EngineProcess, EngineProgram};
use luna_actor_runtime::inbox::Inbox;
use luna_actor_runtime::metric_names::ENGINE_TAKEOVERS;

/// A model's residency in memory.
#[derive(Debug)]
pub(crate) struct Residency {
    /// What its programs are told to load.
    pub spec: LoadSpec,
    /// How long that may take; longer means that it hangs.
    load_timeout: Duration,
    kind: EngineKind,
    /// The token and what it calls the residency; `None` if nobody is to be told of its end.
    report: Option<(Inbox<GpuMessage>, Lease)>,
    /// Whether the token knows that it is over.
    told: AtomicBool,
    state: watch::Sender<ResidencyState>,
}

#[derive(Debug)]
struct ResidencyState {
    /// The program that works.
    active: EngineProcess,
    /// Whether it was handed out for work.
    used: bool,
    /// Whether the one before it was.
    after_use: bool,
    standby: Standby,
    phase: Phase,
}

/// Where a residency is on its way. It only goes forward.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    /// The first program is being given its model.
    Loading,
    /// It has it.
    Resident,
    /// No program takes another's place any more: they are told to end, or none was left.
    Ending,
    /// No program is left, and the token was told.
    Released,
}

/// The second program of a residency.
#[derive(Debug, Default)]
enum Standby {
    /// There is none now.
    #[default]
    Absent,
    /// It is being loaded.
    Loading(EngineProcess),
    /// It has the model.
    Ready(EngineProcess),
}

/// What became of a program that stood by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StandbyOutcome {
    /// It works now.
    TookOver {
        /// Whether the program before it had been of use.
        after_use: bool,
    },
    /// It is gone.
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
    /// Draws the consequence if the program that works has ended: the one that stands by takes its place, or all is over. Whether anything
    /// changed.
    fn settle(&mut self, kind: EngineKind) -> bool {
        if self.phase >= Phase::Ending || self.active.is_alive() {
            return false;
        }
        match &self.standby {
            Standby::Ready(process) if process.is_alive() => {
                self.active = process.clone();
                self.standby = Standby::Absent;
                self.after_use = std::mem::take(&mut self.used);
                metrics::counter!(ENGINE_TAKEOVERS, "engine" => kind.name()).increment(1);
                tracing::info!(engine = kind.name(), "The engine ended; the one that stood by takes its place.");
            }
            Standby::Absent | Standby::Loading(_) | Standby::Ready(_) => self.stop(),
        }
        true
    }

    /// Goes on to a phase; never back.
    fn advance(&mut self, to: Phase) {
        self.phase = self.phase.max(to);
    }

    fn stop(&mut self) {
        self.advance(Phase::Ending);
        self.active.kill();
        if let Some(process) = self.standby.process() {
            process.kill();
        }
    }
}

impl Residency {
    /// Begins with a program that has yet to load. `report`: the token that is to hear of its end, and what it calls the residency. `standby`: the
    /// program for a second one, if one is wanted, and the gate through which it may load.
    pub fn begin(
        kind: EngineKind,
        report: Option<(Inbox<GpuMessage>, Lease)>,
        (spec, load_timeout): (LoadSpec, Duration),
        active: EngineProcess,
        standby: Option<(EngineProgram, LoadGate)>,
    ) -> Arc<Self> {
        let (phase, no_standby) = (Phase::Loading, Standby::Absent);
        let state = ResidencyState { active, used: false, after_use: false, standby: no_standby, phase };
        let (told, state) = (AtomicBool::new(false), watch::Sender::new(state));
        let residency = Arc::new(Self { spec, load_timeout, kind, report, told, state });
        tokio::spawn(residency.clone().watch_until_released(standby));
        residency
    }

    /// The lease under which it was loaded: what the token calls it.
    pub fn loaded_by(&self) -> Option<Lease> {
        self.report.as_ref().map(|(_, loaded_by)| *loaded_by)
    }

    /// Looks after it until no program is left, then tells the token.
    async fn watch_until_released(self: Arc<Self>, standby: Option<(EngineProgram, LoadGate)>) {
        let keep = async {
            if let Some((program, gate)) = &standby {
                standby::keep(&self, program, gate).await;
            }
        };
        // Each comes back when its programs are gone.
        tokio::join!(self.last_has_ended(), keep);
        if let Some((token, loaded_by)) = &self.report
            && !self.told.swap(true, Ordering::AcqRel)
        {
            let (holder, loaded_by) = (self.kind, *loaded_by);
            tell(token, move || GpuMessage::Unloaded { holder, loaded_by });
        }
        self.state.send_modify(|state| state.advance(Phase::Released));
    }

    async fn last_has_ended(&self) {
        loop {
            let active = self.state.borrow().active.clone();
            active.ended().await;
            if self.living().is_none() {
                return;
            }
        }
    }

    /// The program that works, while one lives: if it ended by itself, the one that stood by.
    pub fn living(&self) -> Option<EngineProcess> {
        self.living_and(|_| ())
    }

    /// As [`Self::living`], for work; none before it has its model, nor if all is about to end.
    pub fn use_active(&self) -> Option<EngineProcess> {
        let mut resident = false;
        let process = self.living_and(|state| {
            state.used = true;
            resident = state.phase == Phase::Resident;
        });
        process.filter(|_| resident)
    }

    fn living_and(&self, then: impl FnOnce(&mut ResidencyState)) -> Option<EngineProcess> {
        let mut living = None;
        self.state.send_if_modified(|state| {
            let changed = state.settle(self.kind);
            if state.active.is_alive() {
                living = Some(state.active.clone());
                then(state);
            }
            changed
        });
        living
    }

    /// The program that stands by and is ready.
    pub fn standing_by(&self) -> Option<EngineProcess> {
        match &self.state.borrow().standby {
            Standby::Ready(process) if process.is_alive() => Some(process.clone()),
            Standby::Absent | Standby::Loading(_) | Standby::Ready(_) => None,
        }
    }

    /// Whether a program is there that may hold memory. One that did not greet yet holds none.
    pub fn may_hold_memory(&self) -> bool {
        self.living().is_some() || self.state.borrow().standby.process().is_some_and(EngineProcess::is_alive)
    }

    /// The first program has the model and is handed out.
    pub fn loaded(&self) {
        self.state.send_modify(|state| {
            state.advance(Phase::Resident);
            state.used = true;
        });
    }

    /// Ends it at once. From any thread.
    pub fn stop(&self) {
        self.state.send_modify(ResidencyState::stop);
    }

    /// Waits until no program is left and the token knows.
    pub async fn released(&self) {
        self.until(|state| state.phase == Phase::Released).await;
    }

    /// Ends it; its programs may take so long to end by themselves.
    pub async fn close(&self, budget: Duration) {
        self.state.send_modify(|state| state.advance(Phase::Ending));
        let active = self.state.borrow().active.clone();
        // One that is still being loaded is ended by who loads it.
        let standby = self.standing_by();
        let close_standby = async {
            if let Some(standby) = standby {
                standby.close(budget).await;
            }
        };
        tokio::join!(active.close(budget), close_standby);
        self.released().await;
    }

    /// The token needs not be told.
    pub fn keep_quiet(&self) {
        self.told.store(true, Ordering::Release);
    }

    /// Waits for its first program to have the model; false if it is over before.
    async fn is_loaded(&self) -> bool {
        self.until(|state| state.phase > Phase::Loading).await;
        self.state.borrow().phase == Phase::Resident
    }

    /// Returns once it is over.
    async fn over(&self) {
        self.until(|state| state.phase >= Phase::Ending).await;
    }

    /// What `work` gives, unless it is over before.
    async fn lasts<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = self.over() => None,
            done = work => Some(done),
        }
    }

    /// Whether work can begin at once.
    pub fn is_warm(&self) -> bool {
        self.living().is_some() && self.state.borrow().phase == Phase::Resident
    }

    /// Puts the program that stands by into its place; false if it is over, and nobody is to stand by any more.
    fn place(&self, standby: Standby) -> bool {
        self.state.send_if_modified(|state| {
            let lasts = state.phase < Phase::Ending;
            if lasts {
                state.standby = standby;
            }
            lasts
        })
    }

    /// Nobody stands by any more; the program that did has ended.
    fn clear(&self) {
        self.state.send_modify(|state| state.standby = Standby::Absent);
    }

    /// Waits until a program that is ready no longer stands by.
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
