//! The Stt actor: speech recognition (STT-1, ENG-1, GPU-5).
//!
//! **Receives** [`SttMessage`]. **Sends** partial results and the transcript to its callers; claims and releases to the GpuToken actor. Works
//! through the engine of speech recognition, a program of its own, one recording after another.
//! **Never** keeps sound after its transcription (BUF-2), never loads or uses a model without a lease, never loads one before the first request needs
//! it, never logs a word of what was said.

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

/// Finds the model, or says what is missing. Called for each request, so that a changed configuration and a newly placed file take effect (CFG-4,
/// KER-9). May take as long as computing a checksum.
pub type FindSpeechModel = Arc<dyn Fn() -> Result<ModelPlan, Unavailable> + Send + Sync>;

/// Dependencies of the Stt actor. Clones share queue and engine, which thus survive restarts of the actor (KER-7).
#[derive(Debug, Clone)]
pub struct SttDependencies {
    access: EngineAccess<SttWork>,
}

impl SttDependencies {
    /// Dependencies for all incarnations of one actor. At most `waiting` requests wait (KER-4).
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

    /// The engine's program, by the current configuration.
    #[must_use]
    pub fn program(&self) -> EngineProgram {
        self.access.program()
    }

    /// The model, by the current configuration.
    ///
    /// # Errors
    /// The model is not configured, not installed or not valid; the error says what to do.
    pub fn find(&self) -> Result<ModelPlan, Unavailable> {
        self.access.find(())
    }
}

/// Runs the worker of the speech recognition engine.
#[derive(Debug)]
pub struct SttActor {
    worker: EngineWorker<SttWork>,
}

impl SttActor {
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
