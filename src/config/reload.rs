//! Noticing changes of the file while running (CFG-4). What a change means: [`super::effect`].

use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use super::error::ConfigError;
use super::load::{LoadOptions, Loaded, load, user_file};

/// Notices that the person's file changed. It reads no clock: whoever holds it asks every two seconds.
#[derive(Debug)]
pub struct ConfigWatcher {
    options: LoadOptions,
    file: Option<PathBuf>,
    /// Time and size at the last look; none where the file isn't there.
    seen: Option<(SystemTime, u64)>,
}

impl ConfigWatcher {
    /// How often the file is to be looked at.
    pub const INTERVAL: std::time::Duration = std::time::Duration::from_secs(2);

    /// Watches the file that these options lead to, from its state now.
    #[must_use]
    pub fn new(options: LoadOptions) -> Self {
        let file = user_file(&options).map(|(file, _)| file);
        let mut watcher = Self { options, file, seen: None };
        watcher.seen = watcher.state();
        watcher
    }

    /// The new configuration, or why it can't be used (then the old one stays); `None` where nothing changed.
    pub fn look(&mut self) -> Option<Result<Loaded, ConfigError>> {
        let now = self.state();
        if now == self.seen {
            return None;
        }
        self.seen = now;
        Some(load(&self.options))
    }

    fn state(&self) -> Option<(SystemTime, u64)> {
        let meta = fs::metadata(self.file.as_ref()?).ok()?;
        Some((meta.modified().ok()?, meta.len()))
    }
}
