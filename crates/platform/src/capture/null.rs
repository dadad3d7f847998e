//! No screen capture.

use luna_messages::Rect;
use luna_messages::pick::ShownWindow;

use super::{Capture, Monitor, Shot};
use crate::PlatformError;

/// A capture that is not available; every picture is refused with the reason (KER-9).
#[derive(Debug, Default, Clone, Copy)]
pub struct NoCapture;

impl NoCapture {
    fn error() -> PlatformError {
        PlatformError::unavailable(
            "This system has no way for Luna to take pictures of the screen.",
            "Use Luna on Windows, or on Linux with an X display.",
        )
    }
}

impl Capture for NoCapture {
    fn region(&self, _region: Rect) -> Result<Shot, PlatformError> {
        Err(Self::error())
    }

    fn shown(&self, _region: Rect) -> Result<Vec<ShownWindow>, PlatformError> {
        Err(Self::error())
    }

    fn monitors(&self) -> Result<Vec<Monitor>, PlatformError> {
        Err(Self::error())
    }
}
