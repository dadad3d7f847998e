//! The GpuToken actor: which engines may have a model in memory (GPU-1 to GPU-5).
//!
//! **Receives** [`GpuMessage`]. **Sends** grants and refusals to claimants, and [`ResidencyOrder`]s to holders. [`luna_ledger`] decides. **Never**
//! loads anything, never treats memory as free before its holder reports it or the holder's program is gone, never waits for a holder.
//!
//! The ledger, the waiting claims and the pending effects live in [`GpuShared`], outside the actor. They survive its crash: the next incarnation
//! continues with the leases that are actually in use. Each step is atomic: it works on a copy of the ledger and commits the copy with its
//! effects, or changes nothing.

#![forbid(unsafe_code)]

mod perform;
mod shared;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use luna_actor_runtime::actor::{Actor, ActorContext, ActorError};
use luna_actor_runtime::blocking::BlockingService;
use luna_actor_runtime::cause::Cause;
use luna_actor_runtime::task::Task;
use luna_ledger::{LedgerEvent, Terms, budgets, may_claim_memory};
use luna_messages::engine::EngineKind;
use luna_messages::gpu::{GpuMessage, GpuRefusal, GpuStatus, ResidencyOrder};
use luna_platform::card::{Card, CardMemory, Memory};
use tokio::sync::oneshot;
use tokio::time::Instant;

pub use crate::shared::GpuShared;

/// Interval of checks whether an engine that is being unloaded or ended is gone.
const END_CHECK_INTERVAL: Duration = Duration::from_millis(20);
/// Health-check interval of engines with a model, in case the end of an engine is not reported.
const HEALTH_CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// How long a measurement of the card counts while models are in use. Otherwise nothing is measured, so that a card can sleep.
const MEASUREMENT_LIFETIME: Duration = Duration::from_secs(30);
/// How long a start waits for the first measurement.
const FIRST_MEASUREMENT: Duration = Duration::from_millis(1000);

const MB: u64 = 1 << 20;

/// The configuration's section `gpu`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GpuSettings {
    /// Memory budget of models in MB: on the card, and the same in RAM; never more than there is.
    pub budget_mb: u64,
    /// How long an idle model stays in memory (GPU-4).
    pub linger: Duration,
    /// How long a holder has to handle an order (GPU-2).
    pub grace: Duration,
    pub wait_bound: Duration,
    /// Whether Luna listens in full mode; then Whisper may use the card (GPU-5).
    pub listening_full: bool,
}

/// The link to the holder of one engine's models. Each function returns at once.
#[derive(Clone)]
pub struct ResidencyLink {
    /// Posts an order to the holder's actor. If the order is lost, the token calls `end` after the grace period.
    pub order: Arc<dyn Fn(ResidencyOrder) + Send + Sync>,
    /// Ends the engine's program now, also if its actor hangs, and cancels a start in progress.
    pub end: Arc<dyn Fn() + Send + Sync>,
    /// Whether a program of the engine runs that may hold memory. True from before `Loaded` is sent until the program is gone.
    pub alive: Arc<dyn Fn() -> bool + Send + Sync>,
}

/// The GpuToken actor's dependencies.
#[derive(Clone)]
pub struct GpuDependencies {
    /// The state that outlives the actor.
    pub shared: GpuShared,
    /// The possible holders of models. Claims of others are refused.
    pub holders: HashMap<EngineKind, ResidencyLink>,
    pub card: BlockingService<dyn Card>,
    /// Reads the size of RAM.
    pub memory: Arc<dyn Memory>,
    /// Returns the current settings; called at each step.
    pub settings: Arc<dyn Fn() -> GpuSettings + Send + Sync>,
}

/// Measured properties of the machine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct MeasuredMachine {
    pub card: Option<CardMemory>,
    pub ram_total: Option<u64>,
}

/// Applies messages to the ledger and performs the ledger's effects.
pub struct GpuActor {
    dependencies: GpuDependencies,
    /// The next tick and its time.
    timer: Option<(Instant, Task)>,
    /// The last measurement and the time at which it began.
    measurement: Option<(Instant, Task)>,
}

impl GpuActor {
    #[must_use]
    pub const fn new(dependencies: GpuDependencies) -> Self {
        Self { dependencies, timer: None, measurement: None }
    }

    fn terms(&self) -> Terms {
        let settings = (self.dependencies.settings)();
        let measured = self.dependencies.shared.measured();
        let total = measured.card.map(|card| card.total);
        let (card, ram) = budgets(settings.budget_mb.saturating_mul(MB), total, measured.ram_total);
        Terms {
            card,
            ram,
            listening_full: settings.listening_full,
            linger: settings.linger,
            grace: settings.grace,
            wait_bound: settings.wait_bound,
        }
    }

    /// Applies one event under the current rules and performs the effects.
    fn step(&self, event: LedgerEvent) {
        let shared = &self.dependencies.shared;
        shared.step(self.terms(), event);
        while let Some(effect) = shared.next_effect() {
            self.perform(effect);
        }
        shared.publish_gauges();
    }

    /// Reports engines as gone that should have a running program and have none (GPU-3).
    fn check_programs(&self) {
        for engine in self.dependencies.shared.should_live() {
            if self.dependencies.holders.get(&engine).is_none_or(|link| !(link.alive)()) {
                self.step(LedgerEvent::Gone(engine));
            }
        }
    }

