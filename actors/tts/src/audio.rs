//! The audio thread: opens and closes the device, stretches and resamples, keeps the ring filled. The actor never waits for it.

mod feeding;
mod playback;
mod thread;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use luna_actor_runtime::blocking::BlockingService;
use luna_actor_runtime::{Capabilities, periodic_task};
use luna_platform::audio::AudioOutput;
use luna_platform::audio::tap::PlaybackTap;
use luna_speech::player::PlayRequest;

use crate::clip::Clip;
use crate::control::PlaybackControl;
use crate::mute::Mute;
use crate::report::Reports;

/// Dependencies of the audio thread.
pub struct AudioDependencies {
    /// The sound output; its calls may block on a stopped sound server (KER-11).
    pub output: BlockingService<dyn AudioOutput>,
    /// The device, `None` for the default one.
    pub device: Option<String>,
    /// Buffer of the device, in frames.
    pub buffer_frames: u32,
    /// Reports whether the device is available.
    pub capabilities: Capabilities,
    /// Receives the progress of orders.
    pub reports: Reports,
    /// Silences this thread's output.
    pub mute: Mute,
    /// Receives what the device is given.
    pub tap: PlaybackTap,
}

/// An order to play a clip.
#[derive(Debug, Clone)]
struct PlaybackJob {
    /// Number of the order, which its samples carry.
    order: u32,
    /// Identifies the order in reports.
    play: PlayRequest,
    clip: Arc<Clip>,
}

/// The state that the actor requests of the audio thread; a newer request replaces an older one.
#[derive(Debug)]
struct AudioTarget {
    /// The next job; the audio thread takes it.
    job: Option<PlaybackJob>,
    rate: f32,
    /// Whether to check for a new device.
    probe: bool,
    quit: bool,
}

#[derive(Debug)]
struct AudioShared {
    control: Arc<PlaybackControl>,
    target: Mutex<AudioTarget>,
}

impl AudioShared {
    fn target(&self) -> MutexGuard<'_, AudioTarget> {
        // Held only briefly, and no update can be left half-done, so a poisoned lock is safe to use.
        self.target.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The actor's handle of the audio thread. No method blocks. Dropping it ends all sound and the thread.
pub struct Audio {
    shared: Arc<AudioShared>,
}

impl Audio {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system can't start a thread.
    pub fn start(dependencies: AudioDependencies, rate: f32) -> std::io::Result<Self> {
        let target = Mutex::new(AudioTarget { job: None, rate, probe: false, quit: false });
        let shared = Arc::new(AudioShared { control: Arc::new(PlaybackControl::new()), target });
        dependencies.mute.attach(&shared.control);
        let thread_shared = shared.clone();
        let thread = periodic_task::start("luna-audio", thread::rounds(thread_shared, dependencies))?;
        shared.control.set_audio_thread(thread);
        Ok(Self { shared })
    }

    /// A clip that wakes the audio thread when it grows.
    #[must_use]
    pub fn new_clip(&self) -> Arc<Clip> {
        Arc::new(Clip::new(self.shared.control.clone()))
    }

    /// Stops the current sound and plays `clip`.
    pub fn play(&self, play: PlayRequest, clip: Arc<Clip>) {
        let mut target = self.shared.target();
        let order = self.shared.control.next_sentence();
        target.job = Some(PlaybackJob { order, play, clip });
        drop(target);
        self.shared.control.wake();
    }

    /// Stops the current sound (TTS-4).
    pub fn silence(&self) {
        // The order number changes first: from here on the device outputs silence.
        self.shared.control.silence();
        self.shared.target().job = None;
        self.shared.control.wake();
    }

    /// As [`Audio::silence`], but its duration is not measured, since there may be no sound to stop.
    pub fn forget(&self) {
        self.shared.control.end_sound();
        self.shared.target().job = None;
        self.shared.control.wake();
    }

    /// Pauses or resumes the sound.
    pub fn set_paused(&self, paused: bool) {
        self.shared.control.set_paused(paused);
        self.shared.control.wake();
    }

    /// Sets the speaking rate, also for the rest of the current sentence.
    pub fn set_rate(&self, rate: f32) {
        self.shared.target().rate = rate;
        self.shared.control.wake();
    }

    /// Requests an attempt to open the device unless it is open.
    pub fn probe(&self) {
        self.shared.target().probe = true;
        self.shared.control.wake();
    }
}

impl Drop for Audio {
    fn drop(&mut self) {
        self.forget();
        self.shared.target().quit = true;
        self.shared.control.wake();
        // Not joined: closing a device can take long, and the caller must not wait for it.
    }
}
