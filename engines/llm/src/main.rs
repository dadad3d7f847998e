//! The language-model engine (ENG-1): llama.cpp behind the pipe.
//!
//! A job runs in this order: [`prompt`] renders the conversation with the model's own [`template`] and tokenises it, [`session`] evaluates
//! the tokens that are not cached, [`sample`] picks token after token under the [`grammar`], and [`text`] and [`thinking`] turn tokens into
//! whole characters, thought and answer. [`generate`] drives these steps. [`load`] validates files before llama.cpp reads them.

mod engine;

mod header;
mod load;
mod log;
mod memory;
mod refusal;

mod prompt;
mod template;

mod grammar;
mod sample;
mod session;

mod json_end;
mod text;
mod thinking;

mod generate;

#[cfg(feature = "vision")]
mod vision;

use std::process::ExitCode;

use luna_wiping_alloc::WipingAlloc;

/// Wipes freed memory, so that read or spoken text does not remain in it (BUF-2).
#[global_allocator]
static HEAP: WipingAlloc = WipingAlloc;

fn main() -> ExitCode {
    // Without this, an abort forks a debugger.
    // SAFETY: no other thread runs yet.
    unsafe { std::env::set_var("GGML_NO_BACKTRACE", "1") };
    luna_engine_protocol::serve(engine::Llm::default())
}
