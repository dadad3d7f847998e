//! What the Metrics actor hears.

use crate::{Lane, Message};

/// What the Metrics actor hears.
#[derive(Debug, Message)]
#[message(lane = Lane::Llm)]
pub enum MetricsMessage {
    /// Fold what was recorded since the last time, and read what only the machine knows (memory, open files).
    #[message(coalesce)]
    Upkeep,
}
