//! An overlay of a Wayland compositor with the layer shell (`zwlr_layer_shell_v1`): sway and other wlroots compositors, KDE Plasma, COSMIC, niri, not
//! GNOME. Each monitor that shows something gets one transparent surface above all windows, even full-screen ones, and a subsurface for each picture and
//! each darkened part, so that an image appears at once as a whole. They never get the keyboard or the pointer (OVL-4).
//!
//! **Units.** Places are logical pixels of the compositor's layout, as xdg-output tells them, because a layout of monitors of different scale has no
//! common physical pixels. Xwayland without a scale of its own uses the same. A picture may have several pixels per unit
//! ([`ScreenOverlay::monitors`] tells how many); the compositor scales pictures on monitors of another scale, fractional ones included.
//!
//! **Pictures of the screen.** Luna's [`Capture`](crate::capture::Capture) sees X programs only, and so nothing of this. The layer shell has no way to
//! leave a surface out of other programs' pictures.
//!
//! What happens below the marks, Wayland does not tell: nothing is reported to the observer.

mod compositor;
mod compositor_events;
mod layer_painter;
mod outputs;
mod pixel_pool;
mod worker;

use luna_messages::overlay::{OverlayImage, OverlaySupport};

use self::compositor::{CompositorLink, LayerShellSupport, lost_compositor};
use self::worker::LayerWorker;
use super::orders::{OverlayClient, OverlayConnector};
use super::{OverlayMonitor, OverlayObserver, ScreenOverlay};
use crate::PlatformError;

/// The overlay of the Wayland compositor that the environment names.
pub struct WaylandOverlay(OverlayClient);

impl WaylandOverlay {
    /// Connects at the first picture.
    #[must_use]
    pub fn new() -> Self {
        Self(OverlayClient::new(OverlayConnector { connect: LayerWorker::connect, lost: lost_compositor }))
    }

    /// Whether the compositor has all that this overlay needs.
    ///
    /// # Errors
    /// [`PlatformError::Unavailable`] if no compositor answers.
    pub fn is_offered(&self) -> Result<bool, PlatformError> {
        Ok(CompositorLink::connect()?.layer_shell_support() == LayerShellSupport::Complete)
    }
}

impl Default for WaylandOverlay {
    fn default() -> Self {
        Self::new()
    }
}

impl ScreenOverlay for WaylandOverlay {
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
        CompositorLink::connect()?.layer_shell_support().check()?;
        Ok(OverlaySupport::Translucent)
    }

    fn monitors(&self) -> Result<Option<Vec<OverlayMonitor>>, PlatformError> {
        let mut compositor = CompositorLink::connect()?;
        compositor.bind()?;
        Ok(Some(compositor.state.outputs.monitors()))
    }
}
