//! The protocol between Luna and its engine programs ([`wire`], [`frame`]; ENG-1), and the child's side of it (ENG-2): frames come in on stdin,
//! results go out on stdout.
//!
//! An engine program implements [`Engine`] and passes it to [`serve`]. One thread reads frames, answers `Health` and sets cancel flags at once; the
//! main thread works on one request after another, so that native libraries see one thread. stdout carries frames only; all other output goes to
//! stderr.
//!
//! **Invariant:** when stdin ends the process ends, also in the middle of native work: no engine outlives Luna.

#![forbid(unsafe_code)]

pub mod frame;
pub mod wire;

pub mod cancel;
pub mod check;
pub mod engine;
pub mod memory;
pub mod output;
mod panics;
mod serve;
mod streams;

pub use cancel::CancelFlag;
pub use engine::{Engine, LoadReport, failure};
pub use memory::resident_bytes;
pub use output::Output;
pub use serve::serve;
pub use wire::{
    Backend, CountTokensJob, EngineChunk, EngineJob, EngineNote, FromEngine, LlmLoad, LoadSpec, LoadedModel, MAX_FRAME,
    ModelFile, OcrLoad, PANICKED, PROTOCOL, PointedArea, RecogniseJob, RecogniserLoad, SpeakJob, SpeechLoad, SttLoad,
    TesseractLoad, ToEngine, TranscribeJob,
};
