//! The Llm actor: text by language models on this machine (ENG-1, GPU-1 to GPU-5, REA-4).
//!
//! **Hears** [`LlmMessage`]. **Says** pieces of text and the end to whoever asked; to the token what it needs and gives back. Works through the
//! engine of language models, a program of its own, one request after another.
//! **Never** has a model in memory without the token's leave, never loads one before it is needed, never lets a model's thinking out unless
//! its asker wants it, never writes a word of prompt or answer into a log.

#![forbid(unsafe_code)]

mod count;
mod generate;
pub mod room;
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
use luna_messages::llm::{LlmMessage, LlmTask};
use luna_messages::work::WorkFailure;
use luna_messages::{Lane, RequestId};
use tokio::time::Instant;

use crate::work::LlmWork;

/// How often it is looked whether all is well.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// How long the engine has to end by itself at Luna's end.
const CLOSING: Duration = Duration::from_millis(300);

/// Finds the model for a task, or says what is missing. Asked for each request, so that a changed configuration and a file placed meanwhile
/// count (CFG-4, KER-9). May take as long as computing a checksum.
pub type FindModel = Arc<dyn Fn(LlmTask) -> Result<HeldModel, Unavailable> + Send + Sync>;

/// What the Llm actor uses. Clones share queue and engine, which so outlive the actor (KER-7).
#[derive(Clone)]
pub struct LlmParts {
    /// The engine's program, as the configuration says now.
    pub program: Arc<dyn Fn() -> EngineProgram + Send + Sync>,
    /// Its models.
    pub find: FindModel,
    /// Where the engine is while it runs.
    pub slot: Arc<EngineSlot>,
    queue: Arc<WorkQueue<LlmWork>>,
    availability: Arc<Availability<LlmTask>>,
}

impl LlmParts {
    /// Parts for one actor and its successors. At most `waiting` requests wait (KER-4).
    #[must_use]
    pub fn new(
        program: Arc<dyn Fn() -> EngineProgram + Send + Sync>,
        find: FindModel,
        slot: Arc<EngineSlot>,
        capabilities: Capabilities,
        waiting: usize,
    ) -> Self {
        let availability = Arc::new(Availability::new(capabilities, Capability::LanguageModel));
        Self { program, find, slot, queue: WorkQueue::new(waiting), availability }
    }

    /// The engine with the model for a task.
    async fn engine(
        &self,
        task: LlmTask,
        ticket: &Ticket<LlmWork>,
        unwanted: impl Future<Output = ()>,
    ) -> Result<Held, Miss> {
        let wanted = Wanted { program: (self.program)(), lane: Lane::Llm };
        let find = self.find.clone();
        engine_for(&self.slot, &self.availability, &wanted, task, move || find(task), ticket, unwanted).await
    }
}

/// The Llm actor.
pub struct LlmActor {
    parts: LlmParts,
    /// Works on one request after another. It ends with this incarnation, and its request with it; what waits is the next one's.
    worker: Option<Task>,
    /// Looks for what was missing.
    look: Option<Task>,
    clock: Option<Task>,
}

impl LlmActor {
    /// An actor on `parts`.
    #[must_use]
    pub const fn new(parts: LlmParts) -> Self {
        Self { parts, worker: None, look: None, clock: None }
    }

    /// A request that made the worker panic costs only itself.
    fn keep_working(&mut self, context: &Context<LlmMessage>) {
        if self.worker.as_ref().is_none_or(Task::is_finished) {
            self.worker = Some(context.spawn_service(work::serve(self.parts.clone())));
        }
    }

    fn accept(&self, id: RequestId, work: LlmWork) {
        if let Err((work, why)) = self.parts.queue.push(id, work) {
            work.fail(why);
        }
    }
}

#[async_trait]
impl Actor for LlmActor {
    type Message = LlmMessage;
    const NAME: &'static str = "llm";

    async fn started(&mut self, context: &Context<LlmMessage>) -> Result<(), ActorError> {
        self.clock = Some(context.every(LOOK_EVERY, || LlmMessage::Tick));
        self.keep_working(context);
        Ok(())
    }

    async fn handle(&mut self, message: LlmMessage, context: &Context<LlmMessage>) -> Result<(), ActorError> {
        self.keep_working(context);
        match message {
            LlmMessage::Generate(wish) => self.accept(wish.id, LlmWork::generate(wish)),
            LlmMessage::CountTokens(wish) => self.accept(wish.id, LlmWork::count(wish)),
            LlmMessage::Cancel { id } => {
                if let Some(work) = self.parts.queue.cancel(id) {
                    work.fail(WorkFailure::Cancelled);
                }
            }
            LlmMessage::Order(order) => obey(order, &self.parts.queue, &self.parts.slot, context),
            LlmMessage::Tick => {
                if let Some(missing) = self.parts.availability.to_look_for(Instant::now()) {
                    let parts = self.parts.clone();
                    let disk = parts.availability.disk().clone();
                    self.look = Some(context.spawn_service(async move {
                        // What fails is said when it is needed.
                        let look = move || parts.availability.look(&missing, |task| (parts.find)(*task).is_ok());
                        let _ = disk.run(look).await;
                    }));
                }
            }
        }
        Ok(())
    }

    async fn stopping(&mut self, _: &Context<LlmMessage>) {
        (self.worker, self.look, self.clock) = (None, None, None);
        for work in self.parts.queue.clear() {
            work.fail(WorkFailure::NoRoom(GpuRefusal::Ending));
        }
        self.parts.slot.close(CLOSING).await;
    }
}
