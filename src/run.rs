//! One life of Luna, in the order of `main.rs`: configuration → process → build → serve → signal → drain (KER-10).

mod process;

mod build;
mod serve;

mod drain;
mod signals;

use std::time::Duration;

pub use build::Luna;
pub use process::{ProcessSetup, threads};
pub use serve::Serving;
pub use signals::Signals;

use crate::cli::Globals;
use luna_config::{ConfigWatcher, LoadedConfig};

/// How long calls of the system that hang are waited for at the very end.
pub const LAST_CALLS: Duration = Duration::from_millis(200);

/// The configuration as loaded, and what notices its changes (CFG-4).
pub struct Configuration {
    loaded: LoadedConfig,
    watcher: ConfigWatcher,
}

impl Configuration {
    /// Loads it. Its warnings go to the log once that is open.
    ///
    /// # Errors
    /// Everything that is wrong with it, with file, line and column.
    pub fn load(globals: &Globals) -> anyhow::Result<Self> {
        // The watcher comes first, so that no change falls between the two.
        let watcher = ConfigWatcher::new(globals.load_options());
        Ok(Self { loaded: globals.load_in_silence()?, watcher })
    }
}
