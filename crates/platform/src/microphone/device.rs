//! Sound through cpal: PulseAudio or PipeWire if a server answers, else ALSA; WASAPI on Windows.

mod choose;
mod mono;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use cpal::traits::{DeviceTrait, StreamTrait};
use cpal::{BufferSize, ErrorKind, StreamConfig, SupportedStreamConfig};

use super::{InputFormat, Microphone, OpenMicrophone, SoundSink};
use crate::PlatformError;
use crate::audio::AudioOutput;
use crate::audio::device::DeviceOutput;
use crate::audio::stream_errors::ends_the_stream;

/// Part of a second that a device delivers at a time, 30 ms: a voice is to be noticed within 150 ms. With 10 ms, a sixth of the sound was lost on a busy
/// machine, because the sound server keeps no more than one period for a program that comes late, and asking three times as often took most of the
/// processor time of a quiet room.
const PERIODS_PER_SECOND: u32 = 33;
/// Longest wait for a device (KER-11). The sound server's own limit is 2 s, and there may be two attempts.
const OPEN_LIMIT: Duration = Duration::from_secs(5);
/// Interval at which it is checked whether another microphone is to be used now.
const WATCH_INTERVAL: Duration = Duration::from_secs(2);
const REMEDY: &str = "Plug in a microphone, or start the sound server; Luna tries again.";

/// Whether an opening never returned, for microphones and for loopbacks: one thread each that waits for a sound server is enough (KER-11).
static OPENING: [AtomicBool; 2] = [const { AtomicBool::new(false) }; 2];

/// The microphones of this machine.
#[derive(Debug, Default, Clone, Copy)]
pub struct DeviceMicrophone;

impl DeviceMicrophone {
    /// Opens nothing until [`Microphone::open`].
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

/// What this machine's loudspeakers play, whichever program it comes from, taken as a microphone takes sound: WASAPI loopback on Windows, the monitor
/// of the sound server's output on Linux (BRG-4). The name given to [`Microphone::open`] is that of the output.
#[derive(Debug, Default, Clone, Copy)]
pub struct DeviceLoopback;

impl DeviceLoopback {
    /// Opens nothing until [`Microphone::open`].
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

/// Where sound is taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum InputKind {
    Microphone,
    Loopback,
}

impl InputKind {
    const fn remedy(self) -> &'static str {
        match self {
            Self::Microphone => REMEDY,
            Self::Loopback => "Luna tries again; it does without if barge_in.aec.loopback is playback.",
        }
    }

    /// Subject of sentences.
    const fn subject(self) -> &'static str {
        match self {
            Self::Microphone => "The microphone",
            Self::Loopback => "What this machine plays",
        }
    }
}

type MakeSink = Box<dyn FnOnce(InputFormat) -> Box<dyn SoundSink> + Send>;

impl Microphone for DeviceMicrophone {
    fn open(&self, device: Option<&str>, make_sink: MakeSink) -> Result<Box<dyn OpenMicrophone>, PlatformError> {
        open(InputKind::Microphone, device, make_sink)
    }

    fn devices(&self) -> Result<Vec<String>, PlatformError> {
        within_limit(InputKind::Microphone, choose::names)
    }
}

impl Microphone for DeviceLoopback {
    fn open(&self, device: Option<&str>, make_sink: MakeSink) -> Result<Box<dyn OpenMicrophone>, PlatformError> {
        open(InputKind::Loopback, device, make_sink)
    }

    fn devices(&self) -> Result<Vec<String>, PlatformError> {
        within_limit(InputKind::Loopback, || DeviceOutput::new().devices())
    }
}

fn open(kind: InputKind, device: Option<&str>, make_sink: MakeSink) -> Result<Box<dyn OpenMicrophone>, PlatformError> {
    let device = device.map(ToOwned::to_owned);
    within_limit(kind, move || Ok(Box::new(DeviceInput::open(kind, device, make_sink)?) as Box<dyn OpenMicrophone>))
}

