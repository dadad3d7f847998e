//! The child side of an engine (ENG-1, ENG-2): frames come in on stdin, results go out on stdout.
//!
//! An engine program implements [`Engine`] and hands it to [`serve`]. One thread reads frames, answers `Health` and sets cancel
//! flags at once; the main thread works on one request after another, so that native libraries see one thread. stdout belongs to
//! the frames alone; whatever else has to be said goes to stderr.
//!
//! **Invariant:** when stdin ends the process ends, also in the middle of native work: no engine outlives Luna.

#![forbid(unsafe_code)]

pub mod cancel;
pub mod check;
pub mod engine;
pub mod frame;
pub mod memory;
pub mod output;
mod panics;
mod serve;
mod streams;

pub use cancel::CancelFlag;
pub use engine::{Engine, Loaded, failure};
pub use memory::resident_bytes;
pub use output::Output;
pub use serve::serve;
