//! Pictures of the screen.

use std::sync::Arc;

use luna_messages::image::Picture;
use luna_messages::pick::ShownWindow;
use luna_messages::{Point, Rect};

use crate::PlatformError;

/// A picture and its place on the desktop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shot {
    pub picture: Picture,
    /// The captured region: the part of the requested region that lies on the screen.
    pub region: Rect,
}

/// A monitor in physical pixels of the desktop (PIC-7).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Monitor {
    pub bounds: Rect,
    /// Physical pixels per logical pixel.
    pub scale: f64,
}

/// Takes pictures of the screen. Calls block for about a millisecond; callers use a thread that may block.
pub trait Capture: Send + Sync {
    /// The pixels of `region`, clipped to the screen.
    ///
    /// # Errors
    /// [`PlatformError::OutsideScreen`] if nothing is left after clipping, [`PlatformError::Unavailable`] if the screen
    /// can't be captured.
    fn region(&self, region: Rect) -> Result<Shot, PlatformError>;

    /// The part of the window's own picture that lies in `region`, without the windows that cover it; `None` if this
    /// system keeps no such picture. The caller checks afterwards that the window still [is there](Self::shown). Parts
    /// that could not be had are black.
    ///
    /// # Errors
    /// As [`Capture::region`].
    fn window(&self, window: ShownWindow, region: Rect) -> Result<Option<Shot>, PlatformError> {
        let _ = (window, region);
        Ok(None)
    }

    /// The windows that a picture of `region` shows, topmost first: those not fully covered there (SES-5).
    ///
    /// # Errors
    /// [`PlatformError::Unavailable`] if the display can't be queried.
    fn shown(&self, region: Rect) -> Result<Vec<ShownWindow>, PlatformError>;

    /// All monitors, at least one.
    ///
    /// # Errors
    /// [`PlatformError::Unavailable`] if the display can't be queried.
    fn monitors(&self) -> Result<Vec<Monitor>, PlatformError>;
}

/// The monitor that contains `point`, else the nearest. `None` only for an empty list.
#[must_use]
pub fn monitor_at(monitors: &[Monitor], point: Point) -> Option<Monitor> {
    monitors.iter().copied().min_by(|a, b| a.bounds.distance_to(point).total_cmp(&b.bounds.distance_to(point)))
}

/// The capture of this platform. Connects at the first picture, and reconnects if the display is lost.
#[must_use]
pub fn system() -> Arc<dyn Capture> {
    #[cfg(target_os = "linux")]
    return Arc::new(linux::X11Capture::new());
    #[cfg(windows)]
    return Arc::new(windows::WindowsCapture::new());
    #[cfg(not(any(target_os = "linux", windows)))]
    return Arc::new(null::NoCapture);
}

pub mod fault;
#[cfg(target_os = "linux")]
pub mod linux;
pub mod null;
#[cfg(windows)]
pub mod windows;
