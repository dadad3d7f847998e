//! Records what the default sound device really plays, by its monitor.

#![allow(dead_code, reason = "not every user of this file needs all of it")]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use cpal::traits::{DeviceTrait, HostTrait, StreamTrait};
use tokio::time::Instant;

pub const SAMPLE_RATE: u32 = 48_000;
/// Loudness from which a sample counts as sound.
pub const LOUD: f32 = 0.01;

/// Samples with the time of each block's end.
type Blocks = Vec<(Instant, Vec<f32>)>;

/// A recording in progress.
pub struct SoundMonitor {
    blocks: Arc<Mutex<Blocks>>,
    _stream: cpal::Stream,
}

/// A piece of the recording.
pub struct RecordedSound {
    blocks: Blocks,
}

/// The sound server of this session and its default device.
pub fn device() -> (cpal::Host, cpal::Device) {
    const NEEDED: &str =
        "this needs a sound server with a null sink: run it inside the desktop session of the tests (PULSE_SERVER)";
    let host = cpal::host_from_id(cpal::HostId::PulseAudio).expect(NEEDED);
    let device = host.default_output_device().expect(NEEDED);
    (host, device)
}

impl SoundMonitor {
    /// Records what the default device plays.
    pub fn open() -> Self {
        let (host, device) = device();
        let wanted = format!("{}.monitor", device.id().expect("a device has an id"));
        let mut inputs = host.input_devices().expect("the server lists its sources");
        let input = inputs
            .find(|d| d.id().is_ok_and(|id| id.to_string() == wanted))
            .unwrap_or_else(|| panic!("the default sound device has no monitor {wanted}"));
        let blocks: Arc<Mutex<Blocks>> = Arc::default();
        let hears = blocks.clone();
        let config =
            cpal::StreamConfig { channels: 2, sample_rate: SAMPLE_RATE, buffer_size: cpal::BufferSize::Fixed(256) };
        let stream = input
            .build_input_stream(
                config,
                move |data: &[f32], _: &cpal::InputCallbackInfo| {
                    hears.lock().unwrap().push((Instant::now(), data.iter().step_by(2).copied().collect()));
                },
                |error| panic!("the monitor failed: {error}"),
                None,
            )
            .expect("the monitor can be recorded");
        stream.play().expect("the monitor can be started");
        Self { blocks, _stream: stream }
    }

    /// The sound since the last call.
    pub fn take(&self) -> RecordedSound {
        RecordedSound { blocks: std::mem::take(&mut *self.blocks.lock().unwrap()) }
    }
}

impl RecordedSound {
    pub fn samples(&self) -> Vec<f32> {
        self.blocks.iter().flat_map(|(_, block)| block.iter().copied()).collect()
    }

    fn loud(&self) -> impl DoubleEndedIterator<Item = Instant> + '_ {
        self.blocks.iter().flat_map(|(end, block)| {
            block
                .iter()
                .enumerate()
                .filter(|(_, s)| s.abs() > LOUD)
                .map(move |(i, _)| *end - Duration::from_secs_f64((block.len() - i) as f64 / f64::from(SAMPLE_RATE)))
        })
    }

    /// Times and samples, from one moment to another.
    pub fn between(&self, from: Instant, to: Instant) -> Vec<(Instant, f32)> {
        let timed = self.blocks.iter().flat_map(|(end, block)| {
            let before = |i: usize| Duration::from_secs_f64((block.len() - i) as f64 / f64::from(SAMPLE_RATE));
            block.iter().enumerate().map(move |(i, sample)| (*end - before(i), *sample))
        });
        timed.filter(|(at, _)| *at >= from && *at < to).collect()
    }

    /// Time of the first sound after `after`.
    pub fn first_loud(&self, after: Instant) -> Option<Instant> {
        self.loud().find(|at| *at >= after)
    }

    /// Time of the last sound.
    pub fn last_loud(&self) -> Option<Instant> {
        self.loud().last()
    }

    /// Whether there was sound between two moments.
    pub fn is_loud_between(&self, from: Instant, to: Instant) -> bool {
        self.loud().any(|at| at >= from && at < to)
    }
}
