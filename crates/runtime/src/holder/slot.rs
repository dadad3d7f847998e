//! The engine program of an actor that holds models: started at need, ended on order, from inside and from outside.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use luna_messages::engine::{EngineKind, LoadSpec};
use luna_messages::gpu::{GpuMessage, Lease};

use super::HeldModel;
use super::lease::{Granted, tell};
use crate::engine::{EngineFailure, EngineHost, EngineProgram};
use crate::inbox::Inbox;
use crate::sync::lock;

/// How long loading a model may take; longer means that it hangs.
const LOADING: Duration = Duration::from_secs(300);
/// How long a program has to end by itself when its model is to leave.
const ENDING: Duration = Duration::from_millis(500);

/// Where the engine program of one kind is while it runs. It outlives the actor, and whoever has it can end the program (GPU-2, KER-10).
#[derive(Debug)]
pub struct EngineSlot {
    kind: EngineKind,
    token: Inbox<GpuMessage>,
    /// The program that runs, or ran last.
    tenant: Mutex<Option<Arc<Tenant>>>,
    /// How often it was ended from outside, so that a start under way does not go on.
    ends: AtomicU64,
    /// Held while a program is started, loaded or ended.
    turn: tokio::sync::Mutex<()>,
}

/// A program with its model.
#[derive(Debug)]
struct Tenant {
    host: EngineHost,
    /// What it was told to load.
    spec: LoadSpec,
    /// What the token calls the model's stay in memory.
    loaded_by: Lease,
    /// Whether the token knows that it has gone.
    told: AtomicBool,
}

impl Tenant {
    /// Tells the token once that the program is gone (GPU-3).
    fn tell_gone(&self, token: &Inbox<GpuMessage>, holder: EngineKind) {
        let loaded_by = self.loaded_by;
        if !self.told.swap(true, Ordering::AcqRel) {
            tell(token, move || GpuMessage::Unloaded { holder, loaded_by });
        }
    }
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
    loading: Option<(EngineHost, Granted)>,
}

impl Unfinished {
    fn finish(mut self) -> Option<(EngineHost, Granted)> {
        self.loading.take()
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let Some((host, granted)) = self.loading.take() else { return };
        host.kill();
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                host.ended().await;
                drop(granted);
            });
        }
    }
}

impl EngineSlot {
    /// An empty slot for engines of `kind`.
    #[must_use]
    pub fn new(kind: EngineKind, token: Inbox<GpuMessage>) -> Arc<Self> {
        let (tenant, turn) = (Mutex::new(None), tokio::sync::Mutex::new(()));
        Arc::new(Self { kind, token, tenant, ends: AtomicU64::new(0), turn })
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

    /// Process id of the program, where one runs.
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        self.tenant().filter(|tenant| tenant.host.is_alive()).map(|tenant| tenant.host.pid())
    }

    /// Whether a program runs that may hold memory.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.tenant().is_some_and(|tenant| tenant.host.is_alive())
    }

    /// Ends the program at once, whatever it does, also while it starts; its work fails. From any thread, also when the actor hangs.
    pub fn end(&self) {
        self.ends.fetch_add(1, Ordering::AcqRel);
        if let Some(tenant) = self.tenant() {
            tenant.host.kill();
        }
    }

    fn tenant(&self) -> Option<Arc<Tenant>> {
        lock(&self.tenant).clone()
    }

    /// Makes the engine ready for work under a lease. Dropping the future ends a program that was loading.
    pub async fn ready(self: &Arc<Self>, program: &EngineProgram, model: &HeldModel, granted: Granted) -> Readied {
        let _turn = self.turn.lock().await;
        let grant = granted.grant();
        let spec = (model.spec)(grant.place);
        let tenant = self.tenant().filter(|tenant| tenant.host.is_alive());
        if !grant.load {
            if let Some(tenant) = tenant.filter(|it| it.spec == spec && it.loaded_by == grant.loaded_by) {
                return Readied::Ready(tenant.host.clone(), granted);
            }
            // It died, or the settings changed.
            self.vacate().await;
            let (holder, loaded_by) = (self.kind, grant.loaded_by);
            tell(&self.token, move || GpuMessage::Unloaded { holder, loaded_by });
            return Readied::AskAgain;
        }
        self.vacate().await;
        match self.load(program, spec, granted).await {
            Ok((host, granted)) => {
                let lease = granted.lease();
                tell(&self.token, move || GpuMessage::Loaded { lease });
                Readied::Ready(host, granted)
            }
            Err(failure) => Readied::Failed(failure),
        }
    }

    async fn load(
        self: &Arc<Self>,
        program: &EngineProgram,
        spec: LoadSpec,
        granted: Granted,
    ) -> Result<(EngineHost, Granted), EngineFailure> {
        let ends = self.ends.load(Ordering::Acquire);
        let host = EngineHost::start(program).await?;
        let loaded_by = granted.grant().loaded_by;
        let tenant =
            Arc::new(Tenant { host: host.clone(), spec: spec.clone(), loaded_by, told: AtomicBool::new(false) });
        // From here on it can be ended from outside.
        *lock(&self.tenant) = Some(tenant.clone());
        tokio::spawn(watch(tenant, self.token.clone(), self.kind));
        if self.ends.load(Ordering::Acquire) != ends {
            host.kill();
        }
        let unfinished = Unfinished { loading: Some((host.clone(), granted)) };
        let loaded = match tokio::time::timeout(LOADING, host.load(spec)).await {
            Ok(loaded) => loaded?,
            Err(_) => return Err(EngineFailure::TimedOut { what: "the loaded model", after: LOADING }),
        };
        for note in &loaded.notes {
            let (topic, reason) = (&note.topic, &note.reason);
            tracing::info!(engine = self.kind.name(), topic, reason, "The engine has a limitation.");
        }
        unfinished.finish().ok_or(EngineFailure::Cancelled)
    }

    /// Gives the memory of a model's stay back, with everything else of the program: it ends (ENG-3). What is not here any more, the token
    /// is told at once.
    pub async fn unload(&self, loaded_by: Lease) {
        let _turn = self.turn.lock().await;
        if let Some(tenant) = self.tenant().filter(|tenant| tenant.loaded_by == loaded_by) {
            tenant.host.clone().close(ENDING).await;
            self.vacate().await;
        } else {
            let holder = self.kind;
            tell(&self.token, move || GpuMessage::Unloaded { holder, loaded_by });
        }
    }

    /// Ends the program at Luna's end.
    pub async fn close(&self, budget: Duration) {
        if let Some(tenant) = self.tenant() {
            tenant.told.store(true, Ordering::Release);
            tenant.host.clone().close(budget).await;
        }
    }

    /// Makes sure that no program runs and that the token knows. The program stays in its place until it is gone, so that nobody takes it for
    /// gone before.
    async fn vacate(&self) {
        if let Some(tenant) = self.tenant() {
            tenant.host.kill();
            tenant.host.ended().await;
            tenant.tell_gone(&self.token, self.kind);
            *lock(&self.tenant) = None;
        }
    }
}

/// Tells the token of a program that ended by itself or was ended from outside (GPU-3).
async fn watch(tenant: Arc<Tenant>, token: Inbox<GpuMessage>, holder: EngineKind) {
    tenant.host.ended().await;
    tenant.tell_gone(&token, holder);
}
