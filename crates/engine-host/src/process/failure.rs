//! Why a request to an engine failed.

use std::path::PathBuf;
use std::time::Duration;

use luna_messages::engine::EngineError;

/// Why a request to an engine failed. Each message is one clear sentence or two.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineFailure {
    /// The program could not be started.
    #[error("The engine {} could not be started: {reason}.", path.display())]
    NotStarted { path: PathBuf, reason: String },
    /// The program is gone.
    #[error("The engine ended: {reason}.")]
    Ended {
        /// How it ended, and what is known of the cause. Never the program's own text, which may quote the screen (PRV-2).
        reason: String,
    },
    /// The engine can't do what was requested, and says what to do about it.
    #[error(transparent)]
    Refused(EngineError),
    /// The job was cancelled.
    #[error("The engine's work was cancelled.")]
    Cancelled,
    /// The engine did not answer in time.
    #[error("The engine did not give {what} within {after:?}.")]
    TimedOut {
        /// What was waited for.
        what: &'static str,
        /// How long.
        after: Duration,
    },
    /// The program violated the protocol; it was ended.
    #[error("The engine does not keep to the protocol: {what}.")]
    Protocol {
        /// The violation.
        what: String,
    },
    /// The program exceeded its memory limit, and was ended between two requests; the next request restarts it (ENG-2).
    #[error("The engine held {used_mb} MB of memory, more than its limit of {limit_mb} MB, and is started anew.")]
    Outgrew {
        /// Memory of the program, MB.
        used_mb: u64,
        /// Its memory limit, MB.
        limit_mb: u64,
    },
    /// Too many requests wait for the program.
    #[error("The engine has {waiting} requests waiting and takes no more.")]
    Busy { waiting: usize },
}
