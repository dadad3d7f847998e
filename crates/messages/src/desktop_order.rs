//! Usual orders of the desktop that neither an element nor a key does: windows, volume, time, battery (DSL-6).

use serde::{Deserialize, Serialize};

/// How the volume changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VolumeChange {
    /// By a tenth of the whole.
    Up,
    Down,
    /// To so many percent, 0 to 100.
    Percent(u8),
    Mute,
    Unmute,
}

/// The volume of the device that sounds by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct VolumeState {
    /// 0 to 100; more if the system amplifies.
    pub percent: u8,
    pub muted: bool,
}

/// What the battery tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatteryState {
    /// 0 to 100.
    pub percent: u8,
    /// Whether the mains feed the machine.
    pub plugged_in: bool,
}

/// The time of day where the person is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct LocalTime {
    pub year: i32,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
    /// 0 for Sunday to 6.
    pub weekday: u8,
    pub hour: u8,
    pub minute: u8,
}

/// A window of a program, as a task switcher shows it.
#[derive(Clone, PartialEq, Eq)]
pub struct TopWindow {
    /// The platform's handle, widened.
    pub handle: u64,
    /// Screen content: `Debug` leaves it out.
    pub title: String,
    /// What the program calls itself; empty if unknown.
    pub application: String,
    pub is_active: bool,
    pub is_minimised: bool,
}

impl std::fmt::Debug for TopWindow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { handle, title: _, application, is_active, is_minimised } = self;
        f.debug_struct("TopWindow")
            .field("handle", handle)
            .field("application", application)
            .field("is_active", is_active)
            .field("is_minimised", is_minimised)
            .finish_non_exhaustive()
    }
}

/// What is done to a window as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WindowArrangement {
    /// It gets the keyboard, in front of the others.
    Activate,
    Minimise,
    Maximise,
    /// Its program is asked to close it, and may ask the person something first.
    Close,
}

/// What is asked of the desktop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DesktopOrder {
    Time,
    Battery,
    Volume(VolumeChange),
    /// Tells the windows, the active one first, then the others as they were used last.
    Windows,
    Arrange {
        window: u64,
        how: WindowArrangement,
    },
    /// Starts the installed program of that name, if there is exactly one.
    Open {
        name: String,
    },
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DesktopAnswer {
    Time(LocalTime),
    /// `None` if the machine has none.
    Battery(Option<BatteryState>),
    /// As it is afterwards.
    Volume(VolumeState),
    Windows(Vec<TopWindow>),
    /// `seen`: whether the window was seen to be so.
    Arranged {
        seen: bool,
    },
    /// The program was started. `seen`: whether a window of it came.
    Opened {
        name: String,
        seen: bool,
    },
    /// Nothing was started: these have that name, or none has.
    Programs(Vec<String>),
}

#[cfg(test)]
mod tests {
    use super::*;

    // PRV-2
    #[test]
    fn titles_of_windows_are_not_logged_prv_2() {
        let window = TopWindow {
            handle: 7,
            title: "은행 계좌".into(),
            application: "firefox".into(),
            is_active: true,
            is_minimised: false,
        };
        let shown = format!("{window:?}");
        assert!(!shown.contains("은행") && shown.contains("firefox"), "{shown}");
    }
}
