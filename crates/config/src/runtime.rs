//! Keys about how Luna runs: metrics, graphics card, engines, models, mailboxes, HTTP.

use std::net::IpAddr;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metrics (MET).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Metrics {
    /// On or off.
    pub enable: bool,
    /// Families that are recorded beside the built-in ones.
    pub counters: Vec<Counter>,
    /// Part of the histogram samples that is kept (MET-3); 0 to 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub sample_rate: f64,
}

/// A family of metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Counter {
    LatencyMs,
    #[serde(rename = "used_tokens.think")]
    UsedTokensThink,
    #[serde(rename = "used_tokens.answer")]
    UsedTokensAnswer,
    PreserveFail,
    Clarify,
    OcrRate,
    UiaRate,
}

/// Room for models on the graphics card (GPU).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gpu {
    /// Memory for models, in MiB.
    #[schemars(range(min = 0, max = 1_048_576))]
    pub budget_mb: u64,
    /// An idle model stays loaded so long, in milliseconds (GPU-4).
    #[schemars(range(min = 0, max = 86_400_000))]
    pub linger_ms: u64,
    /// Time to unload by itself, in milliseconds (GPU-2).
    #[schemars(range(min = 0, max = 60_000))]
    pub grace_ms: u64,
    /// Nobody waits longer for the card, in milliseconds.
    #[schemars(range(min = 100, max = 600_000))]
    pub wait_bound_ms: u64,
}

/// Native programs (ENG).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Engines {
    /// Politeness towards other programs: 0 like everything else, 19 only when nothing else runs.
    #[schemars(range(min = 0, max = 19))]
    pub nice: u32,
    /// Memory that each may hold before it is started anew between two requests (ENG-2).
    pub memory_limit_mb: MemoryLimits,
    /// Text recognition.
    pub ocr: OcrEngine,
    /// Speech recognition.
    pub stt: EngineThreads,
    /// Language models.
    pub llm: LlmEngine,
}

/// Memory that an engine may hold, in MiB; null: by the size of its models.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryLimits {
    /// Text recognition.
    #[schemars(range(min = 16, max = 1_048_576))]
    pub ocr: Option<u64>,
    /// Speech synthesis.
    #[schemars(range(min = 16, max = 1_048_576))]
    pub speech: Option<u64>,
    /// Speech recognition.
    #[schemars(range(min = 16, max = 1_048_576))]
    pub stt: Option<u64>,
    /// Language models.
    #[schemars(range(min = 16, max = 1_048_576))]
    pub llm: Option<u64>,
}

/// Text recognition; names out of the model manifest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OcrEngine {
    /// Threads of the runtime.
    #[schemars(range(min = 1, max = 64))]
    pub threads: u32,
    /// Finds the lines.
    pub detection: String,
    /// Turns lines that stand on their head; null: lines are taken as they are.
    pub direction: Option<String>,
    /// Reads Latin letters and Chinese.
    pub recognition: String,
    /// Reads Korean; null, or where the file isn't there: Tesseract.
    pub recognition_ko: Option<String>,
}

/// Threads of an engine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EngineThreads {
    /// Threads.
    #[schemars(range(min = 1, max = 64))]
    pub threads: u32,
}

/// Language models.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LlmEngine {
    /// Threads.
    #[schemars(range(min = 1, max = 64))]
    pub threads: u32,
    /// Tokens that prompt, thinking and answer may have together. A model's own limit counts where it is lower.
    #[schemars(range(min = 256, max = 131_072))]
    pub context_tokens: u32,
}

/// Model files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Models {
    /// Where they lie; null: `luna/models` in the user's data directory.
    pub directory: Option<PathBuf>,
    /// Which model does what.
    pub tasks: ModelTasks,
}

/// Which model does what; names out of the model manifest, or where it says so whole paths; null: none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelTasks {
    /// Speech recognition; also the whole path of a Whisper file, `….bin`.
    pub stt: Option<String>,
    /// Understanding commands (TRN-5); also the whole path of any GGUF file, `….gguf`.
    pub intent: Option<String>,
    /// Translation (TRN-5); also the whole path of any GGUF file, `….gguf`.
    pub translate: Option<String>,
    /// Translation of sentences that are hard (TRN-4), a larger model; also the whole path of any GGUF file, `….gguf`.
    pub translate_large: Option<String>,
    /// Noticing that someone speaks.
    pub voice_activity: Option<String>,
}

/// Priority mailboxes (KER-3 to KER-5).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MailboxLimits {
    /// Messages that may wait, by lane (KER-4).
    pub bound: LaneBounds,
    /// Waiting times after which a message is promoted, by lane (KER-5).
    pub promotion_ms: LanePromotion,
}

/// Bounds by lane (KER-4).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the lanes of KER-3")]
pub struct LaneBounds {
    #[schemars(range(min = 1, max = 1_000_000))]
    pub reflex: usize,
    #[schemars(range(min = 1, max = 1_000_000))]
    pub tts: usize,
    #[schemars(range(min = 1, max = 1_000_000))]
    pub uia: usize,
    #[schemars(range(min = 1, max = 1_000_000))]
    pub ocr: usize,
    #[schemars(range(min = 1, max = 1_000_000))]
    pub llm: usize,
}

/// Promotion by lane, in milliseconds (KER-5). The lanes above need none: a promoted message goes ahead as if of lane uia.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the lanes of KER-3")]
pub struct LanePromotion {
    #[schemars(range(min = 10, max = 600_000))]
    pub ocr: u64,
    #[schemars(range(min = 10, max = 600_000))]
    pub llm: u64,
}

/// The page and the control interface.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Http {
    /// A loopback address (PRV-4).
    #[schemars(with = "String")]
    pub bind: IpAddr,
    /// The port; 0: any free one.
    #[schemars(range(min = 0, max = 65_535))]
    pub port: u16,
}
