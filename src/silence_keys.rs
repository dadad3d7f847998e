//! Silences speech when Ctrl is tapped, or at any key if so configured, and tells when the key for speaking is held; the application gets the keys all
//! the same (ATT-6, VOI-1). One observation serves both: two would disturb each other on Windows.
//!
//! Nothing observes the keyboard unless one of these is on. What is observed leaves the thread of the platform only as the command
//! to be silent and as the holding of that key: no actor, event or log learns of other keys (PRV-2).

use std::time::Duration;

use async_trait::async_trait;
use luna_actor_runtime::blocking::BlockingService;
use luna_actor_runtime::inbox::Inbox;
use luna_actor_runtime::retry::{RetryPolicy, Retryable, keep};
use luna_actor_runtime::{Capabilities, Task, TraceLog};
use luna_config::Config;
use luna_config::speech::{HoldKey, ListenChoice};
use luna_focus::silence::{SilenceCause, SilenceKeys, SilenceSettings};
use luna_messages::capability::{Capability, CapabilityState, Unavailable};
use luna_messages::control::Command;
use luna_messages::focus::ReflexMessage;
use luna_messages::keyboard::KeyEvent;
use luna_messages::listening::ListeningMessage;
use luna_platform::PlatformError;
use luna_platform::hot_key::{HotKey, HotKeys, Watch};
use tokio::sync::mpsc;

use crate::control_protocol::SilenceStatus;
use crate::hold_key::{HoldReporter, hold_key};
use crate::hot_keys::{HotKeyBoard, configured};

/// Retries are rarer than those of hot keys: a display without XInput does not gain it later, and one that was lost is needed for reading first.
const RETRY: RetryPolicy = RetryPolicy { first: Duration::from_secs(1), longest: Duration::from_secs(60) };

/// What to do if the key that is held to speak can't be observed.
pub const WITHOUT_TALK_KEY: &str = "Set voice.command_mode to wake-only or auto and say Luna's name.";

/// Dependencies of the task.
#[derive(Clone)]
pub struct SilenceDependencies {
    /// Observes the keyboard.
    pub keys: BlockingService<dyn HotKeys>,
    /// Receives the command to be silent.
    pub reflex: Inbox<ReflexMessage>,
    /// A key that silences begins a trace (KER-12).
    pub traces: TraceLog,
    /// Tells `luna keys` whether it works.
    pub board: HotKeyBoard,
    /// Told whether the key that is held to speak works (KER-9).
    pub capabilities: Capabilities,
    /// Learns that the key for speaking is held; `None` if Luna does not listen.
    pub listening: Option<Inbox<ListeningMessage>>,
}

/// The configured keys.
#[must_use]
pub const fn settings(config: &Config) -> SilenceSettings {
    let keys = config.control.silence;
    SilenceSettings { ctrl_tap: keys.ctrl_tap, any_key: keys.any_key }
}

/// The key that is held to speak, by the configuration; `None` if commands are said without one, or Luna never listens.
#[must_use]
pub fn talk_key(config: &Config) -> Option<HoldKey> {
    (config.voice.listen != ListenChoice::Never && hold_key(config).is_some()).then_some(config.voice.hold_key)
}

/// Observes the keyboard until the task is dropped. `None` if no key silences and none is held to speak.
#[must_use]
pub fn start(dependencies: SilenceDependencies, config: &Config) -> Option<Task> {
    let settings = settings(config);
    let talk_key = talk_key(config);
    let not_yet = (settings.needs_keys() || talk_key.is_some()).then(|| "The keyboard is not observed yet.".to_owned());
    dependencies.board.set_silence(SilenceStatus::of(settings, talk_key, not_yet));
    let own = configured(config).into_iter().map(|(_, key)| key).collect();
    let hold = hold_key(config).zip(dependencies.listening.clone());
    let hold = hold.map(|(key, listening)| HoldReporter::start(key, listening, dependencies.traces.clone()));
    let is_needed = settings.needs_keys() || hold.is_some();
    let observation = KeyObservation { dependencies, settings, talk_key, own, hold, watch: None, lost: None };
    is_needed.then(|| Task::spawn_service("silence_keys", keep(observation, RETRY)))
}