/// Runs `work` on a thread of its own and waits for it, but not longer than [`OPEN_LIMIT`]: some calls to a sound server have no limit. What comes
/// later is dropped.
fn within_limit<T: Send + 'static>(
    kind: InputKind,
    work: impl FnOnce() -> Result<T, PlatformError> + Send + 'static,
) -> Result<T, PlatformError> {
    let silent = || PlatformError::unavailable("The sound server does not answer.", "Restart it; Luna tries again.");
    let opening = &OPENING[kind as usize];
    if opening.swap(true, Ordering::AcqRel) {
        return Err(silent());
    }
    let (sender, receiver): (SyncSender<Result<T, PlatformError>>, _) = sync_channel(1);
    let run = move || {
        let result = work();
        opening.store(false, Ordering::Release);
        drop(sender.send(result));
    };
    if let Err(error) = std::thread::Builder::new().name("luna-microphone".into()).spawn(run) {
        opening.store(false, Ordering::Release);
        return Err(PlatformError::unavailable(format!("No thread can be started: {error}."), "Luna tries again."));
    }
    receiver.recv_timeout(OPEN_LIMIT).unwrap_or_else(|_| Err(silent()))
}

/// What the threads of an open device share.
#[derive(Default)]
struct InputState {
    /// The last fatal error.
    lost: Mutex<Option<PlatformError>>,
    /// Set when the device is closed; then nothing more is delivered.
    closed: Mutex<bool>,
    closes: Condvar,
}

impl InputState {
    fn lose(&self, error: PlatformError) {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    fn close(&self) {
        *self.closed.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.closes.notify_all();
    }
}

struct DeviceInput {
    stream: Option<cpal::Stream>,
    format: InputFormat,
    state: Arc<InputState>,
}

impl DeviceInput {
    fn open(kind: InputKind, wanted: Option<String>, make_sink: MakeSink) -> Result<Self, PlatformError> {
        let (mut why, mut make_sink) = (None, Some(make_sink));
        // Without a name, only the preferred host counts: ALSA's default device is the sound server's, perhaps what the loudspeaker plays.
        let hosts = if wanted.is_some() { usize::MAX } else { 1 };
        for host in choose::hosts().into_iter().take(hosts) {
            let Some(device) = choose::find(kind, &host, wanted.as_deref()) else { continue };
            let name = choose::name(&device).unwrap_or_else(|| kind.subject().into());
            let cannot = |error: cpal::Error| {
                PlatformError::unavailable(
                    format!("{name} can't be opened: {}.", error.to_string().trim_end_matches('.')),
                    kind.remedy(),
                )
            };
            // The next host may succeed. If none does, the last error is reported.
            let config = match choose::config(kind, &device) {
                Ok(config) => config,
                Err(error) => {
                    why = Some(cannot(error));
                    continue;
                }
            };
            // The stream's own thread gets the sink when the stream has been opened: one that can't be opened would take it along.
            let (sink_for_stream, state) = (Arc::new(Mutex::new(None)), Arc::new(InputState::default()));
            match build(kind, &device, &config, &sink_for_stream, &state) {
                Ok(stream) => {
                    let format = InputFormat { sample_rate: config.sample_rate() };
                    if let Some(make_sink) = make_sink.take() {
                        *sink_for_stream.lock().unwrap_or_else(PoisonError::into_inner) = Some(make_sink(format));
                    }
                    stream.play().map_err(cannot)?;
                    watch(kind, host, wanted, &device, state.clone());
                    return Ok(Self { stream: Some(stream), format, state });
                }
                Err(error) => why = Some(cannot(error)),
            }
        }
        Err(why.unwrap_or_else(|| choose::missing(kind, wanted.as_deref())))
    }
}

impl OpenMicrophone for DeviceInput {
    fn format(&self) -> InputFormat {
        self.format
    }

