//! Luna: reads aloud what is under the cursor, in Korean and English.

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    let cli = luna::cli::Cli::parse();
    luna::cli::dispatch(cli)
}
