//! What Luna and an engine program say to each other over a pipe (ENG-1).
//!
//! A frame on the pipe is a 32-bit big-endian length, then that many bytes: a 32-bit big-endian length of the header, the header
//! (JSON of [`ToEngine`] or [`FromEngine`]), and the payload (pixels or sound; may be empty).

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{Lang, Rect, RequestId};

/// Version of this protocol; host and engine refuse to work together where it differs.
pub const PROTOCOL: u32 = 1;

/// Largest frame that is accepted, in bytes: a picture of 8192 × 8192 pixels and some.
pub const MAX_FRAME: usize = 208 * 1024 * 1024;

/// The engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineKind {
    /// Text recognition.
    Ocr,
    /// Speech synthesis.
    Speech,
}

impl EngineKind {
    /// The name used in metrics labels.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ocr => "ocr",
            Self::Speech => "speech",
        }
    }
}

/// From Luna to an engine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs, reason = "id names the request in every variant")]
pub enum ToEngine {
    /// Load models. Answered by `Loaded` or `Failed`.
    Load { id: RequestId, spec: LoadSpec },
    /// Work on a job. Answered by any number of `Chunk`, then `Done`, `Cancelled` or `Failed`.
    Run { id: RequestId, job: EngineJob },
    /// Stop that job at the next boundary. Without effect on a job that ended.
    Cancel { id: RequestId },
    /// Give models and memory back. Answered by `Unloaded`.
    Unload { id: RequestId },
    /// Answered at once by `Healthy`, also while a job runs.
    Health { id: RequestId },
}

/// From an engine to Luna.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs, reason = "id names the request in every variant")]
pub enum FromEngine {
    /// The first frame.
    Hello { engine: EngineKind, protocol: u32, version: String },
    /// The models are loaded; `notes` are limitations, such as a model that isn't there.
    Loaded { id: RequestId, models: Vec<LoadedModel>, notes: Vec<EngineNote>, resident_bytes: u64 },
    /// A part of the result.
    Chunk { id: RequestId, chunk: EngineChunk },
    /// The job is complete.
    Done { id: RequestId, elapsed_us: u64 },
    /// The job ended because it was cancelled.
    Cancelled { id: RequestId },
    /// The request could not be done; the engine goes on.
    Failed { id: RequestId, error: EngineError },
    /// Models are gone.
    Unloaded { id: RequestId, resident_bytes: u64 },
    /// It lives.
    Healthy { id: RequestId, running: Option<RequestId>, resident_bytes: u64 },
}

/// A model that an engine holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadedModel {
    /// What it does: `detector`, `direction`, `recogniser:latin`, `tesseract:kor+eng`, `voice:ko`, ….
    pub name: String,
    /// Size of its file in bytes, 0 where it has none.
    pub bytes: u64,
}

/// A limitation that does not keep the engine from working.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineNote {
    /// What is missing: `korean`, `direction`, ….
    pub topic: String,
    /// What is wrong.
    pub reason: String,
    /// What to do.
    pub remedy: String,
}

/// An error of an engine: what is wrong and what to do (ENG-4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message} {remedy}")]
pub struct EngineError {
    /// Of which sort.
    pub kind: EngineErrorKind,
    /// What is wrong, with the file's name where there is one. A full sentence.
    pub message: String,
    /// What to do. A full sentence.
    pub remedy: String,
}

/// Sorts of engine errors; what a program decides by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineErrorKind {
    /// A file or library is not there.
    Missing,
    /// A file is truncated, of the wrong format or for another purpose.
    BadModel,
    /// The job can't be done as given.
    BadInput,
    /// Nothing is loaded.
    NotLoaded,
    /// The engine can't do this kind of job.
    Unsupported,
    /// Anything else inside the engine.
    Internal,
}

/// What to load.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "engine", rename_all = "snake_case")]
pub enum LoadSpec {
    /// Text recognition.
    Ocr(OcrLoad),
    /// Speech synthesis.
    Speech(SpeechLoad),
}

/// Models of text recognition (OCR-1).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OcrLoad {
    /// `libonnxruntime.so` or `onnxruntime.dll`.
    pub runtime_library: PathBuf,
    /// Text detection model.
    pub detector: PathBuf,
    /// Text direction model; without it lines that stand on their head are not turned.
    pub direction: Option<PathBuf>,
    /// Recognisers, the preferred one first.
    pub recognisers: Vec<RecogniserLoad>,
    /// Tesseract for Korean lines where no recogniser knows Hangul.
    pub tesseract: Option<TesseractLoad>,
    /// Threads to use, at least 1.
    pub threads: usize,
}

/// One recogniser.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecogniserLoad {
    /// Its name in results, such as `latin` or `korean`.
    pub name: String,
    /// The model.
    pub model: PathBuf,
    /// One character a line; `None`: the dictionary in the model's metadata.
    pub dictionary: Option<PathBuf>,
}

/// Tesseract's library and data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TesseractLoad {
    /// The library; `None`: the system's.
    pub library: Option<PathBuf>,
    /// Folder of the `.traineddata` files; `None`: the system's.
    pub data: Option<PathBuf>,
    /// Languages, such as `kor+eng`.
    pub languages: String,
}

/// The speech library.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpeechLoad {
    /// `libespeak-ng`; `None`: the system's.
    pub library: Option<PathBuf>,
    /// Its data folder; `None`: the system's.
    pub data: Option<PathBuf>,
}

/// Work for an engine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "snake_case")]
pub enum EngineJob {
    /// Recognise the text of the picture in the payload.
    Recognise(RecogniseJob),
    /// Speak a sentence.
    Speak(SpeakJob),
}

/// The payload is 8-bit RGB, rows without padding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecogniseJob {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Extra magnification that the person asked for; 1.0 is none. The engine magnifies small text by itself besides.
    pub magnify: f32,
}

/// One sentence in one language.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpeakJob {
    /// The words.
    pub text: String,
    /// Their language.
    pub lang: Lang,
    /// Name of a voice of the engine; `None`: the engine's own choice for the language.
    pub voice: Option<String>,
}

/// A part of a result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "chunk", rename_all = "snake_case")]
pub enum EngineChunk {
    /// A recognised line. Lines come in any order.
    Line(RecognisedLine),
    /// Sound in the payload: 16-bit little-endian samples of one channel.
    Sound {
        /// Samples a second.
        sample_rate: u32,
    },
}

/// A recognised line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecognisedLine {
    /// The text.
    pub text: String,
    /// Place in the picture, in its pixels.
    pub bbox: Rect,
    /// 0 to 1.
    pub confidence: f32,
    /// Which recogniser read it.
    pub recogniser: String,
}
