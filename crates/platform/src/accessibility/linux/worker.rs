//! A thread of its own for the tree: a question is some twenty short answers one after the other, and each would otherwise wake
//! another thread of the caller's runtime. It also keeps the connections alive whatever runtime asks.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::PlatformError;

/// The thread; it ends when this is dropped.
pub(super) struct AccessibilityThread {
    handle: Handle,
    /// Never sent anything: the thread ends when it is gone.
    _stop: oneshot::Sender<()>,
}

impl AccessibilityThread {
    pub(super) fn start() -> Result<Self, PlatformError> {
        let failed = |_| {
            PlatformError::unavailable(
                "The system has no thread left for reading the accessibility tree.",
                "Close programs, or raise the limit of processes (ulimit -u).",
            )
        };
        let runtime = Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel::<()>();
        let work = move || {
            // It can only end by the other side's going away.
            let _ = runtime.block_on(stopped);
            runtime.shutdown_background();
        };
        std::thread::Builder::new().name("luna-accessibility".to_owned()).spawn(work).map_err(failed)?;
        Ok(Self { handle, _stop: stop })
    }

    /// Has `question` answered on the thread; dropping the future cancels it. `None` if it panicked.
    pub(super) async fn run<T: Send + 'static>(&self, question: impl Future<Output = T> + Send + 'static) -> Option<T> {
        PendingQuery(self.handle.spawn(question)).await
    }
}

/// A question under way, cancelled when it is dropped.
struct PendingQuery<T>(JoinHandle<T>);

impl<T> Future for PendingQuery<T> {
    type Output = Option<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(context).map(Result::ok)
    }
}

impl<T> Drop for PendingQuery<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}
