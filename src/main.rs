//! Luna: reads aloud what is under the cursor, in Korean and English.

#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    let cli = luna::cli::Cli::parse();
    luna::cli::dispatch(cli)
}
