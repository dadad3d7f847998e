//! Which capabilities are available now (KER-9).

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use luna_messages::capability::{Capability, CapabilityState};

use crate::metric_names::CAPABILITY_AVAILABLE;
use luna_mailbox::sync::lock;

/// Receives each change.
pub type CapabilityObserver = Arc<dyn Fn(Capability, &CapabilityState) + Send + Sync>;

/// The state of all capabilities. Clones share it.
#[derive(Clone)]
pub struct Capabilities {
    states: Arc<Mutex<BTreeMap<Capability, CapabilityState>>>,
    observer: CapabilityObserver,
}

impl fmt::Debug for Capabilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Capabilities").field(&self.snapshot()).finish()
    }
}

impl Capabilities {
    /// Starts with every capability unknown. `observer` receives every change, on the thread that made it, and must return at once.
    #[must_use]
    pub fn new(observer: CapabilityObserver) -> Self {
        let states = Capability::ALL.into_iter().map(|capability| (capability, CapabilityState::Unknown)).collect();
        Self { states: Arc::new(Mutex::new(states)), observer }
    }

    /// Sets the state of a capability. An unchanged state notifies no observer, so a missing device is announced once.
    pub fn set(&self, capability: Capability, state: CapabilityState) {
        {
            let mut states = lock(&self.states);
            if states.get(&capability) == Some(&state) {
                return;
            }
            states.insert(capability, state.clone());
            let gauge = || metrics::gauge!(CAPABILITY_AVAILABLE, "capability" => capability.name());
            match state {
                CapabilityState::Unknown => {}
                CapabilityState::Available => gauge().set(1.0),
                CapabilityState::Unavailable(_) => gauge().set(0.0),
            }
        }
        (self.observer)(capability, &state);
    }

    #[must_use]
    pub fn get(&self, capability: Capability) -> CapabilityState {
        lock(&self.states).get(&capability).cloned().unwrap_or(CapabilityState::Unknown)
    }

    /// All capabilities, in the order of [`Capability::ALL`].
    #[must_use]
    pub fn snapshot(&self) -> Vec<(Capability, CapabilityState)> {
        Capability::ALL.into_iter().map(|capability| (capability, self.get(capability))).collect()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use luna_messages::capability::Unavailable;

    use super::*;

    // KER-9
    #[test]
    fn a_change_is_told_once_and_everything_is_listed_ker_9() {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let hears = heard.clone();
        let all = Capabilities::new(Arc::new(move |capability, state: &CapabilityState| {
            hears.lock().unwrap().push((capability, state.clone()));
        }));
        let gone =
            CapabilityState::Unavailable(Unavailable { reason: "No device.".into(), remedy: "Plug one in.".into() });
        for state in [gone.clone(), gone.clone(), CapabilityState::Available, CapabilityState::Available, gone.clone()]
        {
            all.clone().set(Capability::AudioOutput, state);
        }
        let expect = [gone.clone(), CapabilityState::Available, gone.clone()].map(|s| (Capability::AudioOutput, s));
        assert_eq!(*heard.lock().unwrap(), expect);
        assert_eq!(all.get(Capability::AudioOutput), gone);
        assert_eq!(all.get(Capability::Http), CapabilityState::Unknown);
        assert_eq!(all.snapshot().len(), Capability::ALL.len());
    }
}
