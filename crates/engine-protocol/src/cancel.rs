//! The flag by which a job learns that nobody wants its result any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set by the reader thread the moment a `Cancel` arrives; looked at by the engine between stages. Clones share the flag.
#[derive(Debug, Clone, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    /// A flag that is not set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether the job should stop at its next boundary.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// Asks the job to stop. It can't be taken back.
    pub fn set(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// The flag itself, for a native library's callback.
    #[must_use]
    pub fn shared(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}
