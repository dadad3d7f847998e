//! A tree on one thread under a paused clock, whose actors start, work and stop as ordered.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use luna_actor_runtime::{
    Actor, ActorContext, ActorError, ChildState, Inbox, InboxSettings, RestartPolicy, SupervisionTree, TreeEvent,
    TreeSettings,
};
use luna_messages::{Lane, Message, Overflow, Reply};
use luna_test_support::EventLog;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tokio::time::Instant;

pub const MS: fn(u64) -> Duration = Duration::from_millis;
/// Tolerance for a timer, or for a few after one another, ms.
pub const TOLERANCE_MS: u64 = 8;

#[derive(Debug)]
pub enum SceneMessage {
    Panic,
    Fail,
    /// Never ends.
    Hang,
    /// Takes 30 ms, and is recorded.
    Wait,
    /// Blocks its thread.
    Block(Duration),
    Ask(Reply<u32>),
}

impl Message for SceneMessage {
    fn lane(&self) -> Lane {
        Lane::Llm
    }
    fn overflow(&self) -> Overflow {
        Overflow::Refuse
    }
    fn kind(&self) -> &'static str {
        match self {
            Self::Panic => "panic",
            Self::Fail => "fail",
            Self::Hang => "hang",
            Self::Wait => "wait",
            Self::Block(_) => "block",
            Self::Ask(_) => "ask",
        }
    }
}

/// How an incarnation starts or stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActorBehaviour {
    Well,
    Fails,
    Hangs,
}

pub type Notes = Arc<Mutex<Vec<(u64, &'static str, &'static str)>>>;

pub struct SceneActor {
    pub name: &'static str,
    pub start: ActorBehaviour,
    pub stop: ActorBehaviour,
    pub notes: Notes,
    pub since: Instant,
}

impl SceneActor {
    fn note(&self, what: &'static str) {
        let at = u64::try_from(self.since.elapsed().as_millis()).unwrap();
        self.notes.lock().unwrap().push((at, self.name, what));
    }

    async fn go(how: ActorBehaviour) -> Result<(), ActorError> {
        match how {
            ActorBehaviour::Well => Ok(()),
            ActorBehaviour::Fails => Err(ActorError::new("a device is missing")),
            ActorBehaviour::Hangs => std::future::pending().await,
        }
    }
}

#[async_trait]
impl Actor for SceneActor {
    type Message = SceneMessage;
    const NAME: &'static str = "part";

    async fn started(&mut self, _: &ActorContext<SceneMessage>) -> Result<(), ActorError> {
        Self::go(self.start).await?;
        self.note("started");
        Ok(())
    }

    async fn handle(&mut self, word: SceneMessage, _: &ActorContext<SceneMessage>) -> Result<(), ActorError> {
        match word {
            SceneMessage::Panic => panic!("on order"),
            SceneMessage::Fail => Err(ActorError::new("on order")),
            SceneMessage::Hang => std::future::pending().await,
            SceneMessage::Wait => {
                tokio::time::sleep(MS(30)).await;
                self.note("waited");
                Ok(())
            }
            SceneMessage::Block(time) => {
                std::thread::sleep(time);
                Ok(())
            }
            SceneMessage::Ask(reply) => {
                reply.answer(7);
                Ok(())
            }
        }
    }

    async fn stopping(&mut self, _: &ActorContext<SceneMessage>) {
        self.note("stopping");
        assert!(self.stop != ActorBehaviour::Fails, "on order");
        let _ = Self::go(self.stop).await;
    }
}

pub struct SupervisionScene {
    pub tree: SupervisionTree,
    pub log: EventLog,
    pub notes: Notes,
    pub since: Instant,
    pub metrics: PrometheusHandle,
    _recorder: metrics::LocalRecorderGuard<'static>,
}

pub const SETTINGS: TreeSettings = TreeSettings {
    watchdog_period: Duration::from_millis(20),
    kill_grace: Duration::from_millis(100),
    retry_degraded: Duration::from_secs(30),
};

pub const fn policy() -> RestartPolicy {
    RestartPolicy {
        max_restarts: 2,
        within: Duration::from_secs(10),
        backoff_first: Duration::from_millis(20),
        backoff_max: Duration::from_millis(100),
        handler_deadline: Duration::from_millis(500),
    }
}

impl SupervisionScene {
    pub fn new() -> Self {
        let recorder: &'static _ = Box::leak(Box::new(PrometheusBuilder::new().build_recorder()));
        let guard = metrics::set_default_local_recorder(recorder);
        let log = EventLog::default();
        let tree = SupervisionTree::with_settings(log.observer(), SETTINGS);
        Self { tree, log, notes: Notes::default(), since: Instant::now(), metrics: recorder.handle(), _recorder: guard }
    }

    /// Makes an actor whose first incarnations start as `starts` says, the later incarnations well.
    pub fn make(
        &self,
        name: &'static str,
        starts: &[ActorBehaviour],
        stop: ActorBehaviour,
    ) -> impl Fn() -> SceneActor + Send + Sync + use<> {
        let starts = Mutex::new(VecDeque::from(starts.to_vec()));
        let (notes, since) = (self.notes.clone(), self.since);
        move || {
            let start = starts.lock().unwrap().pop_front().unwrap_or(ActorBehaviour::Well);
            SceneActor { name, start, stop, notes: notes.clone(), since }
        }
    }

    pub fn add(
        &self,
        name: &'static str,
        policy: RestartPolicy,
        starts: &[ActorBehaviour],
        stop: ActorBehaviour,
    ) -> Inbox<SceneMessage> {
        let inbox = Inbox::new(name, InboxSettings::default());
        self.tree.add::<SceneActor>(policy, inbox.clone(), self.make(name, starts, stop));
        inbox
    }

    /// Checks what was recorded since the last call, each entry with its time in ms.
    #[track_caller]
    pub fn expect(&self, expect: &[(u64, &str, &str)]) {
        let found = std::mem::take(&mut *self.notes.lock().unwrap());
        let fits = found.len() == expect.len()
            && found
                .iter()
                .zip(expect)
                .all(|(is, due)| (due.0..=due.0 + TOLERANCE_MS).contains(&is.0) && (is.1, is.2) == (due.1, due.2));
        assert!(fits, "{found:?}\nand not {expect:?}\n{:?}", self.log.all());
    }

    /// Names of the events so far.
    pub fn event_names(&self) -> Vec<&'static str> {
        let name = |event: &TreeEvent| match event {
            TreeEvent::Restarted { .. } => "restarted",
            TreeEvent::Hung { .. } => "hung",
            TreeEvent::Abandoned { .. } => "abandoned",
            TreeEvent::Escalated { .. } => "escalated",
            TreeEvent::GivenUp { .. } => "given up",
            TreeEvent::Recovered { .. } => "recovered",
        };
        self.log.all().iter().map(name).collect()
    }

    pub fn count(&self, name: &str, label: &str) -> u64 {
        let text = self.metrics.render();
        let lines = text.lines().filter(|line| line.starts_with(&format!("{name}{{")) && line.contains(label));
        lines.filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok()).sum()
    }

    pub fn states(&self) -> Vec<(ChildState, u32)> {
        self.tree.status().iter().map(|child| (child.state, child.restarts)).collect()
    }
}

pub fn post(inbox: &Inbox<SceneMessage>, words: impl IntoIterator<Item = SceneMessage>) {
    for word in words {
        inbox.post(word).unwrap();
    }
}
