//! What the endpoint and its clients say to each other, as JSON: commands, how Luna is, and memory for the models of other processes.

use luna_messages::capability::{Capability, CapabilityState};
use luna_messages::control::Command;
use luna_messages::engine::EngineKind;
use luna_messages::gpu::{GpuStatus, MemoryPlace};
use serde::{Deserialize, Serialize};

/// A command to obey.
#[derive(Debug, Serialize, Deserialize)]
pub struct CommandRequest {
    pub command: Command,
}

/// Why a command, or a stream of events, is not taken (KER-4).
#[derive(Debug, Serialize, Deserialize)]
pub struct Refusal {
    /// Constant, for programs: `busy` may be tried again in a moment, `closed` only once Luna runs as it should.
    pub error: String,
    /// One sentence for people.
    pub reason: String,
}

/// How Luna is.
#[derive(Debug, Serialize, Deserialize)]
pub struct Status {
    /// Version of the program.
    pub version: String,
    /// Process id.
    pub process: u32,
    /// Actors with their state.
    pub actors: Vec<ActorStatus>,
    /// What works and what doesn't.
    pub capabilities: Vec<CapabilityStatus>,
    /// Which models are in memory and how many wait for some (GPU-1); `None` if the part that shares it out gives no answer now.
    pub memory: Option<GpuStatus>,
    /// How long the stages of a wish take (MET-4); empty if nothing was recorded.
    #[serde(default)]
    pub stages: Vec<StageStatus>,
    /// The hot keys, and which of them could not be had (SES-6).
    #[serde(default)]
    pub hot_keys: Vec<HotKeyStatus>,
    /// The newest warnings, without any text of the screen.
    pub recent_log: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct ActorStatus {
    /// Its name.
    pub actor: String,
    /// `running`, `restarting`, `degraded` or `stopped`.
    pub state: String,
    /// How often it was started again.
    pub restarts: u64,
    /// Messages that wait, by lane from Reflex to Llm.
    pub depth: [usize; 5],
}

#[derive(Debug, Serialize, Deserialize)]
pub struct CapabilityStatus {
    pub capability: Capability,
    #[serde(flatten)]
    pub state: CapabilityState,
}

/// A stage that was recorded, and its budget.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StageStatus {
    /// Its name.
    pub stage: String,
    /// What 95 of 100 are to keep within, in milliseconds.
    pub budget_ms: f64,
    /// How often it was recorded; fewer than it happened where `metrics.sample_rate` is below 1.
    pub count: u64,
    /// Half of them took at most this, in milliseconds; guessed between the bounds of the buckets.
    pub p50_ms: f64,
    /// 95 of 100 took at most this, in milliseconds.
    pub p95_ms: f64,
    /// Share that kept within the budget, 0 to 1; counted, since each budget is a bound of the buckets.
    pub within: f64,
}

impl StageStatus {
    /// Whether 95 of 100 kept within the budget.
    #[must_use]
    pub fn keeps_budget(&self) -> bool {
        self.within >= 0.95
    }
}

/// One hot key, for `luna ctl status` and `luna doctor`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HotKeyStatus {
    /// What it orders.
    pub command: Command,
    /// The key as configured, such as `ctrl+alt+l`.
    pub key: String,
    /// Whether Luna has it.
    pub held: bool,
    /// Why not.
    pub reason: Option<String>,
    /// Another key that is free.
    pub proposal: Option<String>,
}

impl HotKeyStatus {
    /// What to do if it can't be had.
    #[must_use]
    pub fn remedy(&self) -> String {
        let name = self.command.name();
        match &self.proposal {
            Some(other) => format!("Set control.hot_keys.{name} to {other}, which is free."),
            None => format!("Set control.hot_keys.{name} to another key."),
        }
    }
}

/// The newest traces, oldest first (KER-12).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traces {
    /// Each with the way that it went.
    pub traces: Vec<TraceStatus>,
}

/// The way of one thing that the person asked for. Numbers and constants only (PRV-2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceStatus {
    /// Its number, as the lines of the log carry it.
    pub id: u64,
    /// What it began with: `hot_key`, `command`, `pointer`, `escape` or `start`.
    pub origin: String,
    /// How long ago it began, in milliseconds.
    pub ago_ms: u64,
    /// By whom it came. The first ones may be missing: only the newest hops of all traces are kept.
    pub hops: Vec<HopStatus>,
}

/// One stop on the way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HopStatus {
    /// Who had it.
    pub actor: String,
    /// The kind of the message, or a mark such as `first_sound`.
    pub what: String,
    /// Lane of the message; none for a mark.
    pub lane: Option<String>,
    /// From the beginning until it was handled, in microseconds.
    pub after_us: u64,
    /// How long it waited in the inbox, in microseconds.
    pub waited_us: u64,
    /// How long it was handled, in microseconds.
    pub took_us: u64,
}

/// What a process wants memory for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeaseRequest {
    pub holder: EngineKind,
    pub model: String,
    /// What it needs, bytes.
    pub bytes: u64,
    pub process: u32,
    /// How long it waits for the memory, in milliseconds.
    pub patience_ms: u64,
}

/// What it is told, one JSON object a line; empty lines between.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "lease", rename_all = "snake_case")]
pub enum LeaseLine {
    /// It has the memory, until the connection ends.
    Granted {
        /// Where the model is to live.
        place: MemoryPlace,
    },
    /// It does not get it.
    Refused {
        /// Why, a full sentence.
        why: String,
    },
    /// More urgent work needs the memory: the connection is to be ended at once.
    Stop,
}
