//! `luna run`.

use std::process::ExitCode;

use super::{Globals, output};

/// Starts Luna and keeps her running until SIGINT or SIGTERM; a second signal ends at once.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Prints the address and the place of the control file as JSON once Luna is ready.
    #[arg(long)]
    json: bool,
    /// Switches focus mode on right away.
    #[arg(long)]
    focus: bool,
}

/// Runs until told to end.
///
/// # Errors
/// A wrong configuration, or another Luna that runs already.
pub fn run(arguments: Arguments, globals: &Globals) -> anyhow::Result<ExitCode> {
    let watcher = luna_config::ConfigWatcher::new(globals.load_options());
    // Its warnings go to the log.
    let loaded = globals.load_in_silence()?;
    let ready = move |ready: &crate::run::Ready| {
        let told = if arguments.json {
            output::json(ready)
        } else {
            let control = ready.control.as_ref().map(|control| format!("\ncontrol: {control}")).unwrap_or_default();
            output::line(&format!("Luna is ready ({} ms). 루나가 준비됐어요.{control}", ready.after_ms))
        };
        // Luna is there for the person, not for who started it.
        if let Err(error) = told {
            tracing::warn!(%error, "Nobody could be told that Luna is ready.");
        }
    };
    let options = crate::run::Options { focus: arguments.focus, watcher };
    crate::run::run(loaded, options, ready)
}
