//! Taking over changes while running, where that is safe (CFG-4).

use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use serde::Serialize;
use serde_json::Value as Json;

use super::Config;
use super::error::ConfigError;
use super::load::{LoadOptions, Loaded, load, user_file};
use super::shape::join;

/// Keys that are read once, when what they describe is opened. All others are taken over at once.
const NEED_RESTART: [&str; 20] = [
    "control",
    "engines.nice",
    "engines.ocr",
    "groups",
    "http",
    "jobs.workers",
    "language",
    "mailbox",
    "mcp",
    "metrics",
    "models.directory",
    "models.tasks.voice_activity",
    "privacy.ttl_purge_ms",
    "tools",
    "tts.buffer_frames",
    "tts.device",
    "windows.log",
    "windows.ocr",
    "windows.stt",
    "windows.uia",
];

/// What differs between two configurations, by key.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Changes {
    /// Keys that can be taken over while running.
    pub safe: Vec<String>,
    /// Keys that count after the next start.
    pub needs_restart: Vec<String>,
}

impl Changes {
    /// Nothing differs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.safe.is_empty() && self.needs_restart.is_empty()
    }
}

/// Compares two configurations key by key.
#[must_use]
pub fn changes(old: &Config, new: &Config) -> Changes {
    let mut changes = Changes::default();
    let (old, new) = (serde_json::to_value(old).unwrap_or_default(), serde_json::to_value(new).unwrap_or_default());
    compare(&old, &new, "", &mut changes);
    changes
}

fn compare(old: &Json, new: &Json, path: &str, changes: &mut Changes) {
    if old == new {
        return;
    }
    if let (Json::Object(old), Json::Object(new)) = (old, new) {
        let mut keys: Vec<&String> = old.keys().chain(new.keys().filter(|key| !old.contains_key(*key))).collect();
        keys.sort();
        for key in keys {
            let (before, after) = (old.get(key).unwrap_or(&Json::Null), new.get(key).unwrap_or(&Json::Null));
            compare(before, after, &join(path, key), changes);
        }
        return;
    }
    let restart =
        NEED_RESTART.iter().any(|key| path == *key || path.strip_prefix(key).is_some_and(|rest| rest.starts_with('.')));
    let list = if restart { &mut changes.needs_restart } else { &mut changes.safe };
    list.push(path.to_owned());
}

/// A file as it was at one look: time and size; none where it isn't there.
pub type Stamp = Option<(SystemTime, u64)>;

/// Notices that the person's file changed. It reads no clock: whoever holds it asks every two seconds.
#[derive(Debug, Clone)]
pub struct ConfigWatcher {
    options: LoadOptions,
    file: Option<PathBuf>,
    /// The file at the last look.
    seen: Stamp,
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

    /// The new configuration, or why it can't be used (then the old one stays); `None` where nothing changed.
    pub fn look(&mut self) -> Option<Result<Loaded, ConfigError>> {
        let now = self.stamp();
        self.is_news(now).then(|| self.load())
    }

    /// The file as it is now. It asks the disk.
    #[must_use]
    pub fn stamp(&self) -> Stamp {
        let meta = fs::metadata(self.file.as_ref()?).ok()?;
        Some((meta.modified().ok()?, meta.len()))
    }

    /// Whether the file is another one than at the last look; this is the last look then.
    pub fn is_news(&mut self, now: Stamp) -> bool {
        std::mem::replace(&mut self.seen, now) != now
    }

    /// Reads the file.
    ///
    /// # Errors
    /// Why it can't be used.
    pub fn load(&self) -> Result<Loaded, ConfigError> {
        load(&self.options)
    }
}
