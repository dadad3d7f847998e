//! Keys of the runtime: metrics, graphics card, engines, models, mailboxes, HTTP.

use std::net::IpAddr;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metrics (MET).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Metrics {
    /// Record metrics.
    pub enable: bool,
    /// Families recorded in addition to the built-in ones.
    pub counters: Vec<Counter>,
    /// Fraction of histogram observations that is recorded (MET-3); 0 to 1.
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

/// Memory for models on the graphics card (GPU).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gpu {
    /// Memory for models, in MiB.
    #[schemars(range(min = 0, max = 1_048_576))]
    pub budget_mb: u64,
    /// Time that an idle model stays loaded, in milliseconds (GPU-4).
    #[schemars(range(min = 0, max = 86_400_000))]
    pub linger_ms: u64,
    /// Time for an engine to unload before it is ended, in milliseconds (GPU-2).
    #[schemars(range(min = 0, max = 60_000))]
    pub grace_ms: u64,
    /// Maximum wait for memory on the card, in milliseconds.
    #[schemars(range(min = 100, max = 600_000))]
    pub wait_bound_ms: u64,
}

/// Engines: native programs (ENG).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Engines {
    /// Scheduling priority (nice value): 0 like other programs, 19 only when nothing else runs.
    #[schemars(range(min = 0, max = 19))]
    pub nice: u32,
    /// Memory above which an engine is restarted between two requests (ENG-2).
    pub memory_limit_mb: MemoryLimits,
    /// Text recognition.
    pub ocr: OcrEngine,
    /// Speech recognition.
    pub stt: EngineThreads,
    /// Language models.
    pub llm: LlmEngine,
}

/// Memory limit by engine, in MiB; null: by the size of its models.
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

/// Text recognition; models by their names in the model manifest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OcrEngine {
    /// Threads of the inference runtime.
    #[schemars(range(min = 1, max = 64))]
    pub threads: u32,
    /// Model that finds lines.
    pub detection: String,
    /// Model that detects upside-down lines; null: lines are not turned.
    pub direction: Option<String>,
    /// Model that reads Latin and Chinese characters.
    pub recognition: String,
    /// Model that reads Korean; null, or if its file is missing: Tesseract.
    pub recognition_ko: Option<String>,
}

/// Threads of an engine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EngineThreads {
    /// Number of threads.
    #[schemars(range(min = 1, max = 64))]
    pub threads: u32,
}

/// Language models.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LlmEngine {
    /// Number of threads.
    #[schemars(range(min = 1, max = 64))]
    pub threads: u32,
    /// Maximum tokens of prompt, thinking and answer together. A model's own limit applies if it is lower.
    #[schemars(range(min = 256, max = 131_072))]
    pub context_tokens: u32,
}

/// Model files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Models {
    /// Folder of the models; null: `luna/models` in the user's data directory.
    pub directory: Option<PathBuf>,
    /// Model by task.
    pub tasks: ModelTasks,
}

/// Model by task: a name in the model manifest, or an absolute path if the task allows it; null: none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelTasks {
    /// Speech recognition; also the absolute path of a Whisper file, `….bin`.
    pub stt: Option<String>,
    /// Speech recognition of commands and of partial results, by a smaller and faster model (STT-2); also the absolute path of a Whisper file, `….bin`;
    /// null: the model of `stt`.
    pub stt_command: Option<String>,
    /// Understanding commands (TRN-5); also the absolute path of any GGUF file, `….gguf`.
    pub intent: Option<String>,
    /// Translation (TRN-5); also the absolute path of any GGUF file, `….gguf`.
    pub translate: Option<String>,
    /// Translation of difficult sentences by a larger model (TRN-4); also the absolute path of any GGUF file, `….gguf`.
    pub translate_large: Option<String>,
    /// Detecting speech.
    pub voice_activity: Option<String>,
}

/// Priority mailboxes (KER-3 to KER-5).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MailboxLimits {
    /// Maximum waiting messages, by lane (KER-4).
    pub bound: LaneBounds,
    /// Waiting time after which a message is promoted, by lane (KER-5).
    pub promotion_ms: LanePromotion,
}

/// Maximum waiting messages by lane (KER-4).
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

/// Waiting time until promotion by lane, in milliseconds (KER-5). Promotion is to lane uia, so higher lanes need none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the lanes of KER-3")]
pub struct LanePromotion {
    #[schemars(range(min = 10, max = 600_000))]
    pub ocr: u64,
    #[schemars(range(min = 10, max = 600_000))]
    pub llm: u64,
}

/// The local web page and control interface.
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
