//! Messages of the GpuToken actor, and its orders to lease holders (GPU-1 to GPU-5).

use serde::{Deserialize, Serialize};

use crate::engine::EngineKind;
use crate::{Lane, Message, Reply, RequestId};

/// The memory that a model is loaded into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryPlace {
    /// The memory of the graphics card.
    Card,
    /// The computer's main memory.
    Ram,
}

impl MemoryPlace {
    /// The name in metrics labels.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Card => "card",
            Self::Ram => "ram",
        }
    }
}

/// An engine actor's request for a model in memory, for one piece of work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Identifies the claim in [`GpuMessage::Withdraw`]; never reused.
    pub id: RequestId,
    /// The engine that loads the model. An engine has one model and one job at a time.
    pub holder: EngineKind,
    pub model: String,
    /// Memory that the work needs, in bytes. If the model is loaded with less, it is reloaded.
    pub bytes: u64,
    /// The urgency of the work.
    pub lane: Lane,
}

/// The right to do one piece of work with a model. Numbers are never reused, so a late release of a revoked lease changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Lease(pub u64);

/// A granted claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grant {
    pub lease: Lease,
    /// The lease under which the model was or will be loaded; it names this residency. Equal to `lease` if `load` is set.
    pub loaded_by: Lease,
    pub place: MemoryPlace,
    /// Whether the holder must load the model first and report `Loaded`, `Release` or `Unloaded`. Otherwise the model is already loaded.
    pub load: bool,
}

/// Why a claim was not granted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GpuRefusal {
    /// The model never fits.
    #[error("The model {model} needs {needs_mb} MB, and the budget gpu.budget_mb is {budget_mb} MB.")]
    TooLarge { model: String, needs_mb: u64, budget_mb: u64 },
    /// The engine never needs a lease (GPU-5), or the token cannot send it orders.
    #[error("The engine {engine} has no part in the token for memory; it starts by itself.")]
    UnknownHolder { engine: &'static str },
    /// Too many claims are waiting (KER-4).
    #[error("{waiting} pieces of work wait for this model already; try again later.")]
    Crowded { waiting: usize },
    /// Luna is shutting down.
    #[error("Luna ends.")]
    Ending,
}

/// The token's order to a lease holder. The token ends the engine of a holder that does not comply within `gpu.grace_ms`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResidencyOrder {
    /// Stop the work under this lease, loading included, at the next boundary (KER-6, GPU-2) and release it. The holder answers `Release` at once
    /// to a lease that it does not know.
    Stop { lease: Lease },
    /// Free the memory of the model that was loaded under this lease and report `Unloaded`. Sent only while no lease is granted. A holder without
    /// that model reports `Unloaded` at once and changes nothing.
    Unload { loaded_by: Lease },
}

/// Messages of the GpuToken actor.
///
/// Reports of holders (`Loaded` to `Used`) have a higher lane than claims, because some of them free memory. Reports and `Withdraw` are retried
/// however often the token crashes on them: a lost release would block its engine forever, and a repeated one changes nothing. They are also
/// accepted while the supervisor has given up on the token (GPU-3).
#[derive(Debug, Message)]
pub enum GpuMessage {
    /// Claims a model. The reply may take long; `Withdraw` cancels the claim.
    #[message(lane = Lane::Llm)]
    Acquire { claim: Claim, reply: Reply<Result<Grant, GpuRefusal>> },
    /// Cancels a claim that waits, and ends the lease of a claim that was granted meanwhile. Ignored if it comes late.
    // The lane of `Acquire`, so that a withdrawal never overtakes its claim.
    #[message(lane = Lane::Llm, retry = always, survives_restart)]
    Withdraw { id: RequestId },
    /// The model of this lease is loaded, so that the next load may begin.
    #[message(lane = Lane::Uia, retry = always, survives_restart)]
    Loaded { lease: Lease },
    /// The work is over; the model stays loaded for `gpu.linger_ms` (GPU-4). In place of `Loaded` it means that loading was abandoned, and
    /// `ResidencyOrder::Unload` follows. Ignored if late or repeated.
    #[message(lane = Lane::Uia, retry = always, survives_restart)]
    Release { lease: Lease },
    /// The engine freed the memory of that residency, or ended: the model is no longer resident and leases on it are void (GPU-3).
    #[message(lane = Lane::Uia, retry = always, survives_restart)]
    Unloaded {
        holder: EngineKind,
        /// The lease under which the model was loaded, or should have been. A lease of an earlier residency changes nothing.
        loaded_by: Lease,
    },
    /// Whether an engine's program can load models onto the graphics card (GPU-6); reported at each of its starts.
    #[message(lane = Lane::Uia, retry = always, survives_restart)]
    Ability { holder: EngineKind, card: bool },
    /// The memory that a loaded model really uses, as its engine reports; it replaces the granted estimate (GPU-6).
    #[message(lane = Lane::Uia, retry = always, survives_restart)]
    Used { loaded_by: Lease, place: MemoryPlace, bytes: u64 },
    /// Asks which models are in memory.
    #[message(lane = Lane::Ocr)]
    Status { reply: Reply<GpuStatus> },
    /// Checks deadlines.
    #[message(lane = Lane::Ocr, coalesce)]
    Tick,
}

/// The state of a model in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResidentState {
    Loading,
    /// Works under a lease.
    Working,
    /// Its work was ordered to stop.
    Stopping,
    /// Loaded, without work.
    Idle,
    /// Ordered to unload.
    Leaving,
    /// Did not unload in time, so its program is being ended.
    Ending,
}

impl ResidentState {
    /// The name in status output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loading => "loading",
            Self::Working => "working",
            Self::Stopping => "stopping",
            Self::Idle => "idle",
            Self::Leaving => "leaving",
            Self::Ending => "ending",
        }
    }
}

/// A loaded model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResidentModel {
    pub holder: EngineKind,
    pub model: String,
    /// Memory that it uses.
    pub mb: u64,
    pub place: MemoryPlace,
    pub state: ResidentState,
}

/// The card's memory or RAM, with its budget and use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryPool {
    pub place: MemoryPlace,
    /// Memory for all models together: `gpu.budget_mb`, or less if the machine has less.
    pub budget_mb: u64,
    /// Memory of the models in it.
    pub used_mb: u64,
}

/// Models in memory and pending claims, for `luna doctor` and `luna ctl status`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GpuStatus {
    /// The card's name; `None` without a card.
    pub card: Option<String>,
    /// Memory for language models: on the card, or in RAM without a card.
    pub budget_mb: u64,
    /// RAM, and the card's memory if there is a card.
    pub pools: Vec<MemoryPool>,
    pub resident: Vec<ResidentModel>,
    /// Pending claims.
    pub waiting: usize,
}
