//! What the speech synthesis engine loads, and its job.

use std::path::PathBuf;

use luna_messages::Lang;
use serde::{Deserialize, Serialize};

/// The speech library.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpeechLoad {
    /// `libespeak-ng`; `None`: the system's.
    pub library: Option<PathBuf>,
    /// Its data folder; `None`: the system's.
    pub data: Option<PathBuf>,
}

/// One sentence in one language.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpeakJob {
    /// The sentence.
    pub text: String,
    pub lang: Lang,
    /// Name of a voice of the engine; `None`: the engine's own choice for the language.
    pub voice: Option<String>,
}
