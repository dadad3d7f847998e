//! The person at the microphone, and the room in which it stands.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::clock::Seconds;
use crate::engine::audible_blocks;
use crate::recorder::{extent, prompt};

/// Level of the loudest tenth of a second of what is said: −20 dB below full scale.
const VOICE: f32 = 0.1;
/// Level of the noise of a quiet room: −60 dB.
const ROOM: f32 = 0.001;

/// Words that can be said into the microphone.
pub struct SpokenWords {
    file: PathBuf,
    /// Milliseconds from the first to the last audible sample.
    pub length_ms: usize,
    /// How many blocks of them are audible for the engine.
    pub blocks: usize,
}

impl SpokenWords {
    /// The words, spoken by espeak-ng.
    pub fn new(words: &str, folder: &Path) -> Self {
        let raw = folder.join("raw.wav");
        let status = Command::new("espeak-ng").args(["-v", "ko", "-w"]).arg(&raw).arg(words).status();
        assert!(status.expect("espeak-ng is needed: the Debian package espeak-ng").success());
        let sound = read(&raw, 48_000);
        let level = sound.chunks(4_800).map(power).fold(0.0, f32::max).sqrt();
        let file = folder.join(format!("{}.wav", words.replace(' ', "_")));
        let spec = hound::WavSpec {
            channels: 1,
            sample_rate: 48_000,
            bits_per_sample: 16,
            sample_format: hound::SampleFormat::Int,
        };
        let mut writer = hound::WavWriter::create(&file, spec).unwrap();
        let sound: Vec<f32> = sound.iter().map(|s| (s * VOICE / level).clamp(-1.0, 1.0)).collect();
        for sample in &sound {
            writer.write_sample((sample * 32_767.0) as i16).unwrap();
        }
        writer.finalize().unwrap();
        let (first, last) = extent(&sound).unwrap();
        let blocks = audible_blocks(&read(&file, 16_000));
        Self { file, length_ms: (last - first) / 48, blocks }
    }

    /// Whether a recording has them as they are: a sound server without a core for it breaks them into pieces.
    pub fn are_whole(&self, from: Seconds, to: Seconds) -> bool {
        let heard = (to - from) * 1e3;
        (heard - self.length_ms as f64).abs() < 90.0
    }

    /// Says them into the microphone.
    pub fn say(&self) -> Child {
        play(&self.file)
    }
}

/// Plays a sound file into the microphone.
pub fn play(file: &Path) -> Child {
    prompt("paplay").args(["--device=mic", "--latency-msec=400"]).arg(file).spawn().expect("paplay plays")
}

fn power(block: &[f32]) -> f32 {
    block.iter().map(|s| s * s).sum::<f32>() / block.len().max(1) as f32
}

/// The sound of a file, with so many samples per second.
fn read(file: &Path, wanted: u32) -> Vec<f32> {
    let mut reader = hound::WavReader::open(file).unwrap();
    let rate = reader.spec().sample_rate;
    let samples: Vec<f32> = reader.samples::<i16>().map(|s| f32::from(s.unwrap()) / 32_768.0).collect();
    let mut out = Vec::new();
    let mut resampler = luna_speech::resample::Resampler::new(rate, wanted);
    resampler.push(&samples, &mut out);
    resampler.finish(&mut out);
    out
}

/// The noise of a quiet room in the microphone, until it is dropped.
pub struct QuietRoom(Child);

impl QuietRoom {
    pub fn begin() -> Self {
        let mut child = prompt("pacat")
            .args([
                "--playback",
                "--device=mic",
                "--rate=16000",
                "--channels=1",
                "--format=s16le",
                "--latency-msec=1000",
            ])
            .stdin(Stdio::piped())
            .spawn()
            .expect("pacat is needed: the Debian package pulseaudio-utils");
        let mut input = child.stdin.take().unwrap();
        std::thread::spawn(move || {
            let mut state = 0x9E37_79B9_7F4A_7C15_u64;
            loop {
                let noise = (0..1_600).flat_map(|_| {
                    state ^= state << 13;
                    state ^= state >> 7;
                    state ^= state << 17;
                    let even = (state >> 40) as f32 / (1_u64 << 23) as f32 - 1.0;
                    // Evenly distributed numbers have a third of the power of their limits.
                    ((even * ROOM * 1.732 * 32_767.0) as i16).to_le_bytes()
                });
                // The pipe makes this wait for the sound server.
                if input.write_all(&noise.collect::<Vec<u8>>()).is_err() {
                    return;
                }
            }
        });
        Self(child)
    }
}

impl Drop for QuietRoom {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
