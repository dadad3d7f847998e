//! Host-side helpers: a running engine program, models written for a test, sounds.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bytes::Bytes;
use luna_engine_host::process::LoadedEngine;
use luna_engine_host::{EngineFailure, EngineProcess, EngineProgram, RunningJob};
use luna_engine_protocol::{EngineChunk, EngineJob, LoadSpec, ModelFile, SttLoad, TranscribeJob};
use luna_messages::Lang;
use luna_messages::engine::{EngineError, EngineKind, SoundExtent, TranscribedSegment};
use luna_test_support::tiny_models::whisper::ScriptedWhisper;
use tempfile::TempDir;
use tokio::time::timeout;

/// Longer than any step takes, even on a busy machine.
pub const STEP_TIMEOUT: Duration = Duration::from_secs(60);

pub fn program() -> EngineProgram {
    EngineProgram {
        kind: EngineKind::Stt,
        path: PathBuf::from(env!("CARGO_BIN_EXE_luna-engine-stt")),
        arguments: Vec::new(),
        nice: 0,
        memory_limit: None,
    }
}

pub async fn start() -> EngineProcess {
    EngineProcess::start(&program()).await.expect("the engine program starts")
}

pub fn load_of(model: ModelFile) -> SttLoad {
    SttLoad { name: "test".to_owned(), model, threads: 1, gpu: false }
}

pub async fn load(host: &EngineProcess, path: &Path) -> Result<LoadedEngine, EngineFailure> {
    host.load(LoadSpec::Stt(load_of(ModelFile::unknown(path.to_owned())))).await
}

/// An engine with a loaded model, and the folder of its file.
pub async fn loaded(write: impl FnOnce(&Path)) -> (EngineProcess, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.bin");
    write(&path);
    let host = start().await;
    load(&host, &path).await.expect("the model loads");
    (host, folder)
}

pub async fn scripted(model: ScriptedWhisper) -> (EngineProcess, TempDir) {
    loaded(|path| {
        model.write(path).expect("the model is written");
    })
    .await
}

/// A swelling tone, which can't be mistaken for silence.
pub fn tone(seconds: f32) -> Bytes {
    let count = (seconds * 16_000.0) as usize;
    let sample = |at: usize| {
        let time = at as f32 / 16_000.0;
        (6000.0 * (time * 2000.0).sin() * (0.6 + 0.4 * (time * 20.0).sin())) as i16
    };
    (0..count).flat_map(|at| sample(at).to_le_bytes()).collect()
}

/// The sound at a share of its loudness.
pub fn quieter(sound: &Bytes, loudness: f32) -> Bytes {
    let samples = sound.as_chunks::<2>().0.iter().map(|bytes| f32::from(i16::from_le_bytes(*bytes)) * loudness);
    samples.flat_map(|sample| (sample as i16).to_le_bytes()).collect()
}

/// The samples of a 16 kHz recording in `tests/samples`.
pub fn recording(name: &str) -> Bytes {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/samples").join(name);
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{} is missing: {error}", path.display()));
    let data = bytes.windows(4).position(|four| four == b"data").expect("a wave file") + 8;
    Bytes::from(bytes).slice(data..)
}

pub fn job(lang: Option<Lang>, extent: SoundExtent) -> TranscribeJob {
    TranscribeJob { lang, extent, hint: String::new(), partials: false }
}

/// The results of a job.
#[derive(Debug, Default, PartialEq)]
pub struct TranscriptionLog {
    pub partials: Vec<String>,
    pub segments: Vec<TranscribedSegment>,
}

impl TranscriptionLog {
    pub fn text(&self) -> String {
        self.segments.iter().map(|segment| segment.text.as_str()).collect::<Vec<_>>().join(" ")
    }
}

pub fn begin(host: &EngineProcess, job: TranscribeJob, sound: Bytes) -> RunningJob {
    host.run(EngineJob::Transcribe(job), sound).expect("the engine takes jobs")
}

/// Collects the results of a job and its end.
pub async fn end(run: &mut RunningJob) -> (TranscriptionLog, Result<(), EngineFailure>) {
    let mut heard = TranscriptionLog::default();
    loop {
        match timeout(STEP_TIMEOUT, run.next()).await.expect("a job is left waiting") {
            Ok(Some((EngineChunk::PartialTranscript { text }, _))) => heard.partials.push(text),
            Ok(Some((EngineChunk::Transcript(segment), _))) => heard.segments.push(segment),
            Ok(Some((other, _))) => panic!("{other:?}"),
            Ok(None) => return (heard, Ok(())),
            Err(failure) => return (heard, Err(failure)),
        }
    }
}

pub async fn transcribe(host: &EngineProcess, job: TranscribeJob, sound: Bytes) -> TranscriptionLog {
    let (heard, result) = end(&mut begin(host, job, sound)).await;
    result.expect("the job is done");
    heard
}

/// The error with which the engine rejected a request.
pub fn refused<T: std::fmt::Debug>(result: Result<T, EngineFailure>) -> EngineError {
    match result {
        Err(EngineFailure::Refused(error)) => {
            assert!(error.message.ends_with('.') && error.remedy.ends_with('.'), "{error}");
            error
        }
        other => panic!("not refused: {other:?}"),
    }
}
