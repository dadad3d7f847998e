//! The recognition of commands by a model of their own, smaller and faster than that of whole utterances (STT-2).

use std::fmt;
use std::sync::Arc;

use luna_actor_runtime::capabilities::Capabilities;
use luna_engine_host::process::EngineProgram;
use luna_engine_host::{EngineAccess, ManagedEngine, ModelPlan};
use luna_messages::capability::{Capability, CapabilityState, Unavailable};

use crate::FindSpeechModel;
use crate::work::SttWork;

/// What the recognition of commands needs.
#[derive(Clone)]
pub struct CommandModel {
    /// Whether commands have a model of their own, by the current configuration. Called for each window.
    pub separate: Arc<dyn Fn() -> bool + Send + Sync>,
    pub program: Arc<dyn Fn() -> EngineProgram + Send + Sync>,
    pub find: FindSpeechModel,
    /// Another engine than that of whole utterances.
    pub engine: Arc<ManagedEngine>,
}

impl fmt::Debug for CommandModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommandModel").field("engine", &self.engine).finish_non_exhaustive()
    }
}

/// The engine of commands. Clones share queue and engine.
#[derive(Clone)]
pub struct CommandAccess {
    separate: Arc<dyn Fn() -> bool + Send + Sync>,
    access: EngineAccess<SttWork>,
    capabilities: Capabilities,
}

impl fmt::Debug for CommandAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommandAccess").field("access", &self.access).finish_non_exhaustive()
    }
}

impl CommandAccess {
    pub fn new(model: CommandModel, capabilities: Capabilities, waiting: usize) -> Self {
        let find = model.find;
        let access =
            EngineAccess::new(model.program, Arc::new(move |()| find()), model.engine, capabilities.clone(), waiting);
        Self { separate: model.separate, access, capabilities }
    }

    pub const fn access(&self) -> &EngineAccess<SttWork> {
        &self.access
    }

    /// Whether commands have a model of their own, by the current configuration.
    pub fn are_separate(&self) -> bool {
        (self.separate)()
    }

    /// Whether this engine hears the next window. While its model or program is missing, which was reported and is probed for, the engine of whole
    /// utterances does: a slow command is better than none (KER-9).
    pub fn are_heard_separately(&self) -> bool {
        let missing = matches!(self.capabilities.get(Capability::CommandRecognition), CapabilityState::Unavailable(_));
        self.are_separate() && !missing
    }

    /// The model, by the current configuration.
    pub fn find(&self) -> Result<ModelPlan, Unavailable> {
        self.access.find(())
    }
}
