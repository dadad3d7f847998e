//! Records what a sink plays, by its monitor, with the time of each sample.
//!
//! The null sinks of the sound server render by the system's clock, so the time of a sample is its number by the rate, from an anchor. The anchor is the
//! earliest that any block of the recording allows: a block can come late, when this process waits for a core, but never early. Both sinks are
//! recorded in the same way, so what is left of an error is the same for both; [`SinkRecording::unsteady_ms`] tells how far anchors of halves differ.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use crate::clock::{Seconds, now};

/// Samples per second.
pub const RATE: f64 = 48_000.0;
/// Level from which a sample is sound: −40 dB.
const SOUND: f32 = 0.01;
/// Samples of a block by which speech is measured: 5 ms.
const BLOCK: usize = 240;
/// Blocks in a row that are speech: 30 ms.
const RUN: usize = 6;

/// A program that takes part in the measurement, with the priority that sound servers give themselves, where that is allowed: it plays the room, so it
/// may not stutter when the machine is busy.
pub fn prompt(program: &str) -> Command {
    let mut command = Command::new("nice");
    command.args(["-n", "-11", program]).stderr(Stdio::null());
    command
}

/// Gives the sound server of this session that priority, which a desktop's has anyway.
pub fn hasten_sound_server() {
    let session = std::env::var("LUNA_SESSION").unwrap_or_default();
    let ours = |process: &str| {
        let read = |file: &str| std::fs::read(format!("/proc/{process}/{file}")).unwrap_or_default();
        let wanted = format!("LUNA_SESSION={session}").into_bytes();
        read("comm").starts_with(b"pulseaudio") && read("environ").split(|byte| *byte == 0).any(|line| line == wanted)
    };
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let process = entry.file_name().to_string_lossy().into_owned();
        if !session.is_empty() && process.parse::<u32>().is_ok() && ours(&process) {
            for thread in std::fs::read_dir(entry.path().join("task")).unwrap().flatten() {
                let mut command = Command::new("renice");
                command.args(["-n", "-11", "-p"]).arg(thread.file_name());
                let _ = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
            }
        }
    }
}

#[derive(Default)]
struct RecordedBlocks {
    samples: Vec<f32>,
    /// How many samples there were, and when.
    arrivals: Vec<(usize, Seconds)>,
}

/// A recording in progress.
pub struct SinkRecorder {
    child: Child,
    blocks: Arc<Mutex<RecordedBlocks>>,
}

impl SinkRecorder {
    pub fn open(sink: &str) -> Self {
        let device = format!("--device={sink}.monitor");
        let mut child = prompt("parec")
            .args([&device, "--latency-msec=5", "--rate=48000", "--channels=1", "--format=s16le", "--raw"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("parec is needed: the Debian package pulseaudio-utils");
        let mut stream = child.stdout.take().unwrap();
        let blocks = Arc::<Mutex<RecordedBlocks>>::default();
        let into = blocks.clone();
        std::thread::spawn(move || {
            let (mut bytes, mut kept) = ([0_u8; 16_384], 0);
            while let Ok(count) = stream.read(&mut bytes[kept..]) {
                let at = now();
                if count == 0 {
                    return;
                }
                let whole = (kept + count) / 2 * 2;
                let mut into = into.lock().unwrap();
                let samples = bytes[..whole].chunks_exact(2);
                into.samples.extend(samples.map(|b| f32::from(i16::from_le_bytes([b[0], b[1]])) / 32_768.0));
                let total = into.samples.len();
                into.arrivals.push((total, at));
                drop(into);
                bytes.copy_within(whole..kept + count, 0);
                kept = kept + count - whole;
            }
        });
        Self { child, blocks }
    }

    /// What was recorded since the last call.
    pub fn take(&self) -> SinkRecording {
        let RecordedBlocks { samples, arrivals } = std::mem::take(&mut *self.blocks.lock().unwrap());
        let anchor = |part: &[(usize, Seconds)]| {
            part.iter().map(|(total, at)| at - *total as f64 / RATE).fold(f64::INFINITY, f64::min)
        };
        let (early, late) = arrivals.split_at(arrivals.len() / 2);
        let unsteady_ms = if arrivals.len() < 40 { 0.0 } else { (anchor(early) - anchor(late)).abs() * 1e3 };
        SinkRecording { from: anchor(&arrivals), samples, unsteady_ms }
    }
}

impl Drop for SinkRecorder {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A piece of a recording.
pub struct SinkRecording {
    /// When its first sample was.
    from: Seconds,
    pub samples: Vec<f32>,
    /// By how much the anchors of its halves differ.
    pub unsteady_ms: f64,
}

impl SinkRecording {
    fn time(&self, index: usize) -> Seconds {
        self.from + index as f64 / RATE
    }

    fn index(&self, time: Seconds) -> usize {
        (((time - self.from) * RATE).max(0.0) as usize).min(self.samples.len())
    }

    /// The first sound between two times.
    pub fn first_sound(&self, from: Seconds, to: Seconds) -> Option<Seconds> {
        let (begin, end) = (self.index(from), self.index(to));
        self.samples[begin..end].iter().position(|s| s.abs() > SOUND).map(|at| self.time(begin + at))
    }

    /// The last sound between two times.
    pub fn last_sound(&self, from: Seconds, to: Seconds) -> Option<Seconds> {
        let (begin, end) = (self.index(from), self.index(to));
        self.samples[begin..end].iter().rposition(|s| s.abs() > SOUND).map(|at| self.time(begin + at))
    }

    /// Beginning and end of the speech: blocks within 20 dB of its level, for 30 ms.
    pub fn speech(&self) -> Option<(Seconds, Seconds)> {
        let (first, last) = extent(&self.samples)?;
        Some((self.time(first), self.time(last)))
    }
}

/// The samples between which a sound has speech: blocks of 5 ms within 20 dB of its level (the loudest tenth of a second), for 30 ms. `None` if there
/// is none above −50 dB.
pub fn extent(samples: &[f32]) -> Option<(usize, usize)> {
    let power: Vec<f32> =
        samples.chunks(BLOCK).map(|block| block.iter().map(|s| s * s).sum::<f32>() / block.len() as f32).collect();
    let level = power.windows(20).map(|part| part.iter().sum::<f32>() / 20.0).fold(0.0, f32::max);
    if level < 1e-5 {
        return None;
    }
    let loud: Vec<bool> = power.iter().map(|power| *power > level / 100.0).collect();
    let all = |run: &[bool]| run.iter().all(|loud| *loud);
    let first = loud.windows(RUN).position(all)?;
    let last = loud.windows(RUN).rposition(all)? + RUN;
    Some((first * BLOCK, last * BLOCK))
}
