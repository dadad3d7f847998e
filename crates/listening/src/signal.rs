//! The signal of the microphone: sample rate, echo cancellation (BRG-4), voice activity, and the ring of what was heard (BUF-1).
//!
//! [`SignalChain::push`] takes what the microphone took and what was played, and returns where voices begin and end. Nothing here has a clock: time
//! is the number of samples. Positions count what the microphone took; no stage shifts them.

mod canceller;
mod detector_gain;
mod echo;
mod echo_bound;
mod fading_echo;
mod filter_trust;
mod high_pass;
mod intake;
mod noise_floor;
mod ring;
mod voice;

use std::time::Duration;

use luna_messages::engine::STT_SAMPLE_RATE;
use luna_messages::listening::{SamplePosition, VoiceEvent};
use luna_messages::stt::Sound;
use zeroize::Zeroize;

use echo::EchoStage;
use intake::Intake;
use ring::SoundRing;
use voice::VoiceActivity;

/// Samples per frame: 10 ms, what echo cancellation works on.
const FRAME: usize = 160;

/// Quiet before the first voiced sound that belongs to a voice: a soft consonant or a breath begins before it, and the recogniser needs a moment of
/// silence.
pub(crate) const LEAD: Duration = Duration::from_millis(256);
/// Quiet after the last voiced sound that belongs to a voice: final consonants are soft.
pub(crate) const TAIL: Duration = Duration::from_millis(240);

/// Settings of the signal chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignalSettings {
    /// Whether to remove Luna's own playback from the sound (BRG-4).
    pub cancel_echo: bool,
    /// How much sound [`SignalChain::hot`] returns: 3 s (BUF-1).
    pub hot: Duration,
    /// How much sound is kept: 12 s (BUF-1).
    pub full: Duration,
}

impl Default for SignalSettings {
    fn default() -> Self {
        Self { cancel_echo: true, hot: Duration::from_secs(3), full: Duration::from_secs(12) }
    }
}

/// The reference of echo cancellation (BRG-4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EchoReference {
    /// What Luna itself gives to its sound device.
    Own,
    /// Everything that this machine plays on an output; Luna's own sound while that can't be taken.
    Loopback {
        /// Part of the output's name; `None`: the default one.
        output: Option<String>,
    },
}

/// What is heard now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeardPlace {
    /// Where the sound ends that was taken so far.
    pub heard: SamplePosition,
    /// Where the newest voiced sound ends.
    pub voiced: SamplePosition,
    /// Share of the voice that lasts that Luna's own playback explains, 0 to 1; 0 if nobody speaks.
    pub own: f32,
    /// The same share of the newest 300 ms or so of the voice; 1 if nobody speaks.
    pub own_now: f32,
}

/// From samples to voices. It holds the only copy of recent sound, which [`SignalChain::wipe`] and dropping overwrite (BUF-2, PRV-1).
pub struct SignalChain {
    settings: SignalSettings,
    microphone: Intake,
    played: Intake,
    /// Microphone samples at 16 kHz that do not fill a frame yet.
    pending: Vec<f32>,
    /// Played samples at 16 kHz on their way to the echo stage.
    reference: Vec<f32>,
    echo: EchoStage,
    voice: VoiceActivity,
    ring: SoundRing,
}

impl std::fmt::Debug for SignalChain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SignalChain")
            .field("heard", &self.heard())
            .field("voice", &self.voice())
            .finish_non_exhaustive()
    }
}

impl SignalChain {
    #[must_use]
    pub fn new(settings: SignalSettings) -> Self {
        Self {
            settings,
            microphone: Intake::default(),
            played: Intake::default(),
            pending: Vec::new(),
            reference: Vec::new(),
            echo: EchoStage::new(settings.cancel_echo),
            voice: VoiceActivity::new(),
            ring: SoundRing::new(samples(settings.full)),
        }
    }

