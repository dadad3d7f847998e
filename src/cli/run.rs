//! `luna run`. What it does stands in `main.rs`.

/// Starts Luna and keeps it running until SIGINT or SIGTERM; a second signal ends at once.
#[derive(Debug, clap::Args)]
pub struct RunArguments {
    /// Prints the address and the place of the control file as JSON once Luna is ready.
    #[arg(long)]
    pub json: bool,
    /// Switches focus mode on right away.
    #[arg(long)]
    pub focus: bool,
}
