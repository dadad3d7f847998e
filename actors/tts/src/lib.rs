//! The Tts actor: speaks (TTS-1 to TTS-6).
//!
//! **Hears** [`TtsMessage`]: commands of the person (lane Reflex), texts and notices (lane Tts), and from its own helpers a wake-up that
//! carries nothing. **Says** [`SpeechEvent`] through the closure that it was given, and the state of the capabilities
//! `SpeechSynthesis` and `AudioOutput`.
//!
//! **Never** waits in a handler: the engine is spoken to by a task ([`voice`]), the device by a thread ([`audio`]); both report by a
//! queue and a wake-up. **Never** plays on after a stop: each sample carries the number of its order ([`ring`]). **Never** decides:
//! that is `luna_speech::player`.

#![forbid(unsafe_code)]

mod state;

mod audio;
mod voice;

mod clip;
mod control;
mod mute;
mod report;
mod ring;
mod source;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use luna_actor_runtime::outside::Outside;
use luna_actor_runtime::{Actor, ActorContext, ActorError, Capabilities, Task};
use luna_engine_host::EngineProgram;
use luna_engine_protocol::SpeechLoad;
use luna_messages::tts::{SpeechEvent, SpeechSettings, TtsMessage};
use luna_platform::audio::AudioOutput;

pub use mute::Mute;
use state::TtsState;

/// How often a missing engine or device is looked for (KER-9).
const TICK: Duration = Duration::from_secs(5);

/// How it speaks.
#[derive(Debug, Clone, PartialEq)]
pub struct TtsSettings {
    /// What can change while it speaks.
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

/// What it works with. Clones work with the same, so that each incarnation can be given one.
#[derive(Clone)]
pub struct TtsDependencies {
    /// The sound output.
    pub audio: Outside<dyn AudioOutput>,
    /// The speech engine.
    pub engine: EngineProgram,
    /// What the engine loads.
    pub load: SpeechLoad,
    /// Where a missing engine or device is told.
    pub capabilities: Capabilities,
    /// Silences what sounds without this actor's help.
    pub mute: Mute,
    /// Hears what is spoken; must return at once.
    pub events: Arc<dyn Fn(SpeechEvent) + Send + Sync>,
}

pub struct TtsActor {
    settings: TtsSettings,
    dependencies: TtsDependencies,
    /// Made at the start, when the inbox is known.
    running: Option<RunningTts>,
}

struct RunningTts {
    shell: TtsState,
    _voice: Task,
    _tick: Task,
}

impl TtsActor {
    /// An actor that opens and starts nothing yet.
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
        let (shell, voice) =
            TtsState::start(&self.settings, &self.dependencies, context.inbox().clone()).map_err(ActorError::new)?;
        self.running = Some(RunningTts {
            shell,
            _voice: context.spawn_service(voice),
            _tick: context.every(TICK, || TtsMessage::Tick),
        });
        Ok(())
    }

    async fn handle(&mut self, message: TtsMessage, _: &ActorContext<TtsMessage>) -> Result<(), ActorError> {
        if let Some(running) = &mut self.running {
            running.shell.handle(message);
        }
        Ok(())
    }

    async fn stopping(&mut self, _: &ActorContext<TtsMessage>) {
        if let Some(running) = &mut self.running {
            running.shell.handle(TtsMessage::Forget);
        }
    }
}
