//! An engine that has a model in memory by leave of the token (GPU-1, GPU-2): what the actors of language models and of speech
//! recognition have in common.
//!
//! Read in this order: [`queue`] (work that waits, and what makes work under way stop), [`lease`] (the right to one piece of work, given
//! back when dropped), [`slot`] (the engine program: started at need, ended on order), [`hold`] (from a wish to an engine that is ready), and
//! [`obey`] (what the token orders), and [`availability`] (what is told when it can't be had).
//!
//! **Invariant:** queue and slot stand outside of the actor, so that its crash loses neither what waits nor the engine (KER-7, ENG-2).
//! **Invariant:** whenever a program of a slot is gone, the token is told so once, before another one is started (GPU-3).

pub mod availability;
pub mod hold;
pub mod lease;
pub mod obey;
pub mod queue;
pub mod slot;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use luna_messages::Lane;
use luna_messages::engine::LoadSpec;
use luna_messages::gpu::Place;

use crate::engine::EngineProgram;

pub use availability::Availability;
pub use hold::{Held, Miss, Rest, engine_for};
pub use lease::Granted;
pub use obey::obey;
pub use queue::{Halt, Taken, Ticket, WorkQueue};
pub use slot::EngineSlot;

/// A model and how it is loaded.
#[derive(Clone)]
pub struct HeldModel {
    /// Its name in the manifest, or its path.
    pub name: String,
    /// Its file.
    pub file: PathBuf,
    /// Memory that it needs when loaded, bytes.
    pub bytes: u64,
    /// What the engine is told, by where the model is to live. The same place gives the same answer while the settings stay.
    pub spec: Arc<dyn Fn(Place) -> LoadSpec + Send + Sync>,
}

impl fmt::Debug for HeldModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HeldModel").field("name", &self.name).field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

/// An engine for one piece of work.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// The engine.
    pub program: EngineProgram,
    /// How urgent the work is.
    pub lane: Lane,
}
