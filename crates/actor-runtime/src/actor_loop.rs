//! The actor loop: a ractor actor whose mailbox carries wake-ups only. It takes messages from the inbox and passes them to the actor.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use luna_messages::Message;
use ractor::{ActorProcessingErr, ActorRef};
use tokio::time::Instant;

use crate::actor::{Actor, ActorContext, ActorError, Heartbeat};
use crate::cause::CausedMessage;
use crate::hooks;
use crate::inbox::{Inbox, Wake};
use crate::task::guard;
use luna_mailbox::mailbox::Dequeued;
use luna_mailbox::priority_lanes::QueuedMessage;

/// How long an actor loop handles messages before it yields to other tasks of its thread.
///
/// Counted from when the runtime last polled this task, so a handler that awaited has yielded already. A yield is not free: another thread of the
/// runtime may steal the task, and on a busy machine it runs only milliseconds later.
const TURN: Duration = Duration::from_micros(500);

/// This incarnation was replaced while it blocked its thread.
#[derive(Debug, thiserror::Error)]
#[error("this incarnation of the actor was replaced")]
struct IncarnationReplaced;

pub(crate) type MakeActor<A> = Arc<dyn Fn() -> A + Send + Sync>;

/// One incarnation of an actor.
pub(crate) struct ActorLoop<A: Actor> {
    pub inbox: Inbox<A::Message>,
    pub make: MakeActor<A>,
    pub heartbeat: Arc<Heartbeat>,
    pub epoch: u64,
}

/// The actor inside its loop; empty before the start and after the end.
pub(crate) struct ActorInstance<A> {
    actor: Option<A>,
    /// Whether the supervisor had a chance to learn that it runs.
    announced: bool,
}

impl<A> Drop for ActorInstance<A> {
    fn drop(&mut self) {
        let actor = self.actor.take();
        // ractor passes the state of an ended actor to its supervisor, which must survive a panic in another actor's `drop`.
        let _ = guard(|| drop(actor));
    }
}

impl<A: Actor> ActorLoop<A> {
    fn context(&self) -> ActorContext<A::Message> {
        ActorContext::new(self.inbox.clone(), self.heartbeat.clone())
    }

    /// Passes a message to the actor, after keeping a copy for its retry (KER-7).
    async fn dispatch(
        &self,
        actor: &mut A,
        waiting: QueuedMessage<CausedMessage<A::Message>>,
        context: &ActorContext<A::Message>,
    ) -> Result<(), ActorError> {
        self.heartbeat.step();
        if let Some(copy) = waiting.message.retry(waiting.attempt + 1) {
            let QueuedMessage { lane, kind, since, attempt, .. } = waiting;
            let copy = QueuedMessage { message: copy, lane, kind, since, sampled: false, attempt: attempt + 1 };
            self.inbox.keep_copy(self.epoch, copy);
        }
        hooks::before(self.inbox.actor(), Some(waiting.kind)).await?;
        let CausedMessage { message, cause } = waiting.message;
        if cause.is_none() {
            return actor.handle(message, context).await;
        }
        let start = Instant::now();
        let wait = self.inbox.since_made(start).saturating_sub(waiting.since);
        let handled = cause.clone().follow(actor.handle(message, context)).await;
        cause.handled(self.inbox.actor(), waiting.kind, waiting.lane, start, wait);
        handled
    }

    /// Handles messages until none waits, the highest lane first each time (KER-3).
    async fn drain(
        &self,
        actor: &mut A,
        context: &ActorContext<A::Message>,
        turn: &Turn,
    ) -> Result<(), ActorProcessingErr> {
        // Before the first look into the lanes: see `luna_mailbox::mailbox`.
        self.inbox.disarm();
        let mut now = Instant::now();
        loop {
            match self.inbox.take(self.epoch, now) {
                Dequeued::Message(waiting, _) => self.dispatch(actor, waiting, context).await?,
                Dequeued::Nothing => return Ok(()),
                Dequeued::Stale => return Err(IncarnationReplaced.into()),
            }
            if self.inbox.is_stopping() {
                self.inbox.finish(self.epoch);
                return Ok(());
            }
            now = Instant::now();
            if turn.lasted(now) >= TURN {
                tokio::task::yield_now().await;
                now = Instant::now();
            }
        }
    }
}

