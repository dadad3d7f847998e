//! The supervisor's record of one actor.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use ractor::{ActorCell, ActorId, SpawnErr};

use super::events::{ChildId, ChildState, GroupId};
use super::watchdog::LastProgress;
use crate::actor::Heartbeat;
use crate::inbox::MailboxHandle;
use crate::restart::RestartPolicy;

/// Starts incarnation number `u64`, linked to this supervisor.
pub(super) type SpawnIncarnation =
    Box<dyn Fn(u64, ActorCell) -> BoxFuture<'static, Result<(ActorCell, Arc<Heartbeat>), SpawnErr>> + Send + Sync>;

/// The definition of an actor to add.
pub(super) struct NewChild {
    pub id: ChildId,
    pub actor: &'static str,
    pub group: Option<GroupId>,
    pub policy: RestartPolicy,
    pub mailbox_handle: Arc<dyn MailboxHandle>,
    pub spawn: SpawnIncarnation,
}

/// What is needed to end an actor in order.
pub(super) struct ShutdownTarget {
    pub id: ChildId,
    pub actor: &'static str,
    pub mailbox_handle: Arc<dyn MailboxHandle>,
    pub cell: Option<ActorCell>,
}

/// A running or starting incarnation.
pub(super) struct Incarnation {
    pub id: ActorId,
    pub cell: ActorCell,
    pub heartbeat: Arc<Heartbeat>,
    pub last_progress: LastProgress,
    pub started_at: Duration,
    /// Whether it finished its start.
    pub is_started: bool,
    /// When and why the watchdog killed it.
    pub killed: Option<(Duration, String)>,
}

/// Why an actor is about to restart, until it runs.
pub(super) enum PendingRestart {
    /// The first start.
    First,
    /// After a failure or with its group.
    Restart(String),
}

/// An actor.
pub(super) struct Child {
    pub definition: NewChild,
    pub incarnation: Option<Incarnation>,
    /// Times of its failures within the window of the policy.
    pub failures: Vec<Duration>,
    pub restarts: u32,
    pub state: ChildState,
    pub pending_restart: PendingRestart,
    /// Whether it was given up before; a failure soon after the next start gives it up at once.
    pub probation: bool,
    /// Whether it is ending in order to restart with its group.
    pub with_group: bool,
    /// Changes with each planned start, so that a superseded plan does nothing.
    pub plan: u64,
}

impl Child {
    pub fn new(new: NewChild) -> Self {
        Self {
            definition: new,
            incarnation: None,
            failures: Vec::new(),
            restarts: 0,
            state: ChildState::Restarting,
            pending_restart: PendingRestart::First,
            probation: false,
            with_group: false,
            plan: 0,
        }
    }
}
