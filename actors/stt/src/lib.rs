//! The Stt actor: what was said, written down (STT-1, ENG-1, GPU-5).
//!
//! **Hears** [`SttMessage`]. **Says** what it understands so far and what was said to whoever asked; to the token what it needs and gives back.
//! Works through the engine of speech recognition, a program of its own, one stretch of sound after another.
//! **Never** keeps sound after it was written down (BUF-2), never has a model in memory without the token's leave, never loads one before it is
//! needed, never writes a word of what was said into a log.

#![forbid(unsafe_code)]

pub mod room;
mod transcribe;
mod work;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use luna_actor_runtime::actor::{Actor, ActorError, Context};
use luna_actor_runtime::capabilities::Capabilities;
use luna_actor_runtime::task::Task;
use luna_engine_host::engine::EngineProgram;
use luna_engine_host::holder::{
    Availability, EngineSlot, Held, HeldModel, Miss, Ticket, Wanted, WorkQueue, engine_for, obey,
};
use luna_messages::capability::{Capability, Unavailable};
use luna_messages::gpu::GpuRefusal;
use luna_messages::stt::{SPEECH_LANE, SttMessage};
use luna_messages::work::WorkFailure;
use tokio::time::Instant;

use crate::work::SttWork;

/// How often it is looked whether all is well.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// How long the engine has to end by itself at Luna's end.
const CLOSING: Duration = Duration::from_millis(300);

/// Finds the model, or says what is missing. Asked for each request, so that a changed configuration and a file placed meanwhile count (CFG-4,
/// KER-9). May take as long as computing a checksum.
pub type FindModel = Arc<dyn Fn() -> Result<HeldModel, Unavailable> + Send + Sync>;

/// What the Stt actor uses. Clones share queue and engine, which so outlive the actor (KER-7).
#[derive(Clone)]
pub struct SttParts {
    /// The engine's program, as the configuration says now.
    pub program: Arc<dyn Fn() -> EngineProgram + Send + Sync>,
    /// Its model.
    pub find: FindModel,
    /// Where the engine is while it runs.
    pub slot: Arc<EngineSlot>,
    queue: Arc<WorkQueue<SttWork>>,
    availability: Arc<Availability<()>>,
}

impl SttParts {
    /// Parts for one actor and its successors. At most `waiting` requests wait (KER-4).
    #[must_use]
    pub fn new(
        program: Arc<dyn Fn() -> EngineProgram + Send + Sync>,
        find: FindModel,
        slot: Arc<EngineSlot>,
        capabilities: Capabilities,
        waiting: usize,
    ) -> Self {
        let availability = Arc::new(Availability::new(capabilities, Capability::SpeechRecognition));
        Self { program, find, slot, queue: WorkQueue::new(waiting), availability }
    }

    /// The engine with its model.
    async fn engine(&self, ticket: &Ticket<SttWork>, unwanted: impl Future<Output = ()>) -> Result<Held, Miss> {
        let wanted = Wanted { program: (self.program)(), lane: SPEECH_LANE };
        let find = self.find.clone();
        engine_for(&self.slot, &self.availability, &wanted, (), move || find(), ticket, unwanted).await
    }
}

/// The Stt actor.
pub struct SttActor {
    parts: SttParts,
    /// Works on one request after another. It ends with this incarnation, and its request with it; what waits is the next one's.
    worker: Option<Task>,
    /// Looks for what was missing.
    look: Option<Task>,
    clock: Option<Task>,
}

impl SttActor {
    /// An actor on `parts`.
    #[must_use]
    pub const fn new(parts: SttParts) -> Self {
        Self { parts, worker: None, look: None, clock: None }
    }

    /// A request that made the worker panic costs only itself.
    fn keep_working(&mut self, context: &Context<SttMessage>) {
        if self.worker.as_ref().is_none_or(Task::is_finished) {
            self.worker = Some(context.spawn_service(work::serve(self.parts.clone())));
        }
    }
}

#[async_trait]
impl Actor for SttActor {
    type Message = SttMessage;
    const NAME: &'static str = "stt";

    async fn started(&mut self, context: &Context<SttMessage>) -> Result<(), ActorError> {
        self.clock = Some(context.every(LOOK_EVERY, || SttMessage::Tick));
        self.keep_working(context);
        Ok(())
    }

    async fn handle(&mut self, message: SttMessage, context: &Context<SttMessage>) -> Result<(), ActorError> {
        self.keep_working(context);
        match message {
            SttMessage::Transcribe(wish) => {
                if let Err((work, why)) = self.parts.queue.push(wish.id, SttWork::new(wish)) {
                    work.fail(why);
                }
            }
            SttMessage::Cancel { id } => {
                if let Some(work) = self.parts.queue.cancel(id) {
                    work.fail(WorkFailure::Cancelled);
                }
            }
            SttMessage::Order(order) => obey(order, &self.parts.queue, &self.parts.slot, context),
            SttMessage::Tick => {
                if let Some(missing) = self.parts.availability.to_look_for(Instant::now()) {
                    let parts = self.parts.clone();
                    let disk = parts.availability.disk().clone();
                    self.look = Some(context.spawn_service(async move {
                        // What fails is said when it is needed.
                        let look = move || parts.availability.look(&missing, |()| (parts.find)().is_ok());
                        let _ = disk.run(look).await;
                    }));
                }
            }
        }
        Ok(())
    }

    async fn stopping(&mut self, _: &Context<SttMessage>) {
        (self.worker, self.look, self.clock) = (None, None, None);
        for work in self.parts.queue.clear() {
            work.fail(WorkFailure::NoRoom(GpuRefusal::Ending));
        }
        self.parts.slot.close(CLOSING).await;
    }
}
