//! Which way the newest traces went through the mailboxes, and how long each stretch took (KER-12): for `luna ctl trace`.
//!
//! In memory only, and numbers and constants only: no word of the screen or of speech comes here (BUF-3, PRV-2).

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use luna_mailbox::sync::lock;
use luna_messages::Lane;
use tokio::time::Instant;

/// Hops that are kept: some twenty picks up to their first sound.
pub const MOST_HOPS: usize = 256;

/// The number of a trace, from 1 for the first of a [`TraceLog`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TraceId(pub u64);

/// One stop of a trace on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hop {
    pub trace: TraceId,
    /// What the trace began with, a constant such as `hot_key`.
    pub origin: &'static str,
    /// When the trace began.
    pub began: Instant,
    /// Who handled a message, or came to a mark.
    pub actor: &'static str,
    /// The kind of the message, or the name of the mark.
    pub what: &'static str,
    /// The lane of the message; none for a mark.
    pub lane: Option<Lane>,
    /// From the beginning of the trace until the handler began.
    pub after: Duration,
    /// How long the message waited in the inbox.
    pub waited: Duration,
    /// How long the handler took; what it started beside itself is not in it.
    pub took: Duration,
}

/// The newest hops. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct TraceLog(Arc<Kept>);

#[derive(Debug, Default)]
struct Kept {
    /// How many traces began.
    begun: AtomicU64,
    hops: Mutex<VecDeque<Hop>>,
}

impl TraceLog {
    /// The number of a trace that begins.
    pub(crate) fn next_id(&self) -> TraceId {
        TraceId(self.0.begun.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// The hops that are kept, by trace and then by time.
    #[must_use]
    pub fn hops(&self) -> Vec<Hop> {
        let mut hops: Vec<Hop> = lock(&self.0.hops).iter().copied().collect();
        hops.sort_by_key(|hop| (hop.trace, hop.after));
        hops
    }

    pub(crate) fn write(&self, hop: Hop) {
        let mut hops = lock(&self.0.hops);
        if hops.len() >= MOST_HOPS {
            hops.pop_front();
        }
        hops.push_back(hop);
    }
}
