//! What the Metrics actor hears.

use crate::{Lane, Message, Overflow};

/// What the Metrics actor hears.
#[derive(Debug)]
pub enum MetricsMessage {
    /// Fold what was recorded since the last time, and read what only the machine knows (memory, open files).
    Upkeep,
}

impl Message for MetricsMessage {
    fn lane(&self) -> Lane {
        Lane::Llm
    }

    fn overflow(&self) -> Overflow {
        match self {
            Self::Upkeep => Overflow::Coalesce,
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Upkeep => "upkeep",
        }
    }
}
