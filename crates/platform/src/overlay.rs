//! Pictures above everything else on the screen, that take no focus and no clicks (OVL-4).

use std::sync::Arc;

use luna_messages::Rect;
use luna_messages::overlay::{OverlayChange, OverlayImage, OverlaySupport};

use crate::PlatformError;

/// Called for each change at a marked place, on a separate thread; must return at once.
pub type OverlayObserver = Box<dyn Fn(OverlayChange) + Send>;

/// Shows pictures on the desktop. Calls take some milliseconds; callers use a thread that may block.
///
/// What is shown never has the keyboard focus, lets clicks through, and is in no picture of [`Capture`](crate::capture::Capture)
/// (OVL-4). While nothing happens at the marked places, showing costs no processor time.
pub trait ScreenOverlay: Send + Sync {
    /// Shows this in place of what was shown. If nothing can be translucent, what is at least half opaque is opaque, and
    /// nothing is darkened.
    ///
    /// # Errors
    /// [`PlatformError::Unavailable`] if this desktop has no place for it or can't be reached.
    fn show(&self, image: OverlayImage) -> Result<OverlaySupport, PlatformError>;

    /// Shows nothing any more.
    ///
    /// # Errors
    /// As [`ScreenOverlay::show`].
    fn hide(&self) -> Result<(), PlatformError>;

    /// Reports changes at the marked places again. Of each place, [`OverlayChange::Redrawn`] is reported once after
    /// [`ScreenOverlay::show`] and after each call of this.
    ///
    /// # Errors
    /// As [`ScreenOverlay::show`].
    fn rearm(&self) -> Result<(), PlatformError>;

    /// Who is told of changes, in place of who was told before.
    fn observe(&self, changed: OverlayObserver);

    /// What can be shown on this desktop now; shows nothing.
    ///
    /// # Errors
    /// As [`ScreenOverlay::show`].
    fn support(&self) -> Result<OverlaySupport, PlatformError>;

    /// The monitors, as this overlay places pictures on them; `None`: those of [`Capture`](crate::capture::Capture), in physical pixels (PIC-7).
    ///
    /// # Errors
    /// As [`ScreenOverlay::show`].
    fn monitors(&self) -> Result<Option<Vec<OverlayMonitor>>, PlatformError> {
        Ok(None)
    }
}

/// A monitor of a desktop that is measured in logical pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OverlayMonitor {
    /// In logical pixels of the whole desktop.
    pub bounds: Rect,
    /// Pixels of a picture per logical pixel in each direction, at least 1, with which it looks sharp there.
    pub density: u16,
}

/// The overlay of this platform. Connects at the first use.
#[must_use]
pub fn system() -> Arc<dyn ScreenOverlay> {
    #[cfg(target_os = "linux")]
    return Arc::new(linux_session::SessionOverlay::new());
    #[cfg(windows)]
    return Arc::new(windows::WindowsOverlay::new());
    #[cfg(not(any(target_os = "linux", windows)))]
    return Arc::new(null::NoOverlay);
}

pub mod fault;
#[cfg(target_os = "linux")]
pub mod linux;
#[cfg(target_os = "linux")]
pub mod linux_session;
pub mod null;
#[cfg(target_os = "linux")]
mod orders;
#[cfg(target_os = "linux")]
pub mod wayland;
#[cfg(windows)]
pub mod windows;
