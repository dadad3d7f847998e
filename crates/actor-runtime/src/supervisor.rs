//! The supervision tree: starts actors, restarts them, watches them, ends them (KER-1, KER-7, KER-8, KER-10).
//!
//! A failure escalates one step at a time: the actor alone restarts, with growing waits; then its group as a whole; then it is given up for a while
//! and retried slowly. Luna never ends because of a child.

mod actor;
mod child;
mod events;
mod watchdog;
mod watchdog_timer;

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ractor::ActorRef;
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::actor::{Actor, Heartbeat};
use crate::actor_loop::ActorLoop;
use crate::inbox::{Inbox, MailboxHandle};
use crate::metric_names::how;
use crate::restart::RestartPolicy;
use luna_mailbox::mailbox::MailboxOpening;
use luna_mailbox::sync::lock;

pub use crate::restart::GroupPolicy;
pub use events::{ChildId, ChildState, ChildStatus, GroupId, ShutdownReport, TreeEvent, TreeObserver, TreeSettings};

use actor::{Supervisor, SupervisorMessage};
use child::{NewChild, ShutdownTarget, SpawnIncarnation};
use events::ChildRow;
use watchdog_timer::WatchdogTimer;

/// The tree. Dropping it kills all its actors; [`SupervisionTree::shutdown`] ends them in order.
pub struct SupervisionTree {
    supervisor: ActorRef<SupervisorMessage>,
    rows: Arc<Mutex<Vec<ChildRow>>>,
    groups: AtomicUsize,
    settings: TreeSettings,
    /// Triggers the supervisor's health checks; ends with the tree.
    _watchdog_timer: WatchdogTimer,
}

impl fmt::Debug for SupervisionTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SupervisionTree").field("children", &self.status()).finish_non_exhaustive()
    }
}

impl SupervisionTree {
    /// An empty tree. `observer` receives its events and must return at once. Call it on a tokio runtime.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    #[must_use]
    pub fn new(observer: TreeObserver) -> Self {
        Self::with_settings(observer, TreeSettings::default())
    }

    /// Like [`SupervisionTree::new`], with other timing.
    #[must_use]
    pub fn with_settings(observer: TreeObserver, settings: TreeSettings) -> Self {
        let rows = Arc::new(Mutex::new(Vec::new()));
        let supervisor = Supervisor::start(observer, settings, rows.clone());
        let watchdog_timer = WatchdogTimer::start(&supervisor, settings.watchdog_period);
        Self { supervisor, rows, groups: AtomicUsize::new(0), settings, _watchdog_timer: watchdog_timer }
    }

    /// A group: if one of its actors fails too often, all of them restart (KER-7).
    pub fn group(&self, name: &'static str, policy: GroupPolicy) -> GroupId {
        let id = GroupId(self.groups.fetch_add(1, Ordering::Relaxed));
        self.order(SupervisorMessage::Group { id, name, policy });
        id
    }

    /// Starts an actor that reads `inbox`. `make` makes each of its incarnations. The first start may fail like any later one.
    pub fn add<A: Actor>(
        &self,
        policy: RestartPolicy,
        inbox: Inbox<A::Message>,
        make: impl Fn() -> A + Send + Sync + 'static,
    ) -> ChildId {
        self.add_child::<A>(None, policy, inbox, make)
    }

    /// Like [`SupervisionTree::add`], as a member of a group.
    pub fn add_to<A: Actor>(
        &self,
        group: GroupId,
        policy: RestartPolicy,
        inbox: Inbox<A::Message>,
        make: impl Fn() -> A + Send + Sync + 'static,
    ) -> ChildId {
        self.add_child::<A>(Some(group), policy, inbox, make)
    }

    /// All actors in the order in which they were added.
    #[must_use]
    pub fn status(&self) -> Vec<ChildStatus> {
        lock(&self.rows).iter().map(ChildRow::status).collect()
    }

