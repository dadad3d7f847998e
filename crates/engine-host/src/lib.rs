//! Engine programs from Luna's side: one lifecycle for all of them.
//!
//! Read in this order: [`policy`] (what differs between the engines, as a table), [`process`] (one program: start, jobs, health, end),
//! [`managed`] (an engine: started at need, reused, replaced, stopped), `residency` (a model in memory, with a second program that stands by),
//! [`grant`] and `load_gate` (memory by leave of the token, one load at a time), [`mod@acquire`] (from a request to an engine that is ready),
//! [`work`] (requests that wait, and the loop that does them), and [`availability`] (what is told when it can't be had).
//!
//! **Invariant:** queue and managed engine of a model stand outside of the actor, so that its crash loses neither what waits nor the engine (KER-7,
//! ENG-2). Engines without a lease end with their actor's incarnation: whoever holds the [`ManagedEngine`] decides.
//! **Invariant:** whenever the programs of a residency are gone, the token is told so once, before another one is started (GPU-3). One that stands
//! by belongs to the same residency: what was granted covers both.
//! **Invariant:** an engine's memory is free when the token hears that it is (GPU-2).
//! **Invariant:** nothing here writes a message, or a part of one, to disk (BUF-3).

#![forbid(unsafe_code)]

pub mod policy;
pub mod process;

pub mod plan;

pub mod grant;
mod load_gate;
mod owner;
mod residency;

pub mod managed;

pub mod lease;

pub mod availability;

pub mod acquire;
pub mod work;

pub use acquire::{EngineDemand, acquire};
pub use availability::Availability;
pub use grant::MemoryGrant;
pub use lease::EngineLease;
pub use load_gate::LoadGate;
pub use managed::{ManagedEngine, PrepareOutcome, StartError};
pub use plan::ModelPlan;
pub use policy::EnginePolicy;
pub use process::{EngineFailure, EngineProcess, EngineProgram, RunningJob, engine_path, once};
pub use work::error::{BackgroundLoad, WorkError};
pub use work::order::handle_order;
pub use work::queue::{DequeuedWork, StopReason, WorkQueue, WorkTicket};
pub use work::worker::{EngineAccess, EngineWork, EngineWorker, FindModel, SendAnswer};