    /// Takes what the microphone took and what was played since the last call (mono, -1 to 1, any count, samples per second) and appends what
    /// follows from it to `events` in order. What isn't a number counts as silence; samples of a rate outside 4,000 to 768,000 are ignored.
    ///
    /// [`VoiceEvent::Onset`] and [`VoiceEvent::End`] alternate, and their positions never go back.
    pub fn push(
        &mut self,
        microphone: &[f32],
        microphone_rate: u32,
        played: &[f32],
        played_rate: u32,
        events: &mut Vec<VoiceEvent>,
    ) {
        self.voice.flush(events);
        self.played.take(played, played_rate, &mut self.reference);
        self.echo.play(&self.reference);
        self.reference.zeroize();
        self.microphone.take(microphone, microphone_rate, &mut self.pending);
        let mut pending = std::mem::take(&mut self.pending);
        let (frames, rest) = pending.as_chunks::<FRAME>();
        for frame in frames {
            let heard = self.echo.process(frame);
            self.ring.push(heard.linear);
            self.voice.push(&heard, events);
        }
        self.pending.extend_from_slice(rest);
        pending.zeroize();
    }

    /// The end of what can be asked for: samples of 16,000 a second since the start. It is up to 23 ms behind what was pushed.
    #[must_use]
    pub const fn heard(&self) -> SamplePosition {
        self.ring.end()
    }

    /// The sound without echo between two positions, as far as it was heard and is still kept.
    #[must_use]
    pub fn sound(&self, from: SamplePosition, to: SamplePosition) -> Sound {
        self.ring.sound(from, to)
    }

    /// The last [`SignalSettings::hot`] of sound (BUF-1).
    #[must_use]
    pub fn hot(&self) -> Sound {
        self.ring.sound(self.heard().saturating_sub(samples(self.settings.hot) as u64), self.heard())
    }

    /// All sound that is kept: at most [`SignalSettings::full`] (BUF-1).
    #[must_use]
    pub fn full(&self) -> Sound {
        self.ring.sound(0, self.heard())
    }

    /// Overwrites what is older than [`SignalSettings::full`] (BUF-2). `unheard` is the time since the last call of [`SignalChain::push`] with samples
    /// of the microphone: while they come, new sound overwrites old sound, but when they stop, only this does.
    pub fn expire(&mut self, unheard: Duration) {
        let kept = samples(self.settings.full.saturating_sub(unheard)) as u64;
        self.ring.wipe_before(self.heard().saturating_sub(kept));
        if kept == 0 {
            self.wipe();
        }
    }

    /// Overwrites all sound, also what is on its way. Positions go on; a voice that lasts, lasts.
    pub fn wipe(&mut self) {
        self.microphone.wipe();
        self.played.wipe();
        self.pending.zeroize();
        self.reference.zeroize();
        self.echo.wipe();
        self.voice.wipe();
        self.ring.wipe();
    }

    /// Whether somebody speaks now.
    #[must_use]
    pub const fn voice(&self) -> bool {
        self.voice.speaks()
    }

    /// Where the newest voiced sound ends.
    #[must_use]
    pub const fn voiced(&self) -> SamplePosition {
        self.voice.voiced()
    }

    /// Share of the voice that lasts that Luna's own playback explains, 0 to 1; 0 if nobody speaks.
    #[must_use]
    pub fn own(&self) -> f32 {
        self.voice.own()
    }

    /// What is heard now.
    #[must_use]
    pub fn place(&self) -> HeardPlace {
        HeardPlace { heard: self.heard(), voiced: self.voiced(), own: self.own(), own_now: self.voice.own_now() }
    }

    /// Whether the microphone has returned nothing but one constant value for 3 s: it is muted, by a switch or by the system (KER-9).
    #[must_use]
    pub fn is_silent_device(&self) -> bool {
        self.microphone.is_constant()
    }

    /// Another device follows: it has another noise floor and another way from the loudspeaker. What was heard stays; a voice ends with the next
    /// [`SignalChain::push`].
    pub fn reset(&mut self) {
        self.microphone = Intake::default();
        self.pending.zeroize();
        self.echo.wipe();
        self.voice.reset();
    }

    /// What is played comes from another source from now on, which is early or late by another time: what waits of the source before is dropped, and the
    /// canceller finds the echo anew.
    pub fn reset_played(&mut self) {
        self.played = Intake::default();
        self.reference.zeroize();
        self.echo.reset_played();
    }
}

impl Drop for SignalChain {
    fn drop(&mut self) {
        self.wipe();
    }
}

/// Number of samples in `time`; so many that there is no memory for them counts as the most.
const fn samples(time: Duration) -> usize {
    let count = time.as_millis() * STT_SAMPLE_RATE as u128 / 1000;
    if count > usize::MAX as u128 { usize::MAX } else { count as usize }
}
