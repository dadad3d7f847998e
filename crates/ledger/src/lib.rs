//! The ledger of the GPU token: which engines may have a model in memory, and which claim is next (GPU-1 to GPU-5).
//!
//! [`decide`] takes the ledger, an event and the time, and returns the next ledger and the effects to perform. Times are durations since any common
//! start. The ledger does not trust holders: each order has a deadline, and memory counts as taken until a reliable source says that it is free.
//!
//! # Which claim is next
//!
//! With `W` for `gpu.wait_bound_ms`, a claim goes through three stages:
//!
//! 1. *Fresh*, until it waited `W / 2`: by lane; inside a lane, resident models before those that need a swap, so that claims for the same model are
//!    served together; then first come, first served.
//! 2. *Ripe*, from `W / 2`: promoted, once, to lane Uia if its own is lower (as KER-5 does for messages), and a resident model no longer gives other
//!    claims precedence over it. It interrupts nothing. Among ripe claims the model that was served least recently comes first, so that the backlog
//!    of one model does not count against another.
//! 3. *Overdue*, from `W`: before everything else, whatever the lane, and the work in its way is asked to stop.
//!
//! Running work is asked to stop for a claim of a higher lane at once (GPU-2), and for an overdue claim of another model; work on the same model only
//! if it overtook the claim. So the only claim for a model waits at most `W`, the grace period and the unloading, however many claims of whatever
//! lanes come for another model. If overdue claims want several models, they take turns: a model that displaced another by right (its claim was ripe)
//! has the turn for `W / 2`, in which overdue claims don't interrupt it and its work counts as work of lane Uia. If its claim was even overdue, no
//! lane at all interrupts it until it is loaded and worked for the grace period, so that an endless stream of a higher lane does not undo each
//! promotion at once.

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
pub use placement::{Terms, budgets, may_claim_memory, placement};

#[cfg(test)]
mod tests;
