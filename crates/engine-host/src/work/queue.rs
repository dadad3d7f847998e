//! Work that waits for an engine, one piece after another, and how the running piece is stopped.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use luna_actor_runtime::Cause;
use luna_messages::RequestId;
use luna_messages::gpu::Lease;
use luna_messages::work::WorkFailure;
use tokio::sync::{Notify, watch};

use luna_mailbox::sync::lock;

/// Maximum number of early cancels, and of early stops, that are remembered: lanes of an inbox overtake one another, so a cancel may arrive before
/// its request, and a stop before its lease is known.
const REMEMBERED: usize = 64;

/// Why work must stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// More urgent work needs the memory (GPU-2).
    Preempt,
    /// The result is no longer wanted (KER-6). Overrides `Preempt`.
    Cancel,
}

/// Pieces of work, first in, first out. It lives outside of the actor, so that waiting work survives a crash.
#[derive(Debug)]
pub struct WorkQueue<W> {
    state: Mutex<QueueState<W>>,
    added: Notify,
}

#[derive(Debug)]
struct QueueState<W> {
    waiting: VecDeque<WaitingWork<W>>,
    bound: usize,
    running: Option<RunningWork>,
    /// Requests cancelled before they arrived.
    cancelled: VecDeque<RequestId>,
    /// Leases stopped before their work was known.
    stopped: VecDeque<Lease>,
}

#[derive(Debug)]
struct WaitingWork<W> {
    id: RequestId,
    work: W,
    retried: bool,
    cause: Cause,
}

#[derive(Debug)]
struct RunningWork {
    id: RequestId,
    lease: Option<Lease>,
    stop: Arc<watch::Sender<Option<StopReason>>>,
}

/// A piece of work to be done now.
#[derive(Debug)]
pub struct DequeuedWork<W> {
    pub work: W,
    /// Signals when the work must stop.
    pub ticket: WorkTicket<W>,
}

/// Represents the running piece; while it lives, no other is dequeued.
#[derive(Debug)]
pub struct WorkTicket<W> {
    queue: Arc<WorkQueue<W>>,
    id: RequestId,
    stop: Arc<watch::Sender<Option<StopReason>>>,
    /// Whether it was requeued before.
    retried: bool,
    /// The trace of the request.
    cause: Cause,
}

fn remember_bounded<T>(list: &mut VecDeque<T>, value: T) {
    if list.len() >= REMEMBERED {
        list.pop_front();
    }
    list.push_back(value);
}

/// Removes a remembered value; returns whether it was there.
fn take_remembered<T: PartialEq>(list: &mut VecDeque<T>, value: &T) -> bool {
    list.iter().position(|known| known == value).map(|at| list.remove(at)).is_some()
}

fn set_stop_reason(stop: &watch::Sender<Option<StopReason>>, why: StopReason) {
    stop.send_if_modified(|now| {
        let changes = *now != Some(why) && *now != Some(StopReason::Cancel);
        if changes {
            *now = Some(why);
        }
        changes
    });
}

impl<W> WorkQueue<W> {
    /// An empty queue in which at most `bound` pieces wait, at least 1.
    #[must_use]
    pub fn new(bound: usize) -> Arc<Self> {
        let state = QueueState {
            waiting: VecDeque::new(),
            bound: bound.max(1),
            running: None,
            cancelled: VecDeque::new(),
            stopped: VecDeque::new(),
        };
        Arc::new(Self { state: Mutex::new(state), added: Notify::new() })
    }

    /// Adds work at the end.
    ///
    /// # Errors
    /// Returns the work, with [`WorkFailure::Busy`] if too much waits, or [`WorkFailure::Cancelled`] if its cancel came first.
    pub fn push(&self, id: RequestId, work: W) -> Result<(), (W, WorkFailure)> {
        let cause = Cause::current();
        let mut state = lock(&self.state);
        if take_remembered(&mut state.cancelled, &id) {
            return Err((work, WorkFailure::Cancelled));
        }
        let waiting = state.waiting.len();
        if waiting >= state.bound {
            return Err((work, WorkFailure::Busy { waiting }));
        }
        state.waiting.push_back(WaitingWork { id, work, retried: false, cause });
        drop(state);
        self.added.notify_one();
        Ok(())
    }

