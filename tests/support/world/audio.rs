//! A double of the sound device on the runtime's clock, so that a paused clock controls it. It is silent.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use luna_platform::PlatformError;
use luna_platform::audio::{AudioOutput, OpenOutput, OutputFormat, SoundSource};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::trace::WorldTrace;

/// Samples per second; low, so that hours of sound cost milliseconds.
pub const SAMPLE_RATE: u32 = 1000;
/// Interval at which the device requests sound.
pub const BUFFER: Duration = Duration::from_millis(20);

/// The double. Clones share their state.
#[derive(Clone)]
pub struct TimedOutput(Arc<Mutex<SimulatedAudioState>>, WorldTrace);

struct SimulatedAudioState {
    /// The device can't be opened; an open one reports an error.
    gone: bool,
    /// The device requests nothing and reports nothing.
    stalled: bool,
    opens: u32,
    /// Time of the last sample that was not silence.
    last_sound: Option<Instant>,
    made: Instant,
    /// Buffers with sound.
    sounded: u64,
}

impl TimedOutput {
    pub fn new(trace: WorldTrace) -> Self {
        let state = SimulatedAudioState {
            gone: false,
            stalled: false,
            opens: 0,
            last_sound: None,
            made: Instant::now(),
            sounded: 0,
        };
        Self(Arc::new(Mutex::new(state)), trace)
    }

    fn state(&self) -> MutexGuard<'_, SimulatedAudioState> {
        self.0.lock().unwrap()
    }

    /// Makes the device disappear or return.
    pub fn set_gone(&self, gone: bool) {
        self.state().gone = gone;
    }

    pub fn set_stalled(&self, stalled: bool) {
        self.state().stalled = stalled;
    }

    /// Time since the last sound.
    pub fn silent_for(&self) -> Duration {
        let state = self.state();
        state.last_sound.unwrap_or(state.made).elapsed()
    }

    /// Buffers with sound so far.
    pub fn sounded(&self) -> u64 {
        self.state().sounded
    }

    pub fn opens(&self) -> u32 {
        self.state().opens
    }

    fn play(&self, source: &mut dyn SoundSource, buffer: &mut [f32], sounds: &mut bool) {
        {
            let state = self.state();
            if state.gone || state.stalled {
                return;
            }
        }
        let filled = source.fill(buffer).min(buffer.len());
        let sound = buffer[..filled].iter().any(|sample| *sample != 0.0);
        if sound != *sounds {
            *sounds = sound;
            self.1.note(format_args!("device {}", if sound { "sounds" } else { "is silent" }));
        }
        if sound {
            let mut state = self.state();
            state.last_sound = Some(Instant::now());
            state.sounded += 1;
        }
    }
}

impl AudioOutput for TimedOutput {
    fn open(
        &self,
        _device: Option<&str>,
        _buffer_frames: u32,
        make_source: Box<dyn FnOnce(OutputFormat) -> Box<dyn SoundSource> + Send>,
    ) -> Result<Box<dyn OpenOutput>, PlatformError> {
        let gone = {
            let mut state = self.state();
            state.opens += 1;
            state.gone
        };
        self.1.note(format_args!("device opens: {}", !gone));
        if gone {
            return Err(PlatformError::unavailable("The double is gone.", "Bring it back."));
        }
        let buffer_frames = SAMPLE_RATE * u32::try_from(BUFFER.as_millis()).unwrap() / 1000;
        let format = OutputFormat { sample_rate: SAMPLE_RATE, buffer_frames };
        let (mut source, output) = (make_source(format), self.clone());
        let clock = tokio::spawn(async move {
            let (mut buffer, mut sounds) = (vec![0.0; buffer_frames as usize], false);
            loop {
                tokio::time::sleep(BUFFER).await;
                output.play(&mut *source, &mut buffer, &mut sounds);
            }
        });
        Ok(Box::new(SimulatedStream { output: self.clone(), format, clock }))
    }

    fn devices(&self) -> Result<Vec<String>, PlatformError> {
        Ok(vec!["double".into()])
    }
}

struct SimulatedStream {
    output: TimedOutput,
    format: OutputFormat,
    clock: JoinHandle<()>,
}

impl OpenOutput for SimulatedStream {
    fn format(&self) -> OutputFormat {
        self.format
    }

    fn lost(&self) -> Option<PlatformError> {
        self.output.state().gone.then(|| PlatformError::unavailable("The double went away.", "Bring it back."))
    }
}

impl Drop for SimulatedStream {
    fn drop(&mut self) {
        self.clock.abort();
    }
}
