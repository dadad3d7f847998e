//! The inbox of an actor: lanes, bounds and overflow (KER-3 to KER-5). The tree owns it, not the actor, so that waiting messages survive a crash.

mod mailbox_handle;
mod wake;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use luna_messages::{Lane, Message};
use tokio::time::Instant;

use crate::cause::{Cause, CausedMessage};
use crate::metric_names::{INBOX_DEPTH, INBOX_WAIT, MESSAGES_DROPPED, MESSAGES_HANDLED, MESSAGES_PROMOTED, how};
use crate::sampling::Sampler;
use luna_mailbox::mailbox::{Dequeued, Mailbox, MailboxOpening, PushOutcome};
use luna_mailbox::priority_lanes::{OfferOutcome, PriorityLanes, PromotedFrom, QueuedMessage};
use luna_mailbox::sync::lock;

pub(crate) use mailbox_handle::MailboxHandle;
pub(crate) use wake::Wake;

/// Share of the waits of the three lower lanes that are recorded; of the upper two, all are.
const LOWER_SHARE: f64 = 1.0 / 16.0;

/// How many messages an inbox holds and when it promotes, by [`Lane::index`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InboxSettings {
    /// Maximum number of waiting messages per lane, at least 1 (KER-4).
    pub bounds: [usize; 5],
    /// How long a message of lanes Ocr and Llm waits before it is promoted; `None`: never. Ignored for the other three (KER-5).
    pub promote_after: [Option<Duration>; 5],
}

impl Default for InboxSettings {
    fn default() -> Self {
        let (ocr, llm) = (Duration::from_secs(2), Duration::from_secs(5));
        Self { bounds: [64, 256, 1024, 1024, 1024], promote_after: [None, None, None, Some(ocr), Some(llm)] }
    }
}

/// Why a message was not accepted. It comes back, so that its sender can reply to the caller.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PostError<M> {
    /// The lane is full and the message type says to refuse.
    #[error("the inbox has no room for this message")]
    Full(M),
    /// Luna is shutting down, or the actor is given up for now.
    #[error("the inbox is closed")]
    Closed(M),
}

impl<M> PostError<M> {
    pub fn into_message(self) -> M {
        match self {
            Self::Full(message) | Self::Closed(message) => message,
        }
    }
}

/// The inbox of one actor. Clones share it.
pub struct Inbox<M: Message> {
    shared: Arc<InboxShared<M>>,
}

struct InboxShared<M: Message> {
    mailbox: Mailbox<CausedMessage<M>>,
    actor: &'static str,
    /// The reference time for the waits of messages.
    made: Instant,
    /// Lanes whose messages all need their time of arrival, because they can be promoted.
    timed: [bool; 5],
    /// Which waits are recorded.
    samplers: [Sampler; 5],
    handled: [metrics::Counter; 5],
    waits: [metrics::Histogram; 5],
    depth: [metrics::Gauge; 5],
    /// The drainer to wake; `None` between two incarnations of the actor.
    drainer: Mutex<Option<ractor::ActorRef<Wake>>>,
    /// Asks the drainer to end after the message that it handles.
    stopping: AtomicBool,
}

impl<M: Message> Clone for Inbox<M> {
    fn clone(&self) -> Self {
        Self { shared: self.shared.clone() }
    }
}

impl<M: Message> fmt::Debug for Inbox<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inbox").field("actor", &self.shared.actor).field("depth", &self.depth()).finish_non_exhaustive()
    }
}

