//! A model's stay in memory: the program that works, the one that stands by where it is wanted, and their end.
//!
//! **Invariant:** who ends by itself is replaced at most by a program that was loaded under the same stay; who was told to end, by nobody.
//! **Invariant:** the token hears of the end of a stay once, when no program of it is left (GPU-3).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use luna_engine_protocol::LoadSpec;
use luna_messages::engine::EngineKind;
use luna_messages::gpu::{GpuMessage, Lease};
use tokio::sync::watch;

use super::lease::tell;
use super::loads::Loads;
use super::standby;
use crate::engine::{EngineHost, EngineProgram};
use luna_actor_runtime::inbox::Inbox;
use luna_actor_runtime::metric_names::ENGINE_TAKEOVERS;

/// A model's stay in memory.
#[derive(Debug)]
pub(super) struct Stay {
    /// What its programs are told to load.
    pub spec: LoadSpec,
    /// How long that may take; longer means that it hangs.
    pub loads_within: Duration,
    /// What the token calls it.
    pub loaded_by: Lease,
    kind: EngineKind,
    token: Inbox<GpuMessage>,
    /// Whether the token knows that it is over.
    told: AtomicBool,
    state: watch::Sender<State>,
}

#[derive(Debug)]
struct State {
    /// The program that works.
    works: EngineHost,
    /// Whether it was handed out for work.
    used: bool,
    /// Whether the one before it was.
    after_use: bool,
    /// Whether the first program has the model.
    loaded: bool,
    standby: Standby,
    /// Nobody takes anybody's place any more: its programs are told to end, or none was left.
    over: bool,
    /// No program is left, and the token was told.
    gone: bool,
}

/// The second program of a stay.
#[derive(Debug, Default)]
pub(super) enum Standby {
    /// There is none now.
    #[default]
    Absent,
    /// It is being loaded.
    Loading(EngineHost),
    /// It has the model.
    Ready(EngineHost),
}

/// What became of a program that stood by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It works now.
    TookOver {
        /// Whether the program before it had been of use.
        after_use: bool,
    },
    /// It is gone.
    Ended,
}

impl Standby {
    const fn host(&self) -> Option<&EngineHost> {
        match self {
            Self::Absent => None,
            Self::Loading(host) | Self::Ready(host) => Some(host),
        }
    }
}

impl State {
    /// Draws the consequence where the program that works has ended: the one that stands by takes its place, or all is over. Whether anything
    /// changed.
    fn settle(&mut self, kind: EngineKind) -> bool {
        if self.over || self.works.is_alive() {
            return false;
        }
        match &self.standby {
            Standby::Ready(host) if host.is_alive() => {
                self.works = host.clone();
                self.standby = Standby::Absent;
                self.after_use = std::mem::take(&mut self.used);
                metrics::counter!(ENGINE_TAKEOVERS, "engine" => kind.name()).increment(1);
                tracing::info!(engine = kind.name(), "The engine ended; the one that stood by takes its place.");
            }
            Standby::Absent | Standby::Loading(_) | Standby::Ready(_) => self.end(),
        }
        true
    }

    fn end(&mut self) {
        self.over = true;
        self.works.kill();
        if let Some(host) = self.standby.host() {
            host.kill();
        }
    }
}

impl Stay {
    /// Begins with a program that has yet to load. `standby`: the program for a second one, where one is wanted, and the turn in which it may load.
    pub fn begin(
        kind: EngineKind,
        token: Inbox<GpuMessage>,
        (spec, loads_within, loaded_by): (LoadSpec, Duration, Lease),
        works: EngineHost,
        standby: Option<(EngineProgram, Loads)>,
    ) -> Arc<Self> {
        let state = State {
            works,
            used: false,
            after_use: false,
            loaded: false,
            standby: Standby::Absent,
            over: false,
            gone: false,
        };
        let (told, state) = (AtomicBool::new(false), watch::Sender::new(state));
        let stay = Arc::new(Self { spec, loads_within, loaded_by, kind, token, told, state });
        tokio::spawn(stay.clone().oversee(standby));
        stay
    }

    /// Looks after it until no program is left, then tells the token.
    async fn oversee(self: Arc<Self>, standby: Option<(EngineProgram, Loads)>) {
        let keep = async {
            if let Some((program, loads)) = &standby {
                standby::keep(&self, program, loads).await;
            }
        };
        // Each comes back when its programs are gone.
        tokio::join!(self.last_has_ended(), keep);
        let (holder, loaded_by) = (self.kind, self.loaded_by);
        if !self.told.swap(true, Ordering::AcqRel) {
            tell(&self.token, move || GpuMessage::Unloaded { holder, loaded_by });
        }
        self.state.send_modify(|state| state.gone = true);
    }

