//! Keys about acting and working: executor, alignment, jobs, tools, MCP.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Acting on the screen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Executor {
    /// Through the accessibility tree first.
    pub uia_first: bool,
    /// By coordinates if the tree cannot.
    pub coord_fallback: bool,
    /// Dangerous actions are confirmed (DNG).
    pub confirm_on_danger: bool,
    /// The confirmation needs the wake word (DNG-2).
    pub confirm_requires_wake: bool,
    /// A confirmation expires after this time, in milliseconds (DNG-2).
    #[schemars(range(min = 1000, max = 120_000))]
    pub confirm_timeout_ms: u64,
}

/// Asking back before work starts (ALN-8).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Company {
    /// Rounds of questions; brought into 1 to 5.
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
    /// Always after a confirmation.
    Strict,
}

/// Jobs (JOB).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Jobs {
    /// Jobs that run at a time (JOB-3).
    #[schemars(range(min = 1, max = 64))]
    pub workers: u32,
    /// A job's time, in milliseconds (JOB-6).
    #[schemars(range(min = 1000, max = 86_400_000))]
    pub time_limit_ms: u64,
    /// A job's iterations (JOB-6).
    #[schemars(range(min = 1, max = 1000))]
    pub iteration_limit: u32,
}

/// One tool (TBX-1, TBX-5).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// Calls at a time; null: any number.
    #[schemars(range(min = 1, max = 1000))]
    pub capacity: Option<u32>,
    /// When the person is asked.
    pub confirm: ConfirmPolicy,
}

/// When a tool's call needs the person's yes (TBX-5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConfirmPolicy {
    /// Never.
    None,
    /// Before each call.
    Always,
    /// Before a navigation target is taken.
    Navigation,
    /// Before money is spent; needs the wake word (UI-7).
    Payment,
}

/// A lock that several tools share (TBX-2).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Calls at a time.
    #[schemars(range(min = 1, max = 1000))]
    pub capacity: u32,
    /// Names out of `tools`.
    pub tools: Vec<String>,
}

/// The tool box as a whole (TBX-4).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolBox {
    /// What happens when a tool is taken.
    pub when_locked: WhenLocked,
}

/// What happens when a tool is taken (TBX-4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WhenLocked {
    /// The person decides.
    Ask,
    /// The job waits.
    Wait,
    /// The job ends.
    Cancel,
    /// The fewest holders needed are ended.
    StopOther,
}

/// Tools from elsewhere (TBX-7).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mcp {
    /// Programs that offer tools.
    pub servers: Vec<McpServer>,
}

/// A program that offers tools by the Model Context Protocol.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-complete" = true))]
pub struct McpServer {
    /// Name for logs and the panel.
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
