//! The actor trait (KER-1, KER-2): a state that handles one message at a time.

use std::fmt::{self, Display};
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use luna_messages::Message;

use crate::inbox::Inbox;
use crate::task::Task;

/// An actor. A panic or an error in any of its functions restarts it (KER-7); a handler that makes no progress is ended (KER-8).
///
/// Handlers start work elsewhere and return at once: a priority mailbox alone pre-empts nothing.
#[async_trait]
pub trait Actor: Send + 'static {
    /// The messages it handles: one closed enum.
    type Message: Message;
    /// Its name in logs and metrics.
    const NAME: &'static str;

    /// Runs before the first message of each incarnation.
    async fn started(&mut self, context: &ActorContext<Self::Message>) -> Result<(), ActorError> {
        let _ = context;
        Ok(())
    }

    /// Handles a message. An error ends this incarnation; the message is not retried unless its type allows it.
    async fn handle(&mut self, message: Self::Message, context: &ActorContext<Self::Message>)
    -> Result<(), ActorError>;

    /// Runs at an orderly shutdown, within its budget (KER-10). Not after a crash.
    async fn stopping(&mut self, context: &ActorContext<Self::Message>) {
        let _ = context;
    }
}

/// Why an actor can't go on: a sentence for the log and the supervisor. It must not contain text of the screen or of speech (PRV).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{sentence}")]
pub struct ActorError {
    sentence: Box<str>,
}

impl ActorError {
    /// From anything displayable, such as another error.
    pub fn new(what: impl Display) -> Self {
        Self { sentence: what.to_string().into_boxed_str() }
    }
}

/// The services of the runtime for a running actor.
pub struct ActorContext<M: Message> {
    inbox: Inbox<M>,
    heartbeat: Arc<Heartbeat>,
}

impl<M: Message> Clone for ActorContext<M> {
    fn clone(&self) -> Self {
        Self { inbox: self.inbox.clone(), heartbeat: self.heartbeat.clone() }
    }
}

impl<M: Message> fmt::Debug for ActorContext<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ActorContext").field("inbox", &self.inbox).finish_non_exhaustive()
    }
}

impl<M: Message> ActorContext<M> {
    pub(crate) fn new(inbox: Inbox<M>, heartbeat: Arc<Heartbeat>) -> Self {
        Self { inbox, heartbeat }
    }

    /// The actor's own inbox, to receive replies.
    #[must_use]
    pub fn inbox(&self) -> &Inbox<M> {
        &self.inbox
    }

    /// Posts `message` to the actor itself after `delay`. A refused message is only counted.
    pub fn send_after(&self, delay: Duration, message: M) -> Task {
        let inbox = self.inbox.clone();
        self.spawn(async move {
            tokio::time::sleep(delay).await;
            let _ = inbox.post(message);
        })
    }

    /// Posts the result of `make` every `period`, first after one period. A `period` of zero counts as one millisecond.
    pub fn every(&self, period: Duration, make: impl Fn() -> M + Send + 'static) -> Task {
        let inbox = self.inbox.clone();
        let period = period.max(Duration::from_millis(1));
        self.spawn_service(async move {
            loop {
                tokio::time::sleep(period).await;
                // The inbox counts a refused message, and the next one comes.
                let _ = inbox.post(make());
            }
        })
    }

    /// A context without a tree, to call the functions of an actor that is not supervised.
    #[must_use]
    pub fn detached(inbox: Inbox<M>) -> Self {
        Self::new(inbox, Arc::new(Heartbeat::default()))
    }

    /// Runs `work` beside the handlers, for the current cause (KER-12).
    pub fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) -> Task {
        Task::spawn(self.inbox.actor(), work)
    }

    /// Like [`ActorContext::spawn`], for work that belongs to no trace, such as a timer or a worker that takes from a queue.
    pub fn spawn_service(&self, work: impl Future<Output = ()> + Send + 'static) -> Task {
        Task::spawn_service(self.inbox.actor(), work)
    }

    /// Reports progress of a long handler to the watchdog (KER-8).
    pub fn progress(&self) {
        self.heartbeat.step();
    }
}

/// What the watchdog sees of an incarnation. Cheap enough to update for every message.
#[derive(Debug, Default)]
pub(crate) struct Heartbeat {
    /// Changes with every message and every report of progress.
    steps: AtomicU64,
    /// Whether code of the actor runs.
    busy: AtomicBool,
}

impl Heartbeat {
    /// Records progress. A step lost between two threads does no harm: the number still changes.
    pub fn step(&self) {
        self.steps.store(self.steps.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
    }

    /// Marks the beginning or end of the actor's code.
    pub fn set_busy(&self, busy: bool) {
        self.step();
        self.busy.store(busy, Ordering::Relaxed);
    }

    /// `(steps, busy)`.
    pub fn snapshot(&self) -> (u64, bool) {
        (self.steps.load(Ordering::Relaxed), self.busy.load(Ordering::Relaxed))
    }
}
