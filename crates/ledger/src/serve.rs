//! One pass over the waiting claims: grant what can be granted, and make memory free for the rest.

use std::time::Duration;

use luna_messages::engine::EngineKind;
use luna_messages::gpu::{GpuRefusal, Grant, Lease, MemoryPlace, ResidencyOrder};

use super::event::{LedgerEffect, LedgerMetric};
use super::eviction::EvictionCandidate;
use super::ledger::{ActiveLease, LastServed, Ledger, PendingClaim, Resident, SlotState};
use super::order::PromotionStage;

/// Bytes in a megabyte as the configuration means it.
const MB: u64 = 1 << 20;

/// What claims earlier in the order have reserved.
struct ReservedMemory {
    /// Engines that later claims may not touch.
    reserved: Vec<EngineKind>,
    /// Engines that must stop or unload for a claim.
    wanted: Vec<EngineKind>,
    /// Memory in use once all planned evictions and loads have happened, by [`MemoryPlace`] index.
    planned: [u64; 2],
    /// Memory, by [`MemoryPlace`] index, that an earlier claim can't get yet; no later claim may take from it.
    closed: [bool; 2],
    /// An overdue claim loads next.
    load_reserved: bool,
}

/// What a claim can have now.
enum ClaimDecision {
    /// The model is resident and idle.
    Use,
    /// The model must be loaded: there is enough memory, and no other model loads.
    Load,
    /// Nothing yet.
    Wait,
}

impl Ledger {
    /// Serves all claims that can be served. Returns the engines that must stop or unload for a claim.
    pub(super) fn serve(&mut self, now: Duration, effects: &mut Vec<LedgerEffect>) -> Vec<EngineKind> {
        self.refuse_impossible_claims(effects);
        if self.ending {
            return Vec::new();
        }
        // Each round ends with a grant, and each grant takes an engine: at most as many rounds as engines, plus one.
        loop {
            let mut order: Vec<usize> = (0..self.waiting.len()).collect();
            order.sort_by_cached_key(|&index| self.rank(&self.waiting[index], now));
            let mut plan = self.plan();
            let mut granted = false;
            for index in order {
                match self.decide_claim(index, &mut plan, now, effects) {
                    ClaimDecision::Use => self.grant(index, false, now, effects),
                    ClaimDecision::Load => self.grant(index, true, now, effects),
                    ClaimDecision::Wait => continue,
                }
                granted = true;
                break;
            }
            if !granted {
                return plan.wanted;
            }
        }
    }

    fn plan(&self) -> ReservedMemory {
        let staying = |place| {
            let of = self.slots.iter().filter(|slot| slot.place == place && !slot.is_leaving());
            of.fold(0u64, |sum, slot| sum.saturating_add(slot.bytes))
        };
        ReservedMemory {
            reserved: Vec::new(),
            wanted: Vec::new(),
            planned: [staying(MemoryPlace::Card), staying(MemoryPlace::Ram)],
            closed: [false; 2],
            load_reserved: false,
        }
    }

    fn refuse_impossible_claims(&mut self, effects: &mut Vec<LedgerEffect>) {
        let mut waiting = std::mem::take(&mut self.waiting);
        let ending = self.ending;
        waiting.retain(|waiting| {
            let claim = &waiting.claim;
            let budget = self.terms.budget(self.place_for(claim.holder, claim.bytes));
            let why = if ending {
                GpuRefusal::Ending
            } else if claim.bytes > budget {
                GpuRefusal::TooLarge {
                    model: claim.model.clone(),
                    needs_mb: claim.bytes.div_ceil(MB),
                    budget_mb: budget / MB,
                }
            } else {
                return true;
            };
            effects.push(LedgerEffect::Refuse { id: claim.id, why });
            false
        });
        self.waiting = waiting;
    }

    /// What the claim can have now. If it must wait, evicts models for it and reserves that memory against later claims.
    fn decide_claim(
        &mut self,
        index: usize,
        plan: &mut ReservedMemory,
        now: Duration,
        effects: &mut Vec<LedgerEffect>,
    ) -> ClaimDecision {
        if plan.reserved.contains(&self.waiting[index].claim.holder) {
            return ClaimDecision::Wait;
        }
        let waiting = self.waiting[index].clone();
        let claim = &waiting.claim;
        let place = self.place_for(claim.holder, claim.bytes);
        let Some(slot) = self.slot(claim.holder) else {
            return self.find_eviction(index, &waiting, None, plan, now, effects);
        };
        if !slot.serves(claim, place) {
            let own = self.eviction_candidate(slot, &waiting, now);
            return self.find_eviction(index, &waiting, own, plan, now, effects);
        }
        match &slot.state {
            SlotState::Idle { .. } => ClaimDecision::Use,
            SlotState::Working(work) => {
                let stops = self.gives_way(slot, work, &waiting, now);
                plan.reserved.push(claim.holder);
                if stops {
                    plan.wanted.push(claim.holder);
                    self.stop(claim.holder, now, effects);
                }
                ClaimDecision::Wait
            }
            SlotState::Leaving { .. } | SlotState::Ending { .. } => ClaimDecision::Wait,
        }
    }

