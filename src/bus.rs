//! The bus: what Luna tells the outside (FOC-3). Everybody who listens gets every event from then on; nobody can slow it down.

use luna_messages::bus::BusEvent;
use tokio::sync::broadcast;

/// How many events a listener may be behind before it misses the oldest.
const BACKLOG: usize = 256;

#[derive(Clone)]
pub struct BusSession(broadcast::Sender<BusEvent>);

impl Default for BusSession {
    fn default() -> Self {
        Self(broadcast::channel(BACKLOG).0)
    }
}

impl BusSession {
    /// Tells everybody who listens.
    pub fn publish(&self, event: BusEvent) {
        // No listener is no error.
        drop(self.0.send(event));
    }

    /// Listens from now on.
    #[must_use]
    pub fn listen(&self) -> broadcast::Receiver<BusEvent> {
        self.0.subscribe()
    }
}
