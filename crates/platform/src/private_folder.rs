//! Folders and files that nobody but the person can have put there (PRV-4, PRV-7).
//!
//! What Luna believes without a check of its own (the token by which it is driven, the note on verified models) is as safe as the folder that it
//! lies in. Below `/tmp` any user can make a folder first, and a symbolic link leads anywhere. So owner, kind and mode are checked before anything is
//! read or written, and files are made anew, never opened where something lies already.
//!
//! On Windows the folders in question lie in the person's profile, which the system itself closes to others; there nothing is checked.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

#[cfg(target_os = "linux")]
#[path = "private_folder/linux.rs"]
mod system;
#[cfg(not(target_os = "linux"))]
#[path = "private_folder/unchecked.rs"]
mod system;

/// Why a folder or file is not used.
#[derive(Debug, thiserror::Error)]
pub enum PrivateFolderError {
    /// Another user owns it or a folder above it.
    #[error("{} belongs to another user of this machine (user id {owner}), so Luna does not use it; choose a folder of your own, or have that one removed", .path.display())]
    OtherOwner {
        /// What belongs to them.
        path: PathBuf,
        /// Their user id.
        owner: u32,
    },
    /// Other users may put files there.
    #[error("other users of this machine can write to {} (mode {mode:o}), so Luna does not use it; take the right from them with `chmod go-w`", .path.display())]
    WritableByOthers {
        /// Where they may.
        path: PathBuf,
        /// The permission bits.
        mode: u32,
    },
    /// It is a symbolic link, which may lead anywhere.
    #[error("{} is a symbolic link, so Luna does not use it; remove it, or name the place that it leads to", .path.display())]
    Link { path: PathBuf },
    /// There is something else under its name.
    #[error("{} is not {wanted}; remove it, or choose another folder", .path.display())]
    OtherKind {
        path: PathBuf,
        /// `a folder` or `a file`.
        wanted: &'static str,
    },
    /// The disk is full, or the person's share of it.
    #[error("there is no room left on the disk to write {}; free some", .path.display())]
    DiskFull {
        /// What was to be written.
        path: PathBuf,
    },
    /// The system refuses.
    #[error("{} can't be used: {source}", .path.display())]
    Io {
        /// What was to be used.
        path: PathBuf,
        /// Why it can't.
        source: io::Error,
    },
}

impl PrivateFolderError {
    fn io(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                Self::DiskFull { path }
            }
            _ => Self::Io { path, source },
        }
    }

    /// Whether there simply is nothing.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }
}

/// Which file it is, whatever its name: the same only for the very file that was written, as long as nobody changed it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileIdentity {
    device: u64,
    inode: u64,
    /// When content, name or owner changed last, in seconds and nanoseconds: the number of a removed file is given to the next one.
    changed: (i64, i64),
}

/// Makes a folder that only its owner can enter, with the folders above it, or checks and closes the one that is there.
///
/// # Errors
/// [`PrivateFolderError`]: it can't be made, is a link, or it or a folder above it is in the hand of another user.
pub fn create(folder: &Path) -> Result<(), PrivateFolderError> {
    system::create(folder)
}

/// Checks that nobody but the person (or the administrator) can have put anything into a folder that is there. A link is followed: the person's own may
/// lead to another disk; every folder on the way is checked where it really lies.
///
/// # Errors
/// [`PrivateFolderError`]; [`PrivateFolderError::is_not_found`] if there is none.
pub fn check(folder: &Path) -> Result<(), PrivateFolderError> {
    system::check(folder)
}

/// Opens a file of the person's own for reading: no link, no pipe, not writable by others.
///
/// # Errors
/// [`PrivateFolderError`]; [`PrivateFolderError::is_not_found`] if there is none.
pub fn open(file: &Path) -> Result<File, PrivateFolderError> {
    system::open(file)
}

/// Opens a file of the person's own for reading and writing, made if it is missing; what it holds stays.
///
/// # Errors
/// [`PrivateFolderError`].
pub fn open_or_create(file: &Path) -> Result<File, PrivateFolderError> {
    system::open_or_create(file)
}

/// Writes a file that only its owner can read, in one step: who reads meanwhile finds the old one or the new one, never a part. Nothing is ever written
/// into what lies there already.
///
/// # Errors
/// [`PrivateFolderError`]; no draft is left behind.
pub fn write(file: &Path, content: &[u8]) -> Result<FileIdentity, PrivateFolderError> {
    let draft = draft_of(file);
    // One of a process with the same number that was killed; it is this person's, since the folder is.
    drop(fs::remove_file(&draft));
    let mut open = system::create_new(&draft).map_err(|error| PrivateFolderError::io(file, error))?;
    let written = open.write_all(content).and_then(|()| open.sync_all()).and_then(|()| fs::rename(&draft, file));
    // Renaming changes the file, too.
    match written.and_then(|()| system::identity(&open)) {
        Ok(identity) => Ok(identity),
        Err(error) => {
            drop(fs::remove_file(&draft));
            Err(PrivateFolderError::io(file, error))
        }
    }
}

/// Removes a file if it is still the one that was written; another's that took its name stays.
pub fn remove_own(file: &Path, written: FileIdentity) {
    if system::identity_at(file).is_ok_and(|there| there == written) {
        drop(fs::remove_file(file));
    }
}

/// Which file an open one is.
///
/// # Errors
/// If the system does not tell.
pub fn identity(file: &File) -> io::Result<FileIdentity> {
    system::identity(file)
}

/// Which file a path names; a link is not followed.
///
/// # Errors
/// `NotFound` if there is none, else what the system says.
pub fn identity_at(path: &Path) -> io::Result<FileIdentity> {
    system::identity_at(path)
}

fn draft_of(file: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(file.file_name().unwrap_or_default());
    name.push(format!(".{}.part", std::process::id()));
    file.with_file_name(name)
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
