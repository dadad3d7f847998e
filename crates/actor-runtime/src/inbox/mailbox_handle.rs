//! The supervisor's side of an inbox, independent of its message type.

use std::sync::atomic::Ordering;

use luna_messages::{Lane, Message};

use super::Inbox;
use crate::metric_names::{MESSAGES_CRASHED, MESSAGES_RETRIED};
use luna_mailbox::mailbox::MailboxOpening;
use luna_mailbox::sync::lock;

/// The message during which an incarnation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CrashedMessage {
    pub kind: &'static str,
}

/// What the supervisor does with an inbox.
pub(crate) trait MailboxHandle: Send + Sync {
    /// Makes the current incarnation stale and returns the number of the next. Counts the message that the old one did not finish, and requeues it if
    /// its type allows a retry (KER-7).
    fn next_epoch(&self) -> (u64, Option<CrashedMessage>);
    fn set_opening(&self, opening: MailboxOpening);
    /// Asks the incarnation to end after its current message, or withdraws the request.
    fn set_stopping(&self, stopping: bool);
    /// Drops all waiting messages, which replies to their callers, and counts them under `how`.
    fn clear(&self, how: &'static str);
    /// Number of waiting messages, by lane.
    fn depth(&self) -> [usize; 5];
    /// Kind of the message in flight.
    fn in_flight_kind(&self) -> Option<&'static str>;
    /// Sets the depth gauges.
    fn publish_depth(&self);
}

impl<M: Message> MailboxHandle for Inbox<M> {
    fn next_epoch(&self) -> (u64, Option<CrashedMessage>) {
        *lock(&self.shared.drainer) = None;
        let (epoch, in_flight) = self.shared.mailbox.next_epoch();
        let unfinished = in_flight.map(|in_flight| {
            let actor = self.shared.actor;
            metrics::counter!(MESSAGES_CRASHED, "actor" => actor).increment(1);
            if let Some(copy) = in_flight.copy {
                metrics::counter!(MESSAGES_RETRIED, "actor" => actor).increment(1);
                // A returned copy is older than a waiting message of its kind; dropping it replies to its caller.
                drop(self.shared.mailbox.requeue(copy));
            }
            CrashedMessage { kind: in_flight.kind }
        });
        (epoch, unfinished)
    }

    fn set_opening(&self, opening: MailboxOpening) {
        self.shared.mailbox.set_opening(opening);
    }

    fn set_stopping(&self, stopping: bool) {
        self.shared.stopping.store(stopping, Ordering::Release);
    }

    fn clear(&self, how: &'static str) {
        let all = self.shared.mailbox.clear();
        for lane in Lane::ALL {
            let count = all.iter().filter(|waiting| waiting.lane == lane).count();
            if count > 0 {
                self.shared.count_dropped(lane, how, count as u64);
            }
        }
    }

    fn depth(&self) -> [usize; 5] {
        Inbox::depth(self)
    }

    fn in_flight_kind(&self) -> Option<&'static str> {
        self.shared.mailbox.in_flight_kind()
    }

    fn publish_depth(&self) {
        for (gauge, depth) in self.shared.depth.iter().zip(Inbox::depth(self)) {
            gauge.set(depth as f64);
        }
    }
}
