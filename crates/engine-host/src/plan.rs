//! A model and how it is loaded.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use luna_engine_protocol::LoadSpec;
use luna_messages::gpu::MemoryPlace;

/// What an engine needs to claim memory for a model and to load it.
#[derive(Clone)]
pub struct ModelPlan {
    /// Its name in the manifest, or its path.
    pub name: String,
    pub file: PathBuf,
    /// Memory that it needs when loaded, bytes; for both programs if it has a standby.
    pub memory_estimate: u64,
    /// Whether a second program in RAM loads the same model, to take over if the first one crashes.
    pub standby: bool,
    /// What the engine loads, by memory place. The same place gives the same result as long as the settings don't change.
    pub spec: Arc<dyn Fn(MemoryPlace) -> LoadSpec + Send + Sync>,
}

impl fmt::Debug for ModelPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelPlan")
            .field("name", &self.name)
            .field("memory_estimate", &self.memory_estimate)
            .field("standby", &self.standby)
            .finish_non_exhaustive()
    }
}
