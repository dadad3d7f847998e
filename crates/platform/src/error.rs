//! Why a capability could not answer.

use luna_messages::capability::Unavailable;

/// An error of a capability. It says what is wrong and, if the user can do something about it, what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlatformError {
    /// The capability is not available now; it may return (KER-9).
    #[error("{} {}", .0.reason, .0.remedy)]
    Unavailable(Unavailable),
    /// The application did not answer in time; other applications may.
    #[error("the application does not answer")]
    NoAnswer,
    /// The window or element disappeared meanwhile.
    #[error("the window went away")]
    Gone,
    /// The region holds no pixel of the screen.
    #[error("this region contains no part of the screen")]
    OutsideScreen,
}

impl PlatformError {
    /// A [`PlatformError::Unavailable`] from two sentences: what is wrong, and what to do.
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
