//! Private folders on systems that themselves protect a user's folders from other users.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

use super::{FileIdentity, PrivateFolderError};

pub(super) fn create(folder: &Path) -> Result<(), PrivateFolderError> {
    fs::create_dir_all(folder).map_err(|error| PrivateFolderError::io(folder, error))
}

pub(super) fn check(folder: &Path) -> Result<(), PrivateFolderError> {
    match fs::metadata(folder) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => Err(PrivateFolderError::OtherKind { path: folder.to_owned(), wanted: "a folder" }),
        Err(error) => Err(PrivateFolderError::io(folder, error)),
    }
}

pub(super) fn open(file: &Path) -> Result<File, PrivateFolderError> {
    File::open(file).map_err(|error| PrivateFolderError::io(file, error))
}

pub(super) fn open_or_create(file: &Path) -> Result<File, PrivateFolderError> {
    let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(file);
    opened.map_err(|error| PrivateFolderError::io(file, error))
}

pub(super) fn create_new(file: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(file)
}

/// Uses creation time and length, because the number that identifies a file needs system calls.
pub(super) fn identity(file: &File) -> io::Result<FileIdentity> {
    identity_of(&file.metadata()?)
}

pub(super) fn identity_at(path: &Path) -> io::Result<FileIdentity> {
    identity_of(&fs::symlink_metadata(path)?)
}

fn identity_of(found: &fs::Metadata) -> io::Result<FileIdentity> {
    let made = found.created()?.duration_since(std::time::UNIX_EPOCH).map_err(io::Error::other)?;
    let nanoseconds = u64::try_from(made.as_nanos()).unwrap_or(u64::MAX);
    Ok(FileIdentity { device: found.len(), inode: nanoseconds, changed: (0, 0) })
}
