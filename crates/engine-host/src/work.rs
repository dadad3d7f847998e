//! Work that waits for an engine under a lease: the queue, why work was not done, what the token orders, and the loop that does it.

pub mod error;
pub mod order;
pub mod queue;
pub mod worker;