    /// Decides about a claim whose model must be loaded, and evicts models for it. `own` is its engine's present model, which must be evicted first.
    fn find_eviction(
        &mut self,
        index: usize,
        waiting: &PendingClaim,
        own: Option<EvictionCandidate>,
        plan: &mut ReservedMemory,
        now: Duration,
        effects: &mut Vec<LedgerEffect>,
    ) -> ClaimDecision {
        let claim = &waiting.claim;
        let place = self.place_for(claim.holder, claim.bytes);
        let pool = place as usize;
        let overdue = self.stage(waiting, now) == PromotionStage::Overdue;
        if plan.closed[pool] {
            plan.reserved.push(claim.holder);
            return ClaimDecision::Wait;
        }
        if let Some(own) = own {
            let own_place = self.slot(claim.holder).map_or(place, |slot| slot.place);
            plan.planned[own_place as usize] = plan.planned[own_place as usize].saturating_sub(own.bytes);
        }
        plan.reserved.push(claim.holder);
        let after = plan.planned[pool].saturating_add(claim.bytes);
        let missing = after.saturating_sub(self.terms.budget(place));
        let Some(mut eviction_candidates) = self.eviction_candidates(waiting, place, missing, &plan.reserved, now)
        else {
            plan.closed[pool] = true;
            return ClaimDecision::Wait;
        };
        let freed = eviction_candidates
            .iter()
            .fold(0u64, |sum, eviction_candidate| sum.saturating_add(eviction_candidate.bytes));
        plan.planned[pool] = after.saturating_sub(freed);
        eviction_candidates.extend(own);
        plan.reserved.extend(eviction_candidates.iter().map(|eviction_candidate| eviction_candidate.holder));
        if eviction_candidates.iter().all(EvictionCandidate::is_cooperative) {
            for eviction_candidate in &eviction_candidates {
                plan.wanted.push(eviction_candidate.holder);
                self.evict(eviction_candidate.holder, now, effects);
            }
            if !eviction_candidates.is_empty() {
                self.waiting[index].displaced = true;
            }
        }
        let fits = self.used(place).saturating_add(claim.bytes) <= self.terms.budget(place);
        let load_free = !plan.load_reserved;
        plan.load_reserved |= overdue;
        if !eviction_candidates.is_empty() || !fits || self.slot(claim.holder).is_some() || !load_free {
            return ClaimDecision::Wait;
        }
        let loading = self.slots.iter().find(|slot| slot.loading);
        let Some(loading) = loading else { return ClaimDecision::Load };
        // It fits, but another model loads; a load that gives way is given up (GPU-2).
        if let Some(eviction_candidate) =
            self.eviction_candidate(loading, waiting, now).filter(EvictionCandidate::is_cooperative)
        {
            plan.wanted.push(eviction_candidate.holder);
            self.evict(eviction_candidate.holder, now, effects);
        }
        ClaimDecision::Wait
    }

    fn grant(&mut self, index: usize, load: bool, now: Duration, effects: &mut Vec<LedgerEffect>) {
        let stage = self.stage(&self.waiting[index], now);
        let waiting = self.waiting.remove(index);
        let waited = waiting.waited(now);
        let claim = waiting.claim;
        let place = self.place_for(claim.holder, claim.bytes);
        self.leases += 1;
        let lease = Lease(self.leases);
        let work =
            ActiveLease { lease, claim: claim.id, lane: claim.lane, arrival: waiting.arrival, since: now, stop: None };
        self.served.retain(|served| (served.holder, served.model.as_str()) != (claim.holder, claim.model.as_str()));
        self.served.push(LastServed { holder: claim.holder, model: claim.model.clone(), at: now });
        if load {
            let turn = waiting.displaced && stage != PromotionStage::Fresh;
            self.slots.push(Resident {
                holder: claim.holder,
                model: claim.model,
                bytes: claim.bytes,
                place,
                loaded_by: lease,
                loading: true,
                loaded_at: None,
                turn_until: turn.then(|| now + self.terms.turn()),
                immune: turn && stage == PromotionStage::Overdue,
                state: SlotState::Working(work),
            });
            effects.push(LedgerEffect::Note(LedgerMetric::Load { holder: claim.holder, place }));
        } else if let Some(slot) = self.slot_mut(claim.holder) {
            slot.state = SlotState::Working(work);
        }
        let loaded_by = self.slot(claim.holder).map_or(lease, |slot| slot.loaded_by);
        let grant = Grant { lease, loaded_by, place, load };
        effects.push(LedgerEffect::Grant { id: claim.id, grant, lane: claim.lane, waited });
    }

    /// Stops the work on a model, or unloads an idle model.
    fn evict(&mut self, holder: EngineKind, now: Duration, effects: &mut Vec<LedgerEffect>) {
        match self.slot(holder).map(|slot| &slot.state) {
            Some(SlotState::Idle { .. }) => self.unload(holder, true, now, effects),
            Some(SlotState::Working(_)) => self.stop(holder, now, effects),
            Some(SlotState::Leaving { .. } | SlotState::Ending { .. }) | None => {}
        }
    }

    fn stop(&mut self, holder: EngineKind, now: Duration, effects: &mut Vec<LedgerEffect>) {
        let until = now + self.terms.order_timeout();
        let Some(slot) = self.slot_mut(holder) else { return };
        if let SlotState::Working(work) = &mut slot.state
            && work.stop.is_none()
        {
            work.stop = Some(until);
            let order = ResidencyOrder::Stop { lease: work.lease };
            effects.push(LedgerEffect::Order { holder, order, reclaim: true });
        }
    }

    /// Orders a holder to unload. Its memory counts as taken until it reports that it did.
    pub(super) fn unload(&mut self, holder: EngineKind, reclaim: bool, now: Duration, effects: &mut Vec<LedgerEffect>) {
        let until = now + self.terms.order_timeout();
        if let Some(slot) = self.slot_mut(holder) {
            slot.state = SlotState::Leaving { until };
            let order = ResidencyOrder::Unload { loaded_by: slot.loaded_by };
            effects.push(LedgerEffect::Order { holder, order, reclaim });
        }
    }
}
