//! The desktop around the programs: its windows as a whole, the volume, the battery, the time of day (DSL-6).

use std::sync::Arc;

use luna_messages::desktop_order::{BatteryState, LocalTime, TopWindow, VolumeChange, VolumeState, WindowArrangement};

use crate::PlatformError;

/// Tells and changes what belongs to no program. The calls block, at most 2 s; they are for a thread of their own (KER-11).
pub trait DesktopControl: Send + Sync {
    /// Changes the volume of the device that sounds by default; returns it as it is afterwards.
    ///
    /// # Errors
    /// [`PlatformError::Unavailable`] if there is no sound server, or no device.
    fn change_volume(&self, change: VolumeChange) -> Result<VolumeState, PlatformError>;

    /// The battery that feeds the machine; `None` if it has none.
    ///
    /// # Errors
    /// [`PlatformError::Unavailable`] if the system doesn't tell.
    fn battery(&self) -> Result<Option<BatteryState>, PlatformError>;

    /// The time of day where the person is.
    fn local_time(&self) -> LocalTime;

    /// The windows that a task switcher shows: the active one first, then the others, topmost first.
    ///
    /// # Errors
    /// [`PlatformError::Unavailable`] if the display doesn't tell.
    fn windows(&self) -> Result<Vec<TopWindow>, PlatformError>;

    /// Does this to a window; returns whether it was seen to be so within half a second.
    ///
    /// # Errors
    /// [`PlatformError::Gone`] if it is closed, [`PlatformError::Unavailable`] if the display can't be reached.
    fn arrange(&self, window: u64, how: WindowArrangement) -> Result<bool, PlatformError>;
}

/// The desktop of this platform. Asks the display which kind of session it is, which takes some milliseconds.
#[must_use]
pub fn system() -> Arc<dyn DesktopControl> {
    #[cfg(target_os = "linux")]
    return Arc::new(linux::LinuxDesktop::new());
    #[cfg(windows)]
    return Arc::new(windows::WindowsDesktop);
    #[cfg(not(any(target_os = "linux", windows)))]
    return Arc::new(null::NoDesktop);
}

/// A step of the volume, in percent.
pub(crate) const VOLUME_STEP: u8 = 10;

/// The percent after a change, and whether it is silent.
pub(crate) fn changed(now: VolumeState, change: VolumeChange) -> VolumeState {
    let percent = |percent: u8| VolumeState { percent: percent.min(100), muted: false };
    match change {
        VolumeChange::Up => percent(now.percent.saturating_add(VOLUME_STEP)),
        VolumeChange::Down => percent(now.percent.saturating_sub(VOLUME_STEP)),
        VolumeChange::Percent(wished) => percent(wished),
        VolumeChange::Mute => VolumeState { muted: true, ..now },
        VolumeChange::Unmute => VolumeState { muted: false, ..now },
    }
}

pub mod fault;
#[cfg(target_os = "linux")]
pub mod linux;
pub mod null;
mod time;
#[cfg(windows)]
pub mod windows;

#[cfg(test)]
mod tests {
    use super::*;

    // DSL-6
    #[test]
    fn the_volume_stays_within_its_limits_dsl_6() {
        let state = |percent, muted| VolumeState { percent, muted };
        for (now, change, expect) in [
            (state(50, false), VolumeChange::Up, state(60, false)),
            (state(95, false), VolumeChange::Up, state(100, false)),
            (state(5, false), VolumeChange::Down, state(0, false)),
            (state(40, true), VolumeChange::Up, state(50, false)),
            (state(40, false), VolumeChange::Percent(200), state(100, false)),
            (state(40, false), VolumeChange::Mute, state(40, true)),
            (state(40, true), VolumeChange::Unmute, state(40, false)),
        ] {
            assert_eq!(changed(now, change), expect, "{now:?} {change:?}");
        }
    }
}
