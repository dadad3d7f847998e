//! The built-in voice of Luna: espeak-ng in a separate program (ENG-1, ENG-2, TTS-5).
//!
//! The library is loaded at run time, so that Luna builds and starts without it and can say what to install. The library is under
//! GPL-3.0-or-later, and so is this program; the rest of Luna talks to it only over a pipe.

mod espeak;
mod trim;
mod voice;

use std::process::ExitCode;

use luna_engine_protocol::serve;
use luna_wiping_alloc::WipingAlloc;

/// Wipes freed memory, so that read or spoken text does not remain in it (BUF-2).
#[global_allocator]
static HEAP: WipingAlloc = WipingAlloc;

fn main() -> ExitCode {
    serve(voice::EspeakVoice::default())
}
