//! The messages between Luna and an engine program over a pipe (ENG-1).
//!
//! A frame on the pipe is a 32-bit big-endian length, then that many bytes: a 32-bit big-endian length of the header, the header
//! (JSON of [`ToEngine`] or [`FromEngine`]), and the payload (pixels or sound; may be empty).

mod llm;
mod ocr;
mod speech;
mod stt;

use std::path::PathBuf;

use luna_messages::RequestId;
use luna_messages::engine::{
    EngineError, EngineKind, GenerateJob, GenerationUsage, RecognisedLine, TextPart, TranscribedSegment,
};
use serde::{Deserialize, Serialize};

pub use llm::{CountTokensJob, LlmLoad};
pub use ocr::{OcrLoad, PointedArea, RecogniseJob, RecogniserLoad, TesseractLoad};
pub use speech::{SpeakJob, SpeechLoad};
pub use stt::{SttLoad, TranscribeJob};

/// Version of this protocol; host and engine refuse to work together if it differs.
pub const PROTOCOL: u32 = 3;

/// Start of the line that an engine writes to its standard error when it panics; the place in its source follows, never the panic's message (PRV-2).
pub const PANICKED: &str = "luna-engine: panicked at ";

/// Maximum size of a frame, bytes: an RGB picture of 8192 × 8192 pixels, and some to spare.
pub const MAX_FRAME: usize = 208 * 1024 * 1024;

/// A processor type that an engine can compute on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Backend {
    /// The processor.
    Cpu,
    /// A graphics card, through CUDA.
    Cuda,
    /// A graphics card, through Vulkan.
    Vulkan,
}

impl Backend {
    /// Whether it runs on a graphics card.
    #[must_use]
    pub const fn is_card(self) -> bool {
        match self {
            Self::Cpu => false,
            Self::Cuda | Self::Vulkan => true,
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
    /// Stop that job at the next boundary. Without effect on a job that has ended.
    Cancel { id: RequestId },
    /// Unload all models and free their memory. Answered by `Unloaded` or `Failed`.
    Unload { id: RequestId },
    /// Answered at once by `Healthy`, also while a job runs.
    Health { id: RequestId },
}

/// From an engine to Luna.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs, reason = "id names the request in every variant")]
pub enum FromEngine {
    /// The first frame. `backends` lists what the program was built with (GPU-6).
    Hello {
        engine: EngineKind,
        protocol: u32,
        version: String,
        // Older programs do not send it; they are refused by their version.
        #[serde(default)]
        backends: Vec<Backend>,
    },
    /// The models are loaded; `notes` are limitations, such as a missing model. `card_bytes` is the memory of the graphics card that the models took,
    /// 0 if they don't use it (GPU-6).
    Loaded { id: RequestId, models: Vec<LoadedModel>, notes: Vec<EngineNote>, resident_bytes: u64, card_bytes: u64 },
    /// A part of the result.
    Chunk { id: RequestId, chunk: EngineChunk },
    /// The job is complete.
    Done { id: RequestId, elapsed_us: u64, resident_bytes: u64 },
    /// The job ended because it was cancelled.
    Cancelled { id: RequestId },
    /// The request failed; the engine goes on.
    Failed { id: RequestId, error: EngineError },
    /// The models are unloaded.
    Unloaded { id: RequestId, resident_bytes: u64 },
    /// The answer to a health check.
    Healthy { id: RequestId, running: Option<RequestId>, resident_bytes: u64 },
}

/// A model that an engine has loaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadedModel {
    /// Its purpose: `detector`, `direction`, `recogniser:latin`, `tesseract:kor`, `voice:ko`, ….
    pub name: String,
    /// Size of its file in bytes, 0 if it has none.
    pub bytes: u64,
}

/// A limitation that does not keep the engine from working.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineNote {
    /// The missing thing: `korean`, `direction`, ….
    pub topic: String,
    /// What is wrong.
    pub reason: String,
    /// What to do.
    pub remedy: String,
}

/// A model file with its expected size and checksum, so that an engine can check it before a native library sees it (ENG-4, PRV-7).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelFile {
    pub path: PathBuf,
    /// Its size in bytes; `None`: unknown.
    pub bytes: Option<u64>,
    /// Its SHA-256, lower-case hexadecimal; `None`: unknown, or checked already by the sender.
    pub sha256: Option<String>,
}

impl ModelFile {
    /// A file of unknown size and checksum.
    #[must_use]
    pub const fn unknown(path: PathBuf) -> Self {
        Self { path, bytes: None, sha256: None }
    }
}

/// What an engine loads, by its kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "engine", rename_all = "snake_case")]
pub enum LoadSpec {
    /// Text recognition.
    Ocr(OcrLoad),
    /// Speech synthesis.
    Speech(SpeechLoad),
    /// Language model.
    Llm(LlmLoad),
    /// Speech recognition.
    Stt(SttLoad),
}

/// Work for an engine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "snake_case")]
pub enum EngineJob {
    /// Recognise the text of the picture in the payload.
    Recognise(RecogniseJob),
    /// Speak a sentence.
    Speak(SpeakJob),
    /// Continue a prompt.
    Generate(GenerateJob),
    CountTokens(CountTokensJob),
    /// Transcribe the speech in the payload.
    Transcribe(TranscribeJob),
}

/// A part of a result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "chunk", rename_all = "snake_case")]
pub enum EngineChunk {
    /// A recognised line. Lines come in any order.
    Line(RecognisedLine),
    /// Sound in the payload: 16-bit little-endian samples of one channel.
    Sound {
        /// Samples per second.
        sample_rate: u32,
        /// Where words begin: samples from the beginning of this chunk, rising. Empty if the engine doesn't tell.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        words: Vec<u32>,
    },
    /// Generated text. Parts end at character boundaries, which tokens may not.
    Text { part: TextPart, text: String },
    /// Statistics of a generation.
    Usage(GenerationUsage),
    /// Numbers of tokens, in the order of the texts.
    TokenCounts {
        /// One number for each text.
        counts: Vec<u32>,
    },
    /// The transcript so far; replaces the previous partial result.
    PartialTranscript {
        /// The whole transcript so far.
        text: String,
    },
    /// A stretch of speech; stretches come in order.
    Transcript(TranscribedSegment),
}
