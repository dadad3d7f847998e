//! One load at a time, those of standbys included (GPU-1).
//!
//! The token grants one load at a time. It knows nothing of standbys: they load between the granted loads, and a granted load preempts the load of a
//! standby.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

/// Longest time to preempt the load of a standby: its program is killed, and the system ends it within milliseconds.
const PREEMPTION_TIMEOUT: Duration = Duration::from_secs(2);

/// Lets one load through at a time. One per token; clones share it.
#[derive(Debug, Clone, Default)]
pub struct LoadGate {
    state: Arc<watch::Sender<LoadGateState>>,
}

#[derive(Debug, Default)]
struct LoadGateState {
    /// Number of granted loads.
    granted: usize,
    /// Whether a standby loads.
    standby: bool,
}

/// A load in progress; it is over when this is dropped.
#[derive(Debug)]
pub(crate) struct LoadPermit {
    gate: LoadGate,
    standby: bool,
}

impl LoadGate {
    /// For a load that the token granted: preempts the load of a standby, and waits until it has stopped, at most [`PREEMPTION_TIMEOUT`].
    pub(crate) async fn acquire_granted(&self) -> LoadPermit {
        self.state.send_modify(|state| state.granted += 1);
        let permit = LoadPermit { gate: self.clone(), standby: false };
        let mut state = self.state.subscribe();
        let gave_way = state.wait_for(|state| !state.standby);
        if tokio::time::timeout(PREEMPTION_TIMEOUT, gave_way).await.is_err() {
            tracing::error!("A standby engine that is loading does not stop; its driver may hang.");
        }
        permit
    }

    /// For a standby: waits until nothing else loads.
    pub(crate) async fn acquire_standby(&self) -> LoadPermit {
        let mut state = self.state.subscribe();
        loop {
            // The sender lives in `self`, so this can't fail.
            drop(state.wait_for(LoadGateState::is_free).await);
            let taken = self.state.send_if_modified(|state| {
                let free = state.is_free();
                state.standby |= free;
                free
            });
            if taken {
                return LoadPermit { gate: self.clone(), standby: true };
            }
        }
    }
}

impl LoadGateState {
    const fn is_free(&self) -> bool {
        self.granted == 0 && !self.standby
    }
}

impl LoadPermit {
    /// Returns once the token has granted another load, for which this one must stop.
    pub async fn preempted(&self) {
        drop(self.gate.state.subscribe().wait_for(|state| state.granted > 0).await);
    }
}

impl Drop for LoadPermit {
    fn drop(&mut self) {
        self.gate.state.send_modify(|state| {
            if self.standby {
                state.standby = false;
            } else {
                state.granted -= 1;
            }
        });
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use futures_util::FutureExt;
    use tokio::time::Instant;

    use super::*;

    // GPU-1
    #[tokio::test(start_paused = true)]
    async fn a_program_that_stands_by_is_loaded_between_the_others_and_gives_way_gpu_1() {
        let load_gate = LoadGate::default();
        let first = load_gate.acquire_granted().await;
        assert!(load_gate.acquire_standby().now_or_never().is_none(), "another load is under way");
        drop(first);
        let standby = load_gate.acquire_standby().now_or_never().unwrap();
        assert!(load_gate.acquire_standby().now_or_never().is_none(), "one at a time");
        assert!(standby.preempted().now_or_never().is_none());
        let other = load_gate.clone();
        let allowed = tokio::spawn(async move { other.acquire_granted().await });
        standby.preempted().await;
        assert!(!allowed.is_finished(), "it waits until the other has given way");
        drop(standby);
        let allowed = allowed.await.unwrap();
        assert!(load_gate.acquire_standby().now_or_never().is_none());
        drop(allowed);
        assert!(load_gate.acquire_standby().now_or_never().is_some());
    }

    // GPU-1: no unbounded wait
    #[tokio::test(start_paused = true)]
    async fn what_does_not_give_way_holds_nobody_up_for_ever_gpu_1() {
        let load_gate = LoadGate::default();
        let stuck = load_gate.acquire_standby().await;
        let begin = Instant::now();
        drop(load_gate.acquire_granted().await);
        assert_eq!(begin.elapsed(), PREEMPTION_TIMEOUT);
        drop(stuck);
        // A granted load that was given up while it waited no longer counts.
        let standby = load_gate.acquire_standby().await;
        assert!(load_gate.acquire_granted().now_or_never().is_none());
        drop(standby);
        assert!(load_gate.acquire_standby().now_or_never().is_some());
    }
}
