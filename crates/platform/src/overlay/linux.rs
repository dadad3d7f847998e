//! An overlay of an X11 display: windows that the window manager does not manage and that take no input. With a compositing manager they are translucent;
//! without one they have the shape of what is opaque.

mod follow;
mod painter;
mod surface;
mod worker;

use luna_messages::overlay::{OverlayImage, OverlaySupport};

use self::worker::OverlayWorker;
use super::orders::{OverlayClient, OverlayConnector};
use super::{OverlayObserver, ScreenOverlay};
use crate::PlatformError;
use crate::x11::{Failure, XDisplay, lost_display, stacking};

/// The overlay of an X11 display.
pub struct X11Overlay(OverlayClient);

impl X11Overlay {
    /// Connects at the first picture.
    #[must_use]
    pub fn new() -> Self {
        Self(OverlayClient::new(OverlayConnector { connect: OverlayWorker::connect, lost: lost_display }))
    }
}

impl Default for X11Overlay {
    fn default() -> Self {
        Self::new()
    }
}

impl ScreenOverlay for X11Overlay {
    fn show(&self, image: OverlayImage) -> Result<OverlaySupport, PlatformError> {
        self.0.show(image)
    }

    fn hide(&self) -> Result<(), PlatformError> {
        self.0.hide()
    }

    fn rearm(&self) -> Result<(), PlatformError> {
        self.0.rearm()
    }

    fn observe(&self, changed: OverlayObserver) {
        self.0.observe(changed);
    }

    fn support(&self) -> Result<OverlaySupport, PlatformError> {
        let display = XDisplay::open()?;
        surface::check(&display)?;
        let is_composited = stacking::composited(&display).map_err(|failure: Failure| PlatformError::from(failure))?;
        Ok(if is_composited { OverlaySupport::Translucent } else { OverlaySupport::Opaque })
    }
}
