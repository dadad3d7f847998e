//! A thread with a runtime of its own, which keeps connections alive whichever runtime asks by them.

use std::thread::Builder as ThreadBuilder;

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

use crate::PlatformError;

/// The thread; dropping this ends it, and with it what runs there.
pub(crate) struct RuntimeThread {
    handle: Handle,
    /// Carries no message: dropping it ends the thread.
    _stop: oneshot::Sender<()>,
}

impl RuntimeThread {
    /// Starts `thread`. `purpose` completes "The system has no thread left for …".
    pub(crate) fn start(thread: ThreadBuilder, purpose: &str) -> Result<Self, PlatformError> {
        let failed = |_| {
            PlatformError::unavailable(
                format!("The system has no thread left for {purpose}."),
                "Close programs, or raise the limit of processes (ulimit -u).",
            )
        };
        let runtime = Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel::<()>();
        let work = move || {
            // Resolves only when the sender is dropped.
            let _ = runtime.block_on(stopped);
            runtime.shutdown_background();
        };
        thread.spawn(work).map_err(failed)?;
        Ok(Self { handle, _stop: stop })
    }

    /// Starts work on the thread.
    pub(crate) const fn handle(&self) -> &Handle {
        &self.handle
    }
}
