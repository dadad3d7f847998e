//! What can be unavailable while the rest goes on (KER-9).

use serde::{Deserialize, Serialize};

/// A part of Luna that needs something of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Capability {
    /// Reading the accessibility tree.
    Accessibility,
    /// Pictures of the screen.
    ScreenCapture,
    /// Where the pointer is and when it moves.
    Pointer,
    /// Text recognition: engine, library, models.
    TextRecognition,
    KoreanTextRecognition,
    /// The speech synthesis engine.
    SpeechSynthesis,
    /// A device that sound comes out of.
    AudioOutput,
    /// The global hot key.
    HotKey,
    /// The local HTTP endpoint.
    Http,
    /// The engine of language models and its models.
    LanguageModel,
    /// The engine of speech recognition and its model.
    SpeechRecognition,
}

impl Capability {
    /// All of them, in the order in which `luna doctor` lists them.
    pub const ALL: [Self; 11] = [
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
    ];

    /// The name used in metrics labels and JSON.
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
        }
    }
}

/// Why a capability is missing and what a person can do about it. Both are one plain English sentence each;
/// they are translated by topic where they are spoken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unavailable {
    /// What is wrong.
    pub reason: String,
    /// What to do.
    pub remedy: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum CapabilityState {
    /// Not tried yet.
    Unknown,
    /// It works.
    Available,
    /// It doesn't; the rest runs.
    Unavailable(Unavailable),
}
