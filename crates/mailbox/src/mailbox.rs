//! How posters and the drainer synchronise: priority lanes behind a lock, and a wake-up that is sent only once until it is handled.
//!
//! A poster puts its message in, then arms; only the poster that armed sends a wake-up. The drainer disarms **before** it looks into the lanes. So a
//! message that it no longer sees was posted after it disarmed, and that message's poster finds the flag cleared and sends another wake-up. The
//! other order loses wake-ups; `tests/loom_inbox.rs` explores both.

use std::time::Duration;

use luna_messages::{Message, Overflow};

use crate::priority_lanes::{OfferOutcome, PriorityLanes, PromotedFrom, QueuedMessage};
use crate::sync::{AtomicBool, Mutex, Ordering, lock};

/// The message that is being handled. It is kept here, outside the actor, so that a crash does not lose it (KER-7).
#[derive(Debug)]
pub struct InFlight<M> {
    /// For reports.
    pub kind: &'static str,
    /// What to requeue after a crash, if its type allows a retry.
    pub copy: Option<QueuedMessage<M>>,
}

/// The drainer's next step.
#[derive(Debug)]
pub enum Dequeued<M> {
    /// This message is next.
    Message(QueuedMessage<M>, PromotedFrom),
    /// No message is left to handle.
    Nothing,
    /// A newer drainer replaced this one; it must end.
    Stale,
}

/// The result of a post.
#[derive(Debug)]
pub enum PushOutcome<M> {
    /// The lane's overflow rule decided.
    Offered(OfferOutcome<M>),
    /// The mailbox is closed; the message comes back.
    Closed(M),
}

/// Whether the mailbox takes messages, and whether it can open again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailboxOpening {
    /// It takes messages.
    Open,
    /// Its actor is given up for now; the next start opens it.
    Interrupted,
    /// For good; nothing opens it again.
    Closed,
}

#[derive(Debug)]
struct MailboxState<M> {
    lanes: PriorityLanes<M>,
    opening: MailboxOpening,
    /// Number of the current drainer. Others get [`Dequeued::Stale`].
    epoch: u64,
    in_flight: Option<InFlight<M>>,
}

/// Priority lanes that posters fill and one drainer empties.
#[derive(Debug)]
pub struct Mailbox<M> {
    state: Mutex<MailboxState<M>>,
    /// Whether a wake-up was sent that the drainer has not handled yet.
    armed: AtomicBool,
}

impl<M: Message> Mailbox<M> {
    /// An open mailbox around `lanes`.
    #[must_use]
    pub fn new(lanes: PriorityLanes<M>) -> Self {
        let state = MailboxState { lanes, opening: MailboxOpening::Open, epoch: 0, in_flight: None };
        Self { state: Mutex::new(state), armed: AtomicBool::new(false) }
    }

    /// Puts a message in. Unless it was refused, the caller must then call [`Mailbox::arm`], which returns whether to send a wake-up.
    pub fn push(&self, waiting: QueuedMessage<M>, overflow: Overflow) -> PushOutcome<M> {
        let mut state = lock(&self.state);
        match state.opening {
            MailboxOpening::Open => PushOutcome::Offered(state.lanes.offer(waiting, overflow)),
            MailboxOpening::Interrupted if waiting.message.survives_restart() => {
                PushOutcome::Offered(state.lanes.offer(waiting, overflow))
            }
            MailboxOpening::Interrupted | MailboxOpening::Closed => PushOutcome::Closed(waiting.message),
        }
    }

    /// Arms the wake-up; true if the caller must send it.
    pub fn arm(&self) -> bool {
        // The plain load first keeps many posters from contending for the cache line. It can't see a stale `true`: this poster left the lock after
        // the drainer's last look into the lanes, which came after its disarming.
        !self.armed.load(Ordering::Acquire) && !self.armed.swap(true, Ordering::AcqRel)
    }

    /// Handles a wake-up. The drainer calls it before it looks into the lanes.
    pub fn disarm(&self) {
        self.armed.swap(false, Ordering::AcqRel);
    }

    /// The next message for drainer number `epoch`. Also finishes the message that was in flight.
    pub fn take(&self, epoch: u64, now: Duration) -> Dequeued<M> {
        let mut state = lock(&self.state);
        if state.epoch != epoch {
            return Dequeued::Stale;
        }
        let (next, promoted) = state.lanes.take(now);
        let done = std::mem::replace(
            &mut state.in_flight,
            next.as_ref().map(|waiting| InFlight { kind: waiting.kind, copy: None }),
        );
        drop(state);
        // Dropping a copy that is no longer needed replies to its caller, so it must not happen under the lock.
        drop(done);
        match next {
            Some(waiting) => Dequeued::Message(waiting, promoted),
            None => Dequeued::Nothing,
        }
    }

    /// Like [`Mailbox::take`], but only from lane Reflex: for the start of an incarnation and for its orderly end.
    pub fn take_reflex(&self, epoch: u64, now: Duration) -> Dequeued<M> {
        let reflex = lock(&self.state).lanes.has_reflex();
        if reflex { self.take(epoch, now) } else { self.finish(epoch) }
    }

    /// Finishes the message in flight without taking another.
    pub fn finish(&self, epoch: u64) -> Dequeued<M> {
        let mut state = lock(&self.state);
        if state.epoch != epoch {
            return Dequeued::Stale;
        }
        let done = state.in_flight.take();
        drop(state);
        drop(done);
        Dequeued::Nothing
    }

    /// Keeps the copy that is requeued if the drainer crashes on the message in flight.
    pub fn keep_copy(&self, epoch: u64, copy: QueuedMessage<M>) {
        let mut state = lock(&self.state);
        if state.epoch == epoch
            && let Some(in_flight) = &mut state.in_flight
        {
            in_flight.copy = Some(copy);
        }
    }

    /// Kind of the message in flight.
    pub fn in_flight_kind(&self) -> Option<&'static str> {
        lock(&self.state).in_flight.as_ref().map(|in_flight| in_flight.kind)
    }

    /// Registers a new drainer and makes all earlier ones stale. Returns its number, and the message that the previous drainer did not finish.
    pub fn next_epoch(&self) -> (u64, Option<InFlight<M>>) {
        let mut state = lock(&self.state);
        state.epoch += 1;
        (state.epoch, state.in_flight.take())
    }

    /// Requeues a message for its retry. Returns it if a newer one replaces it.
    pub fn requeue(&self, waiting: QueuedMessage<M>) -> Option<M> {
        lock(&self.state).lanes.requeue(waiting)
    }

    /// Opens or closes the mailbox. [`MailboxOpening::Closed`] is final.
    pub fn set_opening(&self, opening: MailboxOpening) {
        let mut state = lock(&self.state);
        if state.opening != MailboxOpening::Closed {
            state.opening = opening;
        }
    }

    /// Removes all waiting messages. While the mailbox is only interrupted, those that survive a restart stay.
    pub fn clear(&self) -> Vec<QueuedMessage<M>> {
        let mut state = lock(&self.state);
        let all = state.lanes.clear();
        if state.opening != MailboxOpening::Interrupted {
            return all;
        }
        let (kept, gone): (Vec<_>, Vec<_>) = all.into_iter().partition(|waiting| waiting.message.survives_restart());
        // The oldest is requeued last, so it is first again.
        let replaced: Vec<M> = kept.into_iter().rev().filter_map(|waiting| state.lanes.requeue(waiting)).collect();
        drop(state);
        drop(replaced);
        gone
    }

    /// Number of waiting messages, by lane.
    pub fn depth(&self) -> [usize; 5] {
        lock(&self.state).lanes.depth()
    }
}
