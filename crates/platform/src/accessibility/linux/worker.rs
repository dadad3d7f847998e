//! The accessibility thread: a query is some twenty short calls in sequence, each of which would otherwise wake a
//! thread of the caller's runtime. The thread also keeps the connections alive, whichever runtime makes the queries.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::task::JoinHandle;

use crate::PlatformError;
use crate::runtime_thread::RuntimeThread;

/// Stack of the thread: trees are searched to a depth of some dozen elements, each within the other's query.
const STACK_BYTES: usize = 8 << 20;

/// The accessibility thread; dropping this ends it.
pub(super) struct AccessibilityThread(RuntimeThread);

impl AccessibilityThread {
    pub(super) fn start() -> Result<Self, PlatformError> {
        let thread = std::thread::Builder::new().name("luna-accessibility".to_owned()).stack_size(STACK_BYTES);
        RuntimeThread::start(thread, "reading the accessibility tree").map(Self)
    }

    /// Runs `question` on the thread; dropping the future cancels it. `None` if the query panicked.
    pub(super) async fn run<T: Send + 'static>(&self, question: impl Future<Output = T> + Send + 'static) -> Option<T> {
        PendingQuery(self.0.handle().spawn(question)).await
    }

    /// Runs `work` on the thread until it ends.
    pub(super) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        drop(self.0.handle().spawn(work));
    }
}

/// A running query, cancelled on drop.
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
