//! Keeps the configured hot keys: grabs them, announces which are unavailable, and retries those (SES-6, KER-9).
//!
//! A display may disappear and return, and a program that grabbed a key may end; no event reports either. So missing keys are retried with growing
//! waits ([`luna_actor_runtime::retry`]), while grabbed keys stay grabbed.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use luna_actor_runtime::inbox::Inbox;
use luna_actor_runtime::retry::{RetryPolicy, Retryable, keep};
use luna_actor_runtime::{Capabilities, Task, TraceLog};
use luna_messages::capability::{Capability, CapabilityState, Unavailable};
use luna_messages::control::Command;
use luna_messages::focus::ReflexMessage;
use luna_platform::PlatformError;
use luna_platform::hot_key::{HotKey, HotKeys, Watch, known_uses};
use luna_speech::keys::{RefusedKey, proposals, refused_keys, regained_keys};
use tokio::sync::{mpsc, oneshot};

use crate::announce::Announcer;
use crate::control_protocol::{HotKeyStatus, SilenceStatus};
use luna_config::Config;

/// Time limit for grabbing all keys, which takes some milliseconds. A hanging display is awaited on its own thread.
const GRAB_DEADLINE: Duration = Duration::from_secs(5);

/// State of all keys. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct HotKeyBoard {
    hot_keys: Arc<Mutex<Vec<HotKeyStatus>>>,
    silence: Arc<Mutex<SilenceStatus>>,
}

