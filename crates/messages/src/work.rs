//! Failures of work by language models and speech recognition.

use crate::capability::Unavailable;
use crate::engine::EngineError;
use crate::gpu::GpuRefusal;

/// Why work for a language model or speech recognition failed. Each message is one or two plain sentences.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WorkFailure {
    /// The engine or its model is missing or unusable (KER-9).
    #[error("{} {}", .0.reason, .0.remedy)]
    Unavailable(Unavailable),
    /// The GpuToken actor refused the claim.
    #[error(transparent)]
    OutOfMemory(GpuRefusal),
    /// Too many requests are waiting (KER-4).
    #[error("{waiting} requests wait already, and no more are taken. Try again in a moment.")]
    Busy { waiting: usize },
    /// The engine refused the job.
    #[error(transparent)]
    Refused(EngineError),
    /// The engine ended during the work; the next request restarts it (ENG-2).
    #[error("{reason} What it worked on is lost; at the next request it is started anew.")]
    EngineEnded {
        /// How it ended. A full sentence.
        reason: String,
    },
    /// More urgent work needed the memory (GPU-2).
    #[error("More urgent work interrupted this. Try again.")]
    Interrupted,
    /// The caller cancelled it or is gone.
    #[error("The work was cancelled.")]
    Cancelled,
}
