//! The bus of events for other programs (FOC-3). A listener gets the events since its subscription; a slow one loses the oldest, but never blocks
//! Luna.

use luna_messages::bus::BusEvent;
use tokio::sync::broadcast;

/// Events that a listener may lag behind before it loses the oldest.
const BACKLOG: usize = 256;

/// Publishes events to all listeners without waiting for them.
#[derive(Clone)]
pub struct BusSession(broadcast::Sender<BusEvent>);

impl Default for BusSession {
    fn default() -> Self {
        Self(broadcast::channel(BACKLOG).0)
    }
}

impl BusSession {
    /// Sends an event to all listeners.
    pub fn publish(&self, event: BusEvent) {
        // Having no listener is no error.
        drop(self.0.send(event));
    }

    /// Subscribes to all events from now on.
    #[must_use]
    pub fn listen(&self) -> broadcast::Receiver<BusEvent> {
        self.0.subscribe()
    }
}
