//! Sound through rodio and cpal: PulseAudio or PipeWire if a server answers, else ALSA; WASAPI on Windows.

use std::num::NonZero;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use cpal::BufferSize;
use cpal::traits::{DeviceTrait, HostTrait};
use rodio::{DeviceSinkBuilder, MixerDeviceSink, Source};

use super::stream_errors::ends_the_stream;
use super::{AudioOutput, OpenOutput, OutputFormat, SoundSource};
use crate::PlatformError;

/// Number of samples taken from the source at a time. No more than a device requests with the smallest configurable
/// buffer (128 frames), so that a stop is delayed by at most this number.
const BLOCK: usize = 64;
/// With PulseAudio and ALSA, cpal buffers two periods of the requested size (its `target_length` is twice
/// `minimum_request_length`). Requesting half gives the whole buffer the wanted size, which bounds the delay until a
/// stop is heard.
const PERIODS: u32 = if cfg!(target_os = "linux") { 2 } else { 1 };
/// Range of requested buffer sizes, in frames.
const BUFFERS: std::ops::RangeInclusive<u32> = 64..=8192;
const REMEDY: &str = "Plug in a loudspeaker or headphones, or start the sound server; Luna tries again.";

/// The sound devices of this machine.
#[derive(Debug, Default, Clone, Copy)]
pub struct DeviceOutput;

impl DeviceOutput {
    /// Opens nothing until [`AudioOutput::open`].
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl AudioOutput for DeviceOutput {
    fn open(
        &self,
        device: Option<&str>,
        buffer_frames: u32,
        make_source: Box<dyn FnOnce(OutputFormat) -> Box<dyn SoundSource> + Send>,
    ) -> Result<Box<dyn OpenOutput>, PlatformError> {
        let mut why = None;
        for host in hosts() {
            let Some(found) = find(&host, device) else { continue };
            match DeviceStream::new(found, buffer_frames) {
                Ok(open) => return Ok(Box::new(open.play(make_source))),
                // The next host may succeed. If none does, the last error is reported.
                Err(error) => why = Some(error),
            }
        }
        Err(why.unwrap_or_else(|| match device {
            Some(name) => PlatformError::unavailable(
                format!("There is no sound device whose name contains \"{name}\"."),
                "Choose one that `luna doctor` lists, or none for the default device.",
            ),
            None => PlatformError::unavailable("There is no sound device.", REMEDY),
        }))
    }

    fn devices(&self) -> Result<Vec<String>, PlatformError> {
        let mut names = Vec::new();
        for host in hosts() {
            let default = host.default_output_device().and_then(|d| name(&d));
            let others = host.output_devices().into_iter().flatten().filter_map(|d| name(&d));
            for name in default.into_iter().chain(others) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            // ALSA lists the sound server's devices a second time.
            if !names.is_empty() {
                break;
            }
        }
        if names.is_empty() { Err(PlatformError::unavailable("There is no sound device.", REMEDY)) } else { Ok(names) }
    }
}

/// The available audio hosts of this platform, the preferred host first.
fn hosts() -> Vec<cpal::Host> {
    #[cfg(target_os = "linux")]
    return super::sound_server::host().into_iter().chain(cpal::host_from_id(cpal::HostId::Alsa).ok()).collect();
    #[cfg(not(target_os = "linux"))]
    vec![cpal::default_host()]
}

/// The output that is wanted by name, or the default one.
pub(crate) fn find(host: &cpal::Host, wanted: Option<&str>) -> Option<cpal::Device> {
    let Some(wanted) = wanted else { return host.default_output_device() };
    let wanted = wanted.to_lowercase();
    let is_wanted = |device: &cpal::Device| {
        let id = device.id().map(|id| id.to_string()).unwrap_or_default();
        id.to_lowercase().contains(&wanted) || name(device).is_some_and(|name| name.to_lowercase().contains(&wanted))
    };
    host.output_devices().ok()?.find(is_wanted)
}

fn name(device: &cpal::Device) -> Option<String> {
    device.description().ok().map(|d| d.name().to_owned())
}

struct DeviceStream {
    sink: MixerDeviceSink,
    format: OutputFormat,
    /// The last fatal error that the device's own thread reported.
    lost: Arc<Mutex<Option<PlatformError>>>,
}

impl DeviceStream {
    fn new(device: cpal::Device, buffer_frames: u32) -> Result<Self, PlatformError> {
        let name = name(&device).unwrap_or_else(|| "the sound device".into());
        let cannot = |error: rodio::DeviceSinkError| {
            let cause = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
            PlatformError::unavailable(format!("{name} can't be opened: {}.", cause.trim_end_matches('.')), REMEDY)
        };
        let frames = buffer_frames.clamp(*BUFFERS.start(), *BUFFERS.end());
        let lost = Arc::new(Mutex::new(None));
        let heard = lost.clone();
        let on_error = move |error: cpal::Error| {
            if ends_the_stream(error.kind()) {
                let reason = format!("The sound device went away: {}.", error.to_string().trim_end_matches('.'));
                *heard.lock().unwrap_or_else(PoisonError::into_inner) =
                    Some(PlatformError::unavailable(reason, REMEDY));
            } else {
                tracing::debug!(%error, "The sound device reports an error that does not end the sound.");
            }
        };
        let mut sink = DeviceSinkBuilder::from_device(device)
            .map_err(cannot)?
            .with_buffer_size(BufferSize::Fixed(frames / PERIODS))
            .with_error_callback(on_error)
            .open_stream()
            .map_err(cannot)?;
        sink.log_on_drop(false);
        let format = OutputFormat { sample_rate: sink.config().sample_rate().get(), buffer_frames: frames };
        Ok(Self { sink, format, lost })
    }

