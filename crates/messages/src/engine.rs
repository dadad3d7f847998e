//! The engines, and the jobs and results that actors exchange about their work. `luna_engine_protocol` carries them to an engine program.

mod llm;
mod ocr;
mod stt;

use serde::{Deserialize, Serialize};

pub use llm::{
    ChatMessage, ChatRole, FinishReason, GenerateJob, GenerationUsage, Grammar, PictureSize, Prompt, Sampling, TextPart,
};
pub use ocr::RecognisedLine;
pub use stt::{STT_SAMPLE_RATE, SoundExtent, TranscribedSegment};

/// An engine: a native program that Luna starts.
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
    /// Speech recognition of commands by a model of their own: the program of [`Self::Stt`], run a second time.
    SttCommand,
}

impl EngineKind {
    /// The name in metrics labels.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ocr => "ocr",
            Self::Speech => "speech",
            Self::Llm => "llm",
            Self::Stt => "stt",
            Self::SttCommand => "stt_command",
        }
    }

    /// The engine that its program greets as.
    #[must_use]
    pub const fn of_program(self) -> Self {
        match self {
            Self::SttCommand => Self::Stt,
            Self::Ocr | Self::Speech | Self::Llm | Self::Stt => self,
        }
    }
}

/// An error of an engine: what is wrong and what to do (ENG-4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message} {remedy}")]
pub struct EngineError {
    pub kind: EngineErrorKind,
    /// What is wrong, with the file name if a file is the cause. A full sentence.
    pub message: String,
    /// What to do. A full sentence.
    pub remedy: String,
}

/// Classes of engine errors, for decisions in code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineErrorKind {
    /// A file or library is missing.
    Missing,
    /// A file is truncated, of the wrong format or for another purpose.
    BadModel,
    /// The job is invalid.
    BadInput,
    /// No model is loaded.
    NotLoaded,
    /// The engine can't do this kind of job.
    Unsupported,
    /// Not enough memory, in RAM or on the card.
    OutOfMemory,
    /// Anything else inside the engine.
    Internal,
}
