//! The Llm actor: text by language models on this machine (ENG-1, GPU-1 to GPU-5, REA-4).
//!
//! **Receives** [`LlmMessage`]. **Sends** pieces of text and the end to the caller; claims and releases to the GpuToken actor. Works through the
//! engine of language models, a program of its own, one request after another.
//! **Never** loads or uses a model without a lease, never loads one before it is needed, never sends a model's thinking unless the caller wants it,
//! never logs a word of prompt or answer.

#![forbid(unsafe_code)]

mod count;
mod generate;
pub mod memory_estimate;
mod perform;
mod work;

use std::sync::Arc;

use async_trait::async_trait;
use luna_actor_runtime::actor::{Actor, ActorContext, ActorError};
use luna_actor_runtime::capabilities::Capabilities;
use luna_engine_host::process::EngineProgram;
use luna_engine_host::{EngineAccess, EngineWorker};
use luna_engine_host::{ManagedEngine, ModelPlan};
use luna_messages::capability::Unavailable;
use luna_messages::llm::{LlmMessage, LlmTask};

use crate::work::LlmWork;

/// Finds the model for a task, or says what is missing.
pub type FindLanguageModel = luna_engine_host::FindModel<LlmTask>;

/// Dependencies of the Llm actor. Clones share queue and engine, which thus survive restarts of the actor (KER-7).
#[derive(Debug, Clone)]
pub struct LlmDependencies {
    access: EngineAccess<LlmWork>,
}

impl LlmDependencies {
    /// Dependencies for all incarnations of one actor. At most `waiting` requests wait (KER-4).
    #[must_use]
    pub fn new(
        program: Arc<dyn Fn() -> EngineProgram + Send + Sync>,
        find: FindLanguageModel,
        engine: Arc<ManagedEngine>,
        capabilities: Capabilities,
        waiting: usize,
    ) -> Self {
        Self { access: EngineAccess::new(program, find, engine, capabilities, waiting) }
    }

    /// The engine's program, by the current configuration.
    #[must_use]
    pub fn program(&self) -> EngineProgram {
        self.access.program()
    }

    /// The model for a task, by the current configuration.
    ///
    /// # Errors
    /// The model for the task is not configured, not installed or not valid; the error says what to do.
    pub fn find(&self, task: LlmTask) -> Result<ModelPlan, Unavailable> {
        self.access.find(task)
    }
}

/// Runs the worker of the language model engine.
#[derive(Debug)]
pub struct LlmActor {
    worker: EngineWorker<LlmWork>,
}

impl LlmActor {
    #[must_use]
    pub fn new(dependencies: LlmDependencies) -> Self {
        Self { worker: EngineWorker::new(dependencies.access) }
    }
}

#[async_trait]
impl Actor for LlmActor {
    type Message = LlmMessage;
    const NAME: &'static str = "llm";

    async fn started(&mut self, context: &ActorContext<LlmMessage>) -> Result<(), ActorError> {
        self.worker.started(context, || LlmMessage::Tick);
        Ok(())
    }

    async fn handle(&mut self, message: LlmMessage, context: &ActorContext<LlmMessage>) -> Result<(), ActorError> {
        self.worker.keep_working(context);
        match message {
            LlmMessage::Generate(request) => self.worker.accept(request.id, LlmWork::generate(request)),
            LlmMessage::CountTokens(request) => self.worker.accept(request.id, LlmWork::count(request)),
            LlmMessage::Cancel { id } => self.worker.cancel(id),
            LlmMessage::Order(order) => self.worker.order(order, context),
            LlmMessage::Tick => self.worker.probe_missing(context),
        }
        Ok(())
    }

    async fn stopping(&mut self, _: &ActorContext<LlmMessage>) {
        self.worker.stopping().await;
    }
}
