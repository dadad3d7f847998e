//! The GpuToken actor: who may have a model in memory (GPU-1 to GPU-5).
//!
//! **Hears** [`GpuMessage`]. **Says** grants and refusals to who claims, and [`ResidencyOrder`]s to who holds. Decisions are made by
//! [`luna_ledger`]. **Never** loads anything, never believes that memory is free before its holder says so or the holder's program is gone,
//! never waits for a holder.
//!
//! The ledger, the claims that wait and the effects that are still to be performed live in [`GpuShared`], outside the actor. So a crash of it
//! frees nothing and loses nothing: the next incarnation goes on with what is really out. A step works on a copy of the ledger and is
//! taken over whole, with its effects, or not at all.

#![forbid(unsafe_code)]

mod perform;
mod shared;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use luna_actor_runtime::actor::{Actor, ActorContext, ActorError};
use luna_actor_runtime::cause::Cause;
use luna_actor_runtime::outside::Outside;
use luna_actor_runtime::task::Task;
use luna_ledger::{LedgerEvent, Terms, budgets, takes_part};
use luna_messages::engine::EngineKind;
use luna_messages::gpu::{GpuMessage, GpuRefusal, GpuStatus, ResidencyOrder};
use luna_platform::card::{Card, CardMemory, Memory};
use tokio::sync::oneshot;
use tokio::time::Instant;

pub use crate::shared::GpuShared;

/// How often it is looked whether an engine that was ended is gone.
const LOOK_FOR_END: Duration = Duration::from_millis(20);
/// How often it is looked whether engines that hold a model still run, for the case that nobody can say so.
const LOOK_FOR_LIFE: Duration = Duration::from_secs(1);
/// How long a measurement of the card counts while models are in use. Without use nothing is measured, so that a card can sleep.
const MEASURE_AGAIN: Duration = Duration::from_secs(30);
/// How long a start waits for the first measurement.
const FIRST_MEASUREMENT: Duration = Duration::from_millis(1000);

const MB: u64 = 1 << 20;

/// What the configuration says, `gpu`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GpuSettings {
    /// Memory that models may have, in MB: on the card, and as much in RAM; never more than there is.
    pub budget_mb: u64,
    /// An idle model stays so long (GPU-4).
    pub linger: Duration,
    /// How long a holder has to obey (GPU-2).
    pub grace: Duration,
    pub wait_bound: Duration,
    /// Whether Luna listens in full mode; then Whisper may have the card (GPU-5).
    pub listening_full: bool,
}

/// How to reach who holds models of one engine. All of them return at once.
#[derive(Clone)]
pub struct ResidencyLink {
    /// Posts an order to the holder's actor. One that is lost is made up for by `end`.
    pub order: Arc<dyn Fn(ResidencyOrder) + Send + Sync>,
    /// Ends the engine's program now, also if its actor hangs, and a start that is under way.
    pub end: Arc<dyn Fn() + Send + Sync>,
    /// Whether a program of the engine runs that may hold memory. True from before `Loaded` is said until the program is gone.
    pub alive: Arc<dyn Fn() -> bool + Send + Sync>,
}

/// What the GpuToken actor uses.
#[derive(Clone)]
pub struct GpuDependencies {
    /// What outlives the actor.
    pub shared: GpuShared,
    /// Who holds models. Claims of others are refused.
    pub holders: HashMap<EngineKind, ResidencyLink>,
    /// The graphics card.
    pub card: Outside<dyn Card>,
    /// The computer's memory.
    pub memory: Arc<dyn Memory>,
    /// The settings as they are now.
    pub settings: Arc<dyn Fn() -> GpuSettings + Send + Sync>,
}

/// What was measured of the machine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Measured {
    pub card: Option<CardMemory>,
    pub ram_total: Option<u64>,
}

/// The GpuToken actor.
pub struct GpuActor {
    dependencies: GpuDependencies,
    /// The next tick and when it comes.
    timer: Option<(Instant, Task)>,
    /// The measurement under way, and when the last one began.
    measuring: Option<(Instant, Task)>,
}

