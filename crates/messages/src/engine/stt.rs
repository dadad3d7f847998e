//! What speech recognition is handed and answers.

use serde::{Deserialize, Serialize};

use crate::Lang;

/// Samples a second of the sound that is handed over.
pub const STT_SAMPLE_RATE: u32 = 16_000;

/// How much is handed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SoundExtent {
    /// A whole utterance, of any length.
    Utterance,
    /// The newest seconds of one that goes on: one segment, without timestamps, the encoder bounded to its length.
    Window,
}

/// A stretch of speech written down.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TranscribedSegment {
    /// The words.
    pub text: String,
    /// Where it begins in the sound, milliseconds.
    pub start_ms: u64,
    /// Where it ends, milliseconds.
    pub end_ms: u64,
    /// Its language.
    pub lang: Lang,
    /// Mean probability of its tokens, 0 to 1.
    pub confidence: f32,
    /// How likely it is that nobody spoke, 0 to 1.
    pub no_speech: f32,
}
