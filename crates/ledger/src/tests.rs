//! The ledger by its rules, in worlds of simulated holders, and beside a reference.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod behaviour;
mod bound;
mod eviction;
mod placement;
mod reference;
mod rules;
mod script;
mod status;
mod turns;
mod world;
