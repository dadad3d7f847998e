//! Performs the ledger's effects.

use luna_actor_runtime::metric_names::{
    GPU_CLAIMS, GPU_LEASE_DURATION, GPU_LOADS, GPU_PROMOTIONS, GPU_RECLAIMS, GPU_WAIT, claim_outcome, reclaim,
};
use luna_ledger::{LedgerEffect, LedgerEvent, LedgerMetric};
use luna_messages::engine::EngineKind;
use luna_messages::gpu::ResidencyOrder;

use crate::GpuActor;

impl GpuActor {
    /// Performs one effect, which was already removed from the list, so that the next incarnation does not repeat an effect that panics. If an order
    /// is lost in this way, its deadline ends the engine.
    pub(crate) fn perform(&self, effect: LedgerEffect) {
        match effect {
            LedgerEffect::Grant { id, grant, lane, waited } => {
                if self.dependencies.shared.deliver(id, grant) {
                    metrics::counter!(GPU_CLAIMS, "outcome" => claim_outcome::GRANTED).increment(1);
                    metrics::histogram!(GPU_WAIT, "lane" => lane.name()).record(waited.as_secs_f64());
                } else {
                    self.dependencies.shared.step(self.terms(), LedgerEvent::Undelivered(grant.lease));
                }
            }
            LedgerEffect::Refuse { id, why } => {
                metrics::counter!(GPU_CLAIMS, "outcome" => claim_outcome::REFUSED).increment(1);
                self.dependencies.shared.refuse(id, why);
            }
            LedgerEffect::Order { holder, order, reclaim } => {
                if reclaim {
                    count_reclaim(holder, reclaim::of(&order));
                }
                self.order(holder, order);
            }
            LedgerEffect::End { holder } => {
                count_reclaim(holder, reclaim::END);
                tracing::warn!(engine = holder.name(), "The engine did not stop in time and is ended.");
                if let Some(link) = self.dependencies.holders.get(&holder) {
                    (link.end)();
                }
            }
            LedgerEffect::RevokeStaleLoad { lease } => {
                // Only one holder can have this residency; the order changes nothing at the others.
                for link in self.dependencies.holders.values() {
                    (link.order)(ResidencyOrder::Unload { loaded_by: lease });
                }
            }
            LedgerEffect::Note(note) => count(note),
        }
    }

    fn order(&self, holder: EngineKind, order: ResidencyOrder) {
        if let Some(link) = self.dependencies.holders.get(&holder) {
            (link.order)(order);
        }
    }
}

fn count_reclaim(holder: EngineKind, how: &'static str) {
    metrics::counter!(GPU_RECLAIMS, "engine" => holder.name(), "how" => how).increment(1);
}

fn count(note: LedgerMetric) {
    match note {
        LedgerMetric::LeaseEnded { holder, held_for } => {
            metrics::histogram!(GPU_LEASE_DURATION, "engine" => holder.name()).record(held_for.as_secs_f64());
        }
        LedgerMetric::Load { holder, place } => {
            metrics::counter!(GPU_LOADS, "engine" => holder.name(), "place" => place.name()).increment(1);
        }
        LedgerMetric::Promoted { lane } => metrics::counter!(GPU_PROMOTIONS, "lane" => lane.name()).increment(1),
        LedgerMetric::Withdrawn => metrics::counter!(GPU_CLAIMS, "outcome" => claim_outcome::WITHDRAWN).increment(1),
    }
}
