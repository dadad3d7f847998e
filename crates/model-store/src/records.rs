//! Records beside the models: checksums seen at the first fetch, and files already verified.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::time::UNIX_EPOCH;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::ModelError;

/// File with checksums seen at the first fetch, by `model/file`.
pub const FIRST_SEEN: &str = "learnt.json";
/// File with verified files, by `model/file`.
pub const VERIFIED: &str = "verified.json";

/// The checksum and size of a file at its first fetch; enforced from then on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstSeenRecord {
    pub sha256: String,
    pub bytes: u64,
    pub source: String,
}

/// A computed checksum. An unchanged stamp means unchanged content, so that Luna starts without computing it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerifiedRecord {
    pub sha256: String,
    #[serde(flatten)]
    pub stamp: FileStamp,
}

/// Metadata that changes when a file is modified or replaced. Records of older versions, which have fewer fields, never match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileStamp {
    pub bytes: u64,
    /// Time of the last modification, in nanoseconds since 1970.
    pub modified_ns: u64,
    /// 0 if the system has none.
    #[serde(default)]
    pub inode: u64,
    /// 0 if the system has none.
    #[serde(default)]
    pub device: u64,
    /// Time of the last change of content or metadata, in nanoseconds since 1970, which programs can't set; 0 if the system has none.
    #[serde(default)]
    pub changed_ns: u64,
}

impl FileStamp {
    /// The stamp of a file.
    ///
    /// # Errors
    /// The file's metadata can't be read.
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

/// All records of a file; an unreadable or damaged file counts as empty. To verify a model, [`FIRST_SEEN`] must be read with [`read_strictly`].
#[must_use]
pub fn read<T: DeserializeOwned>(directory: &Path, file: &str) -> BTreeMap<String, T> {
    read_strictly(directory, file).unwrap_or_default()
}

/// All records of a file.
///
/// # Errors
/// The file exists but can't be read or is damaged: without recorded checksums any content would be accepted.
pub fn read_strictly<T: DeserializeOwned>(directory: &Path, file: &str) -> Result<BTreeMap<String, T>, ModelError> {
    let path = directory.join(file);
    match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(BTreeMap::new()),
        Err(source) => Err(ModelError::Io { path, source }),
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|_| ModelError::DamagedRecords { path }),
    }
}

/// Adds or removes a record. Safe against concurrent changes by other processes.
///
/// # Errors
/// The records can't be locked or written, or those of [`FIRST_SEEN`] are damaged.
pub fn change<T>(directory: &Path, file: &str, key: &str, note: Option<T>) -> Result<(), ModelError>
where
    T: Serialize + DeserializeOwned + PartialEq,
{
    let path = directory.join(file);
    let failed = |source| ModelError::io(&path, 0, source);
    let lock = lock_file(directory).map_err(failed)?;
    lock.lock().map_err(failed)?;
    let mut notes: BTreeMap<String, T> =
        if file == FIRST_SEEN { read_strictly(directory, file)? } else { read(directory, file) };
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
