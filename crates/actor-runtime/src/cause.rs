//! The cause of a message: a trace that goes with it through all mailboxes (KER-12).
//!
//! A trace begins at an input of the person ([`TraceLog::begin`]). Everything that is posted, spawned or asked while one of its messages is handled
//! belongs to it, too: the trace is the thread's current cause while that code runs, and only then. Shared work, such as a timer or a worker that
//! takes from a queue, belongs to none ([`crate::Task::spawn_service`]); otherwise it would carry the first trace for ever.
//!
//! **Invariant:** a trace contains numbers and constants, never a word of a message (PRV-2).

use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use luna_messages::{Lane, Message, Overflow};
use tokio::time::Instant;

use crate::trace_log::{Hop, TraceId, TraceLog};

thread_local! {
    /// The cause of the code that runs on this thread now.
    static CURRENT: Cell<Option<Arc<Trace>>> = const { Cell::new(None) };
}

/// One trace, alive while any work of it goes on.
#[derive(Debug)]
struct Trace {
    id: TraceId,
    /// What started it, a constant.
    origin: &'static str,
    began: Instant,
    /// Adds the trace to lines of the log.
    span: tracing::Span,
    log: TraceLog,
}

/// The trace that some work belongs to, or none. One pointer; clones belong to the same trace.
#[derive(Debug, Clone, Default)]
pub struct Cause(Option<Arc<Trace>>);

impl TraceLog {
    /// Begins a trace at an input of the person. `origin` is a constant that names the input.
    #[must_use]
    pub fn begin(&self, origin: &'static str) -> Cause {
        let id = self.next_id();
        // No parent: a trace that begins inside of another span is separate. Error level, so that a log limited to errors still names the trace.
        let span = tracing::error_span!(parent: None, "trace", id = id.0, origin);
        Cause(Some(Arc::new(Trace { id, origin, began: Instant::now(), span, log: self.clone() })))
    }
}

impl Cause {
    /// No cause: for upkeep, which belongs to no trace.
    #[must_use]
    pub const fn none() -> Self {
        Self(None)
    }

    /// The cause of the code that runs now.
    #[must_use]
    #[inline]
    pub fn current() -> Self {
        // A thread whose local storage is destroyed has no cause any more.
        let current = CURRENT.try_with(|cell| {
            let held = cell.take()?;
            let cause = held.clone();
            cell.set(Some(held));
            Some(cause)
        });
        Self(current.unwrap_or(None))
    }

    /// Whether there is no cause.
    #[must_use]
    pub const fn is_none(&self) -> bool {
        self.0.is_none()
    }

    #[must_use]
    pub fn trace(&self) -> Option<TraceId> {
        self.0.as_ref().map(|trace| trace.id)
    }

    /// Runs `work` with this cause, or without any if this is none.
    pub fn scope<T>(&self, work: impl FnOnce() -> T) -> T {
        let _outer = CauseGuard::replace(self.0.clone());
        let _entered = self.0.as_ref().map(|trace| trace.span.enter());
        work()
    }

    /// Runs `work` with this cause whenever it is polled and when it is dropped: other work of the thread between two polls has causes of its own.
    pub fn follow<F: Future + Unpin>(self, work: F) -> CausedFuture<F> {
        CausedFuture { cause: self, work: Some(work) }
    }

    /// Records that `actor` handled a message of this trace: from `start`, after `wait` in its inbox.
    pub(crate) fn handled(&self, actor: &'static str, kind: &'static str, lane: Lane, start: Instant, wait: Duration) {
        let Some(trace) = &self.0 else { return };
        let after = start.saturating_duration_since(trace.began);
        // A message that replaced a waiting one inherits its arrival time, which may be before its own trace began.
        let hop = self.hop(trace, actor, kind, after);
        trace.log.write(Hop { lane: Some(lane), waited: wait.min(after), took: start.elapsed(), ..hop });
    }

    /// Records that `actor` reached the mark `what` at this time; a constant such as `first_sound`.
    pub fn mark(&self, actor: &'static str, what: &'static str, at: Instant) {
        let Some(trace) = &self.0 else { return };
        trace.log.write(self.hop(trace, actor, what, at.saturating_duration_since(trace.began)));
    }

    fn hop(&self, trace: &Trace, actor: &'static str, what: &'static str, after: Duration) -> Hop {
        let Trace { id, origin, began, .. } = *trace;
        Hop { trace: id, origin, began, actor, what, lane: None, after, waited: Duration::ZERO, took: Duration::ZERO }
    }
}

/// Restores the outer cause, also if a panic unwinds.
struct CauseGuard(Option<Arc<Trace>>);

impl CauseGuard {
    fn replace(inner: Option<Arc<Trace>>) -> Self {
        Self(CURRENT.try_with(|cell| cell.replace(inner)).unwrap_or(None))
    }
}

impl Drop for CauseGuard {
    fn drop(&mut self) {
        // The removed value is dropped outside of the cell: the last drop of a trace closes its span, which runs code of the log's subscriber.
        drop(CURRENT.try_with(|cell| cell.replace(self.0.take())));
    }
}

/// See [`Cause::follow`].
#[derive(Debug)]
#[must_use = "a future does nothing unless it is polled"]
pub struct CausedFuture<F> {
    cause: Cause,
    /// Empty only within `drop`.
    work: Option<F>,
}

impl<F: Future + Unpin> Future for CausedFuture<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let Self { cause, work } = &mut *self;
        match work {
            Some(work) => cause.scope(|| Pin::new(work).poll(context)),
            None => Poll::Pending,
        }
    }
}

impl<F> Drop for CausedFuture<F> {
    fn drop(&mut self) {
        // A reply that is dropped with the work posts its answer, which must have this cause.
        let Self { cause, work } = self;
        cause.scope(|| drop(work.take()));
    }
}

/// A message with its cause. To the lanes it is a message like any other: replacing, promoting, retrying or dropping it does the same to its cause.
#[derive(Debug)]
pub struct CausedMessage<M> {
    pub message: M,
    pub cause: Cause,
}

impl<M: Message> Message for CausedMessage<M> {
    fn lane(&self) -> Lane {
        self.message.lane()
    }

    fn overflow(&self) -> Overflow {
        self.message.overflow()
    }

    fn kind(&self) -> &'static str {
        self.message.kind()
    }

    fn retry(&self, attempt: u32) -> Option<Self> {
        let message = self.message.retry(attempt)?;
        Some(Self { message, cause: self.cause.clone() })
    }

    fn survives_restart(&self) -> bool {
        self.message.survives_restart()
    }
}
