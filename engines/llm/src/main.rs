//! The engine of language models (ENG-1): llama.cpp behind the pipe.
//!
//! The way of a job: [`prompt`] makes tokens of a conversation by the model's own [`template`], [`session`] evaluates those that it does
//! not hold already, [`sample`] chooses token after token inside the shape that [`grammar`] gives, [`text`] and [`thinking`] turn them
//! into whole characters, thoughts and answer; [`generate`] holds this together. [`load`] checks files before llama.cpp sees them.

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

/// What was read or spoken does not stay in freed memory (BUF-2).
#[global_allocator]
static HEAP: WipingAlloc = WipingAlloc;

fn main() -> ExitCode {
    // An abort would fork a debugger otherwise.
    // SAFETY: no other thread runs yet.
    unsafe { std::env::set_var("GGML_NO_BACKTRACE", "1") };
    luna_engine_protocol::serve(engine::Llm::default())
}