struct KeyObservation {
    dependencies: SilenceDependencies,
    settings: SilenceSettings,
    /// The key that is held to speak, if Luna is to listen.
    talk_key: Option<HoldKey>,
    /// Luna's hot keys, which don't silence as any key does.
    own: Vec<HotKey>,
    /// Reports the key that is held to speak, with its task.
    hold: Option<(HoldReporter, Task)>,
    /// Kept: dropping it ends the observation.
    watch: Option<Watch>,
    lost: Option<mpsc::Receiver<()>>,
}

#[async_trait]
impl Retryable for KeyObservation {
    async fn try_again(&mut self) -> bool {
        let (tell_lost, lost) = mpsc::channel(1);
        let (own, mut silence) = (self.own.clone(), silencer(&self.dependencies, self.settings));
        let mut held = self.hold.as_ref().map(|(hold, _)| hold.observer());
        let changed = Box::new(move |event| {
            silence(event);
            if let Some(held) = &mut held {
                held(event);
            }
        });
        let lose = Box::new(move || {
            let _ = tell_lost.try_send(());
        });
        let asked = self.dependencies.keys.ask(move |keys| keys.observe_keyboard(&own, changed, lose)).await;
        let outcome = asked.unwrap_or_else(|_| Err(PlatformError::silent_display()));
        let reason = outcome.as_ref().err().map(ToString::to_string);
        if let Some(reason) = &reason {
            tracing::debug!(
                reason,
                "The keyboard can't be observed, so no key silences and none is held to speak; it is tried again."
            );
        }
        self.dependencies.board.set_silence(SilenceStatus::of(self.settings, self.talk_key, reason));
        if self.talk_key.is_some() {
            // Without the key nothing that is said reaches Luna, which a person can't guess.
            let state = outcome.as_ref().err().map_or(CapabilityState::Available, unavailable);
            self.dependencies.capabilities.set(Capability::TalkKey, state);
        }
        (self.watch, self.lost) = (outcome.ok(), Some(lost));
        self.watch.is_some()
    }

    async fn lost(&mut self) {
        let lost = self.lost.as_mut().filter(|_| self.watch.is_some());
        let told = match lost {
            Some(lost) => lost.recv().await.is_some(),
            None => false,
        };
        if !told {
            // Nothing is observed, or the platform never loses the keyboard and dropped the sender.
            std::future::pending::<()>().await;
        }
        self.watch = None;
        if let Some((hold, _)) = &self.hold {
            hold.let_go();
        }
        let reason = Some(PlatformError::Gone.to_string());
        self.dependencies.board.set_silence(SilenceStatus::of(self.settings, self.talk_key, reason));
    }
}

/// That the key for speaking does not work, and what to do.
fn unavailable(error: &PlatformError) -> CapabilityState {
    let reason = match error {
        PlatformError::Unavailable(why) => why.reason.clone(),
        other => format!("The keyboard can't be observed: {other}."),
    };
    CapabilityState::Unavailable(Unavailable { reason, remedy: WITHOUT_TALK_KEY.to_owned() })
}

/// Silences as the command Stop does: it also ends a search, so that nothing is read that was asked for before (FOC-6).
fn silencer(dependencies: &SilenceDependencies, settings: SilenceSettings) -> impl FnMut(KeyEvent) + Send + use<> {
    let (reflex, traces) = (dependencies.reflex.clone(), dependencies.traces.clone());
    let mut keys = SilenceKeys::default();
    move |event| {
        let Some(cause) = keys.decide(event, settings) else { return };
        let name = match cause {
            SilenceCause::CtrlTap => "ctrl_tap",
            SilenceCause::AnyKey => "any_key",
        };
        traces.begin(name).scope(|| drop(reflex.post(ReflexMessage::Command(Command::Stop))));
    }
}

#[cfg(test)]
mod tests;
