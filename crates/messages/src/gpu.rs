//! What the GpuToken actor hears, and what it asks of those who hold models (GPU-1 to GPU-5).

use serde::{Deserialize, Serialize};

use crate::engine::EngineKind;
use crate::{Lane, Message, Reply, RequestId};

/// Where a model lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryPlace {
    /// The memory of the graphics card.
    Card,
    /// The computer's memory.
    Ram,
}

impl MemoryPlace {
    /// The name used in metrics labels.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Card => "card",
            Self::Ram => "ram",
        }
    }
}

/// What an engine actor wants: a model in memory, for one piece of work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Names the claim, so that it can be withdrawn. Never used for another one.
    pub id: RequestId,
    /// Whose engine. An engine holds one model at a time and works on one job at a time.
    pub holder: EngineKind,
    /// The model's name.
    pub model: String,
    /// Memory that it needs, bytes. A claim that needs more than the model in memory was loaded with has it loaded anew.
    pub bytes: u64,
    /// How urgent the work is.
    pub lane: Lane,
}

/// The right to do one piece of work with a model. Numbers never come again, so that a late release of a revoked one changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Lease(pub u64);

/// A lease that was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grant {
    pub lease: Lease,
    /// The lease under which the model was or is to be loaded: what names this stay in memory. The same as `lease` where `load` is set.
    pub loaded_by: Lease,
    /// Where the model lives.
    pub place: MemoryPlace,
    /// Whether the model has to be loaded first; then `Loaded`, `Release` or `Unloaded` is expected. Otherwise the holder has it already.
    pub load: bool,
}

/// Why a claim was not granted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GpuRefusal {
    /// It never fits.
    #[error("The model {model} needs {needs_mb} MB, and the budget gpu.budget_mb is {budget_mb} MB.")]
    TooLarge {
        model: String,
        needs_mb: u64,
        /// What there is.
        budget_mb: u64,
    },
    /// This engine never waits for the token (GPU-5), or nobody said how it can be reached.
    #[error("The engine {engine} has no part in the token for memory; it starts by itself.")]
    NoPart { engine: &'static str },
    /// So many wait already that this one would have no good prospect (KER-4).
    #[error("{waiting} pieces of work wait for this model already; try again later.")]
    Crowded { waiting: usize },
    /// Luna ends.
    #[error("Luna ends.")]
    Ending,
}

/// What the token asks of the actor that holds a model. Who does not obey within `gpu.grace_ms` has its engine ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResidencyOrder {
    /// Stop the work under this lease at the next boundary (KER-6, GPU-2), loading included, and release it. For a lease that the holder does
    /// not know, it says `Release` at once.
    Stop { lease: Lease },
    /// Give the memory of the model that was loaded under this lease back, and say `Unloaded`. Comes when no lease is out. A holder that has
    /// no such model says `Unloaded` at once and touches nothing.
    Unload {
        /// The lease under which it was loaded.
        loaded_by: Lease,
    },
}

/// What the GpuToken actor hears.
///
/// What frees memory comes before what wants it. It is repeated as often as the token crashes on it: a lease whose end nobody heard of would block
/// its engine for ever, and a repeated one changes nothing. It counts also while the token is given up for a while (GPU-3).
#[derive(Debug, Message)]
pub enum GpuMessage {
    /// Somebody wants to work with a model. The answer may take long. Who no longer wants it says `Withdraw`.
    #[message(lane = Lane::Llm)]
    Acquire {
        claim: Claim,
        /// The answer.
        reply: Reply<Result<Grant, GpuRefusal>>,
    },
    /// The claim is not wanted any more, whether it waits or was granted meanwhile; then the lease is over. Late ones are ignored.
    // A withdrawal comes after what it withdraws, so both are in one lane.
    #[message(lane = Lane::Llm, retry = always, survives_restart)]
    Withdraw {
        /// The claim.
        id: RequestId,
    },
    /// The model of this lease is loaded; from now on another may be.
    #[message(lane = Lane::Uia, retry = always, survives_restart)]
    Loaded { lease: Lease },
    /// The work is over; the model stays for a while (GPU-4). Instead of `Loaded` it means that loading was given up; `ResidencyOrder::Unload`
    /// follows. Late and repeated ones are ignored.
    #[message(lane = Lane::Uia, retry = always, survives_restart)]
    Release { lease: Lease },
    /// The engine of that holder gave the memory of that stay back, or ended: nothing of it is resident and no lease on it counts (GPU-3).
    #[message(lane = Lane::Uia, retry = always, survives_restart)]
    Unloaded {
        holder: EngineKind,
        /// The lease under which the model was loaded, or was to be. One of an earlier stay changes nothing.
        loaded_by: Lease,
    },
    /// What the program of an engine was built for, told at each of its starts: whether its models can live on the graphics card (GPU-6).
    #[message(lane = Lane::Uia, retry = always, survives_restart)]
    Ability {
        holder: EngineKind,
        /// Whether it can use a card.
        card: bool,
    },
    /// What a loaded model really uses, as its engine reports; if it differs from what was granted, this counts (GPU-6).
    #[message(lane = Lane::Uia, retry = always, survives_restart)]
    Used {
        /// The lease under which it was loaded.
        loaded_by: Lease,
        /// Where it lives.
        place: MemoryPlace,
        /// How much of that memory it has, bytes.
        bytes: u64,
    },
    /// Who holds what.
    #[message(lane = Lane::Ocr)]
    Status {
        /// The answer.
        reply: Reply<GpuStatus>,
    },
    /// Time to look at deadlines.
    #[message(lane = Lane::Ocr, coalesce)]
    Tick,
}

/// What a model in memory is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResidentState {
    /// It is read into memory.
    Loading,
    /// It works under a lease.
    Working,
    /// Its work was asked to stop.
    Stopping,
    /// It waits for work.
    Idle,
    /// It was asked to leave.
    Leaving,
    /// It did not leave, and its program is being ended.
    Ending,
}

impl ResidentState {
    /// The name in what a person reads.
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

/// A model in memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResidentModel {
    pub holder: EngineKind,
    pub model: String,
    /// Its memory.
    pub mb: u64,
    /// Where it lives.
    pub place: MemoryPlace,
    pub state: ResidentState,
}

/// A memory that models live in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryPool {
    pub place: MemoryPlace,
    /// What models may have of it in all: `gpu.budget_mb`, or less if the machine has less.
    pub budget_mb: u64,
    /// What the models in it have.
    pub used_mb: u64,
}

/// Who holds what, for `luna doctor` and `luna ctl status`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GpuStatus {
    /// The card's name; `None`: without a card.
    pub card: Option<String>,
    /// Memory that language models may have: the budget on the card, or in RAM without one.
    pub budget_mb: u64,
    /// Both memories; the card's only if there is a card.
    pub pools: Vec<MemoryPool>,
    /// Models in memory.
    pub resident: Vec<ResidentModel>,
    pub waiting: usize,
}
