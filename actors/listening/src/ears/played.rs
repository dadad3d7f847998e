//! What is played, the reference of echo cancellation (BRG-4): what Luna gives to its sound device, or everything that this machine plays.

use std::time::Duration;

use luna_actor_runtime::blocking::{BlockingService, CallPoll, PendingCall};
use luna_listening::signal::EchoReference;
use luna_platform::PlatformError;
use luna_platform::audio::tap::{PlaybackTap, TapReader};
use luna_platform::microphone::queue::{SampleConsumer, open_queued};
use luna_platform::microphone::{Microphone, OpenMicrophone};
use tokio::time::Instant;
use zeroize::Zeroize;

use super::QUEUE_SECONDS;

/// Time before a loopback that can't be used is tried again: Luna's own playback serves meanwhile, and each try may block a thread.
const RETRY_DELAY: Duration = Duration::from_secs(5);
/// How long Luna may be audible in its own playback but not in the loopback: devices hold back less, and people pause longer.
const DEAF: Duration = Duration::from_secs(1);
/// Peak from which the loopback counts as audible, -70 dB: as in the echo canceller.
const AUDIBLE: f32 = 0.000_3;

type OpeningOutcome = Result<(Box<dyn OpenMicrophone>, SampleConsumer), PlatformError>;

struct LoopbackInUse {
    device: Box<dyn OpenMicrophone>,
    samples: SampleConsumer,
    sample_rate: u32,
    /// Whether anything was audible: only then it is the reference, because it may be that of another device.
    proven: bool,
    /// Since when Luna has been audible in its own playback only.
    deaf_since: Option<Instant>,
}

/// What was played since the last call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PlayedPart {
    /// Samples per second; 0 if nothing was ever played.
    pub sample_rate: u32,
    /// Whether it comes from another source than the part before.
    pub other_source: bool,
}

/// The reference. It never waits: a device that is being opened, lost or silent is replaced by Luna's own playback until it works.
pub(super) struct PlayedReference {
    tap: PlaybackTap,
    own: TapReader,
    loopback: BlockingService<dyn Microphone>,
    wanted: EchoReference,
    device: Option<LoopbackInUse>,
    /// The loopback that is being opened, which may block on the sound server.
    opening: Option<PendingCall<OpeningOutcome>>,
    /// When it failed last.
    refused: Option<Instant>,
    /// Whether the failure was reported; a loopback that works again resets it.
    warned: bool,
    /// Whether the last part came from the loopback.
    from_loopback: bool,
}

impl PlayedReference {
    pub fn new(tap: PlaybackTap, loopback: BlockingService<dyn Microphone>) -> Self {
        Self {
            own: tap.reader(),
            tap,
            loopback,
            wanted: EchoReference::Own,
            device: None,
            opening: None,
            refused: None,
            warned: false,
            from_loopback: false,
        }
    }

    /// Opens, replaces or closes the loopback.
    pub fn check(&mut self, wanted: &EchoReference) {
        if self.wanted != *wanted {
            self.close();
            self.wanted.clone_from(wanted);
            (self.refused, self.warned) = (None, false);
        }
        let EchoReference::Loopback { output } = wanted else { return };
        if let Some(why) = self.device.as_ref().and_then(|open| open.device.lost()) {
            tracing::debug!(%why, "The loopback is lost and is opened again.");
            // One that never worked is not tried again at once.
            match self.device.as_ref().is_some_and(|open| open.proven) {
                true => self.close(),
                false => self.refuse(&why.to_string()),
            }
        }
        if self.device.is_none() {
            self.open(output.clone());
        }
    }

    /// Closes the loopback, on another thread because that waits for the sound server.
    pub fn close(&mut self) {
        self.opening = None;
        if let Some(open) = self.device.take() {
            self.loopback.discard(open.device);
        }
    }

    /// Appends what was played since the last call. Only one of the sources is passed on, and what the other has is wiped (PRV-1).
    pub fn take(&mut self, out: &mut Vec<f32>) -> PlayedPart {
        let start = out.len();
        let mut sample_rate = self.own.take(out);
        let from_loopback = self.device.as_mut().is_some_and(|open| {
            let own_end = out.len();
            open.samples.take(usize::MAX, out);
            // What was lost of it is a gap that the canceller closes by itself.
            let _ = open.samples.take_lost();
            let audible = out[own_end..].iter().any(|sample| sample.abs() > AUDIBLE);
            open.proven |= audible;
            if audible || !self.tap.is_audible() {
                open.deaf_since = None;
            } else {
                open.deaf_since.get_or_insert_with(Instant::now);
            }
            let (from, to) = if open.proven { (start, own_end) } else { (own_end, out.len()) };
            out[from..to].zeroize();
            out.drain(from..to);
            sample_rate = if open.proven { open.sample_rate } else { sample_rate };
            open.proven
        });
        if from_loopback && std::mem::take(&mut self.warned) {
            tracing::info!("What this machine plays is heard again; echo cancellation uses it.");
        }
        let other_source = std::mem::replace(&mut self.from_loopback, from_loopback) != from_loopback;
        if self.device.as_ref().and_then(|open| open.deaf_since).is_some_and(|since| since.elapsed() >= DEAF) {
            self.refuse("it was silent while Luna spoke, so it is muted or that of another device");
        }
        PlayedPart { sample_rate, other_source }
    }

    fn open(&mut self, output: Option<String>) {
        if self.opening.is_none() {
            if self.refused.is_some_and(|at| at.elapsed() < RETRY_DELAY) {
                return;
            }
            let open =
                move |loopback: &(dyn Microphone + 'static)| open_queued(loopback, output.as_deref(), QUEUE_SECONDS);
            match self.loopback.begin(open, || {}) {
                Ok(call) => self.opening = Some(call),
                Err(error) => return self.refuse(&error.to_string()),
            }
        }
        let Some(call) = &mut self.opening else { return };
        match call.poll() {
            CallPoll::Waiting => {}
            // It is used if it still comes.
            CallPoll::Late(error) => self.warn(&error.to_string()),
            CallPoll::Done(answer) => {
                self.opening = None;
                match answer {
                    Ok(Ok((device, samples))) => {
                        let sample_rate = device.format().sample_rate;
                        let open = LoopbackInUse { device, samples, sample_rate, proven: false, deaf_since: None };
                        (self.device, self.refused) = (Some(open), None);
                    }
                    Ok(Err(error)) => self.refuse(&error.to_string()),
                    Err(error) => self.refuse(&error.to_string()),
                }
            }
        }
    }

    /// Gives the loopback up for a while.
    fn refuse(&mut self, why: &str) {
        self.close();
        self.refused = Some(Instant::now());
        self.warn(why);
    }

    /// Reports once that the loopback can't be used.
    fn warn(&mut self, why: &str) {
        if !std::mem::replace(&mut self.warned, true) {
            tracing::warn!(
                why,
                "What this machine plays can't be taken (barge_in.aec.loopback). Echo cancellation removes only what Luna itself plays; Luna tries again."
            );
        }
    }
}
