//! Engine programs from Luna's side: [`engine`] is one process and its work, [`holder`] an engine that has a model by leave of the token.
//!
//! **Invariant:** an engine's memory is free when the token hears that it is (GPU-2).
//! **Invariant:** nothing here writes a message, or a part of one, to disk (BUF-3).

#![forbid(unsafe_code)]

pub mod engine;
pub mod holder;
pub mod policy;

pub use engine::{EngineFailure, EngineHost, EngineProgram, Run, engine_path};
pub use policy::EnginePolicy;
