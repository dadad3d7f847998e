//! Where the pointer is and when it moves.

use std::sync::Arc;

use luna_messages::Point;

use crate::PlatformError;

/// Ends the watching when it is dropped.
#[must_use = "dropping it ends the watching"]
pub struct Watch {
    /// Told to stop at drop.
    stop: Option<Box<dyn FnOnce() + Send>>,
}

impl Watch {
    /// A watch that calls `stop` when it is dropped.
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

pub trait Pointer: Send + Sync {
    /// Where it is, in physical pixels.
    ///
    /// # Errors
    /// [`PlatformError`].
    fn position(&self) -> Result<Point, PlatformError>;

    /// Calls `moved` after each move (at most some hundred times a second) from a thread of its own, until the watch is dropped.
    /// `moved` must return at once. `lost` is called once if the display goes away meanwhile.
    ///
    /// # Errors
    /// [`PlatformError`].
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