impl HotKeyBoard {
    /// The state of each key, in the order of the configuration.
    #[must_use]
    pub fn all(&self) -> Vec<HotKeyStatus> {
        self.hot_keys.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The state of the keys that silence.
    #[must_use]
    pub fn silence(&self) -> SilenceStatus {
        self.silence.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changes the state of the keys that silence.
    pub fn set_silence(&self, status: SilenceStatus) {
        *self.silence.lock().unwrap_or_else(PoisonError::into_inner) = status;
    }

    fn change(&self, change: impl FnOnce(&mut Vec<HotKeyStatus>)) {
        change(&mut self.hot_keys.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// A configured key with its command.
pub type ConfiguredKey = (Command, HotKey);

/// The configured keys. The configuration is validated, so each key and command exists.
#[must_use]
pub fn configured(config: &Config) -> Vec<ConfiguredKey> {
    config
        .control
        .hot_keys
        .iter()
        .filter_map(|(name, key)| Some((Command::by_name(name)?, key.as_deref()?.parse().ok()?)))
        .collect()
}

/// A key that could not be grabbed.
#[derive(Debug)]
struct KeyRefusal {
    place: usize,
    reason: String,
    proposal: Option<String>,
}

/// Outcome of an attempt: the watch of the grabbed keys and the refused keys, or why there are no hot keys at all.
type HotKeyOutcome = Result<(Option<Watch>, Vec<KeyRefusal>), PlatformError>;

/// Grabs `keys`; returns the refused ones, each with a proposal. The watch holds the rest. Blocks for the display.
fn grab(
    system: &dyn HotKeys,
    keys: &[HotKey],
    used: &[String],
    pressed: Box<dyn Fn(usize) + Send>,
    lost: Box<dyn FnOnce() + Send>,
) -> HotKeyOutcome {
    let (watch, refused) = system.watch_until_lost(keys, pressed, lost)?;
    let watch = (refused.len() < keys.len() || keys.is_empty()).then_some(watch);
    let mut used = used.to_vec();
    let with_proposal = |(place, reason): (usize, String)| {
        let proposal = keys.get(place).and_then(|key| free_alternative(system, key, &used));
        // No key is proposed twice.
        used.extend(proposal.clone());
        KeyRefusal { place, reason, proposal }
    };
    Ok((watch, refused.into_iter().map(with_proposal).collect()))
}

/// Proposals that are tried at a time. More can be had, but each costs round trips to the display.
const PROPOSALS_TRIED: usize = 8;

/// Finds another key that no usual desktop uses and that is free now, by grabbing the proposals and releasing them at once.
fn free_alternative(system: &dyn HotKeys, key: &HotKey, used: &[String]) -> Option<String> {
    let others = proposals(&key.to_string(), used);
    let keys = others.iter().filter_map(|other| other.parse::<HotKey>().ok());
    let keys: Vec<HotKey> = keys.filter(|key| known_uses(key).next().is_none()).take(PROPOSALS_TRIED).collect();
    let (_watch, refused) = system.watch(&keys, Box::new(|_| {})).ok()?;
    (0..keys.len()).find(|place| refused.iter().all(|(other, _)| other != place)).map(|place| keys[place].to_string())
}

/// Grabs all keys for a moment, for `luna doctor`. Never takes a key from another program. Blocks for the display.
///
/// # Errors
/// [`PlatformError`] if there are no hot keys at all.
pub fn try_all(system: &dyn HotKeys, configured: &[ConfiguredKey]) -> Result<Vec<HotKeyStatus>, PlatformError> {
    let keys: Vec<HotKey> = configured.iter().map(|(_, key)| key.clone()).collect();
    let used: Vec<String> = keys.iter().map(ToString::to_string).collect();
    let (_, refused) = grab(system, &keys, &used, Box::new(|_| {}), Box::new(|| {}))?;
    let mut all = board_of(configured);
    for status in &mut all {
        status.held = true;
    }
    note(&mut all, refused);
    Ok(all)
}

/// The configured keys before anything is known of them.
#[must_use]
pub fn board_of(configured: &[ConfiguredKey]) -> Vec<HotKeyStatus> {
    let status = |(command, key): &ConfiguredKey| HotKeyStatus {
        command: *command,
        key: key.to_string(),
        held: false,
        reason: None,
        proposal: None,
    };
    configured.iter().map(status).collect()
}

fn note(all: &mut [HotKeyStatus], refused: Vec<KeyRefusal>) {
    for KeyRefusal { place, reason, proposal } in refused {
        if let Some(status) = all.get_mut(place) {
            (status.held, status.reason, status.proposal) = (false, Some(reason), proposal);
        }
    }
}

/// Dependencies of the hot-key task.
pub struct HotKeyDependencies {
    /// The platform's hot keys.
    pub system: Arc<dyn HotKeys>,
    /// Receives the pressed keys' commands.
    pub reflex: Inbox<ReflexMessage>,
    /// A key that is pressed begins a trace (KER-12).
    pub traces: TraceLog,
    /// Receives whether hot keys are available.
    pub capabilities: Capabilities,
    /// Announces unavailable keys.
    pub announcer: Announcer,
    /// State of each key, for `luna ctl status`.
    pub board: HotKeyBoard,
}

/// Keeps the keys until the task is dropped. The receiver resolves after the first attempt.
pub fn start(
    dependencies: HotKeyDependencies,
    configured: Vec<ConfiguredKey>,
    policy: RetryPolicy,
) -> (Task, oneshot::Receiver<()>) {
    let (tell_first, first) = oneshot::channel();
    dependencies.board.change(|all| *all = board_of(&configured));
    let (tell_lost, lost) = mpsc::channel(64);
    let retry = HotKeyRetry {
        dependencies,
        configured,
        held: Vec::new(),
        announced: BTreeSet::new(),
        attempt: None,
        tell_lost,
        lost,
        lost_early: BTreeSet::new(),
        count: 0,
        tell_first: Some(tell_first),
    };
    (Task::spawn_service("hot_keys", keep(retry, policy)), first)
}

/// Keys of one watch.
struct GrabbedKeys {
    number: u64,
    _watch: Watch,
    places: Vec<usize>,
}

/// An attempt in progress on its own thread.
struct GrabAttempt {
    number: u64,
    places: Vec<usize>,
    outcome: oneshot::Receiver<HotKeyOutcome>,
}

struct HotKeyRetry {
    dependencies: HotKeyDependencies,
    configured: Vec<ConfiguredKey>,
    held: Vec<GrabbedKeys>,
    /// Indices of keys whose refusal was announced, so that it and a later success are announced once.
    announced: BTreeSet<usize>,
    /// Kept if the display does not answer in time: another attempt would hang as well.
    attempt: Option<GrabAttempt>,
    tell_lost: mpsc::Sender<u64>,
    lost: mpsc::Receiver<u64>,
    /// Numbers of late attempts whose keys were lost before the outcome was noted.
    lost_early: BTreeSet<u64>,
    count: u64,
    tell_first: Option<oneshot::Sender<()>>,
}

#[async_trait]
impl Retryable for HotKeyRetry {
    async fn try_again(&mut self) -> bool {
        // Dropping the sender, on any return, resolves the receiver of the first attempt.
        let _tell_first = self.tell_first.take();
        let mut attempt = match self.attempt.take() {
            Some(attempt) => attempt,
            None => match self.begin() {
                Some(attempt) => attempt,
                None => return self.is_complete(),
            },
        };
        match tokio::time::timeout(GRAB_DEADLINE, &mut attempt.outcome).await {
            Ok(outcome) => {
                self.note(attempt.number, attempt.places, outcome.unwrap_or_else(|_| Err(PlatformError::NoAnswer)))
            }
            Err(_) => {
                self.attempt = Some(attempt);
                self.unavailable(PlatformError::unavailable(
                    "The display does not answer, so there are no hot keys.",
                    "Luna tries again by itself; until then use `luna ctl`.",
                ));
            }
        }
        self.is_complete()
    }

    async fn lost(&mut self) {
        let Some(number) = self.lost.recv().await else { return std::future::pending().await };
        let Some(place) = self.held.iter().position(|held| held.number == number) else {
            self.lost_early.insert(number);
            return;
        };
        let gone = self.held.swap_remove(place);
        self.dependencies.board.change(|all| {
            for place in &gone.places {
                if let Some(status) = all.get_mut(*place) {
                    status.held = false;
                }
            }
        });
        // Dropping a watch may wait for a hanging display.
        let spawned = std::thread::Builder::new().name("luna-keys-end".into()).spawn(move || drop(gone));
        drop(spawned);
    }
}

impl HotKeyRetry {
    fn is_complete(&self) -> bool {
        self.missing().is_empty()
            && self.dependencies.capabilities.get(Capability::HotKey) == CapabilityState::Available
    }

    fn missing(&self) -> Vec<usize> {
        let held = |place: &usize| self.held.iter().any(|held| held.places.contains(place));
        (0..self.configured.len()).filter(|place| !held(place)).collect()
    }

    /// Starts grabbing the missing keys. `None` if the system can't start a thread.
    fn begin(&mut self) -> Option<GrabAttempt> {
        self.count += 1;
        let (number, places) = (self.count, self.missing());
        let keys: Vec<HotKey> = places.iter().map(|&place| self.configured[place].1.clone()).collect();
        let commands: Vec<Command> = places.iter().map(|&place| self.configured[place].0).collect();
        let used: Vec<String> = self.configured.iter().map(|(_, key)| key.to_string()).collect();
        let (reflex, system, tell_lost) =
            (self.dependencies.reflex.clone(), self.dependencies.system.clone(), self.tell_lost.clone());
        let traces = self.dependencies.traces.clone();
        let pressed = Box::new(move |which: usize| {
            if let Some(command) = commands.get(which) {
                traces.begin("hot_key").scope(|| drop(reflex.post(ReflexMessage::Command(*command))));
            }
        });
        let lost = Box::new(move || {
            let _ = tell_lost.try_send(number);
        });
        let (sender, outcome) = oneshot::channel();
        let work = move || drop(sender.send(grab(&*system, &keys, &used, pressed, lost)));
        if let Err(error) = std::thread::Builder::new().name("luna-keys".into()).spawn(work) {
            self.unavailable(PlatformError::unavailable(
                format!("The system can't start a thread for hot keys: {error}."),
                "Close programs, or raise the limit of processes (ulimit -u).",
            ));
            return None;
        }
        Some(GrabAttempt { number, places, outcome })
    }

    fn note(&mut self, number: u64, places: Vec<usize>, outcome: HotKeyOutcome) {
        let (watch, mut refused) = match outcome {
            Ok(_) if self.lost_early.remove(&number) => return self.unavailable(PlatformError::Gone),
            Ok(brought) => brought,
            Err(error) => return self.unavailable(error),
        };
        // Maps indices among the tried keys to indices among all keys.
        for refusal in &mut refused {
            refusal.place = places.get(refusal.place).copied().unwrap_or(usize::MAX);
        }
        let got: Vec<usize> =
            places.into_iter().filter(|place| refused.iter().all(|refusal| refusal.place != *place)).collect();
        let announced = std::mem::take(&mut self.announced);
        let regained: Vec<String> =
            got.iter().filter(|place| announced.contains(place)).map(|&place| self.name(place)).collect();
        let mut news = Vec::new();
        for refusal in refused.iter().filter(|refusal| !announced.contains(&refusal.place)) {
            let key = self.name(refusal.place);
            tracing::warn!(
                key,
                reason = refusal.reason,
                proposal = refusal.proposal,
                "A hot key is not available; it is tried again."
            );
            news.push(RefusedKey { key, proposal: refusal.proposal.clone() });
        }
        // Every missing key was just tried, so the refused keys of this attempt are all whose refusal is announced.
        self.announced = refused.iter().map(|refusal| refusal.place).collect();
        self.dependencies.board.change(|all| {
            for place in &got {
                if let Some(status) = all.get_mut(*place) {
                    (status.held, status.reason, status.proposal) = (true, None, None);
                }
            }
            note(all, refused);
        });
        if let Some(watch) = watch {
            self.held.push(GrabbedKeys { number, _watch: watch, places: got });
        }
        let all_taken = self.held.iter().all(|held| held.places.is_empty()) && !self.configured.is_empty();
        let state = if all_taken {
            CapabilityState::Unavailable(Unavailable {
                reason: "All hot keys are taken by other programs.".to_owned(),
                remedy: "Choose others under control.hot_keys; `luna keys` tells which are free.".to_owned(),
            })
        } else {
            CapabilityState::Available
        };
        self.dependencies.capabilities.set(Capability::HotKey, state);
        self.dependencies.announcer.say_words(|lang| refused_keys(&news, lang));
        self.dependencies.announcer.say_words(|lang| regained_keys(&regained, lang));
    }

    fn name(&self, place: usize) -> String {
        self.configured.get(place).map(|(_, key)| key.to_string()).unwrap_or_default()
    }

    fn unavailable(&self, error: PlatformError) {
        let why = match error {
            PlatformError::Unavailable(why) => why,
            other => Unavailable { reason: format!("{other}."), remedy: "Use `luna ctl`.".to_owned() },
        };
        // Some keys may still be held, if only the refused ones were retried.
        if self.held.is_empty() {
            self.dependencies.board.change(|all| {
                for status in all {
                    (status.held, status.reason) = (false, Some(why.reason.clone()));
                }
            });
            self.dependencies.capabilities.set(Capability::HotKey, CapabilityState::Unavailable(why));
        }
    }
}

#[cfg(test)]
mod tests;
