//! Recently requested lines of windows, so that stepping quickly doesn't walk the tree again (BUF-1).

use std::time::Duration;

use luna_focus::buffers::ExpiringBuffer;
use luna_messages::uia::TextLine;
use tokio::time::Instant;
use zeroize::Zeroize;

/// The lines of one window.
struct Snapshot {
    window: u64,
    lines: Vec<TextLine>,
    /// Whether no line is missing.
    is_complete: bool,
}

impl Zeroize for Snapshot {
    fn zeroize(&mut self) {
        for line in &mut self.lines {
            line.text.zeroize();
        }
    }
}

/// The lines of the windows that were asked for last.
pub struct Snapshots {
    newest: ExpiringBuffer<Snapshot>,
    /// Reference time of the buffer.
    start: Instant,
}

impl Snapshots {
    /// Keeps at most `count` for `ttl` each.
    pub const fn new(count: usize, ttl: Duration, start: Instant) -> Self {
        Self { newest: ExpiringBuffer::new(count, ttl), start }
    }

    /// The lines of a window, unless they have expired, and whether they are complete.
    pub fn lines(&self, window: u64, now: Instant) -> Option<(Vec<TextLine>, bool)> {
        let snapshot = self.newest.alive(now - self.start).find(|snapshot| snapshot.window == window)?;
        Some((snapshot.lines.clone(), snapshot.is_complete))
    }

    /// Keeps fresh lines. Lines that were remembered before are not fresh: each look would renew their lifetime.
    pub fn remember(&mut self, window: u64, lines: Vec<TextLine>, is_complete: bool, now: Instant) {
        self.newest.push(Snapshot { window, lines, is_complete }, now - self.start);
    }

    /// Wipes expired lines (BUF-2).
    pub fn purge(&mut self, now: Instant) {
        self.newest.purge(now - self.start);
    }
}
