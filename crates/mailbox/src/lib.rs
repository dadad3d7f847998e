//! The mailbox of an actor, without timer, metrics and wake-up: which message is next, and how posters and the drainer synchronise. Pure but for
//! its locks.
//!
//! Read in this order: [`priority_lanes`] (which message is next), [`mailbox`] (how posters and the drainer synchronise).
//!
//! **Invariant:** nothing here depends on the rest of the runtime, so loom checks this crate alone.

#![forbid(unsafe_code)]

pub mod sync;

pub mod mailbox;
pub mod priority_lanes;