    async fn last_has_ended(&self) {
        loop {
            let works = self.state.borrow().works.clone();
            works.ended().await;
            if self.living().is_none() {
                return;
            }
        }
    }

    /// The program that works, while one lives: where it ended by itself, the one that stood by.
    pub fn living(&self) -> Option<EngineHost> {
        self.living_and(|_| ())
    }

    /// As [`Self::living`], for work; none where all is about to end.
    pub fn engage(&self) -> Option<EngineHost> {
        let mut over = false;
        let host = self.living_and(|state| {
            state.used = true;
            over = state.over;
        });
        host.filter(|_| !over)
    }

    fn living_and(&self, then: impl FnOnce(&mut State)) -> Option<EngineHost> {
        let mut living = None;
        self.state.send_if_modified(|state| {
            let changed = state.settle(self.kind);
            if state.works.is_alive() {
                living = Some(state.works.clone());
                then(state);
            }
            changed
        });
        living
    }

    /// The program that stands by and is ready.
    pub fn standing_by(&self) -> Option<EngineHost> {
        match &self.state.borrow().standby {
            Standby::Ready(host) if host.is_alive() => Some(host.clone()),
            Standby::Absent | Standby::Loading(_) | Standby::Ready(_) => None,
        }
    }

    /// Whether a program is there that may hold memory. One that did not greet yet holds none.
    pub fn may_hold_memory(&self) -> bool {
        self.living().is_some() || self.state.borrow().standby.host().is_some_and(EngineHost::is_alive)
    }

    /// The first program has the model and is handed out.
    pub fn loaded(&self) {
        self.state.send_modify(|state| (state.loaded, state.used) = (true, true));
    }

    /// Ends it at once. From any thread.
    pub fn end(&self) {
        self.state.send_modify(State::end);
    }

    /// Waits until no program is left and the token knows.
    pub async fn gone(&self) {
        self.until(|state| state.gone).await;
    }

    /// Ends it; its programs may take so long to end by themselves.
    pub async fn close(&self, budget: Duration) {
        self.state.send_modify(|state| state.over = true);
        let works = self.state.borrow().works.clone();
        // One that is still being loaded is ended by who loads it.
        let standby = self.standing_by();
        let close_standby = async {
            if let Some(standby) = standby {
                standby.close(budget).await;
            }
        };
        tokio::join!(works.close(budget), close_standby);
        self.gone().await;
    }

    /// The token needs not be told.
    pub fn keep_quiet(&self) {
        self.told.store(true, Ordering::Release);
    }

    /// Waits for its first program to have the model; false where it is over before.
    pub async fn is_loaded(&self) -> bool {
        self.until(|state| state.loaded || state.over).await;
        !self.state.borrow().over
    }

    /// Returns once it is over.
    pub async fn over(&self) {
        self.until(|state| state.over).await;
    }

    /// What `work` gives, unless it is over before.
    pub async fn lasts<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = self.over() => None,
            done = work => Some(done),
        }
    }

    /// Whether work can begin at once.
    pub fn is_warm(&self) -> bool {
        self.living().is_some() && {
            let state = self.state.borrow();
            state.loaded && !state.over
        }
    }

    /// Puts the program that stands by into its place; false where it is over, and nobody is to stand by any more.
    pub fn place(&self, standby: Standby) -> bool {
        self.state.send_if_modified(|state| {
            let lasts = !state.over;
            if lasts {
                state.standby = standby;
            }
            lasts
        })
    }

    /// Nobody stands by any more; the program that did has ended.
    pub fn clear(&self) {
        self.state.send_modify(|state| state.standby = Standby::Absent);
    }

    /// Waits until a program that is ready no longer stands by.
    pub async fn fate(&self, host: &EngineHost) -> Fate {
        tokio::select! {
            biased;
            () = self.until(|state| matches!(state.standby, Standby::Absent)) => {}
            () = host.ended() => {}
        }
        let mut fate = Fate::Ended;
        self.state.send_if_modified(|state| {
            let stood_by = !matches!(state.standby, Standby::Absent);
            if stood_by {
                state.standby = Standby::Absent;
            } else {
                fate = Fate::TookOver { after_use: state.after_use };
            }
            stood_by
        });
        fate
    }

    async fn until(&self, is: impl FnMut(&State) -> bool) {
        // The sender lives in `self`, so this can't fail.
        drop(self.state.subscribe().wait_for(is).await);
    }
}
