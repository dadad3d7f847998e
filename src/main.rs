//! Luna: reads aloud what is under the cursor, in Korean and English.

#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::Parser as _;
use luna_wiping_alloc::WipingAlloc;

/// What was read or spoken does not stay in freed memory (BUF-2).
#[global_allocator]
static HEAP: WipingAlloc = WipingAlloc;

fn main() -> ExitCode {
    let cli = luna::cli::Cli::parse();
    luna::cli::dispatch(cli)
}
