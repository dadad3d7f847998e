//! Keys of automation: executor, alignment, jobs, tools, MCP.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Acting on the screen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Executor {
    /// Act through the accessibility tree first.
    pub uia_first: bool,
    /// Act by screen coordinates if the accessibility tree cannot.
    pub coord_fallback: bool,
    /// Ask for a confirmation before dangerous actions (DNG).
    pub confirm_on_danger: bool,
    /// A confirmation requires the wake word (DNG-2).
    pub confirm_requires_wake: bool,
    /// Time after which an unanswered confirmation expires, in milliseconds (DNG-2).
    #[schemars(range(min = 1000, max = 120_000))]
    pub confirm_timeout_ms: u64,
}

/// Questions before work starts (ALN-8).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Company {
    /// Maximum rounds of questions; values outside 1 to 5 are clamped.
    #[schemars(range(min = 0, max = 1000))]
    pub intent_alignment_max_rounds: u32,
    /// When work starts.
    pub intent_alignment_mode: AlignmentMode,
}

/// When work starts (ALN-8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AlignmentMode {
    /// Once no question is open.
    Smart,
    /// Only after a confirmation.
    Strict,
}

/// Jobs (JOB).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Jobs {
    /// Jobs that run at the same time (JOB-3).
    #[schemars(range(min = 1, max = 64))]
    pub workers: u32,
    /// Maximum duration of a job, in milliseconds (JOB-6).
    #[schemars(range(min = 1000, max = 86_400_000))]
    pub time_limit_ms: u64,
    /// Maximum iterations of a job (JOB-6).
    #[schemars(range(min = 1, max = 1000))]
    pub iteration_limit: u32,
}

/// One tool (TBX-1, TBX-5).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// Concurrent calls; null: unlimited.
    #[schemars(range(min = 1, max = 1000))]
    pub capacity: Option<u32>,
    /// When a call needs the person's confirmation.
    pub confirm: ConfirmPolicy,
}

/// When a call of a tool needs the person's confirmation (TBX-5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConfirmPolicy {
    /// Never.
    None,
    /// Before each call.
    Always,
    /// Before a navigation target is set.
    Navigation,
    /// Before money is spent; requires the wake word (UI-7).
    Payment,
}

/// A group of tools with a common limit (TBX-2).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Concurrent calls of all its tools together.
    #[schemars(range(min = 1, max = 1000))]
    pub capacity: u32,
    /// Names from `tools`.
    pub tools: Vec<String>,
}

/// The tool box as a whole (TBX-4).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolBox {
    /// What happens when a tool has no free capacity.
    pub when_locked: WhenLocked,
}

/// What happens when a tool has no free capacity (TBX-4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WhenLocked {
    /// The person decides.
    Ask,
    /// The job waits.
    Wait,
    /// The job is cancelled.
    Cancel,
    /// As few other jobs as needed are stopped.
    StopOther,
}

/// Tools of other programs (TBX-7).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mcp {
    /// Programs that offer tools.
    pub servers: Vec<McpServer>,
}

/// A program that offers tools through the Model Context Protocol.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-complete" = true))]
pub struct McpServer {
    /// Name in logs and the panel.
    pub name: String,
    /// The program.
    pub command: String,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<String>,
}

/// All tools by name.
pub type Tools = BTreeMap<String, Tool>;
/// All groups by name.
pub type Groups = BTreeMap<String, Group>;
