//! An overlay for tests: records what it is to show, and misbehaves on request.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use luna_messages::overlay::{OverlayChange, OverlayImage, OverlaySupport};

use super::{OverlayObserver, ScreenOverlay};
use crate::PlatformError;

/// What the overlay was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OverlayCall {
    Show(OverlayImage),
    Hide,
    Rearm,
}

#[derive(Default)]
struct OverlayScript {
    calls: Vec<OverlayCall>,
    observer: Option<OverlayObserver>,
    failure: Option<PlatformError>,
    delay: Duration,
}

/// An overlay that keeps all calls.
#[derive(Default)]
pub struct ScriptedOverlay(Mutex<OverlayScript>);

impl ScriptedOverlay {
    /// Shows everything at once.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// From now on every call fails with this; `None`: works again.
    pub fn fail_with(&self, failure: Option<PlatformError>) {
        self.script().failure = failure;
    }

    /// From now on every call takes this long.
    pub fn delay_by(&self, delay: Duration) {
        self.script().delay = delay;
    }

    /// Reports a change to the observer.
    pub fn report(&self, change: OverlayChange) {
        if let Some(observer) = &self.script().observer {
            observer(change);
        }
    }

    /// The calls since the last time.
    #[must_use]
    pub fn take_calls(&self) -> Vec<OverlayCall> {
        std::mem::take(&mut self.script().calls)
    }

    fn call(&self, call: OverlayCall) -> Result<(), PlatformError> {
        let delay = self.script().delay;
        std::thread::sleep(delay);
        let mut script = self.script();
        script.calls.push(call);
        script.failure.clone().map_or(Ok(()), Err)
    }

    fn script(&self) -> MutexGuard<'_, OverlayScript> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ScreenOverlay for ScriptedOverlay {
    fn show(&self, image: OverlayImage) -> Result<OverlaySupport, PlatformError> {
        self.call(OverlayCall::Show(image)).map(|()| OverlaySupport::Translucent)
    }

    fn hide(&self) -> Result<(), PlatformError> {
        self.call(OverlayCall::Hide)
    }

    fn rearm(&self) -> Result<(), PlatformError> {
        self.call(OverlayCall::Rearm)
    }

    fn observe(&self, changed: OverlayObserver) {
        self.script().observer = Some(changed);
    }

    fn support(&self) -> Result<OverlaySupport, PlatformError> {
        self.script().failure.clone().map_or(Ok(OverlaySupport::Translucent), Err)
    }
}
