//! The supervisor: a ractor actor that all actor loops are linked to. It performs what [`crate::restart`] and the watchdog decide.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ractor::{ActorCell, ActorId, ActorProcessingErr, ActorRef, ActorRuntime, SupervisionEvent};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::child::{Child, Incarnation, NewChild, PendingRestart, ShutdownTarget};
use super::events::{ChildId, ChildRow, ChildState, GroupId, TreeEvent, TreeObserver, TreeSettings};
use super::watchdog::LastProgress;
use crate::actor::ActorError;
use crate::metric_names::{ACTOR_FAILURES, ACTOR_GIVEN_UP, ACTOR_HUNG, ACTOR_RESTARTS, cause, how};
use crate::restart::{GroupPolicy, RestartDecision, decide, forget_old, may_restart_group};
use crate::task::guard;
use luna_mailbox::mailbox::MailboxOpening;
use luna_mailbox::sync::lock;

/// The supervisor's messages.
pub(super) enum SupervisorMessage {
    /// Make a group.
    Group { id: GroupId, name: &'static str, policy: GroupPolicy },
    /// Start an actor.
    Add(NewChild),
    /// A planned start is due.
    Start { child: ChildId, plan: u64 },
    /// Check whether all actors make progress.
    CheckHealth,
    /// Restart nothing from now on, and reply with the actors to end, in the order in which they were added.
    Shutdown { reply: oneshot::Sender<Vec<ShutdownTarget>> },
}

struct RestartGroup {
    name: &'static str,
    policy: GroupPolicy,
    restarts: Vec<Duration>,
}

pub(super) struct Supervisor;

pub(super) struct SupervisorState {
    observer: TreeObserver,
    settings: TreeSettings,
    rows: Arc<Mutex<Vec<ChildRow>>>,
    /// The reference time for the times of failures.
    made: Instant,
    children: Vec<Child>,
    groups: HashMap<usize, RestartGroup>,
    /// Current incarnations; events of any other incarnation come from an abandoned one.
    incarnations: HashMap<ActorId, usize>,
    shutting_down: bool,
}

impl Supervisor {
    pub fn start(
        observer: TreeObserver,
        settings: TreeSettings,
        rows: Arc<Mutex<Vec<ChildRow>>>,
    ) -> ActorRef<SupervisorMessage> {
        let state = SupervisorState {
            observer,
            settings,
            rows,
            made: Instant::now(),
            children: Vec::new(),
            groups: HashMap::new(),
            incarnations: HashMap::new(),
            shutting_down: false,
        };
        match ActorRuntime::spawn_instant(None, Self, state) {
            Ok((supervisor, _)) => supervisor,
            // Only a taken name makes this fail, and the supervisor has no name.
            Err(error) => unreachable!("an actor without a name could not be made: {error}"),
        }
    }
}

impl ractor::Actor for Supervisor {
    type Msg = SupervisorMessage;
    type State = SupervisorState;
    type Arguments = SupervisorState;

    async fn pre_start(
        &self,
        _: ActorRef<SupervisorMessage>,
        state: SupervisorState,
    ) -> Result<SupervisorState, ActorProcessingErr> {
        Ok(state)
    }

    async fn handle(
        &self,
        myself: ActorRef<SupervisorMessage>,
        order: SupervisorMessage,
        state: &mut SupervisorState,
    ) -> Result<(), ActorProcessingErr> {
        match order {
            SupervisorMessage::Group { id, name, policy } => {
                state.groups.insert(id.0, RestartGroup { name, policy, restarts: Vec::new() });
            }
            SupervisorMessage::Add(new) => {
                let index = new.id.0;
                state.children.push(Child::new(new));
                state.start(&myself, index).await;
            }
            SupervisorMessage::Start { child, plan } => {
                if state.children.get(child.0).is_some_and(|child| child.plan == plan) {
                    state.start(&myself, child.0).await;
                }
            }
            SupervisorMessage::CheckHealth => state.check_health(&myself),
            SupervisorMessage::Shutdown { reply } => {
                state.shutting_down = true;
                let ending = |child: &Child| ShutdownTarget {
                    id: child.definition.id,
                    actor: child.definition.actor,
                    mailbox_handle: child.definition.mailbox_handle.clone(),
                    cell: child.incarnation.as_ref().map(|incarnation| incarnation.cell.clone()),
                };
                // A caller that went away ends all actors by dropping the tree.
                let _ = reply.send(state.children.iter().map(ending).collect());
            }
        }
        Ok(())
    }

