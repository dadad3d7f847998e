//! What the tree tells, and what it can be told.

use std::sync::Arc;
use std::time::Duration;

use crate::inbox::MailboxHandle;

/// Hears what happens in the tree. It must return at once.
pub type TreeObserver = Arc<dyn Fn(TreeEvent) + Send + Sync>;

/// An actor of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ChildId(pub(crate) usize);

/// A group of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GroupId(pub(crate) usize);

/// Times of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeSettings {
    /// How often the watchdog looks (KER-8).
    pub watchdog_period: Duration,
    /// How long a killed actor may take to reach its next await before it is abandoned and replaced.
    pub kill_grace: Duration,
    /// How often an actor that was given up is tried again.
    pub retry_degraded: Duration,
}

impl Default for TreeSettings {
    fn default() -> Self {
        Self {
            watchdog_period: Duration::from_millis(100),
            kill_grace: Duration::from_millis(250),
            retry_degraded: Duration::from_secs(30),
        }
    }
}

/// What happened in the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TreeEvent {
    /// An actor failed and runs again.
    Restarted {
        actor: &'static str,
        /// Why. Holds no text of the screen.
        reason: String,
        /// How often it was restarted in all.
        restarts: u32,
    },
    /// A handler made no progress within its deadline; the actor is being replaced (KER-8).
    Hung {
        actor: &'static str,
        /// Kind of the message that it handles; `started` or `stopping` outside of messages.
        message_kind: &'static str,
    },
    /// A hung actor blocks its thread and can't be ended; it takes no message any more, and a new one takes its place.
    Abandoned { actor: &'static str },
    /// An actor failed too often; its group starts anew.
    Escalated {
        group: &'static str,
        /// Which failed.
        actor: &'static str,
    },
    /// An actor failed too often and, if it has a group, so did the group. What waited for it is answered with an error.
    GivenUp {
        actor: &'static str,
        /// Why. Holds no text of the screen.
        reason: String,
        /// When it is tried again.
        retry_in: Duration,
    },
    /// An actor that was given up runs again.
    Recovered { actor: &'static str },
}

/// How an actor is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChildState {
    /// It handles messages.
    Running,
    /// It starts, for the first time or again.
    Restarting,
    /// It was given up and is tried again slowly.
    Degraded,
    /// Ended in order.
    Stopped,
}

/// An actor in [`super::Tree::status`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChildStatus {
    /// Its name.
    pub actor: &'static str,
    pub state: ChildState,
    /// How often it was restarted.
    pub restarts: u32,
    /// How many messages wait, by lane.
    pub depth: [usize; 5],
}

/// How a shutdown went.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShutdownReport {
    /// Actors that did not end in time.
    pub killed: Vec<&'static str>,
}

/// What `status` reads; written by the overseer.
pub(super) struct Row {
    pub actor: &'static str,
    pub state: ChildState,
    pub restarts: u32,
    pub mailbox_handle: Arc<dyn MailboxHandle>,
}

impl Row {
    pub fn status(&self) -> ChildStatus {
        ChildStatus {
            actor: self.actor,
            state: self.state,
            restarts: self.restarts,
            depth: self.mailbox_handle.depth(),
        }
    }
}
