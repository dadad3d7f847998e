//! Applies changes of the configuration file while Luna runs (CFG-4). The file is read off the workers; a read that never returns (a hanging disk, a
//! pipe without a writer) blocks nothing: the next change is read on another thread (KER-11).

use std::time::Duration;

use luna_actor_runtime::blocking::{BlockingThread, NoAnswer};
use luna_focus::phrases::Phrase;
use luna_messages::overlay::OverlayMessage;
use luna_messages::tts::TtsMessage;

use crate::settings::{self, LiveConfig};
use crate::wiring::Wiring;
use luna_config::{Changes, Config, ConfigError, ConfigWatcher, LoadedConfig, changes};

/// Time limit of a read, which takes a millisecond.
const DISK_TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum reads that hang. Beyond it, the file is not read until one returns.
const MAX_HUNG: usize = 4;

/// Why a change is not applied.
#[derive(Debug, thiserror::Error)]
pub enum ReloadError {
    /// The configuration is invalid.
    #[error(transparent)]
    Broken(#[from] ConfigError),
    /// The file can't be read in time.
    #[error("the configuration file can't be read: {0}; put an ordinary file there")]
    Silent(#[from] NoAnswer),
}

/// Applies changes of the configuration file and announces each; a broken file is announced and not applied.
pub async fn follow_changes(watcher: ConfigWatcher, live: LiveConfig, wiring: Wiring) {
    let mut reloader = Reloader::new(watcher, DISK_TIMEOUT);
    loop {
        tokio::time::sleep(ConfigWatcher::INTERVAL).await;
        match reloader.check_for_change().await {
            None => {}
            Some(Ok(loaded)) => announce(loaded, &live, &wiring),
            Some(Err(error)) => {
                tracing::error!(%error, "The changed configuration file is broken; the old settings stay.");
                wiring.announcer.say(Phrase::ConfigurationBroken);
            }
        }
    }
}

fn announce(loaded: LoadedConfig, live: &LiveConfig, wiring: &Wiring) {
    let changes = changes(&live.get(), &loaded.config);
    if changes.is_empty() {
        return;
    }
    tracing::warn!(keys = changes.in_words(), "The configuration file changed.");
    loaded.warnings.iter().for_each(|warning| tracing::warn!("{warning}"));
    apply_config(live, wiring, loaded.config);
    wiring.announcer.say(phrase_of(&changes));
}

/// Applies a configuration: settings read from now on are the new ones. The Tts actor, which keeps its settings, and the Overlay actor, which shows something by them, are notified.
pub fn apply_config(live: &LiveConfig, wiring: &Wiring, config: Config) {
    settings::process_settings(&config).apply();
    // The keyboard focus is read by itself, before any actor asks for settings (PRV-3).
    wiring.system.accessibility.block_roles(settings::blocked_roles(&config));
    live.set(config);
    drop(wiring.tts.post(TtsMessage::Configure(settings::tts_settings(&live.get()).speech)));
    drop(wiring.overlay.post(OverlayMessage::CheckSettings));
}

/// The announcement of a change: that it was applied if a part was, else that it needs a restart if a part does.
fn phrase_of(changes: &Changes) -> Phrase {
    if !changes.safe.is_empty() {
        Phrase::ConfigurationReloaded
    } else if !changes.needs_restart.is_empty() {
        Phrase::ConfigurationNeedsRestart
    } else {
        Phrase::ConfigurationWithoutEffect
    }
}

/// Polls the file without waiting for it.
struct Reloader {
    watcher: ConfigWatcher,
    deadline: Duration,
    /// Reads the file's time stamps.
    stamps: BlockingThread,
    /// Reads the file.
    reader: BlockingThread,
    /// Readers with a hanging read.
    hung: Vec<BlockingThread>,
    /// Whether a detected change could not be read in time.
    pending_change: bool,
}

impl Reloader {
    fn new(watcher: ConfigWatcher, deadline: Duration) -> Self {
        let (stamps, reader) =
            (BlockingThread::new("folder", deadline), BlockingThread::new("configuration", deadline));
        Self { watcher, deadline, stamps, reader, hung: Vec::new(), pending_change: false }
    }

    /// Returns the new configuration, or why it can't be used; `None` if nothing changed or the time stamps can't be read in time.
    async fn check_for_change(&mut self) -> Option<Result<LoadedConfig, ReloadError>> {
        let watcher = self.watcher.clone();
        let now = self.stamps.run(move || watcher.snapshot()).await.ok()?;
        let is_news = self.watcher.observe(now);
        self.hung.retain(BlockingThread::is_late);
        // A late read has returned, so the disk was only slow: read again.
        let is_owed = self.pending_change && !self.reader.is_late();
        if !is_news && !is_owed {
            return None;
        }
        if self.reader.is_late() && self.hung.len() < MAX_HUNG {
            let fresh = BlockingThread::new("configuration", self.deadline);
            self.hung.push(std::mem::replace(&mut self.reader, fresh));
        }
        let watcher = self.watcher.clone();
        let read = self.reader.run(move || watcher.load()).await;
        self.pending_change = read.is_err();
        Some(read.map_err(ReloadError::from).and_then(|loaded| loaded.map_err(ReloadError::from)))
    }
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::path::Path;

    use super::*;
    use luna_config::LoadOptions;

    const RATE: &str = "version: 1\nprofiles: { default: { tts: { rate: 2.0 } } }\n";

    fn reloader(path: &Path) -> Reloader {
        let options = LoadOptions { file: Some(path.to_owned()), ..LoadOptions::default() };
        Reloader::new(ConfigWatcher::new(options), Duration::from_millis(200))
    }

    fn pipe(path: &Path) {
        drop(std::fs::remove_file(path));
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    }

    // CFG-4, KER-11
    #[tokio::test]
    async fn reads_that_never_return_are_told_once_and_cost_few_threads_cfg_4_ker_11() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.yaml");
        std::fs::write(&path, RATE).unwrap();
        let mut reloader = reloader(&path);
        assert!(reloader.check_for_change().await.is_none());
        // More changes than reads that may hang.
        for _ in 0..2 * MAX_HUNG {
            pipe(&path);
            assert!(matches!(reloader.check_for_change().await, Some(Err(_))));
            assert!(reloader.check_for_change().await.is_none(), "it is told once");
        }
        assert!(reloader.hung.len() <= MAX_HUNG, "threads are stacked up");
    }

    // CFG-4, KER-11
    #[tokio::test]
    async fn after_one_read_that_hangs_the_next_file_is_taken_over_cfg_4_ker_11() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.yaml");
        std::fs::write(&path, RATE).unwrap();
        let mut reloader = reloader(&path);
        pipe(&path);
        assert!(matches!(reloader.check_for_change().await, Some(Err(_))));
        drop(std::fs::remove_file(&path));
        std::fs::write(&path, RATE.replace("2.0", "1.5")).unwrap();
        let loaded = reloader.check_for_change().await.expect("the file changed").expect("it is whole");
        assert!((loaded.config.tts.rate - 1.5).abs() < 1e-6);
    }
}
