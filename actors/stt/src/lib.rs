//! The Stt actor: what was said, written down (STT-1, ENG-1, GPU-5).
//!
//! **Hears** [`SttMessage`]. **Says** what it understands so far and what was said to whoever asked; to the token what it needs and gives back.
//! Works through the engine of speech recognition, a program of its own, one stretch of sound after another.
//! **Never** keeps sound after it was written down (BUF-2), never has a model in memory without the token's leave, never loads one before it is
//! needed, never writes a word of what was said into a log.

#![forbid(unsafe_code)]

pub mod memory_estimate;
mod perform;
mod transcribe;
mod work;

use std::sync::Arc;

use async_trait::async_trait;
use luna_actor_runtime::actor::{Actor, ActorContext, ActorError};
use luna_actor_runtime::capabilities::Capabilities;
use luna_engine_host::process::EngineProgram;
use luna_engine_host::{EngineAccess, EngineWorker};
use luna_engine_host::{ManagedEngine, ModelPlan};
use luna_messages::capability::Unavailable;
use luna_messages::stt::SttMessage;

use crate::work::SttWork;

/// Finds the model, or says what is missing. Asked for each request, so that a changed configuration and a file placed meanwhile count (CFG-4,
/// KER-9). May take as long as computing a checksum.
pub type FindSpeechModel = Arc<dyn Fn() -> Result<ModelPlan, Unavailable> + Send + Sync>;

/// What the Stt actor uses. Clones share queue and engine, which so outlive the actor (KER-7).
#[derive(Debug, Clone)]
pub struct SttDependencies {
    access: EngineAccess<SttWork>,
}

impl SttDependencies {
    /// Parts for one actor and its successors. At most `waiting` requests wait (KER-4).
    #[must_use]
    pub fn new(
        program: Arc<dyn Fn() -> EngineProgram + Send + Sync>,
        find: FindSpeechModel,
        engine: Arc<ManagedEngine>,
        capabilities: Capabilities,
        waiting: usize,
    ) -> Self {
        Self { access: EngineAccess::new(program, Arc::new(move |()| find()), engine, capabilities, waiting) }
    }

    /// The engine's program, as the configuration says now.
    #[must_use]
    pub fn program(&self) -> EngineProgram {
        self.access.program()
    }

    /// A model, as the configuration says now.
    ///
    /// # Errors
    /// What is missing.
    pub fn find(&self) -> Result<ModelPlan, Unavailable> {
        self.access.find(())
    }
}

#[derive(Debug)]
pub struct SttActor {
    worker: EngineWorker<SttWork>,
}

impl SttActor {
    /// An actor on `dependencies`.
    #[must_use]
    pub fn new(dependencies: SttDependencies) -> Self {
        Self { worker: EngineWorker::new(dependencies.access) }
    }
}

#[async_trait]
impl Actor for SttActor {
    type Message = SttMessage;
    const NAME: &'static str = "stt";

    async fn started(&mut self, context: &ActorContext<SttMessage>) -> Result<(), ActorError> {
        self.worker.started(context, || SttMessage::Tick);
        Ok(())
    }

    async fn handle(&mut self, message: SttMessage, context: &ActorContext<SttMessage>) -> Result<(), ActorError> {
        self.worker.keep_working(context);
        match message {
            SttMessage::Transcribe(request) => self.worker.accept(request.id, SttWork::new(request)),
            SttMessage::Cancel { id } => self.worker.cancel(id),
            SttMessage::Order(order) => self.worker.order(order, context),
            SttMessage::Tick => self.worker.probe_missing(context),
        }
        Ok(())
    }

    async fn stopping(&mut self, _: &ActorContext<SttMessage>) {
        self.worker.stopping().await;
    }
}
