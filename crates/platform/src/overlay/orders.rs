//! Orders to the thread that owns what is shown, of an X11 display and of a Wayland compositor alike. The thread is started by the first order that
//! needs it, ends if the display is lost, and is started anew by the next one.

use std::collections::VecDeque;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use luna_messages::overlay::{OverlayImage, OverlaySupport};

use super::OverlayObserver;
use crate::PlatformError;
use crate::x11::Waker;

/// How long the display may take; it takes some milliseconds.
pub(super) const ANSWER_LIMIT: Duration = Duration::from_secs(1);

/// The observer, kept across connections.
pub(super) type SharedObserver = Arc<Mutex<Option<OverlayObserver>>>;

type OrderReply<T> = SyncSender<Result<T, PlatformError>>;

/// What the thread is asked for. A reply that is dropped tells that the display is lost.
pub(super) enum OverlayOrder {
    Show { image: Arc<OverlayImage>, reply: OrderReply<OverlaySupport> },
    Hide { reply: OrderReply<()> },
    Rearm { reply: OrderReply<()> },
}

#[derive(Default)]
struct OrderQueue {
    orders: VecDeque<OverlayOrder>,
    /// Nobody will send any more orders.
    is_closed: bool,
    /// Nobody will carry out any more orders.
    has_ended: bool,
}

/// The orders that wait, at the side of the thread. Dropping it drops them, and later ones at once.
pub(super) struct OrderInbox(Arc<SharedOrders>);

struct SharedOrders {
    queue: Mutex<OrderQueue>,
    waker: Waker,
}

impl SharedOrders {
    fn queue(&self) -> std::sync::MutexGuard<'_, OrderQueue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OrderInbox {
    /// Wakes the thread if an order waits or no more will come.
    pub(super) fn waker(&self) -> &Waker {
        &self.0.waker
    }

    /// The next order that waits. `Err` if the thread is to end.
    pub(super) fn next(&self) -> Result<Option<OverlayOrder>, OrdersClosed> {
        let mut queue = self.0.queue();
        match queue.orders.pop_front() {
            None if queue.is_closed => Err(OrdersClosed),
            order => Ok(order),
        }
    }
}

impl Drop for OrderInbox {
    fn drop(&mut self) {
        let mut queue = self.0.queue();
        queue.has_ended = true;
        queue.orders.clear();
    }
}

/// Nobody will send any more orders.
pub(super) struct OrdersClosed;

/// Sends orders to the thread. Dropping it ends the thread, and what is shown.
struct WorkerLink(Arc<SharedOrders>);

impl WorkerLink {
    fn send(&self, order: OverlayOrder) {
        let mut queue = self.0.queue();
        if !queue.has_ended {
            queue.orders.push_back(order);
            drop(queue);
            self.0.waker.wake();
        }
    }
}

impl Drop for WorkerLink {
    fn drop(&mut self) {
        self.0.queue().is_closed = true;
        self.0.waker.wake();
    }
}

/// Carries out the orders of an inbox until there will be no more, or the display is lost.
pub(super) type OrderLoop = Box<dyn FnOnce() + Send>;

/// How to reach a kind of display.
#[derive(Clone, Copy)]
pub(super) struct OverlayConnector {
    /// Connects, and returns what the thread does.
    pub(super) connect: fn(OrderInbox, SharedObserver) -> Result<OrderLoop, PlatformError>,
    /// The error of a display that is lost again and again.
    pub(super) lost: fn() -> PlatformError,
}

/// Has orders carried out by the thread of one kind of display.
pub(super) struct OverlayClient {
    connector: OverlayConnector,
    worker: Mutex<Option<WorkerLink>>,
    observer: SharedObserver,
}

impl OverlayClient {
    /// Connects at the first image.
    pub(super) fn new(connector: OverlayConnector) -> Self {
        Self { connector, worker: Mutex::default(), observer: SharedObserver::default() }
    }

    pub(super) fn show(&self, image: OverlayImage) -> Result<OverlaySupport, PlatformError> {
        let image = Arc::new(image);
        self.order(|reply| OverlayOrder::Show { image: Arc::clone(&image), reply })
    }

    pub(super) fn hide(&self) -> Result<(), PlatformError> {
        if self.is_started() { self.order(|reply| OverlayOrder::Hide { reply }) } else { Ok(()) }
    }

    pub(super) fn rearm(&self) -> Result<(), PlatformError> {
        if self.is_started() { self.order(|reply| OverlayOrder::Rearm { reply }) } else { Ok(()) }
    }

    pub(super) fn observe(&self, changed: OverlayObserver) {
        *self.observer.lock().unwrap_or_else(PoisonError::into_inner) = Some(changed);
    }

    fn is_started(&self) -> bool {
        self.worker.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    fn order<T: Send + 'static>(&self, order: impl Fn(OrderReply<T>) -> OverlayOrder) -> Result<T, PlatformError> {
        let mut worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner);
        for _ in 0..2 {
            let link = match &*worker {
                Some(link) => link,
                None => worker.insert(self.start()?),
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
        Err((self.connector.lost)())
    }

    fn start(&self) -> Result<WorkerLink, PlatformError> {
        let orders = Arc::new(SharedOrders { queue: Mutex::default(), waker: Waker::new()? });
        let run = (self.connector.connect)(OrderInbox(Arc::clone(&orders)), Arc::clone(&self.observer))?;
        std::thread::Builder::new().name("luna-overlay".into()).spawn(run).map_err(|error| {
            PlatformError::unavailable(
                format!("The system gives no thread to show anything with: {error}."),
                "Close programs, or raise the limit of processes (ulimit -u).",
            )
        })?;
        Ok(WorkerLink(orders))
    }
}

/// What an error of a display means for the thread.
pub(super) trait DisplayFailure: Into<PlatformError> {
    /// A new connection may work.
    fn is_lost(&self) -> bool;
    /// A new connection would wait as long.
    fn is_silent(&self) -> bool;
}

/// Replies. `false` if the display is lost: then the reply is dropped, and the order comes again to a new connection.
pub(super) fn answer<T>(reply: OrderReply<T>, result: Result<T, impl DisplayFailure>) -> bool {
    match result {
        Err(failure) if failure.is_lost() => false,
        Err(failure) => {
            let goes_on = !failure.is_silent();
            let _ = reply.try_send(Err(failure.into()));
            goes_on
        }
        Ok(value) => {
            let _ = reply.try_send(Ok(value));
            true
        }
    }
}
