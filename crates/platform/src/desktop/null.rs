//! No desktop: where Luna has no way to ask for it (KER-9).

use luna_messages::desktop_order::{BatteryState, LocalTime, TopWindow, VolumeChange, VolumeState, WindowArrangement};

use super::{DesktopControl, time};
use crate::PlatformError;

/// Tells only the time.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoDesktop;

impl NoDesktop {
    fn error() -> PlatformError {
        PlatformError::unavailable(
            "This system has no way for Luna to see or change the desktop.",
            "Use Luna on Windows, or on Linux with an X display.",
        )
    }
}

impl DesktopControl for NoDesktop {
    fn change_volume(&self, _: VolumeChange) -> Result<VolumeState, PlatformError> {
        Err(Self::error())
    }

    fn battery(&self) -> Result<Option<BatteryState>, PlatformError> {
        Err(Self::error())
    }

    fn local_time(&self) -> LocalTime {
        time::local()
    }

    fn windows(&self) -> Result<Vec<TopWindow>, PlatformError> {
        Err(Self::error())
    }

    fn arrange(&self, _: u64, _: WindowArrangement) -> Result<bool, PlatformError> {
        Err(Self::error())
    }
}
