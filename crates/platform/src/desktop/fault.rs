//! A desktop that only exists in a test, and fails on order.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use luna_messages::desktop_order::{BatteryState, LocalTime, TopWindow, VolumeChange, VolumeState, WindowArrangement};

use super::{DesktopControl, changed};
use crate::PlatformError;

/// What the double is.
#[derive(Debug, Clone)]
pub struct DesktopScript {
    pub volume: VolumeState,
    pub battery: Option<BatteryState>,
    pub time: LocalTime,
    pub windows: Vec<TopWindow>,
    /// What was done to windows, in order.
    pub arranged: Vec<(u64, WindowArrangement)>,
    /// Every call fails with it.
    pub fails: Option<PlatformError>,
}

/// A double of the desktop. Clones share it.
#[derive(Clone)]
pub struct ScriptedDesktop(Arc<Mutex<DesktopScript>>);

impl Default for ScriptedDesktop {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(DesktopScript {
            volume: VolumeState { percent: 50, muted: false },
            battery: None,
            time: LocalTime { year: 2026, month: 3, day: 4, weekday: 3, hour: 15, minute: 7 },
            windows: Vec::new(),
            arranged: Vec::new(),
            fails: None,
        })))
    }
}

impl ScriptedDesktop {
    /// The script, to be read and changed.
    pub fn script(&self) -> MutexGuard<'_, DesktopScript> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn working(&self) -> Result<MutexGuard<'_, DesktopScript>, PlatformError> {
        let script = self.script();
        match &script.fails {
            Some(error) => Err(error.clone()),
            None => Ok(script),
        }
    }
}

impl DesktopControl for ScriptedDesktop {
    fn change_volume(&self, change: VolumeChange) -> Result<VolumeState, PlatformError> {
        let mut script = self.working()?;
        script.volume = changed(script.volume, change);
        Ok(script.volume)
    }

    fn battery(&self) -> Result<Option<BatteryState>, PlatformError> {
        Ok(self.working()?.battery)
    }

    fn local_time(&self) -> LocalTime {
        self.script().time
    }

    fn windows(&self) -> Result<Vec<TopWindow>, PlatformError> {
        Ok(self.working()?.windows.clone())
    }

    fn arrange(&self, window: u64, how: WindowArrangement) -> Result<bool, PlatformError> {
        let mut script = self.working()?;
        if script.windows.iter().all(|one| one.handle != window) {
            return Err(PlatformError::Gone);
        }
        script.arranged.push((window, how));
        Ok(true)
    }
}
