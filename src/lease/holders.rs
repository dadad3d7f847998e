//! Lease holders in other processes, as the GpuToken actor sees them (GPU-7).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use luna_messages::engine::EngineKind;
use luna_messages::gpu::{Lease, ResidencyOrder};
use tokio::sync::mpsc;

/// The processes that hold a lease. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct LeaseHolders(Arc<Mutex<BTreeMap<Lease, Holder>>>);

#[derive(Debug)]
struct Holder {
    kind: EngineKind,
    /// Sends the order to stop.
    stop: mpsc::Sender<()>,
}

impl LeaseHolders {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<Lease, Holder>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers the lease of a process; the receiver gets the order to release it.
    pub fn enter(&self, lease: Lease, kind: EngineKind) -> mpsc::Receiver<()> {
        let (stop, stops) = mpsc::channel(1);
        self.lock().insert(lease, Holder { kind, stop });
        stops
    }

    /// Removes a lease after its process released it or ended.
    pub fn leave(&self, lease: Lease) {
        self.lock().remove(&lease);
    }

    /// Forwards an order of the token to the process that holds the lease; false if no process does. A process has one lease, from its load to its
    /// end, so stopping and unloading are the same.
    pub fn forward(&self, order: ResidencyOrder) -> bool {
        let (ResidencyOrder::Stop { lease } | ResidencyOrder::Unload { loaded_by: lease }) = order;
        match self.lock().get(&lease) {
            Some(holder) => {
                // If an order is already pending, another changes nothing.
                let _ = holder.stop.try_send(());
                true
            }
            None => false,
        }
    }

    /// Whether a process holds a lease for that engine.
    #[must_use]
    pub fn has(&self, kind: EngineKind) -> bool {
        self.lock().values().any(|holder| holder.kind == kind)
    }

    /// Ends the leases for that engine by closing their connections.
    pub fn end(&self, kind: EngineKind) {
        self.lock().retain(|_, holder| holder.kind != kind);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // GPU-7
    #[test]
    fn orders_reach_the_process_that_they_are_for_gpu_7() {
        let holders = LeaseHolders::default();
        let mut stops = holders.enter(Lease(3), EngineKind::Llm);
        assert!(!holders.forward(ResidencyOrder::Stop { lease: Lease(2) }), "that one is Luna's own");
        assert!(holders.has(EngineKind::Llm) && !holders.has(EngineKind::Stt));
        assert!(stops.try_recv().is_err());
        assert!(holders.forward(ResidencyOrder::Stop { lease: Lease(3) }));
        assert!(holders.forward(ResidencyOrder::Unload { loaded_by: Lease(3) }));
        assert_eq!(stops.try_recv(), Ok(()));
        holders.end(EngineKind::Llm);
        assert_eq!(stops.try_recv(), Err(mpsc::error::TryRecvError::Disconnected));
        assert!(!holders.has(EngineKind::Llm));
    }
}
