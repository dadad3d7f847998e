//! An actor that does what its messages say, and its supervision tree.
#![allow(dead_code, missing_docs, reason = "each test file uses its part")]

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use luna_actor_runtime::{
    Actor, ActorContext, ActorError, Inbox, InboxSettings, RestartPolicy, SupervisionTree, Task, TreeEvent,
    TreeSettings,
};
use luna_messages::{Lane, Message, Overflow, Reply};
use luna_test_support::EventLog;
use luna_test_support::recorder::{metric, recorder};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::time::timeout;

pub const MS: fn(u64) -> Duration = Duration::from_millis;
pub const SOON: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub enum SubjectMessage {
    /// Recorded.
    Say(u32),
    /// Recorded; survives while the actor is given up.
    Fact(u32),
    /// Recorded, before all other messages.
    Urgent(u32),
    /// Recorded, in the lane of speech.
    Aloud(u32),
    Panic,
    Fail,
    /// Panics, and may be retried `left` times.
    PanicAgain {
        left: u32,
    },
    Ask(Reply<u32>),
    AskAndPanic(Reply<u32>),
    HangAsync(Reply<u32>),
    HangThread(Duration),
    /// Sleeps, then blocks the worker thread that ran the timers.
    SleepThenHangThread(Duration),
    Long {
        steps: u32,
    },
    TaskPanic,
    Later,
}

impl Message for SubjectMessage {
    fn lane(&self) -> Lane {
        match self {
            Self::Urgent(_) => Lane::Reflex,
            Self::Aloud(_) => Lane::Tts,
            _ => Lane::Llm,
        }
    }
    fn overflow(&self) -> Overflow {
        Overflow::Refuse
    }
    fn kind(&self) -> &'static str {
        match self {
            Self::HangAsync(_) => "hang_async",
            Self::HangThread(_) => "hang_thread",
            Self::PanicAgain { .. } => "panic_again",
            _ => "word",
        }
    }
    fn survives_restart(&self) -> bool {
        matches!(self, Self::Fact(_))
    }
    fn retry(&self, attempt: u32) -> Option<Self> {
        match self {
            Self::PanicAgain { left } if attempt <= *left => Some(Self::PanicAgain { left: *left }),
            _ => None,
        }
    }
}

/// What an actor did.
#[derive(Debug, PartialEq, Eq)]
pub enum Did {
    Started,
    Heard(u32),
    Panics,
    Stopping,
}

pub struct Subject {
    pub notes: UnboundedSender<Did>,
    pub bad_starts: Arc<AtomicU32>,
    pub slow_stop: Duration,
    pub task: Option<Task>,
}

#[async_trait]
impl Actor for Subject {
    type Message = SubjectMessage;
    const NAME: &'static str = "subject";

    async fn started(&mut self, _: &ActorContext<SubjectMessage>) -> Result<(), ActorError> {
        let left = self.bad_starts.load(Ordering::SeqCst);
        if left > 0 {
            self.bad_starts.store(left - 1, Ordering::SeqCst);
            if left.is_multiple_of(2) {
                panic!("bad start");
            }
            return Err(ActorError::new("a device is missing"));
        }
        self.notes.send(Did::Started).unwrap();
        Ok(())
    }

    async fn handle(&mut self, word: SubjectMessage, context: &ActorContext<SubjectMessage>) -> Result<(), ActorError> {
        match word {
            SubjectMessage::Say(n) | SubjectMessage::Fact(n) | SubjectMessage::Urgent(n) | SubjectMessage::Aloud(n) => {
                self.notes.send(Did::Heard(n)).unwrap()
            }
            SubjectMessage::Panic => panic!("on order"),
            SubjectMessage::PanicAgain { .. } => {
                self.notes.send(Did::Panics).unwrap();
                panic!("on order");
            }
            SubjectMessage::Fail => return Err(ActorError::new("on order")),
            SubjectMessage::Ask(reply) => reply.answer(7),
            SubjectMessage::AskAndPanic(reply) => {
                let _held = reply;
                panic!("while it holds a reply");
            }
            SubjectMessage::HangAsync(reply) => {
                let _held = reply;
                std::future::pending::<()>().await;
            }
            SubjectMessage::HangThread(time) => std::thread::sleep(time),
            SubjectMessage::Long { steps } => {
                for _ in 0..steps {
                    tokio::time::sleep(MS(50)).await;
                    context.progress();
                }
                self.notes.send(Did::Heard(steps)).unwrap();
            }
            SubjectMessage::TaskPanic => self.task = Some(context.spawn(async { panic!("in a task") })),
            SubjectMessage::Later => self.task = Some(context.send_after(MS(10), SubjectMessage::Say(99))),
            SubjectMessage::SleepThenHangThread(time) => {
                tokio::time::sleep(MS(5)).await;
                std::thread::sleep(time);
            }
        }
        Ok(())
    }

    async fn stopping(&mut self, _: &ActorContext<SubjectMessage>) {
        tokio::time::sleep(self.slow_stop).await;
        self.notes.send(Did::Stopping).unwrap();
    }
}

pub struct SubjectSetup {
    pub tree: SupervisionTree,
    pub log: EventLog,
    pub inbox: Inbox<SubjectMessage>,
    pub did: UnboundedReceiver<Did>,
    pub notes: UnboundedSender<Did>,
    pub name: &'static str,
}

pub fn policy() -> RestartPolicy {
    RestartPolicy {
        max_restarts: 3,
        within: Duration::from_secs(20),
        backoff_first: MS(5),
        backoff_max: MS(20),
        handler_deadline: MS(200),
    }
}

impl SubjectSetup {
    pub fn new(name: &'static str, bad_starts: u32) -> Self {
        let setup = Self::bare(name);
        let bad_starts = Arc::new(AtomicU32::new(bad_starts));
        setup.tree.add::<Subject>(policy(), setup.inbox.clone(), setup.make(bad_starts, Duration::ZERO));
        setup
    }

    pub fn bare(name: &'static str) -> Self {
        recorder();
        let log = EventLog::default();
        let settings = TreeSettings { watchdog_period: MS(20), kill_grace: MS(100), retry_degraded: MS(400) };
        let tree = SupervisionTree::with_settings(log.observer(), settings);
        #[allow(clippy::disallowed_methods, reason = "a test reads all of it, and nothing may wait for that")]
        let (notes, did) = mpsc::unbounded_channel();
        Self { tree, log, inbox: Inbox::new(name, InboxSettings::default()), did, notes, name }
    }

    pub fn make(&self, bad_starts: Arc<AtomicU32>, slow_stop: Duration) -> impl Fn() -> Subject + Send + Sync + use<> {
        let notes = Mutex::new(self.notes.clone());
        move || Subject { notes: notes.lock().unwrap().clone(), bad_starts: bad_starts.clone(), slow_stop, task: None }
    }

    pub fn post(&self, words: impl IntoIterator<Item = SubjectMessage>) {
        for word in words {
            self.inbox.post(word).unwrap();
        }
    }

    pub async fn next(&mut self) -> Did {
        timeout(SOON, self.did.recv()).await.expect("the actor did nothing").unwrap()
    }

    pub async fn expect(&mut self, did: &[Did]) {
        for expected in did {
            assert_eq!(&self.next().await, expected);
        }
    }

    pub async fn event(&self, what: &str, wanted: impl Fn(&TreeEvent) -> bool) -> TreeEvent {
        self.log.wait_for(SOON, wanted).await.unwrap_or_else(|| panic!("no {what}: {:?}", self.log.all()))
    }

    pub fn count(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        metric(name, &[&[("actor", self.name)], labels].concat())
    }
}
