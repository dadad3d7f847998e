//! The body of the signal thread.

use std::sync::Arc;
use std::time::Duration;

use luna_actor_runtime::blocking::{CallPoll, NoAnswer, PendingCall};
use luna_actor_runtime::metric_names::MICROPHONE_LOST;
use luna_messages::capability::{Capability, CapabilityState, Unavailable};
use luna_messages::listening::ListeningMessage;
use luna_platform::PlatformError;
use luna_platform::microphone::queue::{SampleConsumer, open_queued};
use luna_platform::microphone::watch::{MicrophoneWatch, REOPEN_DELAY};
use luna_platform::microphone::{Microphone, OpenMicrophone};
use tokio::time::Instant;
use zeroize::Zeroize;

use super::played::PlayedReference;
use super::{EarsDependencies, EarsShared, EarsTarget, QUEUE_SECONDS, lock};

/// Polling intervals: a frame of the echo canceller has 10 ms, and an onset may wait for one round.
const POLL: Duration = Duration::from_millis(10);
const POLL_OPENING: Duration = Duration::from_millis(100);
/// While Luna does not listen; a change of the settings wakes the thread.
const POLL_IDLE: Duration = Duration::from_secs(60);
/// Devices that gave no sound, before this is reported.
const MOST_STALLS: u32 = 2;

/// Outcome of opening: the device, and what comes from it.
type OpeningOutcome = Result<(Box<dyn OpenMicrophone>, SampleConsumer), PlatformError>;

struct MicrophoneInUse {
    device: Box<dyn OpenMicrophone>,
    samples: SampleConsumer,
    sample_rate: u32,
    watch: MicrophoneWatch,
}

struct SignalThread {
    shared: Arc<EarsShared>,
    dependencies: EarsDependencies,
    played: PlayedReference,
    device: Option<MicrophoneInUse>,
    /// The device that is being opened, which may block on the sound server.
    opening: Option<PendingCall<OpeningOutcome>>,
    /// The name of the device that is open or being opened.
    wanted: Option<String>,
    /// When opening the device failed last.
    refused: Option<Instant>,
    /// The beginning of this thread's time.
    base: Instant,
    /// How often in a row a device was opened that gave no sound.
    stalls: u32,
    /// Reused buffers, so that not every round allocates.
    input: Vec<f32>,
    reference: Vec<f32>,
}

/// Returns the function that runs one round of the thread and returns the wait before the next; `None` ends the thread, because the actor is gone.
pub(super) fn rounds(
    shared: Arc<EarsShared>,
    dependencies: EarsDependencies,
) -> impl FnMut() -> Option<Duration> + Send + 'static {
    let mut thread = SignalThread {
        played: PlayedReference::new(dependencies.tap.clone(), dependencies.loopback.clone()),
        shared,
        dependencies,
        device: None,
        opening: None,
        wanted: None,
        refused: None,
        base: Instant::now(),
        stalls: 0,
        input: Vec::new(),
        reference: Vec::new(),
    };
    move || thread.round()
}

impl SignalThread {
    fn round(&mut self) -> Option<Duration> {
        let target = lock(&self.shared.target).clone();
        if target.quit {
            self.close();
            self.played.close();
            return None;
        }
        if !target.listens {
            self.played.close();
            if self.device.is_some() || self.opening.is_some() {
                self.opening = None;
                self.lose();
            }
            return Some(POLL_IDLE);
        }
        if self.device.is_some() && self.wanted != target.device {
            self.lose();
            self.refused = None;
        }
        self.check_device(&target);
        self.played.check(&target.reference);
        self.listen();
        Some(match (&self.device, &self.opening) {
            (Some(_), _) => POLL,
            (None, Some(_)) => POLL_OPENING,
            (None, None) => REOPEN_DELAY,
        })
    }

    /// Passes on what came since the last round.
    fn listen(&mut self) {
        let played = self.played.take(&mut self.reference);
        let Some(open) = &mut self.device else {
            self.reference.zeroize();
            return;
        };
        open.samples.take(usize::MAX, &mut self.input);
        let lost = open.samples.take_lost();
        if lost > 0 {
            metrics::counter!(MICROPHONE_LOST).increment(lost);
            tracing::warn!(lost, "Sound of the microphone was lost, because this machine is too busy to listen.");
        }
        let now = self.base.elapsed();
        if !self.input.is_empty() && open.watch.samples_came(now) {
            self.stalls = 0;
            self.dependencies.capabilities.set(Capability::Microphone, CapabilityState::Available);
        }
        let mut events = Vec::new();
        let (heard, silent) = {
            let mut chain = lock(&self.shared.chain);
            if played.other_source {
                chain.reset_played();
            }
            chain.push(&self.input, open.sample_rate, &self.reference, played.sample_rate, &mut events);
            chain.expire(open.watch.unheard(now));
            (chain.heard(), chain.is_silent_device())
        };
        self.input.zeroize();
        self.reference.zeroize();
        if !events.is_empty() {
            lock(&self.shared.news).events.extend(events.into_iter().map(|event| (event, heard)));
            self.wake();
        }
        // Reported once, and once that it sounds again.
        let changed = self.device.as_mut().and_then(|open| open.watch.silence(silent, now));
        if let Some(muted) = changed {
            self.tell_muted(muted);
        }
    }