    async fn handle_supervisor_evt(
        &self,
        myself: ActorRef<SupervisorMessage>,
        event: SupervisionEvent,
        state: &mut SupervisorState,
    ) -> Result<(), ActorProcessingErr> {
        match event {
            SupervisionEvent::ActorStarted(cell) => state.incarnation_started(cell.get_id()),
            SupervisionEvent::ActorTerminated(cell, last_state, reason) => {
                drop(last_state);
                state.incarnation_ended(&myself, &cell, cause::ENDED, || {
                    reason.unwrap_or_else(|| "it ended by itself".into())
                });
            }
            SupervisionEvent::ActorFailed(cell, error) => match error.downcast_ref::<ActorError>() {
                Some(error) => state.incarnation_ended(&myself, &cell, cause::ERROR, || error.to_string()),
                None => {
                    // A panic's text may quote what was being read, so the panic hook logs only its place.
                    tracing::debug!(%error, "What the actor's panic said.");
                    state.incarnation_ended(&myself, &cell, cause::PANIC, || "it panicked".into());
                }
            },
            SupervisionEvent::ProcessGroupChanged(_) => {}
        }
        Ok(())
    }
}

impl SupervisorState {
    fn now(&self) -> Duration {
        self.made.elapsed()
    }

    fn notify_observer(&self, event: TreeEvent) {
        let observer = self.observer.clone();
        if guard(move || observer(event)).is_err() {
            tracing::error!("The observer of the tree panicked.");
        }
    }

    fn set_state(&mut self, index: usize, state: ChildState) {
        let Some(child) = self.children.get_mut(index) else {
            return;
        };
        child.state = state;
        if let Some(row) = lock(&self.rows).get_mut(index) {
            row.state = state;
            row.restarts = child.restarts;
        }
    }

    /// Starts an incarnation, unless one runs or the tree shuts down.
    async fn start(&mut self, myself: &ActorRef<SupervisorMessage>, index: usize) {
        let now = self.now();
        let shutting_down = self.shutting_down;
        let Some(child) = self.children.get_mut(index) else {
            return;
        };
        if shutting_down || child.incarnation.is_some() {
            return;
        }
        child.definition.mailbox_handle.set_stopping(false);
        child.definition.mailbox_handle.set_opening(MailboxOpening::Open);
        let (epoch, _) = child.definition.mailbox_handle.next_epoch();
        match (child.definition.spawn)(epoch, myself.get_cell()).await {
            Ok((cell, heartbeat)) => {
                let id = cell.get_id();
                child.incarnation = Some(Incarnation {
                    id,
                    cell,
                    heartbeat,
                    last_progress: LastProgress::default(),
                    started_at: now,
                    is_started: false,
                    killed: None,
                });
                self.incarnations.insert(id, index);
            }
            Err(error) => self.incarnation_failed(myself, index, cause::ERROR, error.to_string(), now),
        }
    }

    /// An incarnation finished its start.
    fn incarnation_started(&mut self, id: ActorId) {
        let Some(&index) = self.incarnations.get(&id) else { return };
        let Some(child) = self.children.get_mut(index) else {
            return;
        };
        if let Some(incarnation) = &mut child.incarnation {
            incarnation.is_started = true;
        }
        let actor = child.definition.actor;
        let recovered = child.state == ChildState::Degraded;
        let pending_restart = std::mem::replace(&mut child.pending_restart, PendingRestart::First);
        if let PendingRestart::Restart(reason) = pending_restart {
            child.restarts += 1;
            let restarts = child.restarts;
            metrics::counter!(ACTOR_RESTARTS, "actor" => actor).increment(1);
            tracing::warn!(actor, reason, restarts, "The actor runs again.");
            self.set_state(index, ChildState::Running);
            self.notify_observer(TreeEvent::Restarted { actor, reason, restarts });
        } else {
            self.set_state(index, ChildState::Running);
        }
        if recovered {
            self.notify_observer(TreeEvent::Recovered { actor });
        }
    }