    /// Waits for the next piece while the queue is empty or a piece is running. Only one task may call it at a time.
    pub async fn take(self: &Arc<Self>) -> DequeuedWork<W> {
        loop {
            if let Some(taken) = self.try_take() {
                return taken;
            }
            self.added.notified().await;
        }
    }

    fn try_take(self: &Arc<Self>) -> Option<DequeuedWork<W>> {
        let mut state = lock(&self.state);
        if state.running.is_some() {
            return None;
        }
        let WaitingWork { id, work, retried, cause } = state.waiting.pop_front()?;
        let stop = Arc::new(watch::Sender::new(None));
        state.running = Some(RunningWork { id, lease: None, stop: stop.clone() });
        drop(state);
        Some(DequeuedWork { work, ticket: WorkTicket { queue: self.clone(), id, stop, retried, cause } })
    }

    /// A ticket for work that no request asked for, between two pieces, so that a stop reaches that work, too.
    #[must_use]
    pub fn idle_ticket(self: &Arc<Self>) -> WorkTicket<W> {
        let (id, stop) = (RequestId::next(), Arc::new(watch::Sender::new(None)));
        lock(&self.state).running = Some(RunningWork { id, lease: None, stop: stop.clone() });
        WorkTicket { queue: self.clone(), id, stop, retried: false, cause: Cause::none() }
    }

    /// Cancels a request: a waiting one is returned and must be answered, a running one is stopped, and one that has not arrived yet is refused on
    /// arrival.
    #[must_use = "what waited has to be answered"]
    pub fn cancel(&self, id: RequestId) -> Option<W> {
        let mut state = lock(&self.state);
        if let Some(running) = state.running.as_ref().filter(|running| running.id == id) {
            set_stop_reason(&running.stop, StopReason::Cancel);
            return None;
        }
        if let Some(at) = state.waiting.iter().position(|waiting| waiting.id == id) {
            let waiting = state.waiting.remove(at);
            // The last drop of a cause runs code of the log's subscriber, so it must not happen under the lock.
            drop(state);
            return waiting.map(|waiting| waiting.work);
        }
        remember_bounded(&mut state.cancelled, id);
        None
    }

    /// Stops the work under this lease, also if its lease becomes known only later. Returns whether it is known now.
    pub fn stop(&self, lease: Lease) -> bool {
        let mut state = lock(&self.state);
        match state.running.as_ref().filter(|running| running.lease == Some(lease)) {
            Some(running) => {
                set_stop_reason(&running.stop, StopReason::Preempt);
                true
            }
            None => {
                remember_bounded(&mut state.stopped, lease);
                false
            }
        }
    }

    #[must_use]
    pub fn waiting(&self) -> usize {
        lock(&self.state).waiting.len()
    }

    /// Removes all waiting work; the caller must answer each piece.
    #[must_use = "what waited has to be answered"]
    pub fn clear(&self) -> Vec<W> {
        let all = std::mem::take(&mut lock(&self.state).waiting);
        all.into_iter().map(|waiting| waiting.work).collect()
    }
}

impl<W> WorkTicket<W> {
    /// Sets the lease that the work is done under, so that a stop reaches it.
    pub fn set_lease(&self, lease: Lease) {
        let mut state = lock(&self.queue.state);
        let stopped = take_remembered(&mut state.stopped, &lease);
        if let Some(running) = &mut state.running {
            running.lease = Some(lease);
        }
        drop(state);
        if stopped {
            set_stop_reason(&self.stop, StopReason::Preempt);
        }
    }

    /// Waits until the work must stop; returns why.
    pub async fn stop_requested(&self) -> StopReason {
        let mut stop = self.stop.subscribe();
        loop {
            if let Some(why) = *stop.borrow_and_update() {
                return why;
            }
            if stop.changed().await.is_err() {
                // The sender lives in `self`.
                std::future::pending::<()>().await;
            }
        }
    }

    /// Why the work must stop, if it must.
    #[must_use]
    pub fn stop_reason(&self) -> Option<StopReason> {
        *self.stop.borrow()
    }

    /// The trace of the request, which the work continues (KER-12).
    #[must_use]
    pub fn cause(&self) -> Cause {
        self.cause.clone()
    }

    /// Whether the work was requeued before.
    #[must_use]
    pub fn is_retried(&self) -> bool {
        self.retried
    }

    /// Ends this turn and requeues the work at the front.
    pub fn requeue(self, work: W) {
        let (id, cause) = (self.id, self.cause.clone());
        lock(&self.queue.state).waiting.push_front(WaitingWork { id, work, retried: true, cause });
    }
}

