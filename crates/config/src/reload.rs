//! Detects changes of the file while Luna runs (CFG-4). When a change takes effect: [`super::effect`].

use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use super::error::ConfigError;
use super::load::{LoadOptions, LoadedConfig, load, user_file};

/// Modification time and size of a file; `None` if it does not exist.
pub type FileSnapshot = Option<(SystemTime, u64)>;

/// Detects changes of the person's file. Has no timer: its owner polls every [`Self::INTERVAL`].
#[derive(Debug, Clone)]
pub struct ConfigWatcher {
    options: LoadOptions,
    file: Option<PathBuf>,
    /// The file at the last poll.
    last: FileSnapshot,
}

impl ConfigWatcher {
    /// Polling interval.
    pub const INTERVAL: std::time::Duration = std::time::Duration::from_secs(2);

    /// Watches the file that these options select, and compares it with its present state.
    #[must_use]
    pub fn new(options: LoadOptions) -> Self {
        let file = user_file(&options).map(|(file, _)| file);
        let mut watcher = Self { options, file, last: None };
        watcher.last = watcher.snapshot();
        watcher
    }

    /// The changed configuration, or why it can't be used; `None` if nothing changed.
    pub fn poll(&mut self) -> Option<Result<LoadedConfig, ConfigError>> {
        let now = self.snapshot();
        self.observe(now).then(|| self.load())
    }

    /// The present state of the file. May block on the disk.
    #[must_use]
    pub fn snapshot(&self) -> FileSnapshot {
        let meta = fs::metadata(self.file.as_ref()?).ok()?;
        Some((meta.modified().ok()?, meta.len()))
    }

    /// Whether the file differs from the last poll; records `now` as the last poll.
    pub fn observe(&mut self, now: FileSnapshot) -> bool {
        std::mem::replace(&mut self.last, now) != now
    }

    /// Loads the configuration.
    ///
    /// # Errors
    /// As [`load`](super::load()).
    pub fn load(&self) -> Result<LoadedConfig, ConfigError> {
        load(&self.options)
    }
}
