//! The thread of the portal: it keeps the connection alive between orders, and asks while no order waits.

use std::sync::mpsc::sync_channel;

use crate::PlatformError;
use crate::runtime_thread::RuntimeThread;

/// The thread; dropping this ends it, and with it the connection, whose keys the desktop then releases.
pub(super) struct PortalThread(RuntimeThread);

impl PortalThread {
    pub(super) fn start() -> Result<Self, PlatformError> {
        let thread = std::thread::Builder::new().name("luna-portal".to_owned());
        RuntimeThread::start(thread, "the portal of the desktop").map(Self)
    }

    /// Waits for `work`, each step of which has a deadline. `None` if it panicked.
    pub(super) fn run<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> Option<T> {
        let (done, result) = sync_channel(1);
        drop(self.0.handle().spawn(async move { drop(done.send(work.await)) }));
        result.recv().ok()
    }
}
