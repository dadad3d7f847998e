//! What the language model engine loads, and its small jobs.

use serde::{Deserialize, Serialize};

use super::ModelFile;

/// A language model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LlmLoad {
    /// Its name in the manifest or the configuration; for messages only.
    pub name: String,
    /// The model, a GGUF file.
    pub model: ModelFile,
    /// The model that turns pictures into tokens, a GGUF file; `None`: pictures are not supported.
    pub projector: Option<ModelFile>,
    /// Maximum number of tokens of prompt and answer together, at least 64. A lower limit of the model takes precedence.
    pub context_tokens: u32,
    /// Threads to use, at least 1.
    pub threads: usize,
    /// Layers of the model on the graphics card; 0: none. A number above the model's means all.
    pub gpu_layers: u32,
}

/// Count the tokens of texts with the model's tokenizer (PAK-2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountTokensJob {
    pub texts: Vec<String>,
}
