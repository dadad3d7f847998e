//! Which message is next: strict priority, bounds, overflow and promotion (KER-3, KER-4, KER-5). Pure: `now` is an argument.

use std::collections::VecDeque;
use std::time::Duration;

use luna_messages::{Lane, Message, Overflow};

/// A message that waits, or was just taken.
#[derive(Debug)]
pub struct QueuedMessage<M> {
    pub message: M,
    /// Cached from the message.
    pub lane: Lane,
    /// Cached from the message.
    pub kind: &'static str,
    /// When it was posted, as the time since the inbox was made. Zero if nothing needs it.
    pub since: Duration,
    /// Whether its wait goes into the histogram (MET-3).
    pub sampled: bool,
    /// How many crashes of the actor it has caused.
    pub attempt: u32,
}

impl<M: Message> QueuedMessage<M> {
    /// A message that was not tried before, posted at `since`.
    pub fn new(message: M, since: Duration, sampled: bool) -> Self {
        Self { lane: message.lane(), kind: message.kind(), message, since, sampled, attempt: 0 }
    }
}

/// The outcome of an offer. Drop a message that it contains outside of any lock, because dropping it replies to its caller.
#[derive(Debug)]
#[must_use]
pub enum OfferOutcome<M> {
    /// It waits in its lane.
    Accepted,
    /// It waits, and the oldest message of the lane, which comes back, was removed for it.
    DroppedOldest(M),
    /// It replaced a waiting message of its kind, which comes back.
    Coalesced(M),
    /// The lane is full; the message comes back.
    Refused(M),
}

/// One lane. Each message has a number, so that its position is found in constant time.
#[derive(Debug)]
struct LaneQueue<M> {
    waiting: VecDeque<QueuedMessage<M>>,
    /// Number of the first message in `waiting`. Signed: a requeued message goes in before number 0.
    front: i64,
    /// Kinds that coalesce and wait here, with their numbers. At most one entry per kind, so it stays tiny.
    coalescing: Vec<(&'static str, i64)>,
    bound: usize,
    promote_after: Option<Duration>,
    /// Messages of this lane that wait at the end of lane Uia. They still count against this lane's bound.
    promoted: usize,
}

impl<M> LaneQueue<M> {
    fn len(&self) -> usize {
        self.waiting.len() + self.promoted
    }

    fn push_back(&mut self, waiting: QueuedMessage<M>, coalesce: bool) {
        if coalesce {
            let number = self.front + self.waiting.len() as i64;
            self.coalescing.push((waiting.kind, number));
        }
        self.waiting.push_back(waiting);
    }

    fn pop_front(&mut self) -> Option<QueuedMessage<M>> {
        let first = self.waiting.pop_front()?;
        let number = self.front;
        self.front += 1;
        if !self.coalescing.is_empty() {
            self.coalescing.retain(|&(_, other)| other != number);
        }
        Some(first)
    }

    /// The waiting message that a newer message of this kind replaces.
    fn place_of(&mut self, kind: &'static str) -> Option<&mut QueuedMessage<M>> {
        let &(_, number) = self.coalescing.iter().find(|(other, _)| *other == kind)?;
        self.waiting.get_mut(usize::try_from(number - self.front).ok()?)
    }

    /// Number of the first waiting message; if none waits, of the next to come.
    fn first_number(&self) -> i64 {
        self.front
    }

    fn next_number(&self) -> i64 {
        self.front + self.waiting.len() as i64
    }
}

/// A message of a lower lane that waits in lane Uia, before the message with number `before`.
#[derive(Debug)]
struct PromotedMessage<M> {
    before: i64,
    coalesces: bool,
    waiting: QueuedMessage<M>,
}

/// The five lanes of a mailbox, each with its bound (KER-3, KER-4).
#[derive(Debug)]
pub struct PriorityLanes<M> {
    queues: [LaneQueue<M>; 5],
    promoted: VecDeque<PromotedMessage<M>>,
}

/// The lane that promoted messages go to (KER-5).
const TARGET: usize = Lane::Uia.index();
/// The lanes that can starve, so their messages are promoted.
const STARVING: [usize; 2] = [Lane::Ocr.index(), Lane::Llm.index()];

impl<M: Message> PriorityLanes<M> {
    /// Empty lanes. A bound of 0 counts as 1. Promotion times of the three upper lanes are ignored.
    #[must_use]
    pub fn new(bounds: [usize; 5], promote_after: [Option<Duration>; 5]) -> Self {
        let queue = |index: usize| LaneQueue {
            waiting: VecDeque::new(),
            front: 0,
            coalescing: Vec::new(),
            bound: bounds[index].max(1),
            promote_after: if STARVING.contains(&index) { promote_after[index] } else { None },
            promoted: 0,
        };
        Self { queues: [queue(0), queue(1), queue(2), queue(3), queue(4)], promoted: VecDeque::new() }
    }