impl<M: Message> Inbox<M> {
    /// An empty inbox. Its metrics register with the recorder installed now.
    #[must_use]
    pub fn new(actor: &'static str, settings: InboxSettings) -> Self {
        let lanes = |make: &dyn Fn(Lane) -> f64| Lane::ALL.map(make);
        let shares = lanes(&|lane| if lane <= Lane::Tts { 1.0 } else { LOWER_SHARE });
        let shared = InboxShared {
            mailbox: Mailbox::new(PriorityLanes::new(settings.bounds, settings.promote_after)),
            actor,
            made: Instant::now(),
            timed: Lane::ALL.map(|lane| lane > Lane::Uia && settings.promote_after[lane.index()].is_some()),
            samplers: shares.map(Sampler::new),
            handled: Lane::ALL.map(|lane| metrics::counter!(MESSAGES_HANDLED, "actor" => actor, "lane" => lane.name())),
            waits: Lane::ALL.map(|lane| metrics::histogram!(INBOX_WAIT, "actor" => actor, "lane" => lane.name())),
            depth: Lane::ALL.map(|lane| metrics::gauge!(INBOX_DEPTH, "actor" => actor, "lane" => lane.name())),
            drainer: Mutex::new(None),
            stopping: AtomicBool::new(false),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Name of the actor that reads it.
    #[must_use]
    pub fn actor(&self) -> &'static str {
        self.shared.actor
    }

    /// Puts a message into the lane of its type. Never blocks on the actor and never awaits. The message takes the sender's cause (KER-12).
    ///
    /// # Errors
    /// [`PostError::Full`] if the lane is full and the message type says to refuse (KER-4), [`PostError::Closed`] after [`Inbox::close`] and while
    /// the actor is given up.
    pub fn post(&self, message: M) -> Result<(), PostError<M>> {
        let shared = &*self.shared;
        let lane = message.lane();
        let overflow = message.overflow();
        let sampled = shared.samplers[lane.index()].take();
        let cause = Cause::current();
        let timed = sampled || shared.timed[lane.index()] || !cause.is_none();
        let since = if timed { shared.made.elapsed() } else { Duration::ZERO };
        let pushed =
            shared.mailbox.push(QueuedMessage::new(CausedMessage { message, cause }, since, sampled), overflow);
        // A message dropped below replies to its caller, which may post again: no lock is held here.
        match pushed {
            PushOutcome::Offered(OfferOutcome::Accepted) => {}
            PushOutcome::Offered(OfferOutcome::DroppedOldest(_oldest)) => {
                shared.count_dropped(lane, how::DROPPED_OLDEST, 1)
            }
            PushOutcome::Offered(OfferOutcome::Coalesced(_older)) => shared.count_dropped(lane, how::COALESCED, 1),
            PushOutcome::Offered(OfferOutcome::Refused(message)) => {
                shared.count_dropped(lane, how::REFUSED, 1);
                return Err(PostError::Full(message.message));
            }
            PushOutcome::Closed(message) => {
                shared.count_dropped(lane, how::CLOSED, 1);
                return Err(PostError::Closed(message.message));
            }
        }
        if shared.mailbox.arm() {
            shared.wake();
        }
        Ok(())
    }

    /// Takes no new message from now on, for good. Waiting messages stay until the tree ends the actor.
    pub fn close(&self) {
        self.shared.mailbox.set_opening(MailboxOpening::Closed);
    }

    /// Number of waiting messages, by [`Lane::index`].
    #[must_use]
    pub fn depth(&self) -> [usize; 5] {
        self.shared.mailbox.depth()
    }

    /// The next message for drainer number `epoch`.
    pub(crate) fn take(&self, epoch: u64, now: Instant) -> Dequeued<CausedMessage<M>> {
        self.record(self.shared.mailbox.take(epoch, self.since_made(now)), now)
    }

    /// Like [`Inbox::take`], but only from lane Reflex.
    pub(crate) fn take_reflex(&self, epoch: u64, now: Instant) -> Dequeued<CausedMessage<M>> {
        self.record(self.shared.mailbox.take_reflex(epoch, self.since_made(now)), now)
    }

    /// Handles a wake-up; call it before taking.
    pub(crate) fn disarm(&self) {
        self.shared.mailbox.disarm();
    }

    /// Finishes the message in flight without taking another.
    pub(crate) fn finish(&self, epoch: u64) {
        // A drainer that ends need not know whether it was stale.
        let _ = self.shared.mailbox.finish(epoch);
    }

    /// Keeps the copy that is requeued if the actor crashes on the message in flight.
    pub(crate) fn keep_copy(&self, epoch: u64, copy: QueuedMessage<CausedMessage<M>>) {
        self.shared.mailbox.keep_copy(epoch, copy);
    }

    /// Whether the drainer must end after the current message.
    pub(crate) fn is_stopping(&self) -> bool {
        self.shared.stopping.load(Ordering::Acquire)
    }

    /// Wakes `drainer` from now on. The drainer must check the inbox once by itself, for earlier messages.
    pub(crate) fn attach(&self, drainer: ractor::ActorRef<Wake>) {
        *lock(&self.shared.drainer) = Some(drainer);
    }

    /// Removes all waiting messages in delivery order: for an inbox without an actor.
    #[must_use]
    pub fn take_all(&self) -> Vec<M> {
        self.shared.mailbox.clear().into_iter().map(|waiting| waiting.message.message).collect()
    }

    pub(crate) fn since_made(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.shared.made)
    }

    fn record(&self, taken: Dequeued<CausedMessage<M>>, now: Instant) -> Dequeued<CausedMessage<M>> {
        if let Dequeued::Message(waiting, promoted) = &taken {
            let lane = waiting.lane.index();
            self.shared.handled[lane].increment(1);
            if waiting.sampled {
                let wait = self.since_made(now).saturating_sub(waiting.since);
                self.shared.waits[lane].record(wait.as_secs_f64());
            }
            if !promoted.is_none() {
                self.shared.count_promoted(*promoted);
            }
        }
        taken
    }
}

impl<M: Message> InboxShared<M> {
    fn wake(&self) {
        if let Some(drainer) = &*lock(&self.drainer) {
            // The successor of a drainer that has ended checks the inbox by itself.
            let _ = drainer.send_message(Wake);
        }
    }

    fn count_dropped(&self, lane: Lane, how: &'static str, count: u64) {
        metrics::counter!(MESSAGES_DROPPED, "actor" => self.actor, "lane" => lane.name(), "how" => how)
            .increment(count);
    }

    fn count_promoted(&self, promoted: PromotedFrom) {
        for lane in Lane::ALL {
            let count = promoted.0[lane.index()];
            if count > 0 {
                metrics::counter!(MESSAGES_PROMOTED, "actor" => self.actor, "lane" => lane.name())
                    .increment(u64::from(count));
            }
        }
    }
}
