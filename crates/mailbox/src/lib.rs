//! The mailbox of an actor, without timer, metrics and wake-up: which message is next, and how poster and drainer meet. Pure but for its locks.
//!
//! Read in this order: [`priority_lanes`] (which message is next), [`mailbox`] (how poster and drainer meet).
//!
//! **Invariant:** loom explores it alone; nothing here depends on the rest of the runtime.

#![forbid(unsafe_code)]

pub mod sync;

pub mod mailbox;
pub mod priority_lanes;
