//! Folders and files that no other user can have created or changed (PRV-4, PRV-7).
//!
//! What Luna trusts without further checks (the control token, the record of verified models) is as safe as the folder
//! that contains it. Below `/tmp` any user can create a folder first, and a symbolic link can lead anywhere. So owner,
//! kind and mode are checked before anything is read or written, and files are always newly created, never opened over
//! an existing file.
//!
//! On Windows these folders are in the user's profile, which the system itself protects from other users; nothing is
//! checked there.

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
    OtherOwner { path: PathBuf, owner: u32 },
    /// Other users may write there.
    #[error("other users of this machine can write to {} (mode {mode:o}), so Luna does not use it; take the right from them with `chmod go-w`", .path.display())]
    WritableByOthers {
        path: PathBuf,
        /// The permission bits.
        mode: u32,
    },
    /// A symbolic link, which may lead anywhere.
    #[error("{} is a symbolic link, so Luna does not use it; remove it, or name the place that it leads to", .path.display())]
    Link { path: PathBuf },
    /// Something of another kind has this name.
    #[error("{} is not {wanted}; remove it, or choose another folder", .path.display())]
    OtherKind {
        path: PathBuf,
        /// `a folder` or `a file`.
        wanted: &'static str,
    },
    /// The disk or the user's quota is full.
    #[error("there is no room left on the disk to write {}; free some", .path.display())]
    DiskFull {
        /// The file to be written.
        path: PathBuf,
    },
    /// Another error of the system.
    #[error("{} can't be used: {source}", .path.display())]
    Io { path: PathBuf, source: io::Error },
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

    /// Whether the file or folder does not exist.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }
}

/// Identifies a file whatever its name: equal only for the same file, as long as it was not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileIdentity {
    device: u64,
    inode: u64,
    /// When content, name or owner last changed, in seconds and nanoseconds; needed because a new file may reuse a
    /// removed file's inode.
    changed: (i64, i64),
}

/// Creates a folder that only its owner can enter, with its parents; or checks an existing folder and restricts its
/// mode.
///
/// # Errors
/// If the folder can't be created, if a link or a file has its name, or if another user owns it or can change a parent.
pub fn create(folder: &Path) -> Result<(), PrivateFolderError> {
    system::create(folder)
}

/// Checks that only the user or the administrator can have put anything into an existing folder. A link is followed,
/// because the user's own may lead to another disk; every folder on the resolved path is checked.
///
/// # Errors
/// If the folder does not exist ([`PrivateFolderError::is_not_found`]), is not a folder, or can be changed by another
/// user.
pub fn check(folder: &Path) -> Result<(), PrivateFolderError> {
    system::check(folder)
}

/// Opens the user's own file for reading: not a link or a pipe, and not writable by others.
///
/// # Errors
/// If the file does not exist ([`PrivateFolderError::is_not_found`]), is not a plain file, can be changed by another
/// user, or can't be opened.
pub fn open(file: &Path) -> Result<File, PrivateFolderError> {
    system::open(file)
}

/// Opens the user's own file for reading and writing, creating it if it is missing; existing content is kept.
///
/// # Errors
/// If the file is not a plain file, can be changed by another user, or can't be opened or created.
pub fn open_or_create(file: &Path) -> Result<File, PrivateFolderError> {
    system::open_or_create(file)
}

/// Writes a file that only its owner can read, atomically: a concurrent reader finds the old or the new content, never
/// a part. An existing file is replaced, never written into.
///
/// # Errors
/// If the file can't be written; the temporary file is then removed.
pub fn write(file: &Path, content: &[u8]) -> Result<FileIdentity, PrivateFolderError> {
    let draft = draft_of(file);
    // A killed process with the same id may have left one behind. It belongs to this user, because the folder does.
    drop(fs::remove_file(&draft));
    let mut open = system::create_new(&draft).map_err(|error| PrivateFolderError::io(file, error))?;
    let written = open.write_all(content).and_then(|()| open.sync_all()).and_then(|()| fs::rename(&draft, file));
    // Renaming changes the identity, so read it afterwards.
    match written.and_then(|()| system::identity(&open)) {
        Ok(identity) => Ok(identity),
        Err(error) => {
            drop(fs::remove_file(&draft));
            Err(PrivateFolderError::io(file, error))
        }
    }
}

/// Removes a file if it is still the file that was written; a different file with its name is kept.
pub fn remove_own(file: &Path, written: FileIdentity) {
    if system::identity_at(file).is_ok_and(|there| there == written) {
        drop(fs::remove_file(file));
    }
}

/// The identity of an open file.
///
/// # Errors
/// If the system can't report it.
pub fn identity(file: &File) -> io::Result<FileIdentity> {
    system::identity(file)
}

/// The identity of the file at a path; a link is not followed.
///
/// # Errors
/// `NotFound` if there is no file, otherwise the system's error.
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
