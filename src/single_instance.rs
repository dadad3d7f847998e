//! At most one Luna for each person: two would speak over one another (KER-10).
//!
//! A file lock in the runtime folder, held until the process ends. The system releases the lock however the process ends, so a killed Luna blocks no
//! later start, and of several that start at once exactly one succeeds.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use luna_platform::private_folder::{self, PrivateFolderError};

use crate::control_file;

/// Maximum attempts if the file is removed just while it is locked.
const MAX_ATTEMPTS: usize = 8;

/// The claim to be the only Luna, held until drop.
#[derive(Debug)]
pub struct SingleInstance {
    /// The lock lasts as long as this handle.
    _locked: File,
}

/// Why this process must not run, or can't find out.
#[derive(Debug, thiserror::Error)]
pub enum ClaimError {
    /// Another Luna runs.
    #[error("Luna runs already{}. End that one first, or talk to it with `luna ctl`", .process.map(|process| format!(" (process {process})")).unwrap_or_default())]
    RunsAlready {
        /// Process id of the other Luna, if its control file can be read.
        process: Option<u32>,
    },
    /// The runtime folder can't be used.
    #[error(transparent)]
    Folder(#[from] PrivateFolderError),
    /// The lock file can't be locked, for example on a file system without locks, or is removed again and again.
    #[error("{} can't be locked: {source}; set LUNA_RUNTIME_DIR to a folder on a local disk", .path.display())]
    Lock {
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

/// Claims to be the only Luna of the runtime folder.
///
/// # Errors
/// [`ClaimError::RunsAlready`] if another Luna runs, another error if that can't be found out.
pub fn claim() -> Result<SingleInstance, ClaimError> {
    claim_in(&control_file::runtime_directory())
}

/// As [`claim`], for the given folder.
///
/// # Errors
/// As [`claim`].
pub fn claim_in(folder: &Path) -> Result<SingleInstance, ClaimError> {
    private_folder::create(folder)?;
    let path = folder.join("luna.lock");
    let failed = |source| ClaimError::Lock { path: path.clone(), source };
    for _ in 0..MAX_ATTEMPTS {
        let file = private_folder::open_or_create(&path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let process = control_file::read(&folder.join(control_file::NAME)).ok().map(|control| control.process);
                return Err(ClaimError::RunsAlready { process });
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        // A cleaner may have removed the file in between; then other processes lock a new file.
        let locked = private_folder::identity(&file).map_err(failed)?;
        if private_folder::identity_at(&path).is_ok_and(|there| there == locked) {
            return Ok(SingleInstance { _locked: file });
        }
    }
    Err(failed(io::Error::other("it is removed again and again")))
}

#[cfg(test)]
mod tests {
    use super::*;

    // KER-10
    #[test]
    fn one_of_many_gets_it_and_the_next_only_after_it_is_gone_ker_10() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("run");
        let claims: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..16).map(|_| scope.spawn(|| claim_in(&folder))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(claims.iter().filter(|claim| claim.is_ok()).count(), 1, "{claims:?}");
        assert!(claims.iter().all(|claim| matches!(claim, Ok(_) | Err(ClaimError::RunsAlready { process: None }))));
        assert!(claim_in(&folder).is_err());
        drop(claims);
        claim_in(&folder).unwrap();
    }

    // KER-10
    #[test]
    fn a_removed_file_is_made_anew_ker_10() {
        let home = tempfile::tempdir().unwrap();
        let first = claim_in(home.path()).unwrap();
        drop(first);
        std::fs::remove_file(home.path().join("luna.lock")).unwrap();
        claim_in(home.path()).unwrap();
    }
}
