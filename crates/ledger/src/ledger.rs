//! The ledger's state.

use std::time::Duration;

use luna_messages::engine::EngineKind;
use luna_messages::gpu::{Claim, Lease, MemoryPlace};
use luna_messages::{Lane, RequestId};

use super::event::{LedgerEffect, LedgerEvent};
use super::placement::Terms;

/// Resident models and waiting claims. Small; a step works on a copy, so that a panic in it can't leave half of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ledger {
    pub(super) terms: Terms,
    /// At most one for each engine, in the order of loading.
    pub(super) slots: Vec<Resident>,
    /// In the order of arrival.
    pub(super) waiting: Vec<PendingClaim>,
    /// When each model was served last, so that ripe claims take turns. Only for models that are resident or wanted.
    pub(super) served: Vec<LastServed>,
    /// Number of the last lease.
    pub(super) leases: u64,
    /// Number of the last claim.
    pub(super) arrivals: u64,
    /// Engines whose programs were not built for a card.
    pub(super) without_card: Vec<EngineKind>,
    /// Engines that were built for a card and placed there, but did not use it, because they found none.
    pub(super) card_unused: Vec<EngineKind>,
    /// Whether Luna shuts down.
    pub(super) ending: bool,
}

/// A model in memory, being loaded or being unloaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Resident {
    pub holder: EngineKind,
    pub model: String,
    pub bytes: u64,
    pub place: MemoryPlace,
    /// Names this residency.
    pub loaded_by: Lease,
    /// Whether loading started and its end was not reported. Stays set while a residency whose load was given up ends.
    pub loading: bool,
    /// When its load was reported complete.
    pub loaded_at: Option<Duration>,
    /// Until when it has the turn.
    pub turn_until: Option<Duration>,
    /// Whether no lane interrupts the beginning of its turn.
    pub immune: bool,
    pub state: SlotState,
}

/// State of a resident model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SlotState {
    /// Leased, for loading and then for work.
    Working(ActiveLease),
    /// Loaded without a lease, until it was idle for long (GPU-4).
    Idle { since: Duration },
    /// Its holder was told to unload, with this deadline.
    Leaving { until: Duration },
    /// Its engine is being ended; the order is repeated at this time.
    Ending { until: Duration },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ActiveLease {
    pub lease: Lease,
    pub claim: RequestId,
    pub lane: Lane,
    /// Number of the claim.
    pub arrival: u64,
    pub since: Duration,
    /// The deadline, if its holder was told to stop.
    pub stop: Option<Duration>,
}

/// A waiting claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PendingClaim {
    pub claim: Claim,
    pub arrival: u64,
    pub since: Duration,
    /// Whether another model was evicted for it.
    pub displaced: bool,
    /// Whether its promotion was reported.
    pub promoted: bool,
}

/// When a model was served last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LastServed {
    pub holder: EngineKind,
    pub model: String,
    pub at: Duration,
}

/// The ledger after `event` at `now`, and the effects to perform. `now` must not go back from one call to the next.
#[must_use]
pub fn decide(ledger: &Ledger, event: LedgerEvent, now: Duration) -> (Ledger, Vec<LedgerEffect>) {
    let mut next = ledger.clone();
    let effects = next.step(event, now);
    (next, effects)
}

impl Ledger {
    /// No model is resident, no claim waits.
    #[must_use]
    pub const fn new(terms: Terms) -> Self {
        Self {
            terms,
            slots: Vec::new(),
            waiting: Vec::new(),
            served: Vec::new(),
            leases: 0,
            arrivals: 0,
            without_card: Vec::new(),
            card_unused: Vec::new(),
            ending: false,
        }
    }

    /// The rules in force.
    #[must_use]
    pub const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Memory of the models in a place, bytes, including those being loaded or unloaded.
    #[must_use]
    pub fn used(&self, place: MemoryPlace) -> u64 {
        self.slots.iter().filter(|slot| slot.place == place).fold(0, |sum, slot| sum.saturating_add(slot.bytes))
    }

    /// Whether the models of an engine can live on a card, as far as the engine reported (GPU-6).
    #[must_use]
    pub fn can_use_card(&self, holder: EngineKind) -> bool {
        !self.without_card.contains(&holder) && !self.card_unused.contains(&holder)
    }

    /// Where a model of this size, in bytes, goes: by the rules, but in RAM if its engine can't use the card, or if the model exceeds the card's
    /// budget and RAM has a larger one (GPU-6).
    #[must_use]
    pub fn place_for(&self, holder: EngineKind, bytes: u64) -> MemoryPlace {
        let (card, ram) = (self.terms.budget(MemoryPlace::Card), self.terms.budget(MemoryPlace::Ram));
        match self.terms.place_of(holder) {
            MemoryPlace::Card if !self.can_use_card(holder) || (bytes > card && card < ram) => MemoryPlace::Ram,
            place => place,
        }
    }

    pub(super) fn slot(&self, holder: EngineKind) -> Option<&Resident> {
        self.slots.iter().find(|slot| slot.holder == holder)
    }

    pub(super) fn slot_mut(&mut self, holder: EngineKind) -> Option<&mut Resident> {
        self.slots.iter_mut().find(|slot| slot.holder == holder)
    }

    /// The holder of this lease.
    pub(super) fn leased(&self, lease: Lease) -> Option<EngineKind> {
        let of = |slot: &&Resident| slot.work().is_some_and(|work| work.lease == lease);
        self.slots.iter().find(of).map(|slot| slot.holder)
    }

    pub(super) fn last_served(&self, holder: EngineKind, model: &str) -> Option<Duration> {
        self.served.iter().find(|served| served.holder == holder && served.model == model).map(|served| served.at)
    }
}

impl Resident {
    pub const fn work(&self) -> Option<&ActiveLease> {
        match &self.state {
            SlotState::Working(work) => Some(work),
            SlotState::Idle { .. } | SlotState::Leaving { .. } | SlotState::Ending { .. } => None,
        }
    }

    /// Whether it is being unloaded or ended.
    pub const fn is_leaving(&self) -> bool {
        match self.state {
            SlotState::Leaving { .. } | SlotState::Ending { .. } => true,
            SlotState::Working(_) | SlotState::Idle { .. } => false,
        }
    }

    /// Whether a claim can work with the model that is loaded here.
    pub fn serves(&self, claim: &Claim, place: MemoryPlace) -> bool {
        !self.is_leaving() && self.model == claim.model && self.place == place && claim.bytes <= self.bytes
    }

    /// Whether it has the turn.
    pub fn has_turn(&self, now: Duration) -> bool {
        self.turn_until.is_some_and(|until| now < until)
    }
}

impl PendingClaim {
    pub fn waited(&self, now: Duration) -> Duration {
        now.saturating_sub(self.since)
    }
}
