//! How posters and the drainer meet: lanes behind a lock, and a wake-up that is sent once until it was obeyed.
//!
//! A poster puts its message in, then arms; only who armed sends a wake-up. The drainer disarms **before** it looks. So a message that it no
//! longer sees was posted after it disarmed, and its poster finds the flag down and wakes again. The other order loses wake-ups;
//! `tests/loom_inbox.rs` explores both.

use std::time::Duration;

use luna_messages::{Message, Overflow};

use crate::priority_lanes::{OfferOutcome, PriorityLanes, PromotedFrom, QueuedMessage};
use crate::sync::{AtomicBool, Mutex, Ordering, lock};

/// The message that is being handled. It stands here, outside the actor, so that a crash does not take it along (KER-7).
#[derive(Debug)]
pub struct InFlight<M> {
    /// Its kind, for reports.
    pub kind: &'static str,
    /// What to hand out once more, if its type allows that.
    pub copy: Option<QueuedMessage<M>>,
}

/// What the drainer gets.
#[derive(Debug)]
pub enum Dequeued<M> {
    /// This message is next.
    Message(QueuedMessage<M>, PromotedFrom),
    /// Nothing waits.
    Nothing,
    /// The drainer was replaced by another one; it must end.
    Stale,
}

/// What a post led to.
#[derive(Debug)]
pub enum Pushed<M> {
    /// By the rule of the lane.
    Offered(OfferOutcome<M>),
    /// The door is closed; the message comes back.
    Closed(M),
}

/// How a door that is closed can open again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailboxOpening {
    /// It takes messages.
    Open,
    /// Its actor is given up for now; it opens with the next try.
    Interrupted,
    /// For good.
    Closed,
}

#[derive(Debug)]
struct MailboxState<M> {
    lanes: PriorityLanes<M>,
    opening: MailboxOpening,
    /// Number of the drainer that may take. Others get [`Dequeued::Stale`].
    epoch: u64,
    in_flight: Option<InFlight<M>>,
}

/// The door.
#[derive(Debug)]
pub struct Mailbox<M> {
    inside: Mutex<MailboxState<M>>,
    /// Whether a wake-up is under way that the drainer has not obeyed yet.
    armed: AtomicBool,
}

impl<M: Message> Mailbox<M> {
    /// An open door before empty lanes.
    #[must_use]
    pub fn new(lanes: PriorityLanes<M>) -> Self {
        let inside = MailboxState { lanes, opening: MailboxOpening::Open, epoch: 0, in_flight: None };
        Self { inside: Mutex::new(inside), armed: AtomicBool::new(false) }
    }

    /// Puts a message in. The caller then asks [`Mailbox::arm`] whether it must send a wake-up.
    pub fn push(&self, waiting: QueuedMessage<M>, overflow: Overflow) -> Pushed<M> {
        let mut inside = lock(&self.inside);
        match inside.opening {
            MailboxOpening::Open => Pushed::Offered(inside.lanes.offer(waiting, overflow)),
            MailboxOpening::Interrupted if waiting.message.survives_restart() => {
                Pushed::Offered(inside.lanes.offer(waiting, overflow))
            }
            MailboxOpening::Interrupted | MailboxOpening::Closed => Pushed::Closed(waiting.message),
        }
    }

    /// Arms the wake-up; true if the caller must send it.
    pub fn arm(&self) -> bool {
        // The plain look first keeps a flood of posters from fighting for the cache line. It can't see an old `true`: this poster left the
        // lock after the drainer's last look into the lanes, which came after its disarming.
        !self.armed.load(Ordering::Acquire) && !self.armed.swap(true, Ordering::AcqRel)
    }

    /// The drainer obeys a wake-up. To be called before it looks.
    pub fn disarm(&self) {
        self.armed.swap(false, Ordering::AcqRel);
    }

    /// The next message for drainer number `epoch`. The one before it is thereby done.
    pub fn take(&self, epoch: u64, now: Duration) -> Dequeued<M> {
        let mut inside = lock(&self.inside);
        if inside.epoch != epoch {
            return Dequeued::Stale;
        }
        let (next, promoted) = inside.lanes.take(now);
        let done = std::mem::replace(
            &mut inside.in_flight,
            next.as_ref().map(|waiting| InFlight { kind: waiting.kind, copy: None }),
        );
        drop(inside);
        // A copy that is no longer needed answers its asker when it is dropped, so not under the lock.
        drop(done);
        match next {
            Some(waiting) => Dequeued::Message(waiting, promoted),
            None => Dequeued::Nothing,
        }
    }

    /// Like [`Mailbox::take`], for the last moments of an orderly end: only lane Reflex.
    pub fn take_reflex(&self, epoch: u64, now: Duration) -> Dequeued<M> {
        let reflex = lock(&self.inside).lanes.has_reflex();
        if reflex { self.take(epoch, now) } else { self.finish(epoch) }
    }

    /// The message in flight is done and no other is taken.
    pub fn finish(&self, epoch: u64) -> Dequeued<M> {
        let mut inside = lock(&self.inside);
        if inside.epoch != epoch {
            return Dequeued::Stale;
        }
        let done = inside.in_flight.take();
        drop(inside);
        drop(done);
        Dequeued::Nothing
    }

    /// Keeps what to repeat if the drainer crashes on the message in flight.
    pub fn keep_copy(&self, epoch: u64, copy: QueuedMessage<M>) {
        let mut inside = lock(&self.inside);
        if inside.epoch == epoch
            && let Some(in_flight) = &mut inside.in_flight
        {
            in_flight.copy = Some(copy);
        }
    }

    /// Kind of the message in flight.
    pub fn in_flight_kind(&self) -> Option<&'static str> {
        lock(&self.inside).in_flight.as_ref().map(|in_flight| in_flight.kind)
    }

    /// Lets in a new drainer and shuts out all before it. Returns its number, and the message that the last one did not finish.
    pub fn next_epoch(&self) -> (u64, Option<InFlight<M>>) {
        let mut inside = lock(&self.inside);
        inside.epoch += 1;
        (inside.epoch, inside.in_flight.take())
    }

    /// Puts a message in that is to be repeated. Comes back where a newer one replaces it.
    pub fn put_back(&self, waiting: QueuedMessage<M>) -> Option<M> {
        lock(&self.inside).lanes.put_back(waiting)
    }

    /// Opens or closes the door. What is closed for good stays so.
    pub fn set_opening(&self, opening: MailboxOpening) {
        let mut inside = lock(&self.inside);
        if inside.opening != MailboxOpening::Closed {
            inside.opening = opening;
        }
    }

    /// Takes out everything that waits; where the door is only interrupted, what survives that stays.
    pub fn clear(&self) -> Vec<QueuedMessage<M>> {
        let mut inside = lock(&self.inside);
        let all = inside.lanes.clear();
        if inside.opening != MailboxOpening::Interrupted {
            return all;
        }
        let (kept, gone): (Vec<_>, Vec<_>) = all.into_iter().partition(|waiting| waiting.message.survives_restart());
        // The oldest is put back last, and so comes first again.
        let replaced: Vec<M> = kept.into_iter().rev().filter_map(|waiting| inside.lanes.put_back(waiting)).collect();
        drop(inside);
        drop(replaced);
        gone
    }

    /// How many wait, by lane.
    pub fn depth(&self) -> [usize; 5] {
        lock(&self.inside).lanes.depth()
    }
}