    /// Measures the machine in a task of its own, which posts a tick. The receiver resolves when the measurement ends.
    fn measure(&mut self, context: &ActorContext<GpuMessage>) -> oneshot::Receiver<()> {
        let (done, finished) = oneshot::channel();
        let (asked, memory, shared) =
            (self.dependencies.card.clone(), self.dependencies.memory.clone(), self.dependencies.shared.clone());
        let inbox = context.inbox().clone();
        let task = context.spawn_service(async move {
            let ram = move || memory.memory().map(|ram| ram.total);
            if let Ok(measured) = asked.ask(move |card| MeasuredMachine { card: card.memory(), ram_total: ram() }).await
            {
                shared.set_measured(measured);
            }
            // The receiver may no longer wait; the tick then applies the result. If the tick is refused, later ticks follow.
            let _ = done.send(());
            let _ = inbox.post(GpuMessage::Tick);
        });
        self.measurement = Some((Instant::now(), task));
        finished
    }

    /// Sets the timer for the next due time.
    fn set_timer(&mut self, context: &ActorContext<GpuMessage>) {
        let shared = &self.dependencies.shared;
        let upcoming = shared.upcoming();
        let now = Instant::now();
        if upcoming.in_use
            && self
                .measurement
                .as_ref()
                .is_none_or(|(since, task)| task.is_finished() && now.duration_since(*since) >= MEASUREMENT_LIFETIME)
        {
            // The tick that follows the measurement applies the result.
            drop(self.measure(context));
        }
        let next_check = if upcoming.awaits_end {
            Some(now + END_CHECK_INTERVAL)
        } else {
            upcoming.in_use.then_some(now + HEALTH_CHECK_INTERVAL)
        };
        let next = [upcoming.wake_at, next_check].into_iter().flatten().min();
        match (next, &self.timer) {
            (None, _) => self.timer = None,
            // An earlier timer suffices; it reschedules.
            (Some(next), Some((at, task))) if *at <= next && !task.is_finished() => {}
            (Some(next), _) => {
                // The timer is shared, so it must not take the cause of the message that set it.
                let set_timer = || context.send_after(next.saturating_duration_since(now), GpuMessage::Tick);
                let tick = Cause::none().scope(set_timer);
                self.timer = Some((next, tick));
            }
        }
    }

    fn status(&self) -> GpuStatus {
        let terms = self.terms();
        let place =
            self.dependencies.shared.place_of(EngineKind::Llm).unwrap_or_else(|| terms.place_of(EngineKind::Llm));
        let budget = terms.budget(place);
        let card = self.dependencies.shared.measured().card.map(|card| card.name);
        self.dependencies.shared.status(card, budget / MB)
    }
}

#[async_trait]
impl Actor for GpuActor {
    type Message = GpuMessage;
    const NAME: &'static str = "gpu";

    async fn started(&mut self, context: &ActorContext<GpuMessage>) -> Result<(), ActorError> {
        if !self.dependencies.shared.is_measured() {
            let measured = self.measure(context);
            // If the card's driver takes longer, the card counts once it answers.
            let _ = tokio::time::timeout(FIRST_MEASUREMENT, measured).await;
        }
        // If the previous incarnation crashed while it delivered a grant, that grant counts as undelivered.
        match self.dependencies.shared.interrupted() {
            Some(event) => self.step(event),
            None => self.step(LedgerEvent::Tick),
        }
        self.set_timer(context);
        Ok(())
    }

    async fn handle(&mut self, message: GpuMessage, context: &ActorContext<GpuMessage>) -> Result<(), ActorError> {
        match message {
            GpuMessage::Acquire { claim, reply } => {
                if may_claim_memory(claim.holder) && self.dependencies.holders.contains_key(&claim.holder) {
                    self.dependencies.shared.expect(claim.id, reply);
                    self.step(LedgerEvent::Claim(claim));
                } else {
                    reply.answer(Err(GpuRefusal::UnknownHolder { engine: claim.holder.name() }));
                }
            }
            GpuMessage::Withdraw { id } => {
                self.step(LedgerEvent::Withdraw(id));
                self.dependencies.shared.forget(id);
            }
            GpuMessage::Loaded { lease } => self.step(LedgerEvent::Loaded(lease)),
            GpuMessage::Release { lease } => self.step(LedgerEvent::Release(lease)),
            GpuMessage::Unloaded { holder, loaded_by } => self.step(LedgerEvent::Unloaded { holder, loaded_by }),
            GpuMessage::Ability { holder, card } => self.step(LedgerEvent::Ability { holder, card }),
            GpuMessage::Used { loaded_by, place, bytes } => self.step(LedgerEvent::Used { loaded_by, place, bytes }),
            GpuMessage::Status { reply } => reply.answer(self.status()),
            GpuMessage::Tick => {
                self.check_programs();
                self.step(LedgerEvent::Tick);
            }
        }
        self.set_timer(context);
        Ok(())
    }

    async fn stopping(&mut self, _: &ActorContext<GpuMessage>) {
        (self.timer, self.measurement) = (None, None);
        // Engines are ended by their own actors (KER-10).
        self.step(LedgerEvent::End);
    }
}
