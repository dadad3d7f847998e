//! The thread of the portal: it keeps the connection alive between orders, and asks while no order waits.

use std::sync::mpsc::sync_channel;

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

use crate::PlatformError;

/// The thread; dropping this ends it, and with it the connection, whose keys the desktop then releases.
pub(super) struct PortalThread {
    handle: Handle,
    /// Carries no message: dropping it ends the thread.
    _stop: oneshot::Sender<()>,
}

impl PortalThread {
    pub(super) fn start() -> Result<Self, PlatformError> {
        let failed = |_| {
            PlatformError::unavailable(
                "The system has no thread left for the portal of the desktop.",
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
        std::thread::Builder::new().name("luna-portal".to_owned()).spawn(work).map_err(failed)?;
        Ok(Self { handle, _stop: stop })
    }

    /// Waits for `work`, each step of which has a deadline. `None` if it panicked.
    pub(super) fn run<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> Option<T> {
        let (done, result) = sync_channel(1);
        drop(self.handle.spawn(async move { drop(done.send(work.await)) }));
        result.recv().ok()
    }
}
