//! The desktop on Linux: windows by the conventions of X11 window managers, the volume by the sound server, the battery by the kernel.

mod battery;
mod volume;
mod windows;

use std::sync::{Mutex, PoisonError};

use luna_messages::desktop_order::{BatteryState, LocalTime, TopWindow, VolumeChange, VolumeState, WindowArrangement};

use super::{DesktopControl, time};
use crate::PlatformError;
use crate::x11::XDisplay;

/// The desktop of an X display; connects at the first question about windows.
#[derive(Default)]
pub struct LinuxDesktop {
    display: Mutex<Option<XDisplay>>,
}

impl LinuxDesktop {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl DesktopControl for LinuxDesktop {
    fn change_volume(&self, change: VolumeChange) -> Result<VolumeState, PlatformError> {
        volume::change(change)
    }

    fn battery(&self) -> Result<Option<BatteryState>, PlatformError> {
        battery::read(battery::SUPPLIES.as_ref())
    }

    fn local_time(&self) -> LocalTime {
        time::local()
    }

    fn windows(&self) -> Result<Vec<TopWindow>, PlatformError> {
        let mut display = self.display.lock().unwrap_or_else(PoisonError::into_inner);
        crate::x11::with_reconnect(&mut display, XDisplay::open, |display| windows::all(display))
    }

    fn arrange(&self, window: u64, how: WindowArrangement) -> Result<bool, PlatformError> {
        let mut display = self.display.lock().unwrap_or_else(PoisonError::into_inner);
        crate::x11::with_reconnect(&mut display, XDisplay::open, |display| windows::arrange(display, window, how))
    }
}
