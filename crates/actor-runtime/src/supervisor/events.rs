//! The tree's events, status and timing.

use std::sync::Arc;
use std::time::Duration;

use crate::inbox::MailboxHandle;

/// Receives the events of the tree. It must return at once.
pub type TreeObserver = Arc<dyn Fn(TreeEvent) + Send + Sync>;

/// An actor of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ChildId(pub(crate) usize);

/// A group of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GroupId(pub(crate) usize);

/// Timing of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeSettings {
    /// Health-check interval of the watchdog (KER-8).
    pub watchdog_period: Duration,
    /// How long a killed actor may take to reach its next await before it is abandoned and replaced.
    pub kill_grace: Duration,
    /// Interval between tries of an actor that was given up.
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

/// An event of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TreeEvent {
    /// An actor failed and runs again.
    Restarted {
        actor: &'static str,
        /// Contains no text of the screen.
        reason: String,
        /// All its restarts so far.
        restarts: u32,
    },
    /// A handler made no progress within its deadline; the actor is being replaced (KER-8).
    Hung {
        actor: &'static str,
        /// Kind of the current message; `started` or `stopping` outside of messages.
        message_kind: &'static str,
    },
    /// A hung actor blocks its thread and can't be ended; it takes no further message, and a new incarnation takes its place.
    Abandoned { actor: &'static str },
    /// An actor failed too often; its group restarts.
    Escalated {
        group: &'static str,
        /// The actor that failed.
        actor: &'static str,
    },
    /// An actor failed too often and its group, if it has one, may not restart again; or it failed soon after a slow retry. Callers of its waiting
    /// messages get an error.
    GivenUp {
        actor: &'static str,
        /// Contains no text of the screen.
        reason: String,
        /// Time until the next try.
        retry_in: Duration,
    },
    /// An actor that was given up runs again.
    Recovered { actor: &'static str },
}

/// The state of an actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChildState {
    /// It handles messages.
    Running,
    /// It starts, for the first time or again.
    Restarting,
    /// It was given up and is retried slowly.
    Degraded,
    /// It ended in order.
    Stopped,
}

/// An actor in [`super::SupervisionTree::status`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChildStatus {
    pub actor: &'static str,
    pub state: ChildState,
    pub restarts: u32,
    /// Number of waiting messages, by lane.
    pub depth: [usize; 5],
}

/// The outcome of a shutdown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShutdownReport {
    /// Actors that did not end in time.
    pub killed: Vec<&'static str>,
}

/// The published state of an actor: the supervisor writes it, `status` reads it.
pub(super) struct ChildRow {
    pub actor: &'static str,
    pub state: ChildState,
    pub restarts: u32,
    pub mailbox_handle: Arc<dyn MailboxHandle>,
}

impl ChildRow {
    pub fn status(&self) -> ChildStatus {
        ChildStatus {
            actor: self.actor,
            state: self.state,
            restarts: self.restarts,
            depth: self.mailbox_handle.depth(),
        }
    }
}
