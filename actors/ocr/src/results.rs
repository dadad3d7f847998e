//! Recently recognised lines of windows, so that stepping line by line doesn't recognise the window again (BUF-1).

use std::time::Duration;

use luna_focus::buffers::ExpiringBuffer;
use luna_messages::ocr::OcrResult;
use tokio::time::Instant;
use zeroize::Zeroize;

struct CachedRecognition {
    window: u64,
    result: OcrResult,
}

impl Zeroize for CachedRecognition {
    fn zeroize(&mut self) {
        for block in &mut self.result.blocks {
            block.text.zeroize();
        }
        self.result.rows.zeroize();
    }
}

/// The results of the windows that were recognised last.
pub struct Results {
    newest: ExpiringBuffer<CachedRecognition>,
    /// Reference time of the buffer.
    start: Instant,
}

impl Results {
    /// Keeps at most `count` for `ttl` each.
    pub const fn new(count: usize, ttl: Duration, start: Instant) -> Self {
        Self { newest: ExpiringBuffer::new(count, ttl), start }
    }

    /// The result of a window, unless it has expired.
    pub fn of(&self, window: u64, now: Instant) -> Option<OcrResult> {
        self.newest.alive(now - self.start).find(|kept| kept.window == window).map(|kept| kept.result.clone())
    }

    pub fn remember(&mut self, window: u64, result: OcrResult, now: Instant) {
        self.newest.push(CachedRecognition { window, result }, now - self.start);
    }

    /// Wipes expired results (BUF-2).
    pub fn purge(&mut self, now: Instant) {
        self.newest.purge(now - self.start);
    }
}
