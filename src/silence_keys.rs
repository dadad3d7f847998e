//! Silences speech when Ctrl is tapped, or at any key if so configured; the application gets the key all the same (ATT-6).
//!
//! Nothing observes the keyboard unless one of the two is on. What is observed leaves the thread of the platform only as the command to be silent: no
//! actor, event or log learns of other keys (PRV-2).

use std::time::Duration;

use async_trait::async_trait;
use luna_actor_runtime::blocking::BlockingService;
use luna_actor_runtime::inbox::Inbox;
use luna_actor_runtime::retry::{RetryPolicy, Retryable, keep};
use luna_actor_runtime::{Task, TraceLog};
use luna_config::Config;
use luna_focus::silence::{SilenceCause, SilenceKeys, SilenceSettings};
use luna_messages::control::Command;
use luna_messages::focus::ReflexMessage;
use luna_messages::keyboard::KeyEvent;
use luna_platform::PlatformError;
use luna_platform::hot_key::{HotKey, HotKeys, Watch};
use tokio::sync::mpsc;

use crate::control_protocol::SilenceStatus;
use crate::hot_keys::{HotKeyBoard, configured};

/// Retries are rarer than those of hot keys: a display without XInput does not gain it later, and one that was lost is needed for reading first.
const RETRY: RetryPolicy = RetryPolicy { first: Duration::from_secs(1), longest: Duration::from_secs(60) };

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
}

/// The configured keys.
#[must_use]
pub const fn settings(config: &Config) -> SilenceSettings {
    let keys = config.control.silence;
    SilenceSettings { ctrl_tap: keys.ctrl_tap, any_key: keys.any_key }
}

/// Observes the keyboard until the task is dropped. `None` if no key silences.
#[must_use]
pub fn start(dependencies: SilenceDependencies, config: &Config) -> Option<Task> {
    let settings = settings(config);
    let not_yet = settings.needs_keys().then(|| "The keyboard is not observed yet.".to_owned());
    dependencies.board.set_silence(SilenceStatus::of(settings, not_yet));
    let own = configured(config).into_iter().map(|(_, key)| key).collect();
    let observation = KeyObservation { dependencies, settings, own, watch: None, lost: None };
    settings.needs_keys().then(|| Task::spawn_service("silence_keys", keep(observation, RETRY)))
}

struct KeyObservation {
    dependencies: SilenceDependencies,
    settings: SilenceSettings,
    /// Luna's hot keys, which don't silence as any key does.
    own: Vec<HotKey>,
    /// Kept: dropping it ends the observation.
    watch: Option<Watch>,
    lost: Option<mpsc::Receiver<()>>,
}

#[async_trait]
impl Retryable for KeyObservation {
    async fn try_again(&mut self) -> bool {
        let (tell_lost, lost) = mpsc::channel(1);
        let (own, changed) = (self.own.clone(), silencer(&self.dependencies, self.settings));
        let lose = Box::new(move || {
            let _ = tell_lost.try_send(());
        });
        let asked = self.dependencies.keys.ask(move |keys| keys.observe_keyboard(&own, changed, lose)).await;
        let outcome = asked.unwrap_or_else(|_| Err(PlatformError::silent_display()));
        let reason = outcome.as_ref().err().map(ToString::to_string);
        if let Some(reason) = &reason {
            tracing::debug!(reason, "The keyboard can't be observed, so no key silences; it is tried again.");
        }
        self.dependencies.board.set_silence(SilenceStatus::of(self.settings, reason));
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
        let reason = Some(PlatformError::Gone.to_string());
        self.dependencies.board.set_silence(SilenceStatus::of(self.settings, reason));
    }
}

/// Silences as the command Stop does: it also ends a search, so that nothing is read that was asked for before (FOC-6).
fn silencer(dependencies: &SilenceDependencies, settings: SilenceSettings) -> Box<dyn FnMut(KeyEvent) + Send> {
    let (reflex, traces) = (dependencies.reflex.clone(), dependencies.traces.clone());
    let mut keys = SilenceKeys::default();
    Box::new(move |event| {
        let Some(cause) = keys.decide(event, settings) else { return };
        let name = match cause {
            SilenceCause::CtrlTap => "ctrl_tap",
            SilenceCause::AnyKey => "any_key",
        };
        traces.begin(name).scope(|| drop(reflex.post(ReflexMessage::Command(Command::Stop))));
    })
}

#[cfg(test)]
mod tests;
