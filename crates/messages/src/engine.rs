//! The engines, and the words about their work that actors say to each other. How they travel to an engine program is `luna_engine_protocol`'s.

mod llm;
mod ocr;
mod stt;

use serde::{Deserialize, Serialize};

pub use llm::{
    ChatMessage, ChatRole, FinishReason, GenerateJob, GenerationUsage, Grammar, PictureSize, Prompt, Sampling, TextPart,
};
pub use ocr::RecognisedLine;
pub use stt::{STT_SAMPLE_RATE, SoundExtent, TranscribedSegment};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineKind {
    /// Text recognition.
    Ocr,
    /// Speech synthesis.
    Speech,
    /// Language models.
    Llm,
    /// Speech recognition.
    Stt,
}

impl EngineKind {
    /// The name used in metrics labels.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ocr => "ocr",
            Self::Speech => "speech",
            Self::Llm => "llm",
            Self::Stt => "stt",
        }
    }
}

/// An error of an engine: what is wrong and what to do (ENG-4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message} {remedy}")]
pub struct EngineError {
    /// Of which sort.
    pub kind: EngineErrorKind,
    /// What is wrong, with the file's name if there is one. A full sentence.
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
    /// There is not enough memory, in RAM or on the card.
    OutOfMemory,
    /// Anything else inside the engine.
    Internal,
}
