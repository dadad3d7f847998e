//! Capabilities that can be unavailable while the rest of Luna runs (KER-9).

use serde::{Deserialize, Serialize};

/// A part of Luna that depends on something outside it: a device, a service, a program or a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Capability {
    /// Reading the accessibility tree.
    Accessibility,
    ScreenCapture,
    /// The position of the pointer and its movements.
    Pointer,
    /// The text recognition engine, its library and models.
    TextRecognition,
    KoreanTextRecognition,
    /// The speech synthesis engine.
    SpeechSynthesis,
    /// A device that plays sound.
    AudioOutput,
    /// Global hot keys.
    HotKey,
    /// The local HTTP endpoint.
    Http,
    /// The language model engine and its models.
    LanguageModel,
    /// The speech recognition engine and its model.
    SpeechRecognition,
    /// A device that hears.
    Microphone,
    /// The speech recognition of commands by a model of their own. Without it, that of whole utterances hears them.
    CommandRecognition,
    /// The key that is held while speaking to Luna (VOI-1). Unknown unless one is configured.
    TalkKey,
}

impl Capability {
    /// All capabilities, in the order of `luna doctor`.
    pub const ALL: [Self; 14] = [
        Self::Accessibility,
        Self::ScreenCapture,
        Self::Pointer,
        Self::TextRecognition,
        Self::KoreanTextRecognition,
        Self::SpeechSynthesis,
        Self::AudioOutput,
        Self::HotKey,
        Self::Http,
        Self::LanguageModel,
        Self::SpeechRecognition,
        Self::Microphone,
        Self::CommandRecognition,
        Self::TalkKey,
    ];

    /// The name in metrics labels and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accessibility => "accessibility",
            Self::ScreenCapture => "screen_capture",
            Self::Pointer => "pointer",
            Self::TextRecognition => "text_recognition",
            Self::KoreanTextRecognition => "korean_text_recognition",
            Self::SpeechSynthesis => "speech_synthesis",
            Self::AudioOutput => "audio_output",
            Self::HotKey => "hot_key",
            Self::Http => "http",
            Self::LanguageModel => "language_model",
            Self::SpeechRecognition => "speech_recognition",
            Self::Microphone => "microphone",
            Self::CommandRecognition => "command_recognition",
            Self::TalkKey => "talk_key",
        }
    }
}

/// Why a capability is missing and what a person can do about it: one plain English sentence each.
/// Speech uses its own translated sentence for the capability instead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unavailable {
    pub reason: String,
    pub remedy: String,
}

/// Whether a capability can be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum CapabilityState {
    /// Not tried yet.
    Unknown,
    Available,
    /// It can't be used; the rest of Luna runs.
    Unavailable(Unavailable),
}
