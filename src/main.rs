//! Luna: reads aloud what is under the cursor, in Korean and English.

#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::Parser as _;
use luna::cli::{self, Cli, CliCommand, Globals};
use luna::run::{self, Configuration, Luna, ProcessSetup, Signals};
use luna_wiping_alloc::WipingAlloc;

/// Wipes freed memory, so that text that was read or spoken does not stay there (BUF-2).
#[global_allocator]
static HEAP: WipingAlloc = WipingAlloc;

fn main() -> ExitCode {
    cli::keep_memory_private();
    match Cli::try_parse() {
        Ok(Cli { verb: CliCommand::Run(arguments), globals }) => cli::exit_code(run(&arguments, &globals)),
        Ok(Cli { verb: CliCommand::Batch(command), globals }) => cli::exit_code(cli::dispatch(command, &globals)),
        Err(shown) => cli::show(&shown),
    }
}

/// Runs Luna from its start to its end (KER-10).
fn run(arguments: &cli::run::RunArguments, globals: &Globals) -> anyhow::Result<ExitCode> {
    let configuration = Configuration::load(globals)?;
    let process = ProcessSetup::prepare(&configuration)?;
    let threads = run::threads()?;
    threads.block_on(async {
        // Before the actors start, so that a second signal during the shutdown is not lost.
        let mut signals = Signals::listen();
        let luna = Luna::build(configuration, process);
        let serving = luna.serve(arguments).await?;
        signals.next().await;
        serving.drain(signals).await;
        anyhow::Ok(())
    })?;
    // A thread that hangs in a system call must not keep the process alive.
    threads.shutdown_timeout(run::HANGING_CALLS_TIMEOUT);
    Ok(ExitCode::SUCCESS)
}
