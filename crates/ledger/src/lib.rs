//! The ledger of the GPU token: who may have a model in memory, and who is next (GPU-1 to GPU-5).
//!
//! [`decide`] takes the ledger, what happened and the time, and gives the ledger after it and what to do. Times are durations since any
//! common start. Nothing here trusts a holder: each order has a deadline, and memory counts as taken until somebody who knows says that it
//! is free.
//!
//! # Who is next
//!
//! With `W` for `gpu.wait_bound_ms`, a claim goes through three stages ([`order`](self) of one pass, highest first):
//!
//! 1. *Fresh*, until it waited `W / 2`: by lane; inside a lane, models that are in memory already before those that need a swap, so that
//!    claims for the same model are served together; then first come, first served.
//! 2. *Ripe*, from `W / 2`: promoted, once, to lane Uia where its own is lower (as KER-5 does for messages), and nobody is preferred to it
//!    any more because of a model that is in memory. It interrupts nothing. Among ripe claims the model that was served least recently
//!    comes first, so that the backlog of one model does not count against another.
//! 3. *Overdue*, from `W`: before everything else, whatever the lane, and what is in its way is asked to stop.
//!
//! Work under way is asked to stop for a claim of a higher lane at once (GPU-2), and for an overdue claim of another model; work on the same
//! model only if it overtook the claim. So a claim for a model that nobody else wants waits at most `W`, the grace period and the
//! unloading, however many claims of whatever lanes come for another model. If several models are wanted by overdue claims, they take
//! turns: one that displaced another by right (its claim was ripe) has the turn for `W / 2`, in which overdue claims don't interrupt it and
//! its work counts as work of lane Uia. Was its claim even overdue, then no lane at all interrupts it until it is loaded and worked for the
//! grace period, so that an endless stream of a higher lane does not undo each promotion at once.

#![forbid(unsafe_code)]

mod event;
mod eviction;
mod ledger;
mod order;
mod placement;
mod serve;
mod status;
mod step;

pub use event::{LedgerEffect, LedgerEvent, LedgerMetric};
pub use ledger::{Ledger, decide};
pub use placement::{Terms, budgets, placement, takes_part};

#[cfg(test)]
mod tests;
