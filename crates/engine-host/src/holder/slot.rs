//! The engine program of an actor that holds models: started at need, ended on order, from inside and from outside.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use luna_engine_protocol::LoadSpec;
use luna_messages::engine::EngineKind;
use luna_messages::gpu::{GpuMessage, Lease, Place};

use super::HeldModel;
use super::lease::{Granted, tell};
use super::loads::{Loading, Loads};
use super::stay::Stay;
use crate::engine::{EngineFailure, EngineHost, EngineProgram};
use luna_actor_runtime::inbox::Inbox;
use luna_mailbox::sync::lock;

/// How long loading a model may take besides reading it; longer means that it hangs, and everything behind it waits (KER-4).
const LOADING: Duration = Duration::from_secs(30);
/// Bytes a second that the slowest disk gives from which anybody would load a model.
const SLOWEST_DISK: u64 = 16 << 20;
/// How long a program has to end by itself when its model is to leave.
const ENDING: Duration = Duration::from_millis(500);

/// Where the engine programs of one kind are while they run: one that works and, where the model says so, one that stands by. It outlives the
/// actor, and whoever has it can end the programs (GPU-2, KER-10).
#[derive(Debug)]
pub struct EngineSlot {
    kind: EngineKind,
    token: Inbox<GpuMessage>,
    /// Who else loads under this token.
    loads: Loads,
    /// The model that is in memory, or was last.
    stay: Mutex<Option<Arc<Stay>>>,
    /// How often it was ended from outside, so that a start under way does not go on.
    ends: AtomicU64,
    /// Held while a model is loaded or its programs are ended.
    turn: tokio::sync::Mutex<()>,
}

impl Drop for EngineSlot {
    fn drop(&mut self) {
        // Whoever watches for its end has a handle, too, so it would not end by itself.
        self.end();
    }
}

/// What came of making an engine ready.
#[derive(Debug)]
pub enum Readied {
    /// It has the model.
    Ready(EngineHost, Granted),
    /// The token took a model for resident that was not. It knows better now; a new lease is needed.
    AskAgain,
    /// It could not be loaded; nothing is resident.
    Failed(EngineFailure),
}

/// Ends a program that is dropped in the middle of loading, and gives the lease back only once it is gone: its memory must not be taken for
/// free before.
struct Unfinished {
    load: Option<(EngineHost, Granted, Loading)>,
}

impl Unfinished {
    fn finish(mut self) -> Option<(EngineHost, Granted)> {
        self.load.take().map(|(host, granted, _)| (host, granted))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let Some((host, granted, loading)) = self.load.take() else { return };
        host.kill();
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                host.ended().await;
                drop((granted, loading));
            });
        }
    }
}

impl EngineSlot {
    /// An empty slot for engines of `kind`. `loads` is the same for all slots of a token.
    #[must_use]
    pub fn new(kind: EngineKind, token: Inbox<GpuMessage>, loads: Loads) -> Arc<Self> {
        let (stay, turn) = (Mutex::new(None), tokio::sync::Mutex::new(()));
        Arc::new(Self { kind, token, loads, stay, ends: AtomicU64::new(0), turn })
    }

    /// Whose engine it is.
    #[must_use]
    pub const fn kind(&self) -> EngineKind {
        self.kind
    }

    /// The token that it asks.
    #[must_use]
    pub const fn token(&self) -> &Inbox<GpuMessage> {
        &self.token
    }