/// Measures how long the runtime has run a task without a break.
struct Turn {
    made: Instant,
    /// Nanoseconds from `made` to the start of the current run.
    start: AtomicU64,
}

impl Turn {
    fn new() -> Self {
        Self { made: Instant::now(), start: AtomicU64::new(0) }
    }

    /// How long the current poll has lasted.
    fn lasted(&self, now: Instant) -> Duration {
        now.duration_since(self.made).saturating_sub(Duration::from_nanos(self.start.load(Ordering::Relaxed)))
    }

    /// Runs `work` and notes when each of its polls begins.
    async fn time<T>(&self, work: impl Future<Output = T>) -> T {
        let mut work = std::pin::pin!(work);
        std::future::poll_fn(|context| {
            let since = u64::try_from(self.made.elapsed().as_nanos()).unwrap_or(u64::MAX);
            self.start.store(since, Ordering::Relaxed);
            work.as_mut().poll(context)
        })
        .await
    }
}

impl<A: Actor> ractor::Actor for ActorLoop<A>
where
    A::Message: Message,
{
    type Msg = Wake;
    type State = ActorInstance<A>;
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<Wake>, (): ()) -> Result<ActorInstance<A>, ActorProcessingErr> {
        // Code of the actor runs in `post_start`, in a task of its own, so that nothing that starts actors waits for one.
        Ok(ActorInstance { actor: None, announced: false })
    }

    async fn post_start(&self, myself: ActorRef<Wake>, state: &mut ActorInstance<A>) -> Result<(), ActorProcessingErr> {
        self.heartbeat.set_busy(true);
        let actor = state.actor.insert((self.make)());
        hooks::before(self.inbox.actor(), None).await?;
        actor.started(&self.context()).await?;
        self.heartbeat.set_busy(false);
        self.inbox.attach(myself.clone());
        // For messages that arrived before the loop was attached.
        myself.send_message(Wake)?;
        Ok(())
    }

    async fn handle(
        &self,
        _: ActorRef<Wake>,
        Wake: Wake,
        state: &mut ActorInstance<A>,
    ) -> Result<(), ActorProcessingErr> {
        let Some(actor) = &mut state.actor else { return Ok(()) };
        self.heartbeat.set_busy(true);
        if !std::mem::replace(&mut state.announced, true) {
            // A reflex that waited for the start goes first.
            while let Dequeued::Message(waiting, _) = self.inbox.take_reflex(self.epoch, Instant::now()) {
                self.dispatch(actor, waiting, &self.context()).await?;
            }
            // The supervisor was notified of the start in this same poll, so its task is next on this worker, in the slot that no other worker steals
            // from. A first message that blocks the thread would keep the supervisor's task there, and no health check would run (KER-8).
            tokio::task::yield_now().await;
        }
        let (context, turn) = (self.context(), Turn::new());
        let result = turn.time(self.drain(actor, &context, &turn)).await;
        self.heartbeat.set_busy(false);
        result
    }

    async fn post_stop(&self, _: ActorRef<Wake>, state: &mut ActorInstance<A>) -> Result<(), ActorProcessingErr> {
        let Some(actor) = &mut state.actor else { return Ok(()) };
        let context = self.context();
        self.heartbeat.set_busy(true);
        // An accepted reflex is handled also at the end: it may be the command that stops speech.
        while let Dequeued::Message(waiting, _) = self.inbox.take_reflex(self.epoch, Instant::now()) {
            self.dispatch(actor, waiting, &context).await?;
        }
        actor.stopping(&context).await;
        self.heartbeat.set_busy(false);
        state.actor = None;
        Ok(())
    }
}
