//! The flag that tells a job that its result is no longer wanted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The reader thread sets it when a `Cancel` arrives; the engine checks it between stages. Clones share the flag.
#[derive(Debug, Clone, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether the job should stop at its next boundary.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// Asks the job to stop. The flag can't be cleared.
    pub fn set(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// The inner flag, for a native library's callback.
    #[must_use]
    pub fn shared(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}
