//! The ledger's published status.

use luna_messages::engine::EngineKind;
use luna_messages::gpu::{MemoryPlace, MemoryPool, ResidentModel, ResidentState};

use super::ledger::{Ledger, Resident, SlotState};

const MB: u64 = 1 << 20;

impl Ledger {
    /// Budget and use of RAM, and of the card's memory if there is a card.
    #[must_use]
    pub fn pools(&self) -> Vec<MemoryPool> {
        let places = if self.terms.card.is_some() {
            &[MemoryPlace::Card, MemoryPlace::Ram][..]
        } else {
            &[MemoryPlace::Ram][..]
        };
        let pool = |&place| MemoryPool {
            place,
            budget_mb: self.terms.budget(place) / MB,
            used_mb: self.used(place).div_ceil(MB),
        };
        places.iter().map(pool).collect()
    }

    #[must_use]
    pub fn resident(&self) -> Vec<ResidentModel> {
        self.slots.iter().map(Resident::resident).collect()
    }

    #[must_use]
    pub const fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Engines that must have a running program by the reports of their holders: if an engine has no program, its residency has ended unnoticed.
    pub fn should_live(&self) -> impl Iterator<Item = EngineKind> {
        self.slots.iter().filter(|slot| !(slot.loading && slot.work().is_some())).map(|slot| slot.holder)
    }

    /// Whether an engine is being unloaded or ended, so that its end must be checked for.
    #[must_use]
    pub fn awaits_end(&self) -> bool {
        self.slots.iter().any(Resident::is_leaving)
    }
}

impl Resident {
    fn resident(&self) -> ResidentModel {
        let state = match &self.state {
            SlotState::Working(work) if work.stop.is_some() => ResidentState::Stopping,
            SlotState::Working(_) if self.loading => ResidentState::Loading,
            SlotState::Working(_) => ResidentState::Working,
            SlotState::Idle { .. } => ResidentState::Idle,
            SlotState::Leaving { .. } => ResidentState::Leaving,
            SlotState::Ending { .. } => ResidentState::Ending,
        };
        ResidentModel {
            holder: self.holder,
            model: self.model.clone(),
            mb: self.bytes.div_ceil(MB),
            place: self.place,
            state,
        }
    }
}
