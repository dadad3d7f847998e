//! Luna: reads aloud what is under the cursor, in Korean and English.

#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::Parser as _;
use luna_wiping_alloc::WipingAlloc;

/// What was read or spoken does not stay in freed memory (BUF-2).
#[global_allocator]
static HEAP: WipingAlloc = WipingAlloc;

fn main() -> ExitCode {
    luna::cli::keep_memory_private();
    match luna::cli::Cli::try_parse() {
        Ok(cli) => luna::cli::dispatch(cli),
        Err(shown) => luna::cli::show(&shown),
    }
}
