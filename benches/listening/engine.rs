//! The engine of speech recognition, with an ear for when a word has been said: this program stands between Luna and the real engine.
//!
//! A scripted model hears its words in every sound, so it would "hear" a word before it was said. Each window is therefore transcribed by the real
//! engine, which takes the time that it takes, and this program leaves out the words that the window can't hold yet: those of which less than
//! five sixths were audible. It also notes when each window comes and when its answer leaves.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use luna_engine_protocol::{EngineChunk, EngineJob, FromEngine, ToEngine, frame};
use luna_messages::RequestId;
use serde::{Deserialize, Serialize};

use crate::clock::{Seconds, now};

/// The name by which Luna finds this program.
pub const PROGRAM: &str = "luna-engine-stt";
const REAL: &str = "LUNA_BENCH_REAL_ENGINE";
const NOTES: &str = "LUNA_BENCH_ENGINE_NOTES";
/// How many blocks of what the person says are audible; 0: every window holds all of it.
const LENGTH: &str = "LUNA_BENCH_AUDIBLE_BLOCKS";
/// Part of a word that may be inaudible in a window in which it is heard. The signal chain and the border of the blocks take up to an eighth.
const MAY_LACK: f32 = 1.0 / 6.0;
/// Samples of a block of 10 ms.
const BLOCK: usize = 160;
/// Mean square of a block from which it is audible: −45 dB, between the room (−60) and the person (−20).
const AUDIBLE: f32 = 3.2e-5;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TranscriptionNote {
    /// When it was requested, and when its answer had been passed on.
    pub asked: Seconds,
    pub answered: Seconds,
    /// Whether it is a window or an utterance, and how long its sound is.
    pub window: bool,
    pub seconds: f32,
    /// The share of what is said that is audible in it, and how many of the words it holds by that.
    pub share: f32,
    pub words: usize,
    pub cancelled: bool,
}

/// A folder of engine programs for one Luna, in which this program takes the place of that of speech recognition.
pub struct EngineFolder {
    folder: tempfile::TempDir,
    blocks: usize,
}

/// The folder of the programs that belong to this build.
pub fn programs() -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_luna")).parent().unwrap().to_owned()
}

impl EngineFolder {
    /// `blocks`: how many of what is said are audible ([`audible_blocks`]); 0: every window holds all of it.
    pub fn new(blocks: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for entry in std::fs::read_dir(programs()).unwrap().flatten() {
            let name = entry.file_name();
            if name.to_string_lossy().starts_with("luna-engine-") && name != PROGRAM {
                std::os::unix::fs::symlink(entry.path(), folder.path().join(name)).unwrap();
            }
        }
        std::os::unix::fs::symlink(std::env::current_exe().unwrap(), folder.path().join(PROGRAM)).unwrap();
        Self { folder, blocks }
    }

    /// Has Luna use this folder.
    pub fn prepare(&self, luna: &mut Command) {
        luna.env("LUNA_ENGINE_DIR", self.folder.path())
            .env(REAL, programs().join(PROGRAM))
            .env(NOTES, self.folder.path().join("notes"))
            .env(LENGTH, self.blocks.to_string());
    }

    /// All transcriptions so far.
    pub fn notes(&self) -> Vec<TranscriptionNote> {
        let text = std::fs::read_to_string(self.folder.path().join("notes")).unwrap_or_default();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }
}

/// Whether this process was started as the engine.
pub fn is_engine() -> bool {
    let name = std::env::args_os().next().map(PathBuf::from);
    name.is_some_and(|name| name.file_name().is_some_and(|name| name == PROGRAM)) && std::env::var_os(REAL).is_some()
}

type OpenJobs = Arc<Mutex<HashMap<RequestId, TranscriptionNote>>>;