    /// An incarnation ended, requested or not.
    fn incarnation_ended(
        &mut self,
        myself: &ActorRef<SupervisorMessage>,
        cell: &ActorCell,
        cause: &'static str,
        reason: impl FnOnce() -> String,
    ) {
        let Some(index) = self.incarnations.remove(&cell.get_id()) else {
            return;
        };
        let Some(child) = self.children.get_mut(index) else {
            return;
        };
        let Some(incarnation) = child.incarnation.take() else { return };
        if self.shutting_down {
            self.set_state(index, ChildState::Stopped);
            return;
        }
        if let Some((_, reason)) = incarnation.killed {
            self.incarnation_failed(myself, index, cause::HUNG, reason, incarnation.started_at);
        } else if child.with_group && cause == cause::ENDED {
            child.with_group = false;
            self.plan_start(myself, index, Duration::ZERO);
        } else {
            self.incarnation_failed(myself, index, cause, reason(), incarnation.started_at);
        }
    }

    /// An incarnation that was started at `started_at` failed: decides and performs the decision.
    fn incarnation_failed(
        &mut self,
        myself: &ActorRef<SupervisorMessage>,
        index: usize,
        cause: &'static str,
        reason: String,
        started_at: Duration,
    ) {
        let now = self.now();
        let Some(child) = self.children.get_mut(index) else {
            return;
        };
        let actor = child.definition.actor;
        let (_, unfinished) = child.definition.mailbox_handle.next_epoch();
        child.with_group = false;
        let message_kind = unfinished.map_or("none", |unfinished| unfinished.kind);
        metrics::counter!(ACTOR_FAILURES, "actor" => actor, "cause" => cause).increment(1);
        tracing::warn!(actor, cause, reason, message_kind, "The actor failed.");
        let reason = if unfinished.is_some() { format!("{reason} (message: {message_kind})") } else { reason };
        let policy = child.definition.policy;
        forget_old(&mut child.failures, policy.within, now);
        let decision = decide(&policy, &child.failures, now);
        child.failures.push(now);
        let too_soon = child.probation && now.saturating_sub(started_at) <= policy.within;
        child.probation = too_soon;
        match decision {
            RestartDecision::Restart { after } if !too_soon => {
                child.pending_restart = PendingRestart::Restart(reason);
                self.set_state(index, ChildState::Restarting);
                self.plan_start(myself, index, after);
            }
            RestartDecision::Restart { .. } => self.give_up(myself, index, reason),
            RestartDecision::GiveUp => self.escalate(myself, index, reason, now),
        }
    }

    /// Restarts the actor's group, or gives the actor up.
    fn escalate(&mut self, myself: &ActorRef<SupervisorMessage>, index: usize, reason: String, now: Duration) {
        let Some(child) = self.children.get_mut(index) else {
            return;
        };
        let actor = child.definition.actor;
        let member_of = child.definition.group;
        let group = member_of.filter(|_| !child.probation).and_then(|id| self.groups.get_mut(&id.0));
        let Some(group) = group else {
            return self.give_up(myself, index, reason);
        };
        forget_old(&mut group.restarts, group.policy.within, now);
        if !may_restart_group(&group.policy, &group.restarts, now) {
            return self.give_up(myself, index, reason);
        }
        group.restarts.push(now);
        let name = group.name;
        tracing::error!(group = name, actor, "The actor failed too often; its group starts anew.");
        child.failures.clear();
        child.pending_restart = PendingRestart::Restart(reason);
        let after = child.definition.policy.backoff_max;
        self.set_state(index, ChildState::Restarting);
        self.plan_start(myself, index, after);
        self.notify_observer(TreeEvent::Escalated { group: name, actor });
        for other in 0..self.children.len() {
            if other != index {
                self.restart_with_group(other, member_of, name);
            }
        }
    }

