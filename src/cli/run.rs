//! Arguments of `luna run`, which `main.rs` runs.

/// Starts Luna and keeps it running until SIGINT or SIGTERM; a second signal ends at once.
#[derive(Debug, clap::Args)]
pub struct RunArguments {
    /// Prints the address and the path of the control file as JSON once Luna is ready.
    #[arg(long)]
    pub json: bool,
    /// Switches focus mode on at the start.
    #[arg(long)]
    pub focus: bool,
}
