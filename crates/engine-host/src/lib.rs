//! Engine programs from Luna's side: one lifecycle for all of them.
//!
//! Read in this order: [`policy`] (what differs between the engines, as a table), [`process`] (one program: start, jobs, health, end), [`managed`]
//! (an engine: started on demand, reused, replaced, stopped), `residency` (a model in memory, with its standby), [`grant`] and `load_gate` (memory
//! leased from the token, one load at a time), [`mod@acquire`] (from a request to a ready engine), [`work`] (waiting requests, and the loop that
//! performs them), and [`availability`] (what is reported if the engine is missing).
//!
//! **Invariant:** a model's queue and managed engine live outside of the actor, so that its crash loses neither waiting work nor the engine (KER-7,
//! ENG-2). Engines without a lease end with their actor's incarnation: the owner of the [`ManagedEngine`] decides.
//! **Invariant:** whenever the programs of a residency are gone, the token is notified once, before another program is started (GPU-3). A standby
//! belongs to the same residency: one grant covers both.
//! **Invariant:** an engine's memory is free before the token is notified that it is (GPU-2).
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
pub use process::{EngineFailure, EngineProcess, EngineProgram, RunningJob, engine_path, start_and_load};
pub use work::error::{BackgroundLoad, WorkError};
pub use work::order::handle_order;
pub use work::queue::{DequeuedWork, StopReason, WorkQueue, WorkTicket};
pub use work::worker::{EngineAccess, EngineWork, EngineWorker, FindModel, SendAnswer};