    fn play(self, make_source: Box<dyn FnOnce(OutputFormat) -> Box<dyn SoundSource> + Send>) -> Self {
        let source = make_source(self.format);
        self.sink.mixer().add(EndlessSource::new(source, self.sink.config().sample_rate()));
        self
    }
}

impl OpenOutput for DeviceStream {
    fn format(&self) -> OutputFormat {
        self.format
    }

    fn lost(&self) -> Option<PlatformError> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Adapts a [`SoundSource`] to an endless source of rodio: appending to a queue would take time, playing silence takes
/// none.
struct EndlessSource {
    source: Box<dyn SoundSource>,
    rate: NonZero<u32>,
    block: [f32; BLOCK],
    at: usize,
}

impl EndlessSource {
    const fn new(source: Box<dyn SoundSource>, rate: NonZero<u32>) -> Self {
        Self { source, rate, block: [0.0; BLOCK], at: BLOCK }
    }
}

impl Iterator for EndlessSource {
    type Item = f32;

    fn next(&mut self) -> Option<f32> {
        if self.at >= BLOCK {
            let filled = self.source.fill(&mut self.block).min(BLOCK);
            self.block[filled..].fill(0.0);
            self.at = 0;
        }
        let sample = self.block[self.at];
        self.at += 1;
        Some(sample)
    }
}

impl Source for EndlessSource {
    fn current_span_len(&self) -> Option<usize> {
        None
    }

    fn channels(&self) -> NonZero<u16> {
        NonZero::<u16>::MIN
    }

    fn sample_rate(&self) -> NonZero<u32> {
        self.rate
    }

    fn total_duration(&self) -> Option<Duration> {
        None
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;

    struct TestCounter(f32);

    impl SoundSource for TestCounter {
        fn fill(&mut self, out: &mut [f32]) -> usize {
            for sample in out.iter_mut().take(10) {
                self.0 += 1.0;
                *sample = self.0;
            }
            10
        }
    }

    #[test]
    fn what_a_source_does_not_fill_is_silence() {
        let mut endless = EndlessSource::new(Box::new(TestCounter(0.0)), NonZero::new(48_000).unwrap());
        let heard: Vec<f32> = endless.by_ref().take(2 * BLOCK).collect();
        assert_eq!(heard[..10], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]);
        assert!(heard[10..BLOCK].iter().all(|s| *s == 0.0));
        assert_eq!(heard[BLOCK], 11.0);
    }

    // KER-9
    #[test]
    fn a_device_that_is_not_there_is_named_with_a_remedy_ker_9() {
        let source = |_: OutputFormat| -> Box<dyn SoundSource> { Box::new(TestCounter(0.0)) };
        let Err(error) = DeviceOutput::new().open(Some("no such device anywhere"), 512, Box::new(source)) else {
            panic!("opened a device that can't be there")
        };
        assert!(error.to_string().contains("no such device anywhere"), "{error}");
    }
}