/// Runs the real engine, and passes frames in both directions until one side ends.
pub fn run() {
    let real = std::env::var_os(REAL).unwrap();
    let mut child = Command::new(real).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (to_engine, from_engine) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let jobs = OpenJobs::default();
    let length: usize = std::env::var(LENGTH).ok().and_then(|blocks| blocks.parse().ok()).unwrap_or(0);
    let asked = jobs.clone();
    // The end of standard input closes that of the engine, which ends it, and its end ends this program.
    std::thread::spawn(move || pass_jobs(std::io::stdin().lock(), to_engine, &asked, length));
    pass_answers(from_engine, std::io::stdout().lock(), &jobs);
    let _ = child.kill();
    let _ = child.wait();
}

fn pass_jobs(mut from: impl Read, mut to: impl Write, jobs: &OpenJobs, length: usize) {
    while let Ok(Some((message, payload))) = frame::read::<ToEngine>(&mut from) {
        if let ToEngine::Run { id, job: EngineJob::Transcribe(job) } = &message {
            let note = TranscriptionNote {
                asked: now(),
                answered: 0.0,
                window: job.extent == luna_messages::engine::SoundExtent::Window,
                seconds: payload.len() as f32 / 32_000.0,
                share: if length > 0 { audible_blocks(&samples(&payload)) as f32 / length as f32 } else { 1.0 },
                words: 0,
                cancelled: false,
            };
            jobs.lock().unwrap().insert(*id, note);
        }
        if frame::write(&mut to, &message, &payload).is_err() {
            return;
        }
    }
}

fn pass_answers(mut from: impl Read, mut to: impl Write, jobs: &OpenJobs) {
    let mut notes = std::env::var_os(NOTES).and_then(|path| File::options().create(true).append(true).open(path).ok());
    while let Ok(Some((mut message, payload))) = frame::read::<FromEngine>(&mut from) {
        let mut jobs = jobs.lock().unwrap();
        if let FromEngine::Chunk { id, chunk } = &mut message
            && let Some(note) = jobs.get_mut(id)
            && let EngineChunk::PartialTranscript { text }
            | EngineChunk::Transcript(luna_messages::engine::TranscribedSegment { text, .. }) = chunk
        {
            *text = said(text, note.share);
            note.words = note.words.max(text.split_whitespace().count());
            if text.is_empty() {
                continue;
            }
        }
        let ended = match &message {
            FromEngine::Done { id, .. } => jobs.remove(id).map(|note| (note, false)),
            FromEngine::Cancelled { id } | FromEngine::Failed { id, .. } => jobs.remove(id).map(|note| (note, true)),
            _ => None,
        };
        drop(jobs);
        if frame::write(&mut to, &message, &payload).is_err() {
            return;
        }
        if let (Some((note, cancelled)), Some(notes)) = (ended, &mut notes) {
            let note = TranscriptionNote { answered: now(), cancelled, ..note };
            let _ = writeln!(notes, "{}", serde_json::to_string(&note).unwrap());
        }
    }
}

/// The words of which enough was said.
fn said(text: &str, share: f32) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let heard = (share * words.len() as f32 + MAY_LACK) as usize;
    words[..heard.min(words.len())].join(" ")
}

fn samples(sound: &[u8]) -> Vec<f32> {
    sound.chunks_exact(2).map(|pair| f32::from(i16::from_le_bytes([pair[0], pair[1]])) / 32_768.0).collect()
}

/// How many blocks of 10 ms of a sound at 16 kHz are audible.
pub fn audible_blocks(samples: &[f32]) -> usize {
    let audible = |block: &&[f32]| block.iter().map(|s| s * s).sum::<f32>() / block.len() as f32 > AUDIBLE;
    samples.chunks(BLOCK).filter(audible).count()
}

/// Prints transcriptions, if each round is told.
pub fn tell(notes: &[TranscriptionNote], end: Seconds) {
    let ms = |at: Seconds| (at - end) * 1e3;
    for note in notes.iter().filter(|_| std::env::var_os("LUNA_BENCH_DETAILS").is_some()) {
        let what = if note.window { "window" } else { "utterance" };
        println!(
            "      {what} of {:.2} s, {:.0} % audible, {} words: from {:.0} to {:.0} ms after the end of speech{}",
            note.seconds,
            100.0 * note.share,
            note.words,
            ms(note.asked),
            ms(note.answered),
            if note.cancelled { ", cancelled" } else { "" }
        );
    }
}
