//! How it runs: the inbox, the actor's shell, the supervisor with its watchdog, the engine host, and the names of the metrics.
//!
//! Read in this order: [`lanes`] (which message is next), [`door`] (how poster and drainer meet), `inbox` (the two with clock, metrics and
//! wake-up), `actor` and `shell` (who takes from it), `restart` (the decision) and `supervisor` (the effects), then `engine` and
//! `holder` (an engine that has a model by leave of the token).
//!
//! **Invariant:** an inbox outlives the actor that reads it; ractor's own mailbox carries nothing but a coalesced wake-up.
//! **Invariant:** nothing here writes a message, or a part of one, to disk (BUF-3).

#![forbid(unsafe_code)]

pub mod sync;

pub mod door;
pub mod lanes;

#[cfg(not(loom))]
pub mod inbox;

#[cfg(not(loom))]
pub mod actor;
#[cfg(not(loom))]
mod shell;
#[cfg(not(loom))]
pub mod task;

#[cfg(not(loom))]
pub mod outside;
#[cfg(not(loom))]
pub mod pace;

#[cfg(not(loom))]
pub mod restart;
#[cfg(not(loom))]
pub mod retry;
#[cfg(not(loom))]
pub mod supervisor;

#[cfg(not(loom))]
pub mod capabilities;
#[cfg(not(loom))]
pub mod shutdown;

#[cfg(not(loom))]
pub mod engine;
#[cfg(not(loom))]
pub mod holder;
#[cfg(not(loom))]
pub mod memory_only;

#[cfg(not(loom))]
pub mod metric_names;
#[cfg(not(loom))]
pub mod sampling;
#[cfg(not(loom))]
pub mod stages;

#[cfg(all(not(loom), feature = "testkit"))]
pub mod testkit;

#[cfg(not(loom))]
pub use {
    actor::{Actor, ActorError, Context},
    capabilities::Capabilities,
    engine::{EngineFailure, EngineHost, EngineProgram, Run, engine_path},
    inbox::{Inbox, InboxSettings, PostError},
    outside::{NoAnswer, Outside, OutsideThread},
    restart::RestartPolicy,
    supervisor::{ChildId, ChildState, ChildStatus, GroupId, GroupPolicy, Tree, TreeEvent, TreeSettings},
    task::Task,
};
