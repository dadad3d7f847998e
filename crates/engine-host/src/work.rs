//! Work for an engine under a lease: the queue, why work was not done, the token's orders, and the worker loop.

pub mod error;
pub mod order;
pub mod queue;
pub mod worker;
