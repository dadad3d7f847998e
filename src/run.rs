//! The life cycle of a run, in the order of `main.rs`: configuration → process → build → serve → signal → drain (KER-10).

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

/// Longest wait for hanging system calls before the process exits.
pub const HANGING_CALLS_TIMEOUT: Duration = Duration::from_millis(200);

/// The loaded configuration, and the watcher of its changes (CFG-4).
pub struct Configuration {
    loaded: LoadedConfig,
    watcher: ConfigWatcher,
}

impl Configuration {
    /// Loads the configuration. Its warnings are logged once the log is open.
    ///
    /// # Errors
    /// If the configuration is invalid; the error lists every mistake with file, line and column.
    pub fn load(globals: &Globals) -> anyhow::Result<Self> {
        // The watcher starts first, so that no change is missed in between.
        let watcher = ConfigWatcher::new(globals.load_options());
        Ok(Self { loaded: globals.load_quietly()?, watcher })
    }
}
