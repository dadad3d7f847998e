//! Work beside a handler. Dropping a task's handle cancels it; detaching is explicit.

use std::any::Any;
use std::future::Future;
use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use tokio::task::JoinHandle;

use crate::cause::Cause;
use crate::metric_names::TASK_PANICS;

/// A running task. Dropping it cancels the task at its next await.
#[derive(Debug)]
#[must_use = "dropping a task ends it; keep it in the actor, or detach it"]
pub struct Task {
    handle: Option<JoinHandle<()>>,
}

impl Task {
    /// Starts `work` on the caller's runtime, with the caller's cause (KER-12). A panic in it is counted for `actor` and affects nothing else.
    pub fn spawn(actor: &'static str, work: impl Future<Output = ()> + Send + 'static) -> Self {
        let cause = Cause::current();
        if cause.is_none() {
            return Self::spawn_service(actor, work);
        }
        Self { handle: Some(tokio::spawn(cause.follow(Box::pin(guarded(actor, work))))) }
    }

    /// Like [`Task::spawn`], for work that belongs to no trace.
    pub fn spawn_service(actor: &'static str, work: impl Future<Output = ()> + Send + 'static) -> Self {
        Self { handle: Some(tokio::spawn(guarded(actor, work))) }
    }

    /// Lets the task run on without its handle.
    pub fn detach(mut self) {
        self.handle = None;
    }

    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.handle.as_ref().is_none_or(JoinHandle::is_finished)
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        if let Some(handle) = self.handle.take() {
            handle.abort();
        }
    }
}

fn guarded(actor: &'static str, work: impl Future<Output = ()> + Send) -> impl Future<Output = ()> + Send {
    AssertUnwindSafe(work).catch_unwind().map(move |result| {
        if result.is_err() {
            metrics::counter!(TASK_PANICS, "actor" => actor).increment(1);
            tracing::error!(actor, "A task of this actor panicked.");
        }
    })
}

/// Runs `work` and catches its panic: for foreign code that must not end its caller.
pub(crate) fn guard(work: impl FnOnce()) -> Result<(), Box<dyn Any + Send>> {
    std::panic::catch_unwind(AssertUnwindSafe(work))
}
