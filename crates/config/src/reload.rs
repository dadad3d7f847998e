//! Noticing changes of the file while running (CFG-4). What a change means: [`super::effect`].

use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use super::error::ConfigError;
use super::load::{LoadOptions, LoadedConfig, load, user_file};

/// A file as it was at one look: time and size; none if it isn't there.
pub type FileSnapshot = Option<(SystemTime, u64)>;

/// Notices that the person's file changed. It reads no clock: whoever holds it asks every two seconds.
#[derive(Debug, Clone)]
pub struct ConfigWatcher {
    options: LoadOptions,
    file: Option<PathBuf>,
    /// The file at the last look.
    seen: FileSnapshot,
}

impl ConfigWatcher {
    /// How often the file is to be looked at.
    pub const INTERVAL: std::time::Duration = std::time::Duration::from_secs(2);

    /// Watches the file that these options lead to, from its state now.
    #[must_use]
    pub fn new(options: LoadOptions) -> Self {
        let file = user_file(&options).map(|(file, _)| file);
        let mut watcher = Self { options, file, seen: None };
        watcher.seen = watcher.stamp();
        watcher
    }

    /// The new configuration, or why it can't be used (then the old one stays); `None` if nothing changed.
    pub fn look(&mut self) -> Option<Result<LoadedConfig, ConfigError>> {
        let now = self.stamp();
        self.is_news(now).then(|| self.load())
    }

    /// The file as it is now. It asks the disk.
    #[must_use]
    pub fn stamp(&self) -> FileSnapshot {
        let meta = fs::metadata(self.file.as_ref()?).ok()?;
        Some((meta.modified().ok()?, meta.len()))
    }

    /// Whether the file is another one than at the last look; this is the last look then.
    pub fn is_news(&mut self, now: FileSnapshot) -> bool {
        std::mem::replace(&mut self.seen, now) != now
    }

    /// Reads the file.
    ///
    /// # Errors
    /// Why it can't be used.
    pub fn load(&self) -> Result<LoadedConfig, ConfigError> {
        load(&self.options)
    }
}
