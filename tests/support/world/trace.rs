//! The sequence of events as a hash and, on demand, as text.

use std::fmt::Arguments;
use std::sync::{Arc, Mutex};

use tokio::time::Instant;

/// The trace. Clones share their state.
#[derive(Clone)]
pub struct WorldTrace(Arc<Mutex<TraceState>>);

struct TraceState {
    start: Instant,
    hash: u64,
    count: u64,
    lines: Option<Vec<String>>,
    /// Whether each line is printed immediately: `LUNA_SIM_TRACE` is set.
    shown: bool,
}

impl Default for WorldTrace {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(TraceState {
            start: Instant::now(),
            hash: 0xcbf2_9ce4_8422_2325,
            count: 0,
            lines: None,
            shown: std::env::var_os("LUNA_SIM_TRACE").is_some(),
        })))
    }
}

impl WorldTrace {
    /// Keeps the text from now on.
    pub fn keep_words(&self) {
        self.0.lock().unwrap().lines = Some(Vec::new());
    }

    /// Records an event at the current time.
    pub fn note(&self, what: Arguments<'_>) {
        let mut inside = self.0.lock().unwrap();
        let line = format!("{:>8} {what}", inside.start.elapsed().as_millis());
        // FNV-1a.
        inside.hash =
            line.bytes().fold(inside.hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        inside.count += 1;
        if inside.shown {
            #[allow(clippy::print_stderr, reason = "asked for")]
            {
                eprintln!("{line}");
            }
        }
        if let Some(lines) = &mut inside.lines {
            lines.push(line);
        }
    }

    pub fn hash(&self) -> u64 {
        self.0.lock().unwrap().hash
    }

    pub fn count(&self) -> u64 {
        self.0.lock().unwrap().count
    }

    pub fn words(&self) -> Vec<String> {
        self.0.lock().unwrap().lines.clone().unwrap_or_default()
    }
}
