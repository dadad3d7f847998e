//! What can happen to the ledger, and what is to be done about it.

use std::time::Duration;

use luna_messages::engine::EngineKind;
use luna_messages::gpu::{Claim, GpuRefusal, Grant, Lease, MemoryPlace, ResidencyOrder};
use luna_messages::{Lane, RequestId};

use super::placement::Terms;

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LedgerEvent {
    /// Somebody wants to work with a model.
    Claim(Claim),
    /// A claim is not wanted any more; granted meanwhile, its lease is over.
    Withdraw(RequestId),
    /// A grant did not reach who asked for it.
    Undelivered(Lease),
    /// A model is loaded.
    Loaded(Lease),
    /// Work is over, or loading was given up.
    Release(Lease),
    /// A holder says that a stay in memory is over, because it unloaded or its engine ended.
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
    /// Where a loaded model lives, and how much it has of that memory, as its engine reports (GPU-6).
    Used {
        /// The lease under which it was loaded.
        loaded_by: Lease,
        /// Where it lives.
        place: MemoryPlace,
        /// Its memory, bytes.
        bytes: u64,
    },
    /// No program of that engine is there: seen, not told. Says nothing while the engine is to load, because it may not have been started yet.
    Gone(EngineKind),
    /// The rules changed.
    Terms(Terms),
    /// Time went on.
    Tick,
    /// Luna ends: all that wait are refused, and all that come.
    End,
}

/// What to do, in this order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LedgerEffect {
    /// Tell the claimant.
    Grant {
        /// Which claim.
        id: RequestId,
        /// What it got.
        grant: Grant,
        lane: Lane,
        /// How long it waited.
        waited: Duration,
    },
    /// Tell the claimant.
    Refuse {
        /// Which claim.
        id: RequestId,
        why: GpuRefusal,
    },
    /// Tell a holder.
    Order {
        holder: EngineKind,
        order: ResidencyOrder,
        /// Whether somebody else needs what it has; otherwise its time is over.
        reclaim: bool,
    },
    /// End a holder's engine: it did not obey in time. Comes again each grace period until the engine is gone.
    End { holder: EngineKind },
    /// Somebody loaded a model under a lease that was revoked. Whoever it is must unload that stay.
    RevokeStaleLoad { lease: Lease },
    /// For the metrics.
    Note(LedgerMetric),
}

/// What the metrics want to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LedgerMetric {
    /// A lease is over.
    LeaseEnded {
        holder: EngineKind,
        /// From grant to end.
        held_for: Duration,
    },
    /// A load begins.
    Load {
        holder: EngineKind,
        /// Where to.
        place: MemoryPlace,
    },
    /// A claim waited for so long that it went before others.
    Promoted {
        /// The lane that it has by itself.
        lane: Lane,
    },
    /// A claim was withdrawn while it waited.
    Withdrawn,
}
