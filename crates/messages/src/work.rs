//! Why work that an engine was to do was not done.

use crate::capability::Unavailable;
use crate::engine::EngineError;
use crate::gpu::GpuRefusal;

/// Why work for a language model or for speech recognition was not done. Each is one or two clear sentences.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WorkFailure {
    /// The engine or its model is not there, or can't be used (KER-9).
    #[error("{} {}", .0.reason, .0.remedy)]
    Unavailable(Unavailable),
    /// The model does not fit, or Luna ends.
    #[error(transparent)]
    OutOfMemory(GpuRefusal),
    /// Too many wait already (KER-4).
    #[error("{waiting} requests wait already, and no more are taken. Try again in a moment.")]
    Busy { waiting: usize },
    /// The engine says that it can't be done.
    #[error(transparent)]
    Refused(EngineError),
    /// The engine went away while it worked on this; it is started again at the next request (ENG-2).
    #[error("{reason} What it worked on is lost; at the next request it is started anew.")]
    EngineEnded {
        /// How it ended. A full sentence.
        reason: String,
    },
    /// More urgent work needed the memory (GPU-2).
    #[error("More urgent work interrupted this. Try again.")]
    Interrupted,
    /// The asker cancelled it, or has gone.
    #[error("The work was cancelled.")]
    Cancelled,
}
