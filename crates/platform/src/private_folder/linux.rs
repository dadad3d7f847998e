//! Owner, kind and mode of files on Linux.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

use super::{FileIdentity, PrivateFolderError};

const GROUP_WRITES: u32 = 0o020;
const OTHERS_WRITE: u32 = 0o002;
/// In a folder with this bit, such as `/tmp`, users who may write there still can't rename or remove files of others.
const STICKY: u32 = 0o1000;

/// The user whose files are trusted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Person {
    pub(super) user: u32,
    pub(super) group: u32,
    /// The id that stands for all users that this container does not map; `None` if all are mapped.
    pub(super) unknown: Option<u32>,
}

impl Person {
    fn of_this_process() -> Self {
        let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
        Self { user, group, unknown: overflow_user() }
    }

    /// Whether files of `owner` are trusted: the user's own, the administrator's, and in a container those of users
    /// that it does not map, such as the host's administrator.
    fn trusts(self, owner: u32) -> bool {
        owner == self.user || owner == 0 || self.unknown == Some(owner)
    }
}

/// The user that the host's folders seem to belong to in a container that doesn't map all users; `None` elsewhere.
fn overflow_user() -> Option<u32> {
    let map = fs::read_to_string("/proc/self/uid_map").ok()?;
    let maps_all = map.split_whitespace().eq(["0", "0", "4294967295"]);
    if maps_all {
        return None;
    }
    fs::read_to_string("/proc/sys/kernel/overflowuid").ok()?.trim().parse().ok()
}

/// The metadata that matter for safety.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileFacts {
    pub(super) owner: u32,
    pub(super) group: u32,
    pub(super) mode: u32,
}

impl From<&Metadata> for FileFacts {
    fn from(found: &Metadata) -> Self {
        Self { owner: found.uid(), group: found.gid(), mode: found.mode() & 0o7777 }
    }
}

/// What is wrong with a file or folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FolderFault {
    OtherOwner,
    WritableByOthers,
}

/// What lets anyone but the user or the administrator put anything into a folder, or write a file. A group counts as
/// others, except the administrator's group and the user's primary group: many systems give each user a group of their
/// own.
pub(super) fn fault_of(facts: FileFacts, person: Person) -> Option<FolderFault> {
    let group_writes = facts.mode & GROUP_WRITES != 0 && facts.group != person.group && facts.group != 0;
    if !person.trusts(facts.owner) {
        Some(FolderFault::OtherOwner)
    } else if facts.mode & OTHERS_WRITE != 0 || group_writes {
        Some(FolderFault::WritableByOthers)
    } else {
        None
    }
}

/// The same for a parent folder: if it has the sticky bit, other users may write there, because they can't replace what
/// lies below.
pub(super) fn fault_above(facts: FileFacts, person: Person) -> Option<FolderFault> {
    match fault_of(facts, person) {
        Some(FolderFault::WritableByOthers) if facts.mode & STICKY != 0 => None,
        fault => fault,
    }
}

fn check_fault(fault: Option<FolderFault>, path: &Path, facts: FileFacts) -> Result<(), PrivateFolderError> {
    let path = path.to_owned();
    match fault {
        None => Ok(()),
        Some(FolderFault::OtherOwner) => Err(PrivateFolderError::OtherOwner { path, owner: facts.owner }),
        Some(FolderFault::WritableByOthers) => Err(PrivateFolderError::WritableByOthers { path, mode: facts.mode }),
    }
}

pub(super) fn create(folder: &Path) -> Result<(), PrivateFolderError> {
    let failed = |error| PrivateFolderError::io(folder, error);
    if let Some(parent) = folder.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        fs::create_dir_all(parent).map_err(|error| PrivateFolderError::io(parent, error))?;
    }
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(failed(error)),
        Ok(()) | Err(_) => {}
    }
    let found = fs::symlink_metadata(folder).map_err(failed)?;
    kind_is(folder, &found, found.is_dir(), "a folder")?;
    let person = Person::of_this_process();
    // Unlike for parents, the administrator's private folder won't do: the owner must be the user.
    if found.uid() != person.user {
        return check_fault(Some(FolderFault::OtherOwner), folder, FileFacts::from(&found));
    }
    check_above(folder, person)?;
    // Check and set the mode through a handle, so that the name can't be redirected in between.
    let flags = libc::O_DIRECTORY | libc::O_NOFOLLOW;
    let open = OpenOptions::new().read(true).custom_flags(flags).open(folder).map_err(failed)?;
    let open_facts = open.metadata().map_err(failed)?;
    if open_facts.mode() & 0o077 != 0 {
        open.set_permissions(Permissions::from_mode(0o700)).map_err(failed)?;
    }
    Ok(())
}

