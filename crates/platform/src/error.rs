//! Why the machine could not give what was asked for.

use luna_messages::capability::Unavailable;

/// An error of a capability. Each tells what is wrong and, if a person can do something, what.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlatformError {
    /// The capability isn't there now; it may come back (KER-9).
    #[error("{} {}", .0.reason, .0.remedy)]
    Unavailable(Unavailable),
    /// The application did not answer in time; others may.
    #[error("the application does not answer")]
    NoAnswer,
    /// The window or element went away meanwhile.
    #[error("the window went away")]
    Gone,
    /// The region holds no pixel of the screen.
    #[error("there is nothing of the screen in this region")]
    OutsideScreen,
}

impl PlatformError {
    /// An [`PlatformError::Unavailable`] from two sentences: what is wrong, what to do.
    pub fn unavailable(reason: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Unavailable(Unavailable { reason: reason.into(), remedy: remedy.into() })
    }
    /// The error of a display that does not answer in time (KER-11).
    #[must_use]
    pub fn silent_display() -> Self {
        Self::unavailable(
            "The display does not answer.",
            "Luna asks again by itself; if it stays so, end the program that holds the screen, or restart the desktop session.",
        )
    }
}
