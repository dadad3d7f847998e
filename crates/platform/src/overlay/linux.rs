//! An overlay of an X11 display: windows that the window manager does not manage and that take no input. With a compositing manager they are translucent;
//! without one they have the shape of what is opaque.

mod follow;
mod painter;
mod surface;
mod worker;

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use luna_messages::overlay::{OverlayImage, OverlaySupport};

use self::worker::{OverlayOrder, OverlayWorker, WorkerLink};
use super::{OverlayObserver, ScreenOverlay};
use crate::PlatformError;
use crate::x11::{Failure, XDisplay, lost_display, stacking};

/// How long the display may take; it takes some milliseconds.
const ANSWER_LIMIT: Duration = Duration::from_secs(1);

/// The observer, kept across connections.
type SharedObserver = Arc<Mutex<Option<OverlayObserver>>>;

/// The overlay of an X11 display.
#[derive(Default)]
pub struct X11Overlay {
    /// The thread that owns the windows; it ends if the display is lost.
    worker: Mutex<Option<WorkerLink>>,
    observer: SharedObserver,
}

impl X11Overlay {
    /// Connects at the first picture.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Has an order carried out on the thread of the windows, which is started anew if it ended.
    fn order<T: Send + 'static>(
        &self,
        order: impl Fn(std::sync::mpsc::SyncSender<Result<T, PlatformError>>) -> OverlayOrder,
    ) -> Result<T, PlatformError> {
        let mut worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner);
        for _ in 0..2 {
            let link = match &*worker {
                Some(link) => link,
                None => worker.insert(OverlayWorker::start(Arc::clone(&self.observer))?),
            };
            let (reply, answer) = sync_channel(1);
            link.send(order(reply));
            match answer.recv_timeout(ANSWER_LIMIT) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Disconnected) => *worker = None,
                Err(RecvTimeoutError::Timeout) => {
                    *worker = None;
                    return Err(PlatformError::silent_display());
                }
            }
        }
        Err(lost_display())
    }

    fn is_started(&self) -> bool {
        self.worker.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}

impl ScreenOverlay for X11Overlay {
    fn show(&self, image: OverlayImage) -> Result<OverlaySupport, PlatformError> {
        let image = Arc::new(image);
        self.order(|reply| OverlayOrder::Show { image: Arc::clone(&image), reply })
    }

    fn hide(&self) -> Result<(), PlatformError> {
        if !self.is_started() {
            return Ok(());
        }
        self.order(|reply| OverlayOrder::Hide { reply })
    }

    fn rearm(&self) -> Result<(), PlatformError> {
        if !self.is_started() {
            return Ok(());
        }
        self.order(|reply| OverlayOrder::Rearm { reply })
    }

    fn observe(&self, changed: OverlayObserver) {
        *self.observer.lock().unwrap_or_else(PoisonError::into_inner) = Some(changed);
    }

    fn support(&self) -> Result<OverlaySupport, PlatformError> {
        let display = XDisplay::open()?;
        surface::check(&display)?;
        let is_composited = stacking::composited(&display).map_err(|failure: Failure| PlatformError::from(failure))?;
        Ok(if is_composited { OverlaySupport::Translucent } else { OverlaySupport::Opaque })
    }
}