    fn tell_muted(&self, muted: bool) {
        let state = if muted {
            CapabilityState::Unavailable(Unavailable {
                reason: "The microphone gives nothing but silence; it is muted.".into(),
                remedy: "Switch it on: the key or switch of the device, or the sound settings of the system.".into(),
            })
        } else {
            CapabilityState::Available
        };
        self.dependencies.capabilities.set(Capability::Microphone, state);
    }

    fn wake(&self) {
        // Coalesced; if the actor takes none now, it is being replaced, and its successor asks anew.
        drop(self.dependencies.inbox.post(ListeningMessage::Wake));
    }

    fn check_device(&mut self, target: &EarsTarget) {
        if let Some(open) = &self.device {
            let stalled = open.watch.is_stalled(self.base.elapsed());
            if let Some(why) = open
                .device
                .lost()
                .map(|error| error.to_string())
                .or_else(|| stalled.then(|| "it gives no sound".to_owned()))
            {
                tracing::warn!(why, "The microphone is lost and is opened again.");
                self.stalls += u32::from(stalled);
                self.lose();
                if self.stalls >= MOST_STALLS {
                    self.refuse(Unavailable {
                        reason: "The microphone gives no sound.".into(),
                        remedy: "Choose another one under voice.device, or start the sound server again.".into(),
                    });
                }
            }
        }
        if self.device.is_none() {
            self.open(target);
        }
    }

    /// Gives the device up, with what was heard: what comes next belongs to nothing of it.
    fn lose(&mut self) {
        self.close();
        {
            let mut chain = lock(&self.shared.chain);
            chain.reset();
            chain.wipe();
        }
        let mut news = lock(&self.shared.news);
        news.events.clear();
        news.lost = true;
        drop(news);
        self.wake();
    }

    /// Closes the device on another thread, because closing waits for the sound server.
    fn close(&mut self) {
        if let Some(open) = self.device.take() {
            self.dependencies.microphone.discard(open.device);
        }
    }

    fn open(&mut self, target: &EarsTarget) {
        if self.opening.is_some() {
            return self.poll_opening();
        }
        if self.refused.is_some_and(|at| at.elapsed() < REOPEN_DELAY) {
            return;
        }
        self.wanted.clone_from(&target.device);
        let name = target.device.clone();
        let open =
            move |microphone: &(dyn Microphone + 'static)| open_queued(microphone, name.as_deref(), QUEUE_SECONDS);
        match self.dependencies.microphone.begin(open, || {}) {
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
                    Ok(Ok((device, samples))) => self.opened(device, samples),
                    Ok(Err(PlatformError::Unavailable(why))) => self.refuse(why),
                    Ok(Err(error)) => self.refuse(Unavailable {
                        reason: error.to_string(),
                        remedy: "Luna tries again by itself.".into(),
                    }),
                    Err(error) => self.refuse(no_answer(error)),
                }
            }
        }
    }

    fn opened(&mut self, device: Box<dyn OpenMicrophone>, samples: SampleConsumer) {
        let sample_rate = device.format().sample_rate;
        lock(&self.shared.chain).reset();
        let watch = MicrophoneWatch::new(self.base.elapsed());
        self.device = Some(MicrophoneInUse { device, samples, sample_rate, watch });
        self.refused = None;
    }

    fn refuse(&mut self, why: Unavailable) {
        tracing::debug!(reason = why.reason, "There is no microphone; listening waits for one.");
        self.dependencies.capabilities.set(Capability::Microphone, CapabilityState::Unavailable(why));
        self.refused = Some(Instant::now());
    }
}

fn no_answer(error: NoAnswer) -> Unavailable {
    let remedy = match error {
        NoAnswer::Late { .. } => "Start the sound server again if it stays so; Luna goes on by itself.",
        NoAnswer::Failed { .. } | NoAnswer::NoThread { .. } => "Luna tries again by itself.",
    };
    Unavailable { reason: format!("The microphone can't be used: {error}."), remedy: remedy.into() }
}