    /// Process id of the program that works, where one runs.
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        self.stay().and_then(|stay| stay.living()).map(|host| host.pid())
    }

    /// Process id of the program that stands by with its model, where one does.
    #[must_use]
    pub fn standby_pid(&self) -> Option<u32> {
        self.stay().and_then(|stay| stay.standing_by()).map(|host| host.pid())
    }

    /// Whether a program runs that may hold memory.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.stay().is_some_and(|stay| stay.may_hold_memory())
    }

    /// Whether a program has its model and can work at once.
    #[must_use]
    pub fn is_warm(&self) -> bool {
        self.stay().is_some_and(|stay| stay.is_warm())
    }

    /// Ends its programs at once, whatever they do, also while they start; their work fails. From any thread, also when the actor hangs.
    pub fn end(&self) {
        self.ends.fetch_add(1, Ordering::AcqRel);
        if let Some(stay) = self.stay() {
            stay.end();
        }
    }

    fn stay(&self) -> Option<Arc<Stay>> {
        lock(&self.stay).clone()
    }

    /// Makes the engine ready for work under a lease. Dropping the future ends a program that was loading.
    pub async fn ready(self: &Arc<Self>, program: &EngineProgram, model: &HeldModel, granted: Granted) -> Readied {
        let _turn = self.turn.lock().await;
        let grant = granted.grant();
        let spec = (model.spec)(grant.place);
        if !grant.load {
            // The token may have learnt that the model lives elsewhere than where it was sent (GPU-6).
            let as_wanted = |it: &Arc<Stay>| it.spec == spec || it.spec == (model.spec)(Place::Card);
            let stay = self.stay().filter(|it| it.loaded_by == grant.loaded_by && as_wanted(it));
            if let Some(host) = stay.and_then(|stay| stay.engage()) {
                return Readied::Ready(host, granted);
            }
            // It died, or the settings changed.
            self.vacate().await;
            let (holder, loaded_by) = (self.kind, grant.loaded_by);
            tell(&self.token, move || GpuMessage::Unloaded { holder, loaded_by });
            return Readied::AskAgain;
        }
        self.vacate().await;
        // On a card a second program would take memory of a size that nobody knows, for the card's driver.
        let standby = model.standby && grant.place == Place::Ram;
        match self.load(program, (spec, loads_within(model.bytes)), standby, granted).await {
            Ok(Some((host, granted))) => Readied::Ready(host, granted),
            Ok(None) => Readied::AskAgain,
            Err(failure) => Readied::Failed(failure),
        }
    }

    /// `None` where the engine can't use the place that was granted, which the token knows now (GPU-6).
    async fn load(
        self: &Arc<Self>,
        program: &EngineProgram,
        (spec, within): (LoadSpec, Duration),
        standby: bool,
        granted: Granted,
    ) -> Result<Option<(EngineHost, Granted)>, EngineFailure> {
        let ends = self.ends.load(Ordering::Acquire);
        let loading = self.loads.allowed().await;
        let host = EngineHost::start(program).await?;
        let holder = self.kind;
        let card = host.backends().iter().any(|backend| backend.is_card());
        tell(&self.token, move || GpuMessage::Ability { holder, card });
        if !card && granted.grant().place == Place::Card {
            host.kill();
            host.ended().await;
            let loaded_by = granted.grant().loaded_by;
            tell(&self.token, move || GpuMessage::Unloaded { holder, loaded_by });
            return Ok(None);
        }
        let programs = 1 + u64::from(standby);
        let standby = standby.then(|| (program.clone(), self.loads.clone()));
        let stay = (spec.clone(), within, granted.grant().loaded_by);
        let stay = Stay::begin(self.kind, self.token.clone(), stay, host.clone(), standby);
        // From here on it can be ended from outside.
        *lock(&self.stay) = Some(stay.clone());
        if self.ends.load(Ordering::Acquire) != ends {
            stay.end();
        }
        let unfinished = Unfinished { load: Some((host.clone(), granted, loading)) };
        let loaded = match tokio::time::timeout(within, host.load(spec)).await {
            Ok(loaded) => loaded?,
            Err(_) => {
                let limit_s = within.as_secs();
                tracing::warn!(
                    engine = self.kind.name(),
                    limit_s,
                    "A model was not loaded in time, as by a disk that hangs; its engine is ended."
                );
                return Err(EngineFailure::TimedOut { what: "the loaded model", after: within });
            }
        };
        for note in &loaded.notes {
            let (topic, reason) = (&note.topic, &note.reason);
            tracing::info!(engine = self.kind.name(), topic, reason, "The engine has a limitation.");
        }
        let (host, granted) = unfinished.finish().ok_or(EngineFailure::Cancelled)?;
        stay.loaded();
        let lease = granted.lease();
        tell(&self.token, move || GpuMessage::Loaded { lease });
        let (place, bytes) = match loaded.card_bytes {
            0 => (Place::Ram, loaded.resident_bytes.saturating_mul(programs)),
            bytes => (Place::Card, bytes),
        };
        let loaded_by = granted.grant().loaded_by;
        tell(&self.token, move || GpuMessage::Used { loaded_by, place, bytes });
        Ok(Some((host, granted)))
    }

    /// Gives the memory of a model's stay back, with everything else of its programs: they end (ENG-3). What is not here any more, the token
    /// is told at once.
    pub async fn unload(&self, loaded_by: Lease) {
        let _turn = self.turn.lock().await;
        if let Some(stay) = self.stay().filter(|stay| stay.loaded_by == loaded_by) {
            stay.close(ENDING).await;
            self.vacate().await;
        } else {
            let holder = self.kind;
            tell(&self.token, move || GpuMessage::Unloaded { holder, loaded_by });
        }
    }

    /// Ends its programs at Luna's end.
    pub async fn close(&self, budget: Duration) {
        if let Some(stay) = self.stay() {
            stay.keep_quiet();
            stay.close(budget).await;
        }
    }

    /// Makes sure that no program runs and that the token knows. The stay keeps its place until they are gone, so that nobody takes them for
    /// gone before.
    async fn vacate(&self) {
        if let Some(stay) = self.stay() {
            stay.end();
            stay.gone().await;
            *lock(&self.stay) = None;
        }
    }
}

/// How long it may take to load a model that needs so many bytes of memory: half a minute for a small one, some four minutes for one of 4 GB.
const fn loads_within(bytes: u64) -> Duration {
    LOADING.saturating_add(Duration::from_secs(bytes / SLOWEST_DISK))
}