    /// Ends all actors, the last added first, so that each can still reach those it depends on. Each stops taking messages, finishes the current
    /// one, handles waiting reflexes and runs `stopping`; other waiting messages are dropped, which replies to their callers. An actor that does not
    /// end in time is killed: this returns within `budget`, or a few scheduler turns later (KER-10).
    pub async fn shutdown(&self, budget: Duration) -> ShutdownReport {
        let until = Instant::now() + budget;
        let (reply, endings) = oneshot::channel();
        self.order(SupervisorMessage::Shutdown { reply });
        let mut endings = tokio::time::timeout_at(until, endings).await.ok().and_then(Result::ok).unwrap_or_default();
        let mut report = ShutdownReport::default();
        while let Some(ending) = endings.pop() {
            let left = until.saturating_duration_since(Instant::now());
            // Half of the time left, so that an actor that hangs leaves time for the actors after it.
            let share = if endings.is_empty() { left } else { left / 2 };
            if !self.end(&ending, share, until).await {
                report.killed.push(ending.actor);
            }
        }
        self.supervisor.kill();
        report
    }

    /// Ends one actor; false if it had to be killed.
    async fn end(&self, ending: &ShutdownTarget, share: Duration, until: Instant) -> bool {
        ending.mailbox_handle.set_opening(MailboxOpening::Closed);
        ending.mailbox_handle.set_stopping(true);
        let mut in_order = true;
        if let Some(cell) = &ending.cell {
            cell.stop(None);
            if cell.wait(Some(share)).await.is_err() {
                in_order = false;
                cell.kill();
                let left = until.saturating_duration_since(Instant::now());
                // An actor that blocks its thread does not end by this either; it ends with the process.
                let _ = cell.wait(Some(left.min(self.settings.kill_grace))).await;
            }
        }
        let _ = ending.mailbox_handle.next_epoch();
        ending.mailbox_handle.clear(how::SHUTDOWN);
        ending.mailbox_handle.publish_depth();
        if let Some(row) = lock(&self.rows).get_mut(ending.id.0) {
            row.state = ChildState::Stopped;
        }
        in_order
    }

    fn add_child<A: Actor>(
        &self,
        group: Option<GroupId>,
        policy: RestartPolicy,
        inbox: Inbox<A::Message>,
        make: impl Fn() -> A + Send + Sync + 'static,
    ) -> ChildId {
        let mailbox_handle: Arc<dyn MailboxHandle> = Arc::new(inbox.clone());
        let make: Arc<dyn Fn() -> A + Send + Sync> = Arc::new(make);
        let spawn: SpawnIncarnation = Box::new(move |epoch, supervisor| {
            let heartbeat = Arc::new(Heartbeat::default());
            let actor_loop =
                ActorLoop { inbox: inbox.clone(), make: make.clone(), heartbeat: heartbeat.clone(), epoch };
            Box::pin(async move {
                // No name: the registry would refuse a second incarnation while an abandoned one still lives.
                let (started, _) = ractor::Actor::spawn_linked(None, actor_loop, (), supervisor).await?;
                Ok((started.get_cell(), heartbeat))
            })
        });
        let mut rows = lock(&self.rows);
        let id = ChildId(rows.len());
        rows.push(ChildRow {
            actor: A::NAME,
            state: ChildState::Restarting,
            restarts: 0,
            mailbox_handle: mailbox_handle.clone(),
        });
        // Under the lock, so that the supervisor receives children in the order of their ids.
        self.order(SupervisorMessage::Add(NewChild { id, actor: A::NAME, group, policy, mailbox_handle, spawn }));
        id
    }

    fn order(&self, order: SupervisorMessage) {
        if self.supervisor.send_message(order).is_err() {
            tracing::error!("The supervisor has ended; nothing can be started any more.");
        }
    }
}

impl Drop for SupervisionTree {
    fn drop(&mut self) {
        // The end of the supervisor kills its children.
        self.supervisor.kill();
    }
}