impl<W> Drop for WorkTicket<W> {
    fn drop(&mut self) {
        lock(&self.queue.state).running = None;
        self.queue.added.notify_one();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const ID: fn(u64) -> RequestId = RequestId;

    // KER-4
    #[tokio::test]
    async fn work_is_taken_one_by_one_and_what_is_too_much_comes_back_ker_4() {
        let queue = WorkQueue::new(2);
        assert_eq!(queue.push(ID(1), 'a'), Ok(()));
        assert_eq!(queue.push(ID(2), 'b'), Ok(()));
        assert_eq!(queue.push(ID(3), 'c'), Err(('c', WorkFailure::Busy { waiting: 2 })));
        let first = queue.take().await;
        assert_eq!((first.work, first.ticket.is_retried()), ('a', false));
        assert!(queue.try_take().is_none(), "one at a time");
        first.ticket.requeue('a');
        let again = queue.take().await;
        assert_eq!((again.work, again.ticket.is_retried(), queue.waiting()), ('a', true, 1));
        drop(again);
        assert_eq!(queue.take().await.work, 'b');
        assert_eq!(queue.push(ID(4), 'd'), Ok(()));
        assert_eq!(queue.clear(), ['d']);
    }

    // KER-6
    #[tokio::test]
    async fn a_cancel_finds_work_wherever_it_is_ker_6() {
        let queue = WorkQueue::new(8);
        assert_eq!(queue.cancel(ID(1)), None, "it comes before the work");
        assert_eq!(queue.push(ID(1), 'a'), Err(('a', WorkFailure::Cancelled)));
        assert_eq!(queue.push(ID(1), 'a'), Ok(()), "it counts once");
        queue.push(ID(2), 'b').unwrap();
        assert_eq!(queue.cancel(ID(2)), Some('b'), "it waits");
        let running = queue.take().await;
        assert_eq!(running.ticket.stop_reason(), None);
        assert_eq!(queue.cancel(ID(1)), None);
        assert_eq!(running.ticket.stop_requested().await, StopReason::Cancel, "it is under way");
        drop(running);
        for id in 10..10 + 2 * REMEMBERED as u64 {
            assert_eq!(queue.cancel(ID(id)), None);
        }
        assert!(lock(&queue.state).cancelled.len() <= REMEMBERED, "cancels of what never comes take no room");
    }

    // GPU-2
    #[tokio::test]
    async fn a_stop_finds_work_by_its_lease_also_before_it_is_known_gpu_2() {
        let queue = WorkQueue::new(8);
        queue.push(ID(1), 'a').unwrap();
        let running = queue.take().await;
        running.ticket.set_lease(Lease(1));
        assert!(!queue.stop(Lease(2)));
        assert_eq!(running.ticket.stop_reason(), None, "that is another lease");
        assert!(queue.stop(Lease(1)));
        assert_eq!(running.ticket.stop_requested().await, StopReason::Preempt);
        assert_eq!(queue.cancel(ID(1)), None);
        assert_eq!(running.ticket.stop_requested().await, StopReason::Cancel, "a cancel is stronger");
        assert!(queue.stop(Lease(1)));
        assert_eq!(running.ticket.stop_reason(), Some(StopReason::Cancel));
        drop(running);
        queue.push(ID(2), 'b').unwrap();
        let next = queue.take().await;
        assert_eq!(next.ticket.stop_reason(), None);
        next.ticket.set_lease(Lease(2));
        assert_eq!(next.ticket.stop_requested().await, StopReason::Preempt);
    }

    // KER-12
    #[tokio::test]
    async fn work_keeps_what_it_was_asked_for_by_ker_12() {
        let (queue, traces) = (WorkQueue::new(8), luna_actor_runtime::TraceLog::default());
        let cause = traces.begin("test");
        assert_eq!(cause.scope(|| queue.push(ID(1), 'a')), Ok(()));
        queue.push(ID(2), 'b').unwrap();
        let taken = queue.take().await;
        assert_eq!((taken.work, taken.ticket.cause().trace()), ('a', cause.trace()));
        taken.ticket.requeue('a');
        assert_eq!(queue.take().await.ticket.cause().trace(), cause.trace(), "also when it was put back");
        assert!(queue.take().await.ticket.cause().is_none());
        assert!(queue.idle_ticket().cause().is_none());
    }
}
