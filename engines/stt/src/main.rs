//! The engine of speech recognition (STT-1, STT-4): Whisper by whisper.cpp.
//!
//! The way of a sound: [`sound`] checks it and says whether there is anything to hear, [`plan`] chooses how to listen, [`native`] lets
//! whisper.cpp listen, [`words`] drops what nobody said. [`engine`] holds it together. Before a model is loaded, [`container`] reads all of it but
//! the weights, and [`memory_estimate`] compares what it needs with what there is: whisper.cpp sees complete files only.
//!
//! **A cancel takes at most 100 ms** (KER-6). whisper.cpp looks at its abort callback after a pass of the encoder and after each token; on a
//! real model a pass takes seconds. If it does not get out within [`watch::GRACE`], the program ends itself with the exit code
//! [`watch::ENDED_BY_CANCEL`]. Then the cancelled job, and all that waited behind it, are answered by the host with "the engine ended"; who
//! owns the engine takes that for the end of the cancelled job and goes on with another program that has the model loaded already.

mod engine;

mod container;
mod memory_estimate;

mod plan;
mod sound;

mod native;
mod watch;

mod partial;
mod words;

use std::process::ExitCode;

use luna_wiping_alloc::WipingAlloc;

/// What was read or spoken does not stay in freed memory (BUF-2).
#[global_allocator]
static HEAP: WipingAlloc = WipingAlloc;

fn main() -> ExitCode {
    // ggml forks a debugger into an aborting process otherwise.
    // SAFETY: no other thread runs yet.
    unsafe { std::env::set_var("GGML_NO_BACKTRACE", "1") };
    native::log::collect();
    luna_engine_protocol::serve(engine::Stt::default())
}