    fn lost(&self) -> Option<PlatformError> {
        self.state.lost.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for DeviceInput {
    fn drop(&mut self) {
        self.state.close();
        if let Some(stream) = self.stream.take() {
            // Closing waits for the sound server, which may never answer (KER-11). Nothing is delivered meanwhile. Without a thread it is closed here.
            drop(std::thread::Builder::new().name("luna-mic-close".into()).spawn(move || drop(stream)));
        }
    }
}

type SharedSink = Arc<Mutex<Option<Box<dyn SoundSink>>>>;

/// Opens a device with small periods, or with its own if it can't have them.
fn build(
    kind: InputKind,
    device: &cpal::Device,
    config: &SupportedStreamConfig,
    sink: &SharedSink,
    state: &Arc<InputState>,
) -> Result<cpal::Stream, cpal::Error> {
    let frames = (config.sample_rate() / PERIODS_PER_SECOND).max(1);
    let open = |buffer_size| {
        let settings = StreamConfig { channels: config.channels(), sample_rate: config.sample_rate(), buffer_size };
        let (heard, errors) = (state.clone(), state.clone());
        let deliver = deliver_to(sink.clone(), heard);
        let on_error = move |error: cpal::Error| {
            if ends_the_stream(error.kind()) {
                let reason = format!("{} went away: {}.", kind.subject(), error.to_string().trim_end_matches('.'));
                errors.lose(PlatformError::unavailable(reason, kind.remedy()));
            } else {
                tracing::debug!(%error, ?kind, "A sound input reports an error that does not end the sound.");
            }
        };
        mono::open(device, settings, config.sample_format(), deliver, on_error, OPEN_LIMIT / 2)
    };
    open(BufferSize::Fixed(frames)).or_else(|error| match error.kind() {
        ErrorKind::UnsupportedConfig | ErrorKind::InvalidInput | ErrorKind::BackendError => open(BufferSize::Default),
        _ => Err(error),
    })
}

/// Takes the samples on the device's thread. The locks are never contended but at the opening and closing.
fn deliver_to(sink: SharedSink, state: Arc<InputState>) -> impl FnMut(&[f32]) + Send + 'static {
    move |samples| {
        let closed = state.closed.lock().unwrap_or_else(PoisonError::into_inner);
        if !*closed && let Some(sink) = &mut *sink.lock().unwrap_or_else(PoisonError::into_inner) {
            sink.take(samples);
        }
    }
}

/// Notices that another microphone is to be used now: the person chose another default one, the one that was named is plugged in or gone. A sound
/// server moves the stream without a word, perhaps to what the loudspeaker plays.
fn watch(kind: InputKind, host: cpal::Host, wanted: Option<String>, opened: &cpal::Device, state: Arc<InputState>) {
    let Ok(opened) = opened.id() else { return };
    let run = move || {
        loop {
            let closed = state.closed.lock().unwrap_or_else(PoisonError::into_inner);
            let wait = state.closes.wait_timeout_while(closed, WATCH_INTERVAL, |closed| !*closed);
            if *wait.unwrap_or_else(PoisonError::into_inner).0 {
                return;
            }
            let now = choose::find(kind, &host, wanted.as_deref()).and_then(|device| device.id().ok());
            if now.as_ref() != Some(&opened) {
                let reason = match kind {
                    InputKind::Microphone => "Another microphone is to be used now.",
                    InputKind::Loopback => "Another loudspeaker is used now.",
                };
                state.lose(PlatformError::unavailable(reason, kind.remedy()));
                return;
            }
        }
    };
    if let Err(error) = std::thread::Builder::new().name("luna-mic-watch".into()).spawn(run) {
        tracing::debug!(%error, "A change of the microphone is not noticed.");
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;
    use crate::microphone::queue::queue;

    // KER-9
    #[test]
    fn a_microphone_that_is_not_there_is_named_with_a_remedy_ker_9() {
        let open = DeviceMicrophone::new().open(Some("no such device anywhere"), Box::new(|_| Box::new(queue(1).0)));
        let Err(error) = open else { panic!("opened a device that can't be there") };
        assert!(error.to_string().contains("no such device anywhere"), "{error}");
    }

    // KER-9, BRG-4
    #[test]
    fn an_output_that_is_not_there_has_no_loopback_ker_9_brg_4() {
        let open = DeviceLoopback::new().open(Some("no such output anywhere"), Box::new(|_| Box::new(queue(1).0)));
        let Err(error) = open else { panic!("opened a device that can't be there") };
        assert!(error.to_string().contains("no such output anywhere"), "{error}");
    }
}