impl GpuActor {
    /// An actor on `dependencies`.
    #[must_use]
    pub const fn new(dependencies: GpuDependencies) -> Self {
        Self { dependencies, timer: None, measuring: None }
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

    /// Takes one event, by the rules that hold now, and does what follows.
    fn step(&self, event: LedgerEvent) {
        let shared = &self.dependencies.shared;
        shared.step(self.terms(), event);
        while let Some(effect) = shared.next_effect() {
            self.perform(effect);
        }
        shared.tell_gauges();
    }

    /// Who should have a running program and has none is gone (GPU-3).
    fn look_for_the_dead(&self) {
        for engine in self.dependencies.shared.should_live() {
            if self.dependencies.holders.get(&engine).is_none_or(|link| !(link.alive)()) {
                self.step(LedgerEvent::Gone(engine));
            }
        }
    }

    /// Measures the machine beside the handlers; a tick follows. The receiver hears when it is done.
    fn measure(&mut self, context: &ActorContext<GpuMessage>) -> oneshot::Receiver<()> {
        let (done, finished) = oneshot::channel();
        let (asked, memory, shared) =
            (self.dependencies.card.clone(), self.dependencies.memory.clone(), self.dependencies.shared.clone());
        let inbox = context.inbox().clone();
        let task = context.spawn_service(async move {
            let ram = move || memory.memory().map(|ram| ram.total);
            if let Ok(measured) = asked.ask(move |card| Measured { card: card.memory(), ram_total: ram() }).await {
                shared.set_measured(measured);
            }
            // Who no longer waits for it knows by the tick, and a refused tick is not the last one.
            let _ = done.send(());
            let _ = inbox.post(GpuMessage::Tick);
        });
        self.measuring = Some((Instant::now(), task));
        finished
    }

    /// Sets the clock for the next thing that is due.
    fn wind(&mut self, context: &ActorContext<GpuMessage>) {
        let shared = &self.dependencies.shared;
        let outlook = shared.outlook();
        let now = Instant::now();
        if outlook.in_use
            && self
                .measuring
                .as_ref()
                .is_none_or(|(since, task)| task.is_finished() && now.duration_since(*since) >= MEASURE_AGAIN)
        {
            // Told by its tick.
            drop(self.measure(context));
        }
        let look =
            if outlook.awaits_end { Some(now + LOOK_FOR_END) } else { outlook.in_use.then_some(now + LOOK_FOR_LIFE) };
        let next = [outlook.wake_at, look].into_iter().flatten().min();
        match (next, &self.timer) {
            (None, _) => self.timer = None,
            // A clock that rings earlier is as good: it is wound anew then.
            (Some(next), Some((at, task))) if *at <= next && !task.is_finished() => {}
            (Some(next), _) => {
                // Whoever's message happened to wind the clock, it rings for everybody.
                let wind = || context.send_after(next.saturating_duration_since(now), GpuMessage::Tick);
                let tick = Cause::none().scope(wind);
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
            // A card whose driver takes longer counts from when it answers.
            let _ = tokio::time::timeout(FIRST_MEASUREMENT, measured).await;
        }
        // What an incarnation before this one had in hand when it crashed.
        match self.dependencies.shared.interrupted() {
            Some(event) => self.step(event),
            None => self.step(LedgerEvent::Tick),
        }
        self.wind(context);
        Ok(())
    }

    async fn handle(&mut self, message: GpuMessage, context: &ActorContext<GpuMessage>) -> Result<(), ActorError> {
        match message {
            GpuMessage::Acquire { claim, reply } => {
                if takes_part(claim.holder) && self.dependencies.holders.contains_key(&claim.holder) {
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
                self.look_for_the_dead();
                self.step(LedgerEvent::Tick);
            }
        }
        self.wind(context);
        Ok(())
    }

    async fn stopping(&mut self, _: &ActorContext<GpuMessage>) {
        (self.timer, self.measuring) = (None, None);
        // Engines are ended by their own actors (KER-10).
        self.step(LedgerEvent::End);
    }
}
