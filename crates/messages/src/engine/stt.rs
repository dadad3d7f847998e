//! What the engine of speech recognition loads, does and answers.

use serde::{Deserialize, Serialize};

use super::ModelFile;
use crate::Lang;

/// Samples a second of the sound that is handed over.
pub const STT_SAMPLE_RATE: u32 = 16_000;

/// A Whisper model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SttLoad {
    /// Its name in the manifest or the configuration; for messages only.
    pub name: String,
    /// The model, a ggml file.
    pub model: ModelFile,
    /// Threads to use, at least 1.
    pub threads: usize,
    /// Whether to use the graphics card (GPU-5).
    pub gpu: bool,
}

/// How much is handed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SoundExtent {
    /// A whole utterance, of any length.
    Utterance,
    /// The newest seconds of one that goes on: one segment, without timestamps, the encoder bounded to its length.
    Window,
}

/// Write down speech. The payload is its sound: 16-bit little-endian samples of one channel, [`STT_SAMPLE_RATE`] a second.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TranscribeJob {
    /// The language; `None`: found out.
    pub lang: Option<Lang>,
    /// Whole or in the middle.
    pub extent: SoundExtent,
    /// Words that are likely, such as names and commands; may be empty.
    pub hint: String,
    /// Whether to tell partial results as they come.
    pub partials: bool,
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
