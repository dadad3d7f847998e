//! The body of the audio thread.

use std::sync::Arc;
use std::time::Duration;

use luna_actor_runtime::blocking::{CallPoll, NoAnswer, PendingCall};
use luna_actor_runtime::metric_names::SPEECH_STOP_DURATION;
use luna_messages::capability::{Capability, CapabilityState, Unavailable};
use luna_platform::PlatformError;
use luna_platform::audio::{AudioOutput, OpenOutput};
use luna_speech::player::PlayRequest;
use luna_speech::resample::Resampler;
use luna_speech::tempo::Tempo;
use tokio::time::Instant;
use zeroize::Zeroize;

use super::{AudioDependencies, AudioShared, PlaybackJob};
use crate::clip::{ClipEnd, ClipPosition};
use crate::report::PlaybackReport;
use crate::ring::{Ring, RingSlot};
use crate::source::RingSource;

/// Capacity of the ring in milliseconds: enough for a busy machine, little enough that a change of speed is heard soon.
const RING_MS: u32 = 100;
/// Milliseconds of a clip that are processed in one step.
const STEP_MS: u32 = 10;
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

/// A clip that is being fed into the ring.
struct Feeding {
    job: PlaybackJob,
    place: ClipPosition,
    tempo: Option<Tempo>,
    resampler: Option<Resampler>,
    /// Samples ready for the ring; those before `at` are in it.
    ready: Vec<f32>,
    at: usize,
    start_pushed: bool,
    /// The whole clip is stretched; only `ready` is left.
    fully_processed: bool,
    end_pushed: bool,
}

impl Feeding {
    const fn new(job: PlaybackJob) -> Self {
        let place = ClipPosition::START;
        Self {
            job,
            place,
            tempo: None,
            resampler: None,
            ready: Vec::new(),
            at: 0,
            start_pushed: false,
            fully_processed: false,
            end_pushed: false,
        }
    }
}

impl Drop for Feeding {
    fn drop(&mut self) {
        self.ready.zeroize();
    }
}

