//! The Stt actor: speech recognition (STT-1, STT-2, ENG-1, GPU-5).
//!
//! **Receives** [`SttMessage`]. **Sends** partial results and the transcript to its callers; claims and releases to the GpuToken actor. Works
//! through the engine of speech recognition, a program of its own, one recording after another. If commands have a model of their own, a second
//! engine hears the windows, so that neither model is loaded anew for the other, and a window never waits behind an utterance.
//! **Never** keeps sound after its transcription (BUF-2), never loads or uses a model without a lease, never loads one before the first request needs
//! it, never logs a word of what was said.

#![forbid(unsafe_code)]

mod commands;
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
use luna_messages::engine::SoundExtent;
use luna_messages::stt::SttMessage;

use crate::commands::CommandAccess;
use crate::work::SttWork;

pub use crate::commands::CommandModel;

/// Finds the model, or says what is missing. Called for each request, so that a changed configuration and a newly placed file take effect (CFG-4,
/// KER-9). May take as long as computing a checksum.
pub type FindSpeechModel = Arc<dyn Fn() -> Result<ModelPlan, Unavailable> + Send + Sync>;

/// Dependencies of the Stt actor. Clones share queue and engine, which thus survive restarts of the actor (KER-7).
#[derive(Debug, Clone)]
pub struct SttDependencies {
    access: EngineAccess<SttWork>,
    /// `None`: commands never have a model of their own.
    commands: Option<CommandAccess>,
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
        let access = EngineAccess::new(program, Arc::new(move |()| find()), engine, capabilities, waiting);
        Self { access, commands: None }
    }

    /// With an engine for a model of the commands' own (STT-2), for which at most `waiting` windows wait.
    #[must_use]
    pub fn with_commands(self, model: CommandModel, capabilities: Capabilities, waiting: usize) -> Self {
        Self { commands: Some(CommandAccess::new(model, capabilities, waiting)), ..self }
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

    /// The model of commands, by the current configuration; `None` if they have no model of their own.
    ///
    /// # Errors
    /// As [`Self::find`].
    pub fn find_for_commands(&self) -> Option<Result<ModelPlan, Unavailable>> {
        self.commands.as_ref().filter(|commands| commands.are_separate()).map(CommandAccess::find)
    }
}

/// Runs the workers of the speech recognition engines.
#[derive(Debug)]
pub struct SttActor {
    worker: EngineWorker<SttWork>,
    /// The worker of commands that have a model of their own.
    commands: Option<(CommandAccess, EngineWorker<SttWork>)>,
}

impl SttActor {
    #[must_use]
    pub fn new(dependencies: SttDependencies) -> Self {
        let commands = dependencies.commands.map(|commands| {
            let worker = EngineWorker::new(commands.access().clone());
            (commands, worker)
        });
        Self { worker: EngineWorker::new(dependencies.access), commands }
    }

    /// The worker for this extent: windows are commands and partial results.
    fn worker_for(&self, extent: SoundExtent) -> &EngineWorker<SttWork> {
        match (extent, &self.commands) {
            (SoundExtent::Window, Some((commands, worker))) if commands.are_heard_separately() => worker,
            (SoundExtent::Window | SoundExtent::Utterance, _) => &self.worker,
        }
    }

    fn workers(&mut self) -> impl Iterator<Item = &mut EngineWorker<SttWork>> {
        std::iter::once(&mut self.worker).chain(self.commands.as_mut().map(|(_, worker)| worker))
    }
}

#[async_trait]
impl Actor for SttActor {
    type Message = SttMessage;
    const NAME: &'static str = "stt";

    async fn started(&mut self, context: &ActorContext<SttMessage>) -> Result<(), ActorError> {
        self.workers().for_each(|worker| worker.started(context, || SttMessage::Tick));
        Ok(())
    }

    async fn handle(&mut self, message: SttMessage, context: &ActorContext<SttMessage>) -> Result<(), ActorError> {
        self.workers().for_each(|worker| worker.keep_working(context));
        match message {
            SttMessage::Transcribe(request) => {
                self.worker_for(request.extent).accept(request.id, SttWork::new(request));
            }
            // Whichever it waits for; the other remembers a number that never comes.
            SttMessage::Cancel { id } => self.workers().for_each(|worker| worker.cancel(id)),
            SttMessage::Order(order) => self.worker.order(order, context),
            SttMessage::CommandOrder(order) => {
                if let Some((_, worker)) = &self.commands {
                    worker.order(order, context);
                }
            }
            SttMessage::Tick => self.workers().for_each(|worker| worker.probe_missing(context)),
        }
        Ok(())
    }

    async fn stopping(&mut self, _: &ActorContext<SttMessage>) {
        // At the same time, because each may take as long as a program has to end.
        let commands = async {
            if let Some((_, worker)) = &mut self.commands {
                worker.stopping().await;
            }
        };
        tokio::join!(self.worker.stopping(), commands);
    }
}
