//! Which models are to go, so that another one fits (GPU-1, GPU-2, GPU-4).

use std::cmp::Reverse;
use std::time::Duration;

use luna_messages::engine::EngineKind;
use luna_messages::gpu::Place;

use super::ledger::{Ledger, Slot, SlotState, Waiting};

/// How a model would be made to go; the cheapest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cost {
    /// Nobody works with it, since then.
    Idle(Duration),
    /// The work on it gives way: that of the lowest lane first, and what began last.
    Stops(Reverse<u8>, Reverse<Duration>),
    /// The work on it must end by itself; it began then.
    Waits(Duration),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Victim {
    pub holder: EngineKind,
    pub bytes: u64,
    pub cost: Cost,
}

impl Victim {
    /// Whether it can be told to go now.
    pub const fn obeys(&self) -> bool {
        match self.cost {
            Cost::Idle(_) | Cost::Stops(..) => true,
            Cost::Waits(_) => false,
        }
    }
}

impl Ledger {
    /// `slot` as a victim for `waiting`; `None` where it is on the way out already.
    pub(super) fn victim(&self, slot: &Slot, waiting: &Waiting, now: Duration) -> Option<Victim> {
        let cost = match &slot.state {
            SlotState::Leaving { .. } | SlotState::Ending { .. } => return None,
            SlotState::Idle { since } => Cost::Idle(*since),
            SlotState::Working(work) if self.gives_way(slot, work, waiting, now) => {
                Cost::Stops(Reverse(work.lane as u8), Reverse(work.since))
            }
            SlotState::Working(work) => Cost::Waits(work.since),
        };
        Some(Victim { holder: slot.holder, bytes: slot.bytes, cost })
    }

    /// Those in `place` that are to go so that `missing` bytes come free, none of them needlessly; `None` where all together are too few.
    /// `kept` are not touched.
    pub(super) fn victims(
        &self,
        waiting: &Waiting,
        place: Place,
        missing: u64,
        kept: &[EngineKind],
        now: Duration,
    ) -> Option<Vec<Victim>> {
        let mut candidates: Vec<Victim> = self
            .slots
            .iter()
            .filter(|slot| slot.place == place && !kept.contains(&slot.holder))
            .filter_map(|slot| self.victim(slot, waiting, now))
            .collect();
        candidates.sort_by_key(|victim| victim.cost);
        let mut chosen = Vec::new();
        let mut freed = 0u64;
        for victim in candidates {
            if freed >= missing {
                break;
            }
            freed = freed.saturating_add(victim.bytes);
            chosen.push(victim);
        }
        if freed < missing {
            return None;
        }
        // A big one at the end may have made small ones before it needless, and the dear are spared before the cheap.
        for index in (0..chosen.len()).rev() {
            if freed - chosen[index].bytes >= missing {
                freed -= chosen[index].bytes;
                chosen.remove(index);
            }
        }
        Some(chosen)
    }
}
