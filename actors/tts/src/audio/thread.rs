//! The body of the audio thread.

use std::sync::Arc;
use std::time::Duration;

use luna_actor_runtime::blocking::{CallPoll, NoAnswer, PendingCall};
use luna_actor_runtime::metric_names::SPEECH_STOP_DURATION;
use luna_messages::capability::{Capability, CapabilityState, Unavailable};
use luna_platform::PlatformError;
use luna_platform::audio::{AudioOutput, OpenOutput};
use tokio::time::Instant;

use super::playback::Playback;
use super::{AudioDependencies, AudioShared};
use crate::report::PlaybackReport;
use crate::ring::Ring;
use crate::source::RingSource;

/// Capacity of the ring in milliseconds: enough for a busy machine, little enough that a change of speed is heard soon.
const RING_MS: u32 = 100;
/// How long the device stays open after the last sound: opening it delays the next first sound.
const LINGER: Duration = Duration::from_secs(15);
/// Time without progress of the device, although samples wait, after which it counts as stuck.
const STALL: Duration = Duration::from_secs(3);
/// Time before a failed opening is retried: each try may block.
const REOPEN_DELAY: Duration = Duration::from_secs(2);
/// Polling intervals: while sound plays, while a sentence waits for a device, while a device is open, and otherwise.
const POLL_PLAYING: Duration = Duration::from_millis(10);
const POLL_WAITING: Duration = Duration::from_millis(200);
const POLL_OPEN: Duration = Duration::from_millis(500);
const POLL_IDLE: Duration = Duration::from_secs(60);

/// Outcome of opening: the device, and its ring if the device asked for a source.
type OpenedDevice = (Result<Box<dyn OpenOutput>, PlatformError>, Option<Arc<Ring>>);

struct OpenDevice {
    device: Box<dyn OpenOutput>,
    ring: Arc<Ring>,
    sample_rate: u32,
    /// Slots popped at the device's last progress, and the time of that. An empty ring and a pause count as progress.
    popped: usize,
    progress_at: Instant,
}

struct AudioThread {
    shared: Arc<AudioShared>,
    dependencies: AudioDependencies,
    device: Option<OpenDevice>,
    /// The device that is being opened, which may block on the sound server.
    opening: Option<PendingCall<OpenedDevice>>,
    playback: Playback,
    rate: f32,
    last_sound: Instant,
    /// When opening the device failed last.
    refused: Option<Instant>,
    /// Whether it was reported that the sentence waits for a device.
    wait_reported: bool,
    /// Set after a device got stuck: a device counts as available again only once it takes a waiting sample.
    doubted: bool,
    /// Consecutive stalls of the device; reset when a device takes a sample.
    stalls: u32,
}

/// Returns the function that runs one round of the thread and returns the wait before the next; `None` ends the thread, because the actor is gone or
/// was replaced.
pub(super) fn rounds(
    shared: Arc<AudioShared>,
    dependencies: AudioDependencies,
) -> impl FnMut() -> Option<Duration> + Send + 'static {
    let mut worker = AudioThread {
        shared,
        dependencies,
        device: None,
        opening: None,
        playback: Playback::default(),
        rate: 1.0,
        last_sound: Instant::now(),
        refused: None,
        wait_reported: false,
        doubted: false,
        stalls: 0,
    };
    move || worker.round().then(|| worker.pause())
}

impl AudioThread {
    /// Runs one round; false if the actor is gone or was replaced.
    fn round(&mut self) -> bool {
        if self.shared.control.is_disabled() {
            return false;
        }
        let (job, probe) = {
            let mut target = self.shared.target();
            if target.quit {
                return false;
            }
            self.rate = target.rate;
            (target.job.take(), std::mem::take(&mut target.probe))
        };
        if let Some(job) = job {
            self.wait_reported = false;
            self.playback.begin(job);
        }
        self.playback.drop_stopped(&self.shared.control);
        let latency = self.device.as_ref().map_or(0, |open| open.device.format().buffer_frames);
        self.playback.follow_duck(&self.shared.control, latency);
        self.check_device(probe);
        self.feed();
        self.report_progress();
        true
    }

    fn pause(&self) -> Duration {
        match &self.device {
            None if self.playback.is_feeding() => POLL_WAITING,
            _ if self.opening.is_some() => POLL_WAITING,
            _ if self.playback.is_sounding() && !self.shared.control.is_paused() => POLL_PLAYING,
            Some(_) => POLL_OPEN,
            None => POLL_IDLE,
        }
    }

    fn check_device(&mut self, probe: bool) {
        let now = Instant::now();
        let halted = self.is_halted();
        if let Some(device) = &mut self.device {
            let popped = device.ring.popped();
            if popped != device.popped || device.ring.is_empty() || halted {
                if popped != device.popped {
                    self.stalls = 0;
                    self.last_sound = now;
                    if std::mem::take(&mut self.doubted) {
                        self.dependencies.capabilities.set(Capability::AudioOutput, CapabilityState::Available);
                    }
                }
                (device.popped, device.progress_at) = (popped, now);
            }
            let stalled = now - device.progress_at > STALL;
            let lost = device.device.lost();
            if stalled || lost.is_some() {
                let why = lost.map_or_else(|| "it takes no sound".to_owned(), |error| error.to_string());
                tracing::warn!(why, "The sound device is lost and is opened again.");
                self.stalls += u32::from(stalled);
                self.close();
                self.playback.begin_anew();
            } else if !self.playback.is_sounding() && now - self.last_sound > LINGER {
                self.close();
            }
        }
        if self.device.is_some() {
            return;
        }
        // No device is opened for a clip that can't be synthesised.
        if self.playback.is_feeding() && !self.playback.is_impossible() || probe || self.opening.is_some() {
            self.open(probe);
        }
    }

