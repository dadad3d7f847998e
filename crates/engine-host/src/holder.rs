//! An engine that has a model in memory by leave of the token (GPU-1, GPU-2): what the actors of language models and of speech
//! recognition have in common.
//!
//! Read in this order: [`queue`] (work that waits, and what makes work under way stop), [`lease`] (the right to one piece of work, given
//! back when dropped), [`slot`] (the engine program: started at need, ended on order), `stay` and `standby` (a second program that takes the
//! place of one which ended), [`loads`] (one load at a time), [`hold`] (from a wish to an engine that is ready), and
//! [`obey`] (what the token orders), [`availability`] (what is told when it can't be had),
//! and [`worker`] (the loop that does the work).
//!
//! **Invariant:** queue and slot stand outside of the actor, so that its crash loses neither what waits nor the engine (KER-7, ENG-2).
//! **Invariant:** whenever the programs of a stay are gone, the token is told so once, before another one is started (GPU-3). One that stands
//! by belongs to the same stay: what was granted covers both.

pub mod availability;
pub mod hold;
pub mod lease;
pub mod loads;
pub mod obey;
pub mod queue;
pub mod slot;
mod standby;
mod stay;
pub mod worker;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use luna_engine_protocol::LoadSpec;
use luna_messages::Lane;
use luna_messages::gpu::Place;

use crate::engine::EngineProgram;

pub use availability::Availability;
pub use hold::{Held, Miss, Rest, engine_for};
pub use lease::Granted;
pub use loads::Loads;
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
    /// Memory that it needs when loaded, bytes; that of both programs where one stands by.
    pub bytes: u64,
    /// Whether a second program with the same model stands by in RAM, to take the place of one that ends without having been told to.
    pub standby: bool,
    /// What the engine is told, by where the model is to live. The same place gives the same answer while the settings stay.
    pub spec: Arc<dyn Fn(Place) -> LoadSpec + Send + Sync>,
}

impl fmt::Debug for HeldModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HeldModel")
            .field("name", &self.name)
            .field("bytes", &self.bytes)
            .field("standby", &self.standby)
            .finish_non_exhaustive()
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
