//! The JSON protocol of the endpoint and its clients: commands, state of Luna, and memory leases for other processes.

use luna_config::speech::HoldKey;
use luna_focus::silence::SilenceSettings;
use luna_messages::capability::{Capability, CapabilityState};
use luna_messages::control::Command;
use luna_messages::engine::EngineKind;
use luna_messages::gpu::{GpuStatus, MemoryPlace};
use serde::{Deserialize, Serialize};

/// Body of `POST /command`.
#[derive(Debug, Serialize, Deserialize)]
pub struct CommandRequest {
    pub command: Command,
}

/// Body of `POST /say-to`.
#[derive(Debug, Serialize, Deserialize)]
pub struct SayToRequest {
    /// The words, as a final transcript.
    pub text: String,
}

/// Body of `POST /do` and `POST /answer`.
#[derive(Debug, Serialize, Deserialize)]
pub struct OrderRequest {
    /// The order or the answer, as it would be said.
    pub text: String,
}

/// Body of `POST /tools/call`. Its debug output leaves the arguments out (PRV-2).
#[derive(Serialize, Deserialize)]
pub struct ToolCallRequest {
    /// The name of the tool.
    pub name: String,
    #[serde(default)]
    pub arguments: serde_json::Value,
}

/// Why a command or a stream of events is refused (KER-4).
#[derive(Debug, Serialize, Deserialize)]
pub struct Refusal {
    /// Constant, for programs: retry soon after `busy`; after `closed` only when Luna runs normally again.
    pub error: String,
    /// Explanation for people, one sentence.
    pub reason: String,
}

/// State of the running Luna, the answer to `GET /status`.
#[derive(Debug, Serialize, Deserialize)]
pub struct Status {
    /// Version of the program.
    pub version: String,
    /// Process id.
    pub process: u32,
    /// State of each actor.
    pub actors: Vec<ActorStatus>,
    /// State of each capability.
    pub capabilities: Vec<CapabilityStatus>,
    /// Models in memory and waiting claims (GPU-1); `None` if the GpuToken actor does not answer.
    pub memory: Option<GpuStatus>,
    /// Durations of the stages of a request (MET-4); empty if nothing was recorded.
    #[serde(default)]
    pub stages: Vec<StageStatus>,
    /// The hot keys, and which of them are unavailable (SES-6).
    #[serde(default)]
    pub hot_keys: Vec<HotKeyStatus>,
    /// The keys that silence or are held to speak (ATT-6, VOI-1).
    #[serde(default)]
    pub silence: SilenceStatus,
    /// The newest warnings, without screen text.
    pub recent_log: Vec<String>,
}

/// State of an actor in `luna ctl status`.
#[derive(Debug, Serialize, Deserialize)]
pub struct ActorStatus {
    pub actor: String,
    /// `running`, `restarting`, `degraded` or `stopped`.
    pub state: String,
    /// Number of restarts.
    pub restarts: u64,
    /// Waiting messages by lane, from Reflex to Llm.
    pub depth: [usize; 5],
}

/// State of a capability in `luna ctl status`, with its reason and remedy.
#[derive(Debug, Serialize, Deserialize)]
pub struct CapabilityStatus {
    pub capability: Capability,
    #[serde(flatten)]
    pub state: CapabilityState,
}

/// Durations of a stage, and its budget.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StageStatus {
    /// Name of the stage.
    pub stage: String,
    /// Budget of the 95th percentile, in milliseconds.
    pub budget_ms: f64,
    /// Number of observations; fewer than events if `metrics.sample_rate` is below 1.
    pub count: u64,
    /// Median in milliseconds, interpolated within a bucket.
    pub p50_ms: f64,
    /// 95th percentile in milliseconds.
    pub p95_ms: f64,
    /// Share within the budget, 0 to 1; exact, since each budget is a bucket bound.
    pub within: f64,
}

impl StageStatus {
    /// Whether at least 95 % of the observations were within the budget.
    #[must_use]
    pub fn keeps_budget(&self) -> bool {
        self.within >= 0.95
    }
}

/// One hot key, for `luna ctl status` and `luna doctor`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HotKeyStatus {
    /// The command that the key triggers.
    pub command: Command,
    /// The key as configured, such as `ctrl+alt+super+o`.
    pub key: String,
    /// Whether Luna has grabbed it.
    pub held: bool,
    /// Why Luna could not grab it.
    pub reason: Option<String>,
    /// A free key to use instead.
    pub proposal: Option<String>,
}

/// The keys that silence speech or are held to speak, and that the application gets, too (ATT-6, VOI-1).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SilenceStatus {
    /// Whether a tap of Ctrl alone silences.
    pub ctrl_tap: bool,
    /// Whether any key does.
    pub any_key: bool,
    /// The key that is held while speaking, as the configuration names it; `None` if commands are said without one (VOI-1).
    #[serde(default)]
    pub talk_key: Option<HoldKey>,
    /// Why the keyboard can't be observed, if one of them is on.
    pub reason: Option<String>,
}

impl SilenceStatus {
    /// The state of configured keys.
    #[must_use]
    pub const fn of(settings: SilenceSettings, talk_key: Option<HoldKey>, reason: Option<String>) -> Self {
        Self { ctrl_tap: settings.ctrl_tap, any_key: settings.any_key, talk_key, reason }
    }
}

impl HotKeyStatus {
    /// What to do if the key is unavailable.
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
    /// Traces with their hops.
    pub traces: Vec<TraceStatus>,
}

/// The trace of one request of the person. Numbers and constants only (PRV-2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceStatus {
    /// Number of the trace, as in the log.
    pub id: u64,
    /// Origin: `hot_key`, `command`, `pointer`, `escape`, `start`, `voice`, `say_to`, `do`, `answer`, `tool` or a key that silences or is held.
    pub origin: String,
    /// Age in milliseconds.
    pub ago_ms: u64,
    /// Hops in order. The first may be missing: only the newest hops of all traces are kept.
    pub hops: Vec<HopStatus>,
}

/// A message or mark of a trace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HopStatus {
    /// The actor that handled it.
    pub actor: String,
    /// The kind of the message, or a mark such as `first_sound`.
    pub what: String,
    /// Lane of the message; `None` for a mark.
    pub lane: Option<String>,
    /// From the beginning of the trace to the handling, in microseconds.
    pub after_us: u64,
    /// Wait in the inbox, in microseconds.
    pub waited_us: u64,
    /// Duration of the handling, in microseconds.
    pub took_us: u64,
}

/// A process's claim for model memory, the body of `POST /lease`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeaseRequest {
    pub holder: EngineKind,
    pub model: String,
    /// Required memory, bytes.
    pub bytes: u64,
    pub process: u32,
    /// Longest wait for the grant, in milliseconds.
    pub patience_ms: u64,
}

/// Answers to a lease request, one JSON object a line. Empty lines between them keep the connection alive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "lease", rename_all = "snake_case")]
pub enum LeaseLine {
    /// The process has the lease until the connection ends.
    Granted {
        /// Where to load the model.
        place: MemoryPlace,
    },
    /// The claim is refused.
    Refused {
        /// Reason, a full sentence.
        why: String,
    },
    /// More urgent work needs the memory: end the connection at once.
    Stop,
}
