//! Keys about commands and speech: voice, hot keys, speech output, barge-in.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Language of Luna's own sentences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LanguageChoice {
    /// From `LC_ALL`, `LC_MESSAGES`, `LANG`, in this order; English if none says Korean.
    Auto,
    /// Korean.
    Ko,
    /// English.
    En,
}

/// Commands by voice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Voice {
    /// The word that wakes Luna; null: it always listens (VOI-1).
    pub wake_word: Option<String>,
    /// When a spoken word counts as a command (VOI-1).
    pub command_mode: CommandMode,
    /// Words by command.
    pub synonyms: BTreeMap<String, Vec<String>>,
    /// Words that make an action dangerous (DNG).
    pub dangerous: Vec<String>,
}

/// When a spoken word counts as a command (VOI-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CommandMode {
    /// The wake word when idle, none while Luna speaks or waits for an answer.
    Auto,
    /// While a key is held.
    Hold,
    /// Only after the wake word.
    WakeOnly,
}

/// Commands by key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Control {
    /// Key by command; null: none.
    pub hot_keys: BTreeMap<String, Option<String>>,
}

/// Speech (TTS).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tts {
    /// Speed; 1 is normal. Between `rate_min` and `rate_max`.
    #[schemars(range(min = 0.25, max = 5.0))]
    pub rate: f64,
    /// What "faster" and "slower" change.
    #[schemars(range(min = 0.01, max = 1.0))]
    pub rate_step: f64,
    /// The slowest.
    #[schemars(range(min = 0.25, max = 5.0))]
    pub rate_min: f64,
    /// The fastest.
    #[schemars(range(min = 0.25, max = 5.0))]
    pub rate_max: f64,
    /// Voice by language of the text.
    pub voices: Voices,
    /// Frames in the device's buffer: smaller stops sooner, larger crackles less (TTS-2).
    #[schemars(range(min = 128, max = 4096))]
    pub buffer_frames: u32,
    /// Output device by name; null: the system's.
    pub device: Option<String>,
}

/// Voice by language.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Voices {
    /// Korean.
    pub ko: String,
    /// English, and whatever else is written in Latin letters.
    pub en: String,
}

/// Interrupting speech (BRG).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BargeIn {
    /// A spoken command interrupts.
    pub enabled: bool,
    /// Speech counts after this time, in milliseconds.
    #[schemars(range(min = 0, max = 5000))]
    pub debounce_ms: u64,
    /// The same command again within this time doesn't count, in milliseconds.
    #[schemars(range(min = 0, max = 10_000))]
    pub min_repeat_interval_ms: u64,
    /// Echo cancellation.
    pub aec: Aec,
}

/// Echo cancellation: Luna does not hear itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Aec {
    /// On or off.
    pub enable: bool,
    /// Where Luna's own sound is taken from.
    pub loopback: Loopback,
    /// After speech starts nothing counts as an interruption for this time, in milliseconds.
    #[schemars(range(min = 0, max = 5000))]
    pub safety_gate_ms: u64,
}

/// Where Luna's own sound is taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Loopback {
    /// Windows' loopback; on Linux the monitor of the output.
    Wasapi,
    /// The monitor of the output.
    Monitor,
    /// From nowhere.
    None,
}
