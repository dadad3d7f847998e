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
pub struct Learnt {
    /// Its checksum.
    pub sha256: String,
    /// Its size.
    pub bytes: u64,
    /// Where it came from.
    pub source: String,
}

/// A file whose checksum was computed: the same size and time of change mean the same content, so that a start stays quick.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verified {
    /// Its checksum.
    pub sha256: String,
    /// Its size.
    pub bytes: u64,
    /// Nanoseconds since 1970 of its last change.
    pub modified_ns: u128,
}

/// Size and time of change of a file, as [`Verified`] compares them.
///
/// # Errors
/// What the system says.
pub fn stamp(path: &Path) -> io::Result<(u64, u128)> {
    let meta = fs::metadata(path)?;
    let modified = meta.modified()?.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    Ok((meta.len(), modified))
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
        Ok(bytes) => {
            serde_json::from_slice(&bytes).map_err(|error| ModelError::Io { path, source: io::Error::other(error) })
        }
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
