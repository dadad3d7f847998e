//! No overlay.

use luna_messages::overlay::{OverlayImage, OverlaySupport};

use super::{OverlayObserver, ScreenOverlay};
use crate::PlatformError;

/// An overlay that is not available; every picture is refused with the reason (KER-9).
#[derive(Debug, Default, Clone, Copy)]
pub struct NoOverlay;

impl NoOverlay {
    fn error() -> PlatformError {
        PlatformError::unavailable(
            "This system has no way for Luna to mark places on the screen.",
            "Use Luna on Linux with an X display; what Luna says does not depend on it.",
        )
    }
}

impl ScreenOverlay for NoOverlay {
    fn show(&self, _image: OverlayImage) -> Result<OverlaySupport, PlatformError> {
        Err(Self::error())
    }

    fn hide(&self) -> Result<(), PlatformError> {
        Ok(())
    }

    fn rearm(&self) -> Result<(), PlatformError> {
        Err(Self::error())
    }

    fn observe(&self, _changed: OverlayObserver) {}

    fn support(&self) -> Result<OverlaySupport, PlatformError> {
        Err(Self::error())
    }
}