pub(super) fn check(folder: &Path) -> Result<(), PrivateFolderError> {
    let failed = |error| PrivateFolderError::io(folder, error);
    let person = Person::of_this_process();
    // Check the link itself as well, because its owner can redirect it.
    let link = fs::symlink_metadata(folder).map_err(failed)?;
    if link.is_symlink() {
        if !person.trusts(link.uid()) {
            return check_fault(Some(FolderFault::OtherOwner), folder, FileFacts::from(&link));
        }
        check_above(folder, person)?;
    }
    let real = folder.canonicalize().map_err(failed)?;
    let found = fs::metadata(&real).map_err(failed)?;
    kind_is(folder, &found, found.is_dir(), "a folder")?;
    check_fault(fault_of(FileFacts::from(&found), person), &real, FileFacts::from(&found))?;
    check_above(&real, person)
}

/// Checks all parents: whoever can replace one of them controls what lies below.
fn check_above(folder: &Path, person: Person) -> Result<(), PrivateFolderError> {
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let parent = parent.canonicalize().map_err(|error| PrivateFolderError::io(parent, error))?;
    for above in parent.ancestors() {
        let found = fs::metadata(above).map_err(|error| PrivateFolderError::io(above, error))?;
        check_fault(fault_above(FileFacts::from(&found), person), above, FileFacts::from(&found))?;
    }
    Ok(())
}

fn kind_is(path: &Path, found: &Metadata, right: bool, wanted: &'static str) -> Result<(), PrivateFolderError> {
    if found.is_symlink() {
        Err(PrivateFolderError::Link { path: path.to_owned() })
    } else if right {
        Ok(())
    } else {
        Err(PrivateFolderError::OtherKind { path: path.to_owned(), wanted })
    }
}

pub(super) fn open(file: &Path) -> Result<File, PrivateFolderError> {
    open_with(file, OpenOptions::new().read(true))
}

pub(super) fn open_or_create(file: &Path) -> Result<File, PrivateFolderError> {
    open_with(file, OpenOptions::new().read(true).write(true).create(true).mode(0o600))
}

fn open_with(file: &Path, options: &mut OpenOptions) -> Result<File, PrivateFolderError> {
    // Without O_NONBLOCK, opening a pipe that someone put there would block.
    let opened = options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY).open(file);
    let opened = opened.map_err(|error| match error.raw_os_error() {
        Some(libc::ELOOP) => PrivateFolderError::Link { path: file.to_owned() },
        Some(libc::EISDIR | libc::ENXIO) => PrivateFolderError::OtherKind { path: file.to_owned(), wanted: "a file" },
        _ => PrivateFolderError::io(file, error),
    })?;
    let found = opened.metadata().map_err(|error| PrivateFolderError::io(file, error))?;
    kind_is(file, &found, found.is_file(), "a file")?;
    check_fault(fault_of(FileFacts::from(&found), Person::of_this_process()), file, FileFacts::from(&found))?;
    Ok(opened)
}

pub(super) fn create_new(file: &Path) -> io::Result<File> {
    // O_EXCL does not follow links either.
    OpenOptions::new().write(true).create_new(true).mode(0o600).custom_flags(libc::O_NOFOLLOW).open(file)
}

pub(super) fn identity(file: &File) -> io::Result<FileIdentity> {
    file.metadata().map(|found| identity_of(&found))
}

pub(super) fn identity_at(path: &Path) -> io::Result<FileIdentity> {
    fs::symlink_metadata(path).map(|found| identity_of(&found))
}

fn identity_of(found: &Metadata) -> FileIdentity {
    FileIdentity { device: found.dev(), inode: found.ino(), changed: (found.ctime(), found.ctime_nsec()) }
}
