//! Ensures a single owner of the memory for models across processes (GPU-7).
//!
//! Luna's GpuToken actor grants leases of the memory. A batch command that needs a model asks the running Luna for a lease ([`client`]) and becomes a
//! holder like others in its ledger ([`holders`]): it waits its turn and yields to more urgent work. Without a running Luna, a lock on a file in the
//! runtime folder serialises the commands.

pub mod client;
pub mod holders;

use std::fs::File;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use luna_actor_runtime::blocking::BlockingThread;
use luna_engine_host::ModelPlan;
use luna_messages::capability::Unavailable;
use luna_messages::engine::EngineKind;
use luna_platform::private_folder::{self, PrivateFolderError};
use tokio::time::Instant;

use crate::control_file;

/// Called before a model is loaded; may block, and may change the place where the model is loaded.
pub type Admission = Arc<dyn Fn(EngineKind, ModelPlan) -> Result<ModelPlan, Unavailable> + Send + Sync>;

/// Time limit of a file operation, which takes a millisecond.
const DISK_TIMEOUT: Duration = Duration::from_secs(5);
/// Interval of retries of a lock that another process holds.
const RETRY_INTERVAL: Duration = Duration::from_millis(100);

/// The lock on model memory among this person's programs; held from its first use until the last clone is dropped. The system releases it if the
/// process dies.
#[derive(Debug, Clone)]
pub struct ModelsLock {
    path: PathBuf,
    held: Arc<Mutex<Option<File>>>,
    /// Accesses the file for callers that must not block (KER-11).
    disk: BlockingThread,
}

impl ModelsLock {
    /// The lock in the runtime folder; not acquired yet.
    #[must_use]
    pub fn of_this_person() -> Self {
        Self::at(control_file::runtime_directory().join("models.lock"))
    }

    /// A lock on that file; not acquired yet.
    #[must_use]
    pub fn at(path: PathBuf) -> Self {
        Self { path, held: Arc::default(), disk: BlockingThread::new("models_lock", DISK_TIMEOUT) }
    }

    /// Acquires the lock unless it is held already; waits at most `patience` for another process. Blocks.
    ///
    /// # Errors
    /// If another process keeps the lock for longer than `patience`, or the file can't be opened; the error says what to do.
    pub fn take(&self, patience: Duration) -> Result<(), Unavailable> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if held.is_some() {
            return Ok(());
        }
        let file = self.open().map_err(|error| Unavailable {
            reason: format!("The lock on the memory for models, {}, can't be opened: {error}.", self.path.display()),
            remedy: "Make its folder writable, or set LUNA_RUNTIME_DIR to one that is.".to_owned(),
        })?;
        let begun = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(std::fs::TryLockError::WouldBlock) if begun.elapsed() < patience => {
                    std::thread::sleep(RETRY_INTERVAL)
                }
                Err(std::fs::TryLockError::WouldBlock) => {
                    return Err(Unavailable {
                        reason: "Another luna command has a model in memory.".to_owned(),
                        remedy: "Wait for it to end and try again.".to_owned(),
                    });
                }
                Err(std::fs::TryLockError::Error(error)) => {
                    // A file system without locks can't serialise processes, so the load goes on.
                    tracing::warn!(%error, "The memory for models can't be locked against other commands.");
                    break;
                }
            }
        }
        *held = Some(file);
        Ok(())
    }

    /// As [`ModelsLock::take`], without waiting for another process, and without blocking.
    ///
    /// # Errors
    /// If another process has the lock, the file can't be opened, or the disk hangs; the error says what to do.
    pub async fn try_take(&self) -> Result<(), Unavailable> {
        let lock = self.clone();
        let took = self.disk.run(move || lock.take(Duration::ZERO)).await;
        took.unwrap_or_else(|error| {
            Err(Unavailable {
                reason: format!("The memory for models can't be locked: {error}."),
                remedy: "Set LUNA_RUNTIME_DIR to a folder of your own on a local disk.".to_owned(),
            })
        })
    }

    /// Opens the file, in a folder that belongs to this user only.
    fn open(&self) -> Result<File, PrivateFolderError> {
        if let Some(folder) = self.path.parent() {
            private_folder::create(folder)?;
        }
        private_folder::open_or_create(&self.path)
    }

    /// For Luna itself: acquires the lock at the first model, so that a command that started before Luna ends first.
    #[must_use]
    pub fn admission(&self, patience: Duration) -> Admission {
        let lock = self.clone();
        Arc::new(move |_, model| lock.take(patience).map(|()| model))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // GPU-7
    #[test]
    fn one_at_a_time_has_the_lock_and_the_next_one_is_told_gpu_7() {
        let folder = tempfile::tempdir().unwrap();
        let lock = |name: &str| ModelsLock::at(folder.path().join("run").join(name));
        let (first, second) = (lock("a"), lock("a"));
        first.take(Duration::ZERO).unwrap();
        first.take(Duration::ZERO).unwrap();
        let why = second.take(Duration::from_millis(150)).unwrap_err();
        assert!(why.reason.contains("Another luna command"), "{why:?}");
        drop(first);
        second.take(Duration::ZERO).unwrap();
        let nowhere = ModelsLock::at("/proc/nowhere/models.lock".into());
        assert!(nowhere.take(Duration::ZERO).unwrap_err().remedy.contains("LUNA_RUNTIME_DIR"));
    }
}
