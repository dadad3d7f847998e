//! The speech-recognition engine (STT-1, STT-4): Whisper by whisper.cpp.
//!
//! [`sound`] validates a sound and detects silence, [`plan`] chooses the parameters, [`native`] runs whisper.cpp, and [`words`] and
//! [`hallucinations`] drop hallucinated text. [`engine`] drives these steps. Before a model is loaded, [`container`] checks all of the file but the weights, and
//! [`memory_estimate`] compares the needed memory with the available: whisper.cpp sees only complete files.
//!
//! **A cancel takes at most 100 ms** (KER-6). whisper.cpp polls its abort callback after an encoder pass and after each token, and with a
//! real model a pass takes seconds. If the job does not end within [`watch::GRACE`], the program exits with [`watch::ENDED_BY_CANCEL`]. The
//! host then answers the cancelled job and all jobs behind it with "the engine ended"; the engine's owner treats this as the end of the
//! cancelled job and continues with a standby that has the model loaded.

mod engine;

mod container;
mod memory_estimate;

mod plan;
mod sound;

mod native;
mod watch;

mod hallucinations;
mod partial;
mod words;

use std::process::ExitCode;

use luna_wiping_alloc::WipingAlloc;

/// Wipes freed memory, so that read or spoken text does not remain in it (BUF-2).
#[global_allocator]
static HEAP: WipingAlloc = WipingAlloc;

fn main() -> ExitCode {
    // Without this, ggml forks a debugger into an aborting process.
    // SAFETY: no other thread runs yet.
    unsafe { std::env::set_var("GGML_NO_BACKTRACE", "1") };
    native::log::collect();
    luna_engine_protocol::serve(engine::Stt::default())
}
