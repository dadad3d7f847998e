//! Input and results of speech recognition.

use serde::{Deserialize, Serialize};

use crate::Lang;

/// Samples per second of the input.
pub const STT_SAMPLE_RATE: u32 = 16_000;

/// What part of an utterance a sound is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SoundExtent {
    /// A whole utterance, of any length.
    Utterance,
    /// The last seconds of an utterance still in progress: one segment without timestamps; the encoder processes only the length of the sound.
    Window,
}

/// A transcribed stretch of speech.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TranscribedSegment {
    pub text: String,
    /// Milliseconds from the beginning of the sound.
    pub start_ms: u64,
    /// Milliseconds from the beginning of the sound.
    pub end_ms: u64,
    pub lang: Lang,
    /// Mean probability of its tokens, 0 to 1.
    pub confidence: f32,
    /// Probability that the stretch has no speech, 0 to 1.
    pub no_speech: f32,
}