struct AudioThread {
    shared: Arc<AudioShared>,
    dependencies: AudioDependencies,
    device: Option<OpenDevice>,
    /// The device that is being opened, which may block on the sound server.
    opening: Option<PendingCall<OpenedDevice>>,
    feeding: Option<Feeding>,
    /// The order being played, until its end was reported.
    sounding: Option<(u32, PlayRequest)>,
    started: bool,
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
    /// Reused buffers, so that not every round allocates.
    input: Vec<f32>,
    stretched: Vec<f32>,
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
        feeding: None,
        sounding: None,
        started: false,
        rate: 1.0,
        last_sound: Instant::now(),
        refused: None,
        wait_reported: false,
        doubted: false,
        stalls: 0,
        input: Vec::new(),
        stretched: Vec::new(),
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
            self.sounding = Some((job.order, job.play));
            (self.started, self.wait_reported) = (false, false);
            self.feeding = Some(Feeding::new(job));
        }
        self.drop_finished();
        self.check_device(probe);
        self.feed();
        self.report_progress();
        true
    }

    fn pause(&self) -> Duration {
        match (&self.feeding, &self.device) {
            (Some(_), None) => POLL_WAITING,
            _ if self.opening.is_some() => POLL_WAITING,
            _ if self.sounding.is_some() && !self.shared.control.is_paused() => POLL_PLAYING,
            (_, Some(_)) => POLL_OPEN,
            (_, None) => POLL_IDLE,
        }
    }

    fn drop_finished(&mut self) {
        let order = self.shared.control.order();
        if self.sounding.is_some_and(|s| s.0 != order) {
            self.sounding = None;
            self.feeding = None;
            self.input.zeroize();
            self.stretched.zeroize();
        }
    }

    fn check_device(&mut self, probe: bool) {
        let now = Instant::now();
        if let Some(device) = &mut self.device {
            let popped = device.ring.popped();
            if popped != device.popped || device.ring.is_empty() || self.shared.control.is_paused() {
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
                self.start_sentence_anew();
            } else if self.sounding.is_none() && now - self.last_sound > LINGER {
                self.close();
            }
        }
        if self.device.is_some() {
            return;
        }
        // No device is opened for a clip that can't be synthesised.
        let impossible = self.feeding.as_ref().is_some_and(|f| f.job.clip.ended() == Some(ClipEnd::Impossible));
        if self.feeding.is_some() && !impossible || probe || self.opening.is_some() {
            self.open(probe);
        }
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
        let open = move |output: &(dyn AudioOutput + 'static)| {
            let (sender, made) = std::sync::mpsc::sync_channel(1);
            let opened = output.open(
                name.as_deref(),
                frames,
                Box::new(move |format| {
                    let ring = Arc::new(Ring::new((format.sample_rate / 1000 * RING_MS) as usize));
                    // The channel has space for the one ring.
                    let _ = sender.try_send(ring.clone());
                    Box::new(RingSource::new(ring, control, format.sample_rate))
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
                self.doubted = self.doubted && self.feeding.is_some();
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
        if let (Some((_, play)), false) = (self.sounding, self.wait_reported) {
            self.wait_reported = true;
            self.dependencies.reports.send(PlaybackReport::Unheard(play));
        }
    }

    /// Ends the order and reports that it can't be spoken.
    fn give_up(&mut self) {
        self.feeding = None;
        if let Some((_, play)) = self.sounding.take() {
            self.dependencies.reports.send(PlaybackReport::Unspoken(play));
        }
    }

    /// Restarts the sentence: samples that the lost device had not played are gone with it (TTS-1).
    fn start_sentence_anew(&mut self) {
        if let Some(feeding) = self.feeding.take() {
            self.feeding = Some(Feeding::new(feeding.job.clone()));
        }
    }

    fn feed(&mut self) {
        let (Some(feeding), Some(device)) = (&mut self.feeding, &self.device) else {
            if let Some(feeding) = &self.feeding
                && feeding.job.clip.ended() == Some(ClipEnd::Impossible)
            {
                self.give_up();
            }
            return;
        };
        let order = feeding.job.order;
        while !feeding.end_pushed {
            // Samples that are ready are pushed first.
            while let Some(sample) = feeding.ready.get(feeding.at) {
                if !feeding.start_pushed {
                    feeding.start_pushed = device.ring.push(order, RingSlot::Start);
                }
                if !feeding.start_pushed || !device.ring.push(order, RingSlot::Sample(*sample)) {
                    return;
                }
                feeding.at += 1;
            }
            feeding.ready.zeroize();
            feeding.at = 0;
            if feeding.fully_processed {
                feeding.start_pushed = feeding.start_pushed || device.ring.push(order, RingSlot::Start);
                feeding.end_pushed = feeding.start_pushed && device.ring.push(order, RingSlot::End);
                if !feeding.end_pushed {
                    return;
                }
                break;
            }
            // Read before the samples: once the clip has ended, no more samples are appended, so none are missed.
            let ended = feeding.job.clip.ended();
            match ended {
                Some(ClipEnd::Crashed | ClipEnd::Impossible) => {
                    let report =
                        if ended == Some(ClipEnd::Crashed) { PlaybackReport::Broken } else { PlaybackReport::Unspoken };
                    self.dependencies.reports.send(report(feeding.job.play));
                    self.feeding = None;
                    self.sounding = None;
                    return;
                }
                Some(ClipEnd::Done) | None => {}
            }
            let Some(rate) = feeding.job.clip.sample_rate() else {
                // A sentence without any sound, such as "…", still begins and ends.
                feeding.fully_processed = ended.is_some();
                if feeding.fully_processed {
                    continue;
                }
                return;
            };
            let tempo = feeding.tempo.get_or_insert_with(|| Tempo::new(rate));
            let resampler = feeding.resampler.get_or_insert_with(|| Resampler::new(rate, device.sample_rate));
            tempo.set_rate(self.rate);
            self.input.zeroize();
            self.stretched.zeroize();
            let read = feeding.job.clip.read(&mut feeding.place, (rate * STEP_MS / 1000) as usize, &mut self.input);
            if read > 0 {
                tempo.push(&self.input, &mut self.stretched);
                resampler.push(&self.stretched, &mut feeding.ready);
            } else if ended.is_some() {
                tempo.finish(&mut self.stretched);
                resampler.push(&self.stretched, &mut feeding.ready);
                resampler.finish(&mut feeding.ready);
                feeding.fully_processed = true;
            } else {
                return;
            }
        }
    }

    fn report_progress(&mut self) {
        let control = &self.shared.control;
        if let Some(took) = control.take_stop() {
            metrics::histogram!(SPEECH_STOP_DURATION).record(took.as_secs_f64());
        }
        let Some((order, play)) = self.sounding else { return };
        // Read first: an order that has ended has also started, even if both happened since the last round.
        let ended = control.has_ended(order);
        if !self.started && (ended || control.has_started(order)) {
            self.started = true;
            self.dependencies.reports.send(PlaybackReport::Started(play, Instant::now()));
        }
        if ended {
            self.sounding = None;
            self.feeding = None;
            self.last_sound = Instant::now();
            self.dependencies.reports.send(PlaybackReport::Ended(play));
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
