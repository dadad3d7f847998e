//! Small notes beside the models: checksums learnt on the first fetch, and files verified before.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::time::UNIX_EPOCH;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::ModelError;

/// Checksums learnt on the first fetch, by `model/file`.
pub const LEARNT: &str = "learnt.json";
/// Files verified before, by `model/file`.
pub const VERIFIED: &str = "verified.json";

/// What a file was when it came for the first time; enforced from then on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstSeenRecord {
    /// Its checksum.
    pub sha256: String,
    /// Its size.
    pub bytes: u64,
    /// Where it came from.
    pub source: String,
}

/// A file whose checksum was computed: the same stamp means the same content, so that a start stays quick.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verified {
    /// Its checksum.
    pub sha256: String,
    /// The file that it is the checksum of.
    #[serde(flatten)]
    pub stamp: FileStamp,
}

/// What changes when a file does, or when another one takes its place. Notes of a Luna that kept less never match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileStamp {
    /// Its size.
    pub bytes: u64,
    /// Nanoseconds since 1970 of its last change.
    pub modified_ns: u64,
    /// The file itself, whatever its name; 0 if the system does not tell.
    #[serde(default)]
    pub inode: u64,
    /// The disk that it lies on; 0 if the system does not tell.
    #[serde(default)]
    pub device: u64,
    /// Nanoseconds since 1970 of its last change of any kind, which nobody can set; 0 if the system does not tell.
    #[serde(default)]
    pub changed_ns: u64,
}

impl FileStamp {
    /// The stamp of a file.
    ///
    /// # Errors
    /// What the system says.
    pub fn of(path: &Path) -> io::Result<Self> {
        let meta = fs::metadata(path)?;
        let modified = meta.modified()?.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
        let modified_ns = u64::try_from(modified).unwrap_or(u64::MAX);
        #[cfg(unix)]
        let (inode, device, changed_ns) = {
            use std::os::unix::fs::MetadataExt as _;
            let changed = i128::from(meta.ctime()) * 1_000_000_000 + i128::from(meta.ctime_nsec());
            (meta.ino(), meta.dev(), u64::try_from(changed).unwrap_or_default())
        };
        #[cfg(not(unix))]
        let (inode, device, changed_ns) = (0, 0, 0);
        Ok(Self { bytes: meta.len(), modified_ns, inode, device, changed_ns })
    }
}

/// All notes of a kind. A damaged file counts as an empty one for [`VERIFIED`]; see [`read_strictly`] for the other.
#[must_use]
pub fn read<T: DeserializeOwned>(directory: &Path, file: &str) -> BTreeMap<String, T> {
    read_strictly(directory, file).unwrap_or_default()
}

/// All notes of a kind.
///
/// # Errors
/// A file that is there and can't be read: forgetting learnt checksums would accept anything.
pub fn read_strictly<T: DeserializeOwned>(directory: &Path, file: &str) -> Result<BTreeMap<String, T>, ModelError> {
    let path = directory.join(file);
    match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(BTreeMap::new()),
        Err(source) => Err(ModelError::Io { path, source }),
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|_| ModelError::DamagedNotes { path }),
    }
}

/// Adds or removes one note; other processes may do the same at the same time.
///
/// # Errors
/// What the file system says.
pub fn change<T>(directory: &Path, file: &str, key: &str, note: Option<T>) -> Result<(), ModelError>
where
    T: Serialize + DeserializeOwned + PartialEq,
{
    let path = directory.join(file);
    let failed = |source| ModelError::io(&path, 0, source);
    let lock = lock_file(directory).map_err(failed)?;
    lock.lock().map_err(failed)?;
    let mut notes: BTreeMap<String, T> =
        if file == LEARNT { read_strictly(directory, file)? } else { read(directory, file) };
    let before = notes.get(key);
    if before == note.as_ref() {
        return Ok(());
    }
    match note {
        Some(note) => notes.insert(key.to_owned(), note),
        None => notes.remove(key),
    };
    let bytes = serde_json::to_vec_pretty(&notes).map_err(|error| failed(io::Error::other(error)))?;
    let mut new = tempfile::NamedTempFile::new_in(directory).map_err(failed)?;
    new.write_all(&bytes).and_then(|()| new.as_file().sync_all()).map_err(failed)?;
    new.persist(&path).map_err(|error| failed(error.error))?;
    Ok(())
}

fn lock_file(directory: &Path) -> io::Result<File> {
    let folder = directory.join(".locks");
    fs::create_dir_all(&folder)?;
    File::create(folder.join(".records"))
}
