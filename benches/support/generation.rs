//! A generation that keeps a language model busy while something else is measured.

use std::path::{Path, PathBuf};

use luna_engine_protocol::EngineJob;
use luna_messages::engine::{GenerateJob, Prompt, Sampling};

/// The file of the language model: a tiny real one, or LUNA_BENCH_GGUF.
pub fn model() -> PathBuf {
    let small = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples/llama2.c/stories260K.gguf");
    let path = std::env::var_os("LUNA_BENCH_GGUF").map_or(small, PathBuf::from);
    assert!(path.exists(), "{} is not there; LUNA_BENCH_GGUF names another language model", path.display());
    path
}

/// A story of 400 tokens at most.
pub fn story() -> EngineJob {
    EngineJob::Generate(GenerateJob {
        prompt: Prompt::Text { text: "Once upon a time".into() },
        max_answer_tokens: 400,
        max_thinking_tokens: 0,
        sampling: Sampling { temperature: 1.0, ..Sampling::default() },
        stop: Vec::new(),
        grammar: None,
        pictures: Vec::new(),
    })
}
