//! The path of the newest traces through the mailboxes, and how long each hop took (KER-12): for `luna ctl trace`.
//!
//! In memory only, and numbers and constants only: it never contains a word of the screen or of speech (BUF-3, PRV-2).

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use luna_mailbox::sync::lock;
use luna_messages::Lane;
use tokio::time::Instant;

/// Capacity in hops: some twenty picks up to their first sound.
pub const MAX_HOPS: usize = 256;

/// The number of a trace, from 1 for the first of a [`TraceLog`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TraceId(pub u64);

/// One step of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hop {
    pub trace: TraceId,
    /// What started the trace, a constant such as `hot_key`.
    pub origin: &'static str,
    /// When the trace began.
    pub began: Instant,
    /// The actor that handled a message or reached a mark.
    pub actor: &'static str,
    /// The kind of the message, or the name of the mark.
    pub what: &'static str,
    /// The lane of the message; `None` for a mark.
    pub lane: Option<Lane>,
    /// Time from the beginning of the trace until the handler began or the mark was reached.
    pub after: Duration,
    /// How long the message waited in the inbox.
    pub waited: Duration,
    /// How long the handler took, without the work that it started beside itself.
    pub took: Duration,
}

/// The newest hops. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct TraceLog(Arc<TraceStore>);

#[derive(Debug, Default)]
struct TraceStore {
    /// Number of traces so far.
    count: AtomicU64,
    hops: Mutex<VecDeque<Hop>>,
}

impl TraceLog {
    /// The number of a new trace.
    pub(crate) fn next_id(&self) -> TraceId {
        TraceId(self.0.count.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// The stored hops, by trace and then by time.
    #[must_use]
    pub fn hops(&self) -> Vec<Hop> {
        let mut hops: Vec<Hop> = lock(&self.0.hops).iter().copied().collect();
        hops.sort_by_key(|hop| (hop.trace, hop.after));
        hops
    }

    pub(crate) fn write(&self, hop: Hop) {
        let mut hops = lock(&self.0.hops);
        if hops.len() >= MAX_HOPS {
            hops.pop_front();
        }
        hops.push_back(hop);
    }
}
