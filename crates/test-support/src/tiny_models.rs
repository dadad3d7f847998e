//! Tiny models that the real llama.cpp and whisper.cpp load, with random weights or scripted to give a chosen text. For tests, benches and
//! experiments; they understand nothing.

#![forbid(unsafe_code)]

pub mod gguf;
pub mod whisper;
