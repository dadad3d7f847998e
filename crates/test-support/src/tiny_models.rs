//! Tiny models that the real llama.cpp and whisper.cpp load: random weights, or scripted to say a chosen text. For tests, benches and
//! trying out; they understand nothing.

#![forbid(unsafe_code)]

pub mod gguf;
pub mod whisper;
