//! Messages of the Metrics actor.

use crate::{Lane, Message};

/// Messages of the Metrics actor.
#[derive(Debug, Message)]
#[message(lane = Lane::Llm)]
pub enum MetricsMessage {
    /// Aggregates the observations since the last upkeep, and reads process figures from the system (memory, open files).
    #[message(coalesce)]
    Upkeep,
}
