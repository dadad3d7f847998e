//! The events of the ledger, and its effects.

use std::time::Duration;

use luna_messages::engine::EngineKind;
use luna_messages::gpu::{Claim, GpuRefusal, Grant, Lease, MemoryPlace, ResidencyOrder};
use luna_messages::{Lane, RequestId};

use super::placement::Terms;

/// An input of the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LedgerEvent {
    /// A claimant wants to work with a model.
    Claim(Claim),
    /// A claim is no longer wanted; if it was granted meanwhile, its lease ends.
    Withdraw(RequestId),
    /// A grant did not reach its claimant.
    Undelivered(Lease),
    /// A model is loaded.
    Loaded(Lease),
    /// Work is over, or loading was given up.
    Release(Lease),
    /// A holder reports the end of a residency, because it unloaded or its engine ended.
    Unloaded {
        holder: EngineKind,
        /// The lease under which the model was loaded.
        loaded_by: Lease,
    },
    /// Whether the programs of an engine were built for a graphics card (GPU-6).
    Ability {
        holder: EngineKind,
        /// Whether its models can live on the card.
        card: bool,
    },
    /// Where a loaded model lives, and its memory there, as its engine reports (GPU-6).
    Used {
        /// The lease under which it was loaded.
        loaded_by: Lease,
        /// Where it lives.
        place: MemoryPlace,
        /// Its memory, bytes.
        bytes: u64,
    },
    /// No program of that engine exists: observed, not reported. Ignored while the engine is to load, because it may not have been started yet.
    Gone(EngineKind),
    /// The rules changed.
    Terms(Terms),
    /// Time passed.
    Tick,
    /// Luna shuts down: all waiting and future claims are refused.
    End,
}

/// An action to perform; the actions of a step are performed in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LedgerEffect {
    /// Answer a claimant with a lease.
    Grant {
        /// The claim.
        id: RequestId,
        grant: Grant,
        lane: Lane,
        /// How long it waited.
        waited: Duration,
    },
    /// Answer a claimant with a refusal.
    Refuse {
        /// The claim.
        id: RequestId,
        why: GpuRefusal,
    },
    /// Send an order to a holder.
    Order {
        holder: EngineKind,
        order: ResidencyOrder,
        /// Whether a claim needs the memory or the engine; otherwise the model was idle for long, does not fit the budget, is in the wrong memory, or
        /// its load was given up.
        reclaim: bool,
    },
    /// End a holder's engine, which did not stop or unload in time. Repeated each grace period until the engine is gone.
    End { holder: EngineKind },
    /// A model was loaded under a lease whose residency counts as over. Whichever holder loaded it must unload it.
    RevokeStaleLoad { lease: Lease },
    /// Record a metric.
    Note(LedgerMetric),
}

/// A measurement for the metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LedgerMetric {
    /// A lease is over.
    LeaseEnded {
        holder: EngineKind,
        /// Time from the grant to the end of the lease.
        held_for: Duration,
    },
    /// A load starts.
    Load {
        holder: EngineKind,
        /// The memory that the model is loaded into.
        place: MemoryPlace,
    },
    /// A claim waited so long that it went before others.
    Promoted {
        /// The claim's own lane.
        lane: Lane,
    },
    /// A claim was withdrawn while it waited.
    Withdrawn,
}
