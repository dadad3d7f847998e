//! The embedded voice of Luna: espeak-ng in a program of its own (ENG-1, ENG-2, TTS-5).
//!
//! The library is loaded at run time, so that Luna builds and starts without it and can say what to install. It is under
//! GPL-3.0-or-later, and so is this program; the rest of Luna speaks to it over a pipe only.

mod espeak;
mod trim;
mod voice;

use std::process::ExitCode;

use luna_engine_protocol::serve;
use luna_wiping_alloc::WipingAlloc;

/// What was read or spoken does not stay in freed memory (BUF-2).
#[global_allocator]
static HEAP: WipingAlloc = WipingAlloc;

fn main() -> ExitCode {
    serve(voice::EspeakVoice::default())
}
