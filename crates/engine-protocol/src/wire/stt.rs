//! What the engine of speech recognition loads and does.

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

/// Write down speech. The payload is its sound: 16-bit little-endian samples of one channel, [`luna_messages::engine::STT_SAMPLE_RATE`] a second.
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
