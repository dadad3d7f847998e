//! One step per event.

use std::time::Duration;

use luna_messages::engine::EngineKind;
use luna_messages::gpu::{Claim, GpuRefusal, Lease, MemoryPlace};

use super::event::{LedgerEffect, LedgerEvent, LedgerMetric};
use super::ledger::{Ledger, PendingClaim, Resident, SlotState};
use super::order::PromotionStage;
use super::placement;

/// Maximum number of waiting claims for one model (KER-4), so that those for another are not crowded out. Holders work on one job at a time and keep
/// further work in bounded queues of their own.
const MAX_FOR_A_MODEL: usize = 64;

/// Maximum number of waiting claims in all.
const MAX_WAITING: usize = 512;

impl Ledger {
    /// Applies one event; the effects must be performed in order. `now` must not go back from one call to the next.
    #[must_use]
    pub fn step(&mut self, event: LedgerEvent, now: Duration) -> Vec<LedgerEffect> {
        let mut effects = Vec::new();
        match event {
            LedgerEvent::Claim(claim) => self.claim(claim, now, &mut effects),
            LedgerEvent::Withdraw(id) => {
                let before = self.waiting.len();
                self.waiting.retain(|waiting| waiting.claim.id != id);
                if self.waiting.len() < before {
                    effects.push(LedgerEffect::Note(LedgerMetric::Withdrawn));
                }
                let of = |slot: &&Resident| slot.work().is_some_and(|work| work.claim == id);
                let holder = self.slots.iter().find(of).map(|slot| slot.holder);
                self.release(holder, now, &mut effects);
            }
            LedgerEvent::Release(lease) => self.release(self.leased(lease), now, &mut effects),
            LedgerEvent::Undelivered(lease) => match self.leased(lease) {
                // The holder does not know that it was to load a model, so nothing was loaded.
                Some(holder) if self.slot(holder).is_some_and(|slot| slot.loading) => {
                    self.remove(holder, now, &mut effects);
                }
                holder => self.release(holder, now, &mut effects),
            },
            LedgerEvent::Loaded(lease) => self.loaded(lease, now, &mut effects),
            LedgerEvent::Unloaded { holder, loaded_by } => {
                if self.slot(holder).is_some_and(|slot| slot.loaded_by == loaded_by) {
                    self.remove(holder, now, &mut effects);
                }
            }
            LedgerEvent::Gone(holder) => {
                let to_load = |slot: &Resident| slot.loading && slot.work().is_some();
                if self.slot(holder).is_some_and(|slot| !to_load(slot)) {
                    self.remove(holder, now, &mut effects);
                }
            }
            LedgerEvent::Ability { holder, card } => {
                if card && self.without_card.contains(&holder) {
                    // A different program than before: the old one did not use the card, the new one may.
                    self.card_unused.retain(|it| *it != holder);
                }
                self.without_card.retain(|it| *it != holder);
                if !card {
                    self.without_card.push(holder);
                }
            }
            LedgerEvent::Used { loaded_by, place, bytes } => self.correct_usage(loaded_by, place, bytes),
            LedgerEvent::Terms(terms) => {
                if terms.card.is_some() != self.terms.card.is_some() {
                    self.card_unused.clear();
                }
                self.terms = terms;
            }
            LedgerEvent::Tick => {}
            LedgerEvent::End => self.ending = true,
        }
        self.apply_consequences(now, &mut effects);
        effects
    }

    fn claim(&mut self, claim: Claim, now: Duration, effects: &mut Vec<LedgerEffect>) {
        if !placement::may_claim_memory(claim.holder) {
            let why = GpuRefusal::UnknownHolder { engine: claim.holder.name() };
            effects.push(LedgerEffect::Refuse { id: claim.id, why });
            return;
        }
        let same = |waiting: &&PendingClaim| waiting.claim.holder == claim.holder && waiting.claim.model == claim.model;
        let for_it = self.waiting.iter().filter(same).count();
        if for_it >= MAX_FOR_A_MODEL || self.waiting.len() >= MAX_WAITING {
            let why = GpuRefusal::Crowded { waiting: for_it };
            effects.push(LedgerEffect::Refuse { id: claim.id, why });
            return;
        }
        self.arrivals += 1;
        let arrival = self.arrivals;
        self.waiting.push(PendingClaim { claim, arrival, since: now, displaced: false, promoted: false });
    }

    fn loaded(&mut self, lease: Lease, now: Duration, effects: &mut Vec<LedgerEffect>) {
        let Some(slot) = self.slots.iter_mut().find(|slot| slot.loaded_by == lease) else {
            // The residency counts as over. Unloading twice does no harm; an uncounted model would.
            effects.push(LedgerEffect::RevokeStaleLoad { lease });
            return;
        };
        if slot.loading && slot.work().is_some() {
            slot.loading = false;
            slot.loaded_at = Some(now);
        }
    }

    /// Corrects a model's place, and raises its size to what its engine reports (GPU-6). A smaller report frees nothing, because the engine may need
    /// the rest for its work. A report above the budget counts as the budget, so that the model can still be used alone.
    fn correct_usage(&mut self, loaded_by: Lease, place: MemoryPlace, bytes: u64) {
        let terms = self.terms;
        let Some(slot) = self.slots.iter_mut().find(|slot| slot.loaded_by == loaded_by) else { return };
        let holder = slot.holder;
        let unused = slot.place == MemoryPlace::Card && place == MemoryPlace::Ram;
        slot.place = place;
        slot.bytes = slot.bytes.max(bytes.min(terms.budget(place)));
        if unused && !self.card_unused.contains(&holder) {
            self.card_unused.push(holder);
        }
    }

