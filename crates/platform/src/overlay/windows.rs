//! An overlay on Windows: layered windows that take no input, are never activated, and are left out of every picture of the screen
//! (`WDA_EXCLUDEFROMCAPTURE`). A thread owns them and pumps their messages. Of the marked places, moves and the end of their windows are reported; what is
//! drawn there Windows does not tell.

mod follow;
mod painter;

use std::collections::VecDeque;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use luna_messages::overlay::{OverlayImage, OverlaySupport};
use windows::Win32::Foundation::{LPARAM, WPARAM};
use windows::Win32::System::Threading::GetCurrentThreadId;
use windows::Win32::UI::WindowsAndMessaging::{
    DispatchMessageW, GetMessageW, MSG, PM_NOREMOVE, PeekMessageW, PostThreadMessageW, WM_APP, WM_QUIT, WM_USER,
};

use self::follow::WindowFollower;
use self::painter::LayeredPainter;
use super::{OverlayObserver, ScreenOverlay};
use crate::PlatformError;
use crate::win32::{become_dpi_aware, no_thread};

/// How long Windows may take; it takes some milliseconds.
const ANSWER_LIMIT: Duration = Duration::from_secs(1);
/// Tells the thread that orders wait.
const ORDERS_WAIT: u32 = WM_APP + 1;

type SharedObserver = Arc<Mutex<Option<OverlayObserver>>>;
type OrderReply = SyncSender<Result<(), PlatformError>>;

enum LayeredOrder {
    Show { image: Arc<OverlayImage>, reply: OrderReply },
    Hide { reply: OrderReply },
}

/// Shows pictures on Windows, by a thread that starts with the first one.
#[derive(Default)]
pub struct WindowsOverlay {
    thread: Mutex<Option<OverlayThread>>,
    observer: SharedObserver,
}

/// The thread of the windows; it ends when this is dropped.
struct OverlayThread {
    id: u32,
    orders: Arc<Mutex<VecDeque<LayeredOrder>>>,
}

impl Drop for OverlayThread {
    fn drop(&mut self) {
        // SAFETY: takes only numbers; if the thread has ended already, the call fails harmlessly.
        let _ = unsafe { PostThreadMessageW(self.id, WM_QUIT, WPARAM(0), LPARAM(0)) };
    }
}

impl WindowsOverlay {
    /// Starts the thread at the first picture.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn order(&self, order: impl FnOnce(OrderReply) -> LayeredOrder) -> Result<(), PlatformError> {
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        let link = match &*thread {
            Some(link) => link,
            None => thread.insert(start(Arc::clone(&self.observer))?),
        };
        let (reply, answer) = sync_channel(1);
        link.orders.lock().unwrap_or_else(PoisonError::into_inner).push_back(order(reply));
        // SAFETY: takes only numbers.
        let posted = unsafe { PostThreadMessageW(link.id, ORDERS_WAIT, WPARAM(0), LPARAM(0)) };
        let answer =
            posted.map_err(|_| RecvTimeoutError::Disconnected).and_then(|()| answer.recv_timeout(ANSWER_LIMIT));
        answer.unwrap_or_else(|_| {
            *thread = None;
            Err(PlatformError::unavailable(
                "Windows did not show Luna's marks in time.",
                "Luna tries again with the next mark.",
            ))
        })
    }

    fn is_started(&self) -> bool {
        self.thread.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}

impl ScreenOverlay for WindowsOverlay {
    fn show(&self, image: OverlayImage) -> Result<OverlaySupport, PlatformError> {
        let image = Arc::new(image);
        self.order(|reply| LayeredOrder::Show { image, reply }).map(|()| OverlaySupport::Translucent)
    }

    fn hide(&self) -> Result<(), PlatformError> {
        if self.is_started() { self.order(|reply| LayeredOrder::Hide { reply }) } else { Ok(()) }
    }

    fn rearm(&self) -> Result<(), PlatformError> {
        Ok(())
    }

    fn observe(&self, changed: OverlayObserver) {
        *self.observer.lock().unwrap_or_else(PoisonError::into_inner) = Some(changed);
    }

    fn support(&self) -> Result<OverlaySupport, PlatformError> {
        Ok(OverlaySupport::Translucent)
    }
}

fn start(observer: SharedObserver) -> Result<OverlayThread, PlatformError> {
    become_dpi_aware();
    let orders: Arc<Mutex<VecDeque<LayeredOrder>>> = Arc::default();
    let (tell_ready, ready) = sync_channel(1);
    let queue = Arc::clone(&orders);
    std::thread::Builder::new()
        .name("luna-overlay".into())
        .spawn(move || run(&queue, observer, &tell_ready))
        .map_err(|error| no_thread("show anything", &error))?;
    let id = ready.recv_timeout(ANSWER_LIMIT).map_err(|_| {
        PlatformError::unavailable("Windows did not start the thread of Luna's marks.", "Start Luna again.")
    })?;
    Ok(OverlayThread { id, orders })
}

/// Carries out orders until the thread is told to quit.
fn run(orders: &Mutex<VecDeque<LayeredOrder>>, observer: SharedObserver, tell_ready: &SyncSender<u32>) {
    let mut message = MSG::default();
    // A thread gets its message queue at the first peek; before that nothing could be posted to it.
    // SAFETY: `message` lives until the call returns, and may be written.
    let _ = unsafe { PeekMessageW(&raw mut message, None, WM_USER, WM_USER, PM_NOREMOVE) };
    // SAFETY: takes no arguments.
    let id = unsafe { GetCurrentThreadId() };
    if tell_ready.send(id).is_err() {
        return;
    }
    let (mut painter, follower) = (LayeredPainter::default(), WindowFollower::start(observer));
    // 0 means quit, -1 an error that repeating would not fix.
    // SAFETY: as above.
    while unsafe { GetMessageW(&raw mut message, None, 0, 0) }.0 > 0 {
        if message.message != ORDERS_WAIT {
            // SAFETY: the message is the one that was got just now.
            unsafe { DispatchMessageW(&raw const message) };
            continue;
        }
        loop {
            let Some(order) = orders.lock().unwrap_or_else(PoisonError::into_inner).pop_front() else { break };
            match order {
                LayeredOrder::Show { image, reply } => {
                    let shown = painter.show(&image);
                    follower.follow(&image.followed);
                    let _ = reply.try_send(shown);
                }
                LayeredOrder::Hide { reply } => {
                    painter.hide();
                    follower.follow(&[]);
                    let _ = reply.try_send(Ok(()));
                }
            }
        }
    }
}
