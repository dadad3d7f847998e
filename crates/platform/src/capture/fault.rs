//! A capture that shows a given picture and misbehaves on request, for tests.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use luna_messages::Rect;
use luna_messages::image::Picture;
use luna_messages::pick::ShownWindow;

use super::{Capture, Monitor, Shot};
use crate::PlatformError;

/// What a capture does for one picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CaptureFault {
    /// Fails: for example, the display is gone, the region lies outside, or the window is gone.
    Fail(PlatformError),
    /// Takes this long, then succeeds.
    Hang(Duration),
}

/// A screen that shows one picture at the origin of the desktop.
#[derive(Debug, Clone)]
pub struct StillCapture {
    picture: Picture,
    monitors: Vec<Monitor>,
    shown: Vec<ShownWindow>,
}

impl StillCapture {
    /// A screen that shows `picture` on one monitor of scale 1.
    #[must_use]
    pub fn new(picture: Picture) -> Self {
        let bounds = bounds_of(&picture);
        Self { picture, monitors: vec![Monitor { bounds, scale: 1.0 }], shown: Vec::new() }
    }

    /// Replaces the monitors.
    #[must_use]
    pub fn with_monitors(self, monitors: Vec<Monitor>) -> Self {
        Self { monitors, ..self }
    }

    /// Sets the windows that the screen shows.
    #[must_use]
    pub fn with_shown(self, shown: Vec<ShownWindow>) -> Self {
        Self { shown, ..self }
    }
}

impl Capture for StillCapture {
    fn region(&self, region: Rect) -> Result<Shot, PlatformError> {
        let region = region.intersection(bounds_of(&self.picture));
        let picture = cut(&self.picture, region).ok_or(PlatformError::OutsideScreen)?;
        Ok(Shot { picture, region })
    }

    fn shown(&self, _region: Rect) -> Result<Vec<ShownWindow>, PlatformError> {
        Ok(self.shown.clone())
    }

    fn monitors(&self) -> Result<Vec<Monitor>, PlatformError> {
        Ok(self.monitors.clone())
    }
}

fn bounds_of(picture: &Picture) -> Rect {
    let side = |pixels: u32| i32::try_from(pixels).unwrap_or(i32::MAX);
    Rect::new(0, 0, side(picture.width), side(picture.height))
}

/// The part `region` of `picture`; `None` if it is empty or lies outside.
fn cut(picture: &Picture, region: Rect) -> Option<Picture> {
    let (x, y) = (usize::try_from(region.x).ok()?, usize::try_from(region.y).ok()?);
    let (width, height) = (usize::try_from(region.width).ok()?, usize::try_from(region.height).ok()?);
    let mut rgb = Vec::with_capacity(width * height * 3);
    for row in picture.rgb.chunks_exact(picture.width as usize * 3).skip(y).take(height) {
        rgb.extend_from_slice(row.get(x * 3..(x + width) * 3)?);
    }
    Picture::new(u32::try_from(width).ok()?, u32::try_from(height).ok()?, rgb).ok()
}

/// Applies the queued faults to the next pictures, then works like the wrapped capture. Clones share the queue.
#[derive(Clone)]
pub struct FaultyCapture {
    inside: Arc<dyn Capture>,
    plan: Arc<Mutex<FaultScript>>,
}

#[derive(Default)]
struct FaultScript {
    /// Faults of the next pictures, in order.
    next: VecDeque<CaptureFault>,
    requested_regions: Vec<Rect>,
}

impl FaultyCapture {
    /// Works as `inside` until a fault is queued.
    #[must_use]
    pub fn new(inside: Arc<dyn Capture>) -> Self {
        Self { inside, plan: Arc::default() }
    }

    /// Queues `fault` for `times` pictures, after those that already have a fault.
    pub fn order(&self, fault: &CaptureFault, times: usize) {
        self.plan().next.extend(std::iter::repeat_n(fault.clone(), times));
    }

    /// The requested regions in order, for tests of what must not be captured (PIC-5).
    #[must_use]
    pub fn requested_regions(&self) -> Vec<Rect> {
        self.plan().requested_regions.clone()
    }

    fn plan(&self) -> MutexGuard<'_, FaultScript> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Capture for FaultyCapture {
    fn region(&self, region: Rect) -> Result<Shot, PlatformError> {
        let fault = {
            let mut plan = self.plan();
            plan.requested_regions.push(region);
            plan.next.pop_front()
        };
        match fault {
            Some(CaptureFault::Fail(error)) => return Err(error),
            Some(CaptureFault::Hang(duration)) => std::thread::sleep(duration),
            None => {}
        }
        self.inside.region(region)
    }

    fn window(&self, window: ShownWindow, region: Rect) -> Result<Option<Shot>, PlatformError> {
        self.inside.window(window, region)
    }

    fn shown(&self, region: Rect) -> Result<Vec<ShownWindow>, PlatformError> {
        self.inside.shown(region)
    }

    fn monitors(&self) -> Result<Vec<Monitor>, PlatformError> {
        self.inside.monitors()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_still_screen_is_clipped_like_a_real_one() {
        let still = StillCapture::new(Picture::new(3, 2, (0..18).collect()).unwrap());
        for (wanted, region, rgb) in [
            (Rect::new(1, 1, 1, 1), Rect::new(1, 1, 1, 1), vec![12, 13, 14]),
            (Rect::new(-5, -5, 6, 6), Rect::new(0, 0, 1, 1), vec![0, 1, 2]),
            (Rect::new(2, 0, 9, 9), Rect::new(2, 0, 1, 2), vec![6, 7, 8, 15, 16, 17]),
        ] {
            let shot = still.region(wanted).unwrap();
            assert_eq!((shot.region, &shot.picture.rgb), (region, &rgb), "{wanted:?}");
        }
        assert_eq!(still.region(Rect::new(3, 0, 1, 1)), Err(PlatformError::OutsideScreen));
        assert_eq!(still.region(Rect::new(0, 0, 0, 0)), Err(PlatformError::OutsideScreen));
    }

    #[test]
    fn faults_come_in_the_order_of_the_plan_and_end() {
        let still = StillCapture::new(Picture::new(1, 1, vec![1, 2, 3]).unwrap());
        let faulty = FaultyCapture::new(Arc::new(still));
        let region = Rect::new(0, 0, 1, 1);
        faulty.order(&CaptureFault::Fail(PlatformError::Gone), 2);
        faulty.order(&CaptureFault::Hang(Duration::from_millis(20)), 1);
        assert_eq!(faulty.region(region), Err(PlatformError::Gone));
        assert_eq!(faulty.region(region), Err(PlatformError::Gone));
        let start = std::time::Instant::now();
        assert!(faulty.region(region).is_ok());
        assert!(start.elapsed() >= Duration::from_millis(20));
        assert!(faulty.region(region).is_ok());
        assert_eq!(faulty.requested_regions().len(), 4);
    }
}
