//! What the engine of language models loads, and its small jobs.

use serde::{Deserialize, Serialize};

use super::ModelFile;

/// A language model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LlmLoad {
    /// Its name in the manifest or the configuration; for messages only.
    pub name: String,
    /// The model, a GGUF file.
    pub model: ModelFile,
    /// What turns pictures into tokens, a GGUF file; `None`: the model sees no pictures.
    pub projector: Option<ModelFile>,
    /// Tokens that prompt and answer may have together, at least 64. The model's own limit counts where it is lower.
    pub context_tokens: u32,
    /// Threads to use, at least 1.
    pub threads: usize,
    /// Layers of the model to have on the graphics card; 0: none. More than there are: all.
    pub gpu_layers: u32,
}

/// Count the tokens of texts with the model's tokenizer (PAK-2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountTokensJob {
    pub texts: Vec<String>,
}