    /// Puts a message into its lane. A message that coalesces replaces a waiting message of its kind; otherwise the overflow rule decides if the lane
    /// is full (KER-4).
    pub fn offer(&mut self, waiting: QueuedMessage<M>, overflow: Overflow) -> OfferOutcome<M> {
        let lane = waiting.lane.index();
        if overflow == Overflow::Coalesce
            && let Some(place) = self.place_of(lane, waiting.kind)
        {
            // Position and age stay: a kind that is replaced often must not go to the end each time.
            place.attempt = 0;
            return OfferOutcome::Coalesced(std::mem::replace(&mut place.message, waiting.message));
        }
        let queue = &mut self.queues[lane];
        if queue.len() < queue.bound {
            queue.push_back(waiting, overflow == Overflow::Coalesce);
            return OfferOutcome::Accepted;
        }
        match overflow {
            Overflow::Refuse | Overflow::Coalesce => OfferOutcome::Refused(waiting.message),
            Overflow::DropOldest => {
                let oldest = self.remove_oldest(lane);
                self.queues[lane].push_back(waiting, false);
                oldest.map_or(OfferOutcome::Accepted, |oldest| OfferOutcome::DroppedOldest(oldest.message))
            }
        }
    }

    /// Promotes messages that waited too long, then takes the next message. Returns it with the promotions (KER-3, KER-5).
    pub fn take(&mut self, now: Duration) -> (Option<QueuedMessage<M>>, PromotedFrom) {
        let mut from = PromotedFrom::default();
        if !self.queues[STARVING[0]].waiting.is_empty() || !self.queues[STARVING[1]].waiting.is_empty() {
            self.promote(now, &mut from);
        }
        for lane in 0..self.queues.len() {
            if lane == TARGET
                && let Some(first) = self.promoted.front()
                && first.before <= self.queues[TARGET].first_number()
                && let Some(promoted) = self.promoted.pop_front()
            {
                self.queues[promoted.waiting.lane.index()].promoted -= 1;
                return (Some(promoted.waiting), from);
            }
            if let Some(waiting) = self.queues[lane].pop_front() {
                return (Some(waiting), from);
            }
        }
        (None, from)
    }

    /// Requeues a message for its retry, before the others of its lane (KER-7). It was accepted once, so the bound does not refuse it. Returns it if
    /// a newer message of its kind, which replaces it, waits already.
    pub fn requeue(&mut self, waiting: QueuedMessage<M>) -> Option<M> {
        let lane = waiting.lane.index();
        let coalesces = waiting.message.overflow() == Overflow::Coalesce;
        if coalesces && self.place_of(lane, waiting.kind).is_some() {
            return Some(waiting.message);
        }
        let queue = &mut self.queues[lane];
        queue.front -= 1;
        if coalesces {
            queue.coalescing.push((waiting.kind, queue.front));
        }
        queue.waiting.push_front(waiting);
        None
    }

    /// Removes all messages, highest lane first.
    pub fn clear(&mut self) -> Vec<QueuedMessage<M>> {
        let mut all = Vec::new();
        while let (Some(waiting), _) = self.take(Duration::ZERO) {
            all.push(waiting);
        }
        all
    }

    /// Number of waiting messages, by [`Lane::index`]. A promoted message counts in its original lane.
    #[must_use]
    pub fn depth(&self) -> [usize; 5] {
        std::array::from_fn(|lane| self.queues[lane].len())
    }

    /// Whether something waits in lane Reflex.
    #[must_use]
    pub fn has_reflex(&self) -> bool {
        !self.queues[Lane::Reflex.index()].waiting.is_empty()
    }

    fn place_of(&mut self, lane: usize, kind: &'static str) -> Option<&mut QueuedMessage<M>> {
        if self.queues[lane].promoted > 0
            && let Some(index) = self
                .promoted
                .iter()
                .position(|p| p.coalesces && p.waiting.lane.index() == lane && p.waiting.kind == kind)
        {
            return self.promoted.get_mut(index).map(|promoted| &mut promoted.waiting);
        }
        self.queues[lane].place_of(kind)
    }

    /// The oldest message of a lane: promoted ones are older than those that still wait in it.
    fn remove_oldest(&mut self, lane: usize) -> Option<QueuedMessage<M>> {
        if self.queues[lane].promoted > 0
            && let Some(index) = self.promoted.iter().position(|p| p.waiting.lane.index() == lane)
            && let Some(promoted) = self.promoted.remove(index)
        {
            self.queues[lane].promoted -= 1;
            return Some(promoted.waiting);
        }
        self.queues[lane].pop_front()
    }

    /// Moves messages that waited too long to the end of lane Uia. Messages age in order, so only the first of each lane is checked.
    fn promote(&mut self, now: Duration, from: &mut PromotedFrom) {
        for lane in STARVING {
            let queue = &mut self.queues[lane];
            let Some(after) = queue.promote_after else { continue };
            while queue.waiting.front().is_some_and(|first| now.saturating_sub(first.since) > after) {
                let coalesces = queue.coalescing.iter().any(|&(_, number)| number == queue.front);
                let Some(waiting) = queue.pop_front() else { break };
                queue.promoted += 1;
                from.0[lane] += 1;
                // Its position is set below, once `queue` is no longer borrowed.
                self.promoted.push_back(PromotedMessage { before: i64::MAX, coalesces, waiting });
            }
        }
        let before = self.queues[TARGET].next_number();
        for promoted in self.promoted.iter_mut().rev().take_while(|promoted| promoted.before == i64::MAX) {
            promoted.before = before;
        }
    }
}

/// How many messages were promoted, by the index of their original lane.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PromotedFrom(pub [u32; 5]);

impl PromotedFrom {
    #[must_use]
    pub fn is_none(self) -> bool {
        self == Self::default()
    }
}

#[cfg(test)]
mod tests;
