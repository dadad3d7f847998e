//! How actors run: the inbox, the actor loop, the supervisor with its watchdog, capabilities, and the names of the metrics.
//!
//! Read in this order: [`inbox`] (the mailbox of `luna_mailbox` with time, metrics and wake-up), [`actor`] and `actor_loop` (its drainer), [`cause`]
//! (the trace that travels with a message), [`restart`] (the decision) and [`supervisor`] (the effects).
//!
//! **Invariant:** an inbox outlives the actor that reads it; ractor's own mailbox carries only a coalesced wake-up.
//! **Invariant:** nothing here writes a message, or a part of one, to disk (BUF-3).
//! **Invariant:** but for the names of metrics and stages, this crate does not know what Luna is for, nor that engines exist.

#![forbid(unsafe_code)]

pub mod cause;
pub mod inbox;
pub mod trace_log;

pub mod actor;
mod actor_loop;
pub mod task;

pub mod blocking;
pub mod periodic_task;

pub mod restart;
pub mod retry;
pub mod supervisor;

pub mod capabilities;
pub mod memory_only;
pub mod shutdown;

pub mod metric_names;
pub mod sampling;
pub mod stages;

pub mod hooks;

pub use {
    actor::{Actor, ActorContext, ActorError},
    blocking::{BlockingService, BlockingThread, NoAnswer},
    capabilities::Capabilities,
    cause::Cause,
    inbox::{Inbox, InboxSettings, PostError},
    restart::RestartPolicy,
    supervisor::{ChildId, ChildState, ChildStatus, GroupId, GroupPolicy, SupervisionTree, TreeEvent, TreeSettings},
    task::Task,
    trace_log::TraceLog,
};
