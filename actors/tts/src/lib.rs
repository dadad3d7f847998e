//! The Tts actor: speaks (TTS-1 to TTS-6).
//!
//! **Receives** [`TtsMessage`]: commands of the person (lane Reflex), texts and notices (lane Tts), and wake-ups without content from the audio
//! thread and a timer.
//! **Sends** [`SpeechEvent`] through a callback, and the state of the capabilities `SpeechSynthesis` and `AudioOutput`.
//!
//! **Never** waits in a handler: a task talks to the engine ([`voice`]), a thread to the device ([`audio`]); the thread reports by a queue and a
//! wake-up.
//! **Never** plays on after a stop: each sample carries the number of its order ([`ring`]). **Never** decides: `luna_speech::player` does.

#![forbid(unsafe_code)]

mod state;

mod audio;
mod voice;

mod clip;
mod control;
mod duck;
mod mute;
mod report;
mod ring;
mod source;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use luna_actor_runtime::blocking::BlockingService;
use luna_actor_runtime::{Actor, ActorContext, ActorError, Capabilities, Task};
use luna_engine_host::EngineProgram;
use luna_engine_protocol::SpeechLoad;
use luna_messages::tts::{SpeechEvent, SpeechSettings, TtsMessage};
use luna_platform::audio::AudioOutput;
use luna_platform::audio::tap::PlaybackTap;

pub use mute::Mute;
use state::TtsState;

/// Interval at which a missing engine or device is retried (KER-9).
const TICK: Duration = Duration::from_secs(5);

/// Settings of speech.
#[derive(Debug, Clone, PartialEq)]
pub struct TtsSettings {
    /// Settings that can change while Luna speaks.
    pub speech: SpeechSettings,
    /// Buffer of the sound device in frames, 256 to 4096.
    pub buffer_frames: u32,
    /// Part of the name of the sound device; `None`: the default one.
    pub device: Option<String>,
}

impl Default for TtsSettings {
    fn default() -> Self {
        Self { speech: SpeechSettings::default(), buffer_frames: 512, device: None }
    }
}

/// Dependencies of the Tts actor. Clones share them, one for each incarnation.
#[derive(Clone)]
pub struct TtsDependencies {
    pub audio: BlockingService<dyn AudioOutput>,
    pub engine: EngineProgram,
    /// Load specification of the engine.
    pub load: SpeechLoad,
    /// Reports whether engine and device are available.
    pub capabilities: Capabilities,
    /// Silences or ducks the output without this actor's help.
    pub mute: Mute,
    /// Receives what the device is given, as the reference of echo cancellation (BRG-4).
    pub tap: PlaybackTap,
    /// Receives speech events; must not block.
    pub events: Arc<dyn Fn(SpeechEvent) + Send + Sync>,
}

/// Passes messages to the player, and performs its effects with the speech engine and the output device.
pub struct TtsActor {
    settings: TtsSettings,
    dependencies: TtsDependencies,
    /// Created at the start, when the inbox is known.
    running: Option<RunningTts>,
}

struct RunningTts {
    state: TtsState,
    _voice: Task,
    _tick: Task,
}

impl TtsActor {
    /// Creates the actor; nothing is opened or started yet.
    #[must_use]
    pub const fn new(settings: TtsSettings, dependencies: TtsDependencies) -> Self {
        Self { settings, dependencies, running: None }
    }
}

#[async_trait]
impl Actor for TtsActor {
    type Message = TtsMessage;
    const NAME: &'static str = "tts";

    async fn started(&mut self, context: &ActorContext<TtsMessage>) -> Result<(), ActorError> {
        let (state, voice) =
            TtsState::start(&self.settings, &self.dependencies, context.inbox().clone()).map_err(ActorError::new)?;
        self.running = Some(RunningTts {
            state,
            _voice: context.spawn_service(voice),
            _tick: context.every(TICK, || TtsMessage::Tick),
        });
        Ok(())
    }

    async fn handle(&mut self, message: TtsMessage, _: &ActorContext<TtsMessage>) -> Result<(), ActorError> {
        if let Some(running) = &mut self.running {
            running.state.handle(message);
        }
        Ok(())
    }

    async fn stopping(&mut self, _: &ActorContext<TtsMessage>) {
        if let Some(running) = &mut self.running {
            running.state.handle(TtsMessage::Forget);
        }
    }
}
