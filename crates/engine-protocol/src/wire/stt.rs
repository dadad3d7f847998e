//! What the speech recognition engine loads, and its job.

use luna_messages::Lang;
use luna_messages::engine::SoundExtent;
use serde::{Deserialize, Serialize};

use super::ModelFile;

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

/// Transcribe speech. The payload is its sound: 16-bit little-endian samples of one channel, [`luna_messages::engine::STT_SAMPLE_RATE`] per second.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TranscribeJob {
    /// The language; `None`: detect it.
    pub lang: Option<Lang>,
    /// Whether the sound is a whole utterance or a part of one.
    pub extent: SoundExtent,
    /// Likely words, such as names and commands; may be empty.
    pub hint: String,
    /// Whether to send partial results as they come.
    pub partials: bool,
}
