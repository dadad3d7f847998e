//! Keys of commands and speech: voice, hot keys, speech output, barge-in.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Language of Luna's own sentences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LanguageChoice {
    /// Korean if the first set variable of `LC_ALL`, `LC_MESSAGES` and `LANG` names Korean (on Windows: if its display language is Korean), else English.
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
    /// The wake word; null: Luna always listens (VOI-1).
    pub wake_word: Option<String>,
    /// Whether Luna listens.
    pub listen: ListenChoice,
    /// Part of the name of the microphone; null: the system's default.
    pub device: Option<String>,
    /// When speech counts as a command (VOI-1).
    pub command_mode: CommandMode,
    /// The key that is held down while speaking, with `command_mode: hold`; the application gets it, too (VOI-1).
    pub hold_key: HoldKey,
    /// Words for each command.
    pub synonyms: BTreeMap<String, Vec<String>>,
    /// Words that make an action dangerous (DNG).
    pub dangerous: Vec<String>,
}

/// Whether Luna listens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ListenChoice {
    /// If the model of speech recognition is installed.
    Auto,
    /// Always; what is missing for it is told.
    Always,
    /// Never: the microphone stays closed.
    Never,
}

/// When speech counts as a command (VOI-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CommandMode {
    /// After the wake word; without it while Luna speaks or waits for an answer.
    Auto,
    /// While a key is held down.
    Hold,
    /// Only after the wake word.
    WakeOnly,
}

/// A key that can be held down to speak (VOI-1): a Ctrl key, which alone does nothing in any application.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HoldKey {
    /// The right Ctrl key.
    RightCtrl,
    /// The left Ctrl key.
    LeftCtrl,
}

/// Commands by key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Control {
    /// Hot key by command; null: none.
    pub hot_keys: BTreeMap<String, Option<String>>,
    /// Keys that silence speech; the application gets them, too (ATT-6).
    pub silence: SilencingKeys,
}

/// Keys that silence speech without being taken from the application (ATT-6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SilencingKeys {
    /// A short tap of Ctrl alone.
    pub ctrl_tap: bool,
    /// Any key but modifiers and Luna's hot keys.
    pub any_key: bool,
}

/// Speech output (TTS).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tts {
    /// Speed, between `rate_min` and `rate_max`; 1 is the voice's own.
    #[schemars(range(min = 0.25, max = 5.0))]
    pub rate: f64,
    /// Change of speed by "faster" and "slower".
    #[schemars(range(min = 0.01, max = 1.0))]
    pub rate_step: f64,
    /// Lowest speed.
    #[schemars(range(min = 0.25, max = 5.0))]
    pub rate_min: f64,
    /// Highest speed; values above 4 count as 4.
    #[schemars(range(min = 0.25, max = 5.0))]
    pub rate_max: f64,
    /// Voice by language of the text.
    pub voices: Voices,
    /// Frames of the device's buffer: a smaller buffer stops sooner, a larger one crackles less (TTS-2).
    #[schemars(range(min = 128, max = 4096))]
    pub buffer_frames: u32,
    /// Name of the output device; null: the system's default.
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
    /// A spoken command interrupts speech.
    pub enabled: bool,
    /// Shortest speech that is obeyed while it lasts, in milliseconds; shorter speech is when it has ended.
    #[schemars(range(min = 0, max = 5000))]
    pub debounce_ms: u64,
    /// Time within which a repeated command is ignored, in milliseconds.
    #[schemars(range(min = 0, max = 10_000))]
    pub min_repeat_interval_ms: u64,
    /// Echo cancellation.
    pub aec: Aec,
}

/// Echo cancellation, so that Luna does not hear itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Aec {
    /// Cancel the echo.
    pub enable: bool,
    /// Whose sound is removed from what the microphone takes.
    pub loopback: Loopback,
    /// Time after the start and the end of a reading in which a sound that lies wholly in it is no command, in milliseconds.
    #[schemars(range(min = 0, max = 5000))]
    pub safety_gate_ms: u64,
}

/// Source of what is played, the reference of echo cancellation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Loopback {
    /// On Windows all that the machine plays, by WASAPI loopback; elsewhere what Luna itself plays.
    Wasapi,
    /// What Luna itself plays: other programs remain audible.
    Playback,
    /// All that the machine plays: the monitor of the output on Linux, WASAPI loopback on Windows. The sound device stays awake.
    Monitor,
    /// Nothing is removed.
    None,
}
