//! The order of claims, and which work gives way to which claim.

use std::time::Duration;

use luna_messages::Lane;

use super::ledger::{ActiveLease, Ledger, PendingClaim, Resident};

/// Promotion of a claim by its wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PromotionStage {
    Overdue,
    Ripe,
    Fresh,
}

/// The rank of a claim in one pass; the smallest is first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    not_overdue: bool,
    lane: Lane,
    /// Ripe before fresh; fresh with a resident model before fresh without.
    class: u8,
    /// Among ripe and overdue claims: whether it is not the model's turn.
    out_of_turn: bool,
    /// Among ripe and overdue claims: when its model was served last.
    served: Option<Duration>,
    arrival: u64,
}

impl Ledger {
    pub(super) fn stage(&self, waiting: &PendingClaim, now: Duration) -> PromotionStage {
        let waited = waiting.waited(now);
        if waited >= self.terms.wait_bound {
            PromotionStage::Overdue
        } else if waited >= self.terms.ripe_after() {
            PromotionStage::Ripe
        } else {
            PromotionStage::Fresh
        }
    }

    pub(super) fn rank(&self, waiting: &PendingClaim, now: Duration) -> Rank {
        let stage = self.stage(waiting, now);
        let claim = &waiting.claim;
        let place = self.place_for(claim.holder, claim.bytes);
        let slot = self.slot(claim.holder).filter(|slot| slot.serves(claim, place));
        let mut rank = Rank {
            not_overdue: stage != PromotionStage::Overdue,
            lane: claim.lane,
            class: 0,
            out_of_turn: false,
            served: None,
            arrival: waiting.arrival,
        };
        match stage {
            PromotionStage::Overdue | PromotionStage::Ripe => {
                // The lane of an overdue claim no longer counts.
                rank.lane = if stage == PromotionStage::Overdue { Lane::Reflex } else { claim.lane.min(Lane::Uia) };
                rank.out_of_turn = !slot.is_some_and(|slot| slot.has_turn(now));
                rank.served = self.last_served(claim.holder, &claim.model);
            }
            PromotionStage::Fresh => rank.class = if slot.is_some() { 1 } else { 2 },
        }
        rank
    }

    /// Whether the work on `slot` must stop for `waiting`.
    pub(super) fn gives_way(&self, slot: &Resident, work: &ActiveLease, waiting: &PendingClaim, now: Duration) -> bool {
        let turn = slot.has_turn(now);
        if turn && slot.immune && self.is_beginning(slot, now) {
            return false;
        }
        let lane = if turn { work.lane.min(Lane::Uia) } else { work.lane };
        if waiting.claim.lane < lane {
            return true;
        }
        if self.stage(waiting, now) != PromotionStage::Overdue {
            return false;
        }
        let same = slot.serves(&waiting.claim, self.place_for(waiting.claim.holder, waiting.claim.bytes))
            && slot.holder == waiting.claim.holder;
        if same { waiting.arrival < work.arrival } else { !turn }
    }

    /// Whether a model is loading, or has been loaded for less than the grace period.
    fn is_beginning(&self, slot: &Resident, now: Duration) -> bool {
        slot.loaded_at.is_none_or(|at| now < at + self.terms.order_timeout())
    }
}