    /// Ends the lease of that holder, if there is one.
    fn release(&mut self, holder: Option<EngineKind>, now: Duration, effects: &mut Vec<LedgerEffect>) {
        let Some(holder) = holder else { return };
        self.note_lease_ended(holder, now, effects);
        let Some(slot) = self.slot_mut(holder) else { return };
        if slot.loading {
            // After a load that was given up, a part of the model may still be in memory.
            self.unload(holder, false, now, effects);
        } else {
            slot.state = SlotState::Idle { since: now };
        }
    }

    /// Removes the residency of that holder; its memory is free.
    fn remove(&mut self, holder: EngineKind, now: Duration, effects: &mut Vec<LedgerEffect>) {
        self.note_lease_ended(holder, now, effects);
        self.slots.retain(|slot| slot.holder != holder);
    }

    fn note_lease_ended(&self, holder: EngineKind, now: Duration, effects: &mut Vec<LedgerEffect>) {
        if let Some(work) = self.slot(holder).and_then(Resident::work) {
            effects.push(LedgerEffect::Note(LedgerMetric::LeaseEnded {
                holder,
                held_for: now.saturating_sub(work.since),
            }));
        }
    }

    /// Applies everything that follows from the state and the time.
    fn apply_consequences(&mut self, now: Duration, effects: &mut Vec<LedgerEffect>) {
        self.note_promotions(now, effects);
        // Each ended or unloaded engine changes what the others can have, so rounds repeat until a round has no effect. Nothing happens twice.
        loop {
            let before = effects.len();
            let wanted = self.serve(now, effects);
            self.end_unresponsive_engines(&wanted, now, effects);
            self.unload_idle_models(now, effects);
            if effects.len() == before {
                break;
            }
        }
        let (slots, waiting) = (&self.slots, &self.waiting);
        self.served.retain(|served| {
            let same = |holder: EngineKind, model: &str| served.holder == holder && served.model == model;
            slots.iter().any(|slot| same(slot.holder, &slot.model))
                || waiting.iter().any(|waiting| same(waiting.claim.holder, &waiting.claim.model))
        });
    }

    fn note_promotions(&mut self, now: Duration, effects: &mut Vec<LedgerEffect>) {
        for index in 0..self.waiting.len() {
            let waiting = &self.waiting[index];
            if !waiting.promoted && self.stage(waiting, now) != PromotionStage::Fresh {
                effects.push(LedgerEffect::Note(LedgerMetric::Promoted { lane: waiting.claim.lane }));
                self.waiting[index].promoted = true;
            }
        }
    }

    /// GPU-2: after the grace period the engine is ended. Work that no claim waits for any more may go on.
    fn end_unresponsive_engines(&mut self, wanted: &[EngineKind], now: Duration, effects: &mut Vec<LedgerEffect>) {
        let late = |slot: &Resident| match &slot.state {
            SlotState::Working(work) => wanted.contains(&slot.holder) && work.stop.is_some_and(|until| until <= now),
            SlotState::Idle { .. } => false,
            SlotState::Leaving { until } | SlotState::Ending { until } => *until <= now,
        };
        let holders: Vec<EngineKind> = self.slots.iter().filter(|slot| late(slot)).map(|slot| slot.holder).collect();
        for holder in holders {
            self.note_lease_ended(holder, now, effects);
            let until = now + self.terms.order_timeout();
            if let Some(slot) = self.slot_mut(holder) {
                slot.state = SlotState::Ending { until };
            }
            effects.push(LedgerEffect::End { holder });
        }
    }

    /// Unloads models that were idle for long (GPU-4), and idle models that exceed the budget or are in the wrong memory.
    fn unload_idle_models(&mut self, now: Duration, effects: &mut Vec<LedgerEffect>) {
        let terms = self.terms;
        let mut idle: Vec<(Duration, EngineKind, MemoryPlace)> = Vec::new();
        for slot in &self.slots {
            if let SlotState::Idle { since } = slot.state {
                idle.push((since, slot.holder, slot.place));
            }
        }
        idle.sort_by_key(|(since, ..)| *since);
        for (since, holder, place) in idle {
            let staying = |slot: &&Resident| slot.place == place && !slot.is_leaving();
            let held_for = self.slots.iter().filter(staying).fold(0u64, |sum, slot| sum.saturating_add(slot.bytes));
            let misplaced = self.slot(holder).is_some_and(|slot| self.place_for(holder, slot.bytes) != place);
            if misplaced || held_for > terms.budget(place) || now >= since + terms.linger {
                self.unload(holder, false, now, effects);
            }
        }
    }

    /// When to step again if nothing happens before; always after `now`.
    #[must_use]
    pub fn wake_at(&self, now: Duration) -> Option<Duration> {
        let terms = &self.terms;
        let claims = self
            .waiting
            .iter()
            .flat_map(|waiting| [waiting.since + terms.ripe_after(), waiting.since + terms.wait_bound]);
        let slots = self.slots.iter().flat_map(|slot| {
            let state = match &slot.state {
                SlotState::Working(work) => work.stop,
                SlotState::Idle { since } => Some(*since + terms.linger),
                SlotState::Leaving { until } | SlotState::Ending { until } => Some(*until),
            };
            let beginning = slot.loaded_at.filter(|_| slot.immune).map(|at| at + terms.grace);
            [state, slot.turn_until, beginning].into_iter().flatten()
        });
        claims.chain(slots).filter(|at| *at > now).min()
    }
}
