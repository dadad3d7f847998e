//! The pointer's position and movements.

use std::sync::Arc;

use luna_messages::Point;

use crate::PlatformError;

/// Ends a watch when it is dropped.
#[must_use = "dropping it ends the watching"]
pub struct Watch {
    /// Called on drop.
    stop: Option<Box<dyn FnOnce() + Send>>,
}

impl Watch {
    /// Creates a watch that calls `stop` when it is dropped.
    pub fn new(stop: impl FnOnce() + Send + 'static) -> Self {
        Self { stop: Some(Box::new(stop)) }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            stop();
        }
    }
}

/// The mouse pointer: its position and its moves (FOC-2).
pub trait Pointer: Send + Sync {
    /// The current position in physical pixels of the desktop (PIC-7).
    ///
    /// # Errors
    /// [`PlatformError::Unavailable`] if the display can't be queried.
    fn position(&self) -> Result<Point, PlatformError>;

    /// Calls `moved` after each move (at most some hundred times a second) on a separate thread, until the watch is
    /// dropped. `moved` must return at once. `lost` is called once if the display is lost meanwhile.
    ///
    /// # Errors
    /// [`PlatformError::Unavailable`] if the display can't be queried.
    fn watch(
        &self,
        moved: Box<dyn Fn(Point) + Send>,
        lost: Box<dyn FnOnce(PlatformError) + Send>,
    ) -> Result<Watch, PlatformError>;
}

/// The pointer of this platform.
#[must_use]
pub fn system() -> Arc<dyn Pointer> {
    #[cfg(target_os = "linux")]
    return Arc::new(linux::X11Pointer::new());
    #[cfg(windows)]
    return Arc::new(windows::WindowsPointer::new());
    #[cfg(not(any(target_os = "linux", windows)))]
    return Arc::new(null::NoPointer);
}

pub mod fault;
#[cfg(target_os = "linux")]
pub mod linux;
pub mod null;
#[cfg(windows)]
pub mod windows;
