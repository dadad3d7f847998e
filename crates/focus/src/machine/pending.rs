//! Questions that wait for an answer besides a search: the state of focus mode has them.

use luna_messages::pick::PickRequest;
use luna_messages::uia::RowsExtent;
use luna_messages::{Point, RequestId};

use super::lines::LineStep;
use super::requested_reading::RequestedReading;

/// The question after a small move, and what is known of the place.
#[derive(Debug)]
pub(super) struct MoveProbe {
    /// The question without an answer so far.
    pub(super) pending: Option<(RequestId, PickRequest)>,
    /// Where the pointer was when something was asked last, in a search or after a small move.
    pub(super) at: Option<Point>,
    /// Where recognition was asked last.
    pub(super) recognised_at: Option<Point>,
    /// The person stopped speech; small moves start nothing until the next target.
    pub(super) is_quiet: bool,
}

impl MoveProbe {
    pub(super) const fn new() -> Self {
        Self { pending: None, at: None, recognised_at: None, is_quiet: false }
    }

    /// A search begins at `point`.
    pub(super) const fn begun_at(point: Point) -> Self {
        Self { at: Some(point), ..Self::new() }
    }

    /// The person wants silence.
    pub(super) const fn quiet() -> Self {
        Self { is_quiet: true, ..Self::new() }
    }

    pub(super) const fn is_pending(&self) -> bool {
        self.pending.is_some()
    }
}

/// Rows that were asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct PendingRows {
    pub(super) id: RequestId,
    pub(super) extent: RowsExtent,
}

/// A line step that awaits the lines of the window.
#[derive(Debug, Clone, Copy)]
pub(super) struct PendingStep {
    pub(super) id: RequestId,
    pub(super) step: LineStep,
    /// What is done with the line; absent: it is read.
    pub(super) requested: Option<RequestedReading>,
    /// Whether only the part of the window beyond the target was asked for, because a list of the whole window was incomplete.
    pub(super) is_beyond: bool,
}

/// What the next pick does instead of reading, because it was asked for before its text was there (FOC-7).
#[derive(Debug, Clone, Copy)]
pub(super) struct IntendedReading {
    /// Id of the command or of the wish.
    pub(super) id: RequestId,
    pub(super) requested: RequestedReading,
    /// Number of the timer that ends the wait.
    pub(super) timer: u64,
    /// The time is over, but the search that began before that still counts.
    pub(super) is_last_search: bool,
}
