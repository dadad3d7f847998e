//! Which models are evicted so that another one fits (GPU-1, GPU-2, GPU-4).

use std::cmp::Reverse;
use std::time::Duration;

use luna_messages::engine::EngineKind;
use luna_messages::gpu::MemoryPlace;

use super::ledger::{Ledger, PendingClaim, Resident, SlotState};

/// The cost of evicting a model; the cheapest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EvictionCost {
    /// Idle since this time.
    Idle(Duration),
    /// Its work must stop: the lowest lane first, then the work that began last.
    Stops(Reverse<u8>, Reverse<Duration>),
    /// Its work does not give way and must end by itself; it began at this time.
    Waits(Duration),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EvictionCandidate {
    pub holder: EngineKind,
    pub bytes: u64,
    pub cost: EvictionCost,
}

impl EvictionCandidate {
    /// Whether it can be evicted without waiting for its work to end by itself.
    pub const fn is_cooperative(&self) -> bool {
        match self.cost {
            EvictionCost::Idle(_) | EvictionCost::Stops(..) => true,
            EvictionCost::Waits(_) => false,
        }
    }
}

impl Ledger {
    /// `slot` as an eviction candidate for `waiting`; `None` if it is on its way out already.
    pub(super) fn eviction_candidate(
        &self,
        slot: &Resident,
        waiting: &PendingClaim,
        now: Duration,
    ) -> Option<EvictionCandidate> {
        let cost = match &slot.state {
            SlotState::Leaving { .. } | SlotState::Ending { .. } => return None,
            SlotState::Idle { since } => EvictionCost::Idle(*since),
            SlotState::Working(work) if self.gives_way(slot, work, waiting, now) => {
                EvictionCost::Stops(Reverse(work.lane as u8), Reverse(work.since))
            }
            SlotState::Working(work) => EvictionCost::Waits(work.since),
        };
        Some(EvictionCandidate { holder: slot.holder, bytes: slot.bytes, cost })
    }

    /// The models in `place` to evict so that `missing` bytes come free, none of them needlessly; `None` if all together free too little. Models of
    /// the engines in `kept` are not evicted.
    pub(super) fn eviction_candidates(
        &self,
        waiting: &PendingClaim,
        place: MemoryPlace,
        missing: u64,
        kept: &[EngineKind],
        now: Duration,
    ) -> Option<Vec<EvictionCandidate>> {
        let mut candidates: Vec<EvictionCandidate> = self
            .slots
            .iter()
            .filter(|slot| slot.place == place && !kept.contains(&slot.holder))
            .filter_map(|slot| self.eviction_candidate(slot, waiting, now))
            .collect();
        candidates.sort_by_key(|eviction_candidate| eviction_candidate.cost);
        let mut chosen = Vec::new();
        let mut freed = 0u64;
        for eviction_candidate in candidates {
            if freed >= missing {
                break;
            }
            freed = freed.saturating_add(eviction_candidate.bytes);
            chosen.push(eviction_candidate);
        }
        if freed < missing {
            return None;
        }
        // A big model at the end may make the eviction of small models before it needless; the costliest are spared first.
        for index in (0..chosen.len()).rev() {
            if freed - chosen[index].bytes >= missing {
                freed -= chosen[index].bytes;
                chosen.remove(index);
            }
        }
        Some(chosen)
    }
}