    /// Whether the device rightly takes nothing although samples wait.
    fn is_halted(&self) -> bool {
        let duck = self.shared.control.duck_state();
        self.shared.control.is_paused() || duck.ducked || duck.returning
    }

    /// Closes the device on another thread, because closing waits for the sound server.
    fn close(&mut self) {
        if let Some(open) = self.device.take() {
            self.dependencies.output.discard(open.device);
        }
    }

    fn open(&mut self, probe: bool) {
        if self.opening.is_some() {
            return self.poll_opening();
        }
        if !probe && self.refused.is_some_and(|at| at.elapsed() < REOPEN_DELAY) {
            return self.wait();
        }
        if self.stalls >= 2 {
            (self.stalls, self.doubted) = (0, true);
            let reason = "The sound device takes no sound.".into();
            return self
                .refuse(Unavailable { reason, remedy: "Choose another one, or start the sound server again.".into() });
        }
        let (control, name, frames) =
            (self.shared.control.clone(), self.dependencies.device.clone(), self.dependencies.buffer_frames);
        let tap = self.dependencies.tap.clone();
        let open = move |output: &(dyn AudioOutput + 'static)| {
            let (sender, made) = std::sync::mpsc::sync_channel(1);
            let opened = output.open(
                name.as_deref(),
                frames,
                Box::new(move |format| {
                    let ring = Arc::new(Ring::new((format.sample_rate / 1000 * RING_MS) as usize));
                    // The channel has space for the one ring.
                    let _ = sender.try_send(ring.clone());
                    Box::new(RingSource::new(ring, control, format.sample_rate, tap))
                }),
            );
            (opened, made.try_recv().ok())
        };
        let control = self.shared.control.clone();
        match self.dependencies.output.begin(open, move || control.wake()) {
            Ok(call) => {
                self.opening = Some(call);
                self.poll_opening();
            }
            Err(error) => self.refuse(no_answer(error)),
        }
    }

    /// Polls the device that is being opened. A late device is used as well; no other is opened meanwhile.
    fn poll_opening(&mut self) {
        let Some(call) = &mut self.opening else { return };
        match call.poll() {
            CallPoll::Waiting => {}
            CallPoll::Late(error) => self.refuse(no_answer(error)),
            CallPoll::Done(answer) => {
                self.opening = None;
                match answer {
                    Ok(opened) => self.opened(opened),
                    Err(error) => self.refuse(no_answer(error)),
                }
            }
        }
    }

    fn opened(&mut self, (opened, ring): OpenedDevice) {
        let now = Instant::now();
        match (opened, ring) {
            (Ok(device), Some(ring)) => {
                let sample_rate = device.format().sample_rate;
                self.device = Some(OpenDevice { device, ring, sample_rate, popped: 0, progress_at: now });
                self.last_sound = now;
                self.refused = None;
                // With nothing to play, it can't be checked whether the device takes sound, so it counts as available.
                self.doubted = self.doubted && self.playback.is_feeding();
                if !self.doubted {
                    self.dependencies.capabilities.set(Capability::AudioOutput, CapabilityState::Available);
                }
            }
            (Ok(_), None) => {
                let reason = "The sound device was opened without a sound source.".into();
                self.refuse(Unavailable { reason, remedy: "This is a mistake in Luna; please report it.".into() });
            }
            (Err(PlatformError::Unavailable(why)), _) => self.refuse(why),
            (Err(error), _) => {
                let remedy = "Luna tries again by itself.".into();
                self.refuse(Unavailable { reason: error.to_string(), remedy });
            }
        }
    }

    fn refuse(&mut self, why: Unavailable) {
        tracing::debug!(reason = why.reason, "There is no sound output; speech waits for one.");
        self.dependencies.capabilities.set(Capability::AudioOutput, CapabilityState::Unavailable(why));
        self.refused = Some(Instant::now());
        self.wait();
    }

    /// Reports once that the sentence waits for a device. It is then played from its beginning, since no text may be skipped unheard (KER-9).
    fn wait(&mut self) {
        if let (Some(play), false) = (self.playback.play(), self.wait_reported) {
            self.wait_reported = true;
            self.dependencies.reports.send(PlaybackReport::Unheard(play));
        }
    }

    fn feed(&mut self) {
        let report = match &self.device {
            Some(open) => self.playback.feed(&open.ring, open.sample_rate, self.rate),
            None => self.playback.give_up(),
        };
        report.into_iter().for_each(|report| self.dependencies.reports.send(report));
    }

    fn report_progress(&mut self) {
        let control = &self.shared.control;
        if let Some(took) = control.take_stop() {
            metrics::histogram!(SPEECH_STOP_DURATION).record(took.as_secs_f64());
        }
        for report in self.playback.progress(control, Instant::now()) {
            if matches!(report, PlaybackReport::Ended(_)) {
                self.last_sound = Instant::now();
            }
            self.dependencies.reports.send(report);
        }
    }
}

fn no_answer(error: NoAnswer) -> Unavailable {
    let remedy = match error {
        NoAnswer::Late { .. } => "Start the sound server again if it stays so; Luna goes on by itself.",
        NoAnswer::Failed { .. } | NoAnswer::NoThread { .. } => "Luna tries again by itself.",
    };
    Unavailable { reason: format!("There is no sound: {error}."), remedy: remedy.into() }
}