    fn restart_with_group(&mut self, index: usize, member_of: Option<GroupId>, name: &'static str) {
        let Some(child) = self.children.get_mut(index) else {
            return;
        };
        if child.definition.group != member_of {
            return;
        }
        let Some(incarnation) = &child.incarnation else { return };
        child.with_group = true;
        child.pending_restart = PendingRestart::Restart(format!("its group {name} starts anew"));
        child.definition.mailbox_handle.set_stopping(true);
        incarnation.cell.stop(None);
        self.set_state(index, ChildState::Restarting);
    }

    /// Goes on without the actor for a while (KER-9).
    fn give_up(&mut self, myself: &ActorRef<SupervisorMessage>, index: usize, reason: String) {
        let retry_in = self.settings.retry_degraded;
        let Some(child) = self.children.get_mut(index) else {
            return;
        };
        let actor = child.definition.actor;
        child.probation = true;
        child.failures.clear();
        child.pending_restart = PendingRestart::Restart(reason.clone());
        // Callers get an error at once; they don't wait for the next try.
        child.definition.mailbox_handle.set_opening(MailboxOpening::Interrupted);
        child.definition.mailbox_handle.clear(how::GIVEN_UP);
        metrics::counter!(ACTOR_GIVEN_UP, "actor" => actor).increment(1);
        tracing::error!(actor, reason, ?retry_in, "The actor fails too often; it is given up and tried again later.");
        self.set_state(index, ChildState::Degraded);
        self.plan_start(myself, index, retry_in);
        self.notify_observer(TreeEvent::GivenUp { actor, reason, retry_in });
    }

    fn plan_start(&mut self, myself: &ActorRef<SupervisorMessage>, index: usize, after: Duration) {
        let Some(child) = self.children.get_mut(index) else {
            return;
        };
        child.plan += 1;
        let order = SupervisorMessage::Start { child: child.definition.id, plan: child.plan };
        let myself = myself.clone();
        tokio::spawn(async move {
            tokio::time::sleep(after).await;
            // A supervisor that has ended starts nothing.
            let _ = myself.send_message(order);
        });
    }

    /// The watchdog's health check of all actors (KER-8).
    fn check_health(&mut self, myself: &ActorRef<SupervisorMessage>) {
        let now = self.now();
        for index in 0..self.children.len() {
            let Some(child) = self.children.get_mut(index) else {
                return;
            };
            child.definition.mailbox_handle.publish_depth();
            if self.shutting_down {
                continue;
            }
            let actor = child.definition.actor;
            let deadline = child.definition.policy.handler_deadline;
            let Some(incarnation) = &mut child.incarnation else { continue };
            if let Some((since, reason)) = &incarnation.killed {
                if now.saturating_sub(*since) >= self.settings.kill_grace {
                    let (id, reason, started_at) = (incarnation.id, reason.clone(), incarnation.started_at);
                    child.incarnation = None;
                    self.incarnations.remove(&id);
                    tracing::error!(actor, "The hung actor blocks its thread; it is abandoned.");
                    self.notify_observer(TreeEvent::Abandoned { actor });
                    self.incarnation_failed(myself, index, cause::HUNG, reason, started_at);
                }
            } else if incarnation.last_progress.is_stuck(incarnation.heartbeat.snapshot(), deadline, now) {
                // Not decided by the child's state: an actor that ends in order to restart with its group counts as restarting already.
                let outside = if incarnation.is_started { "stopping" } else { "started" };
                let message_kind = child.definition.mailbox_handle.in_flight_kind().unwrap_or(outside);
                incarnation.killed = Some((now, format!("it made no progress for {deadline:?}")));
                incarnation.cell.kill();
                metrics::counter!(ACTOR_HUNG, "actor" => actor).increment(1);
                tracing::error!(actor, message_kind, ?deadline, "The actor hangs; it is being replaced.");
                self.notify_observer(TreeEvent::Hung { actor, message_kind });
            }
        }
    }
}
