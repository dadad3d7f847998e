//! Files on disk: `<directory>/<model>/<file>`.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::checksum;
use crate::error::ModelError;
use crate::header::{self, WrongHeader};
use crate::manifest::{FileEntry, Manifest, ModelEntry, ModelKind, platform};
use crate::records::{self, FIRST_SEEN, FileStamp, FirstSeenRecord, VERIFIED, VerifiedRecord};

/// Fails if another user than the person or the administrator could create or change the file. The file need not exist.
pub type OwnerCheck = fn(&Path) -> Result<(), Box<dyn std::error::Error + Send + Sync>>;

/// The models of a folder.
#[derive(Debug, Clone)]
pub struct ModelStore {
    manifest: Manifest,
    directory: PathBuf,
    /// Needed in addition to checksums, because another user could forge the records, or replace a file after its verification.
    owner: Option<OwnerCheck>,
}

/// The state of a model or a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StoredState {
    /// Complete.
    Present,
    /// No file.
    Missing,
    /// Some files, or an interrupted download.
    Partial,
    /// A file that is wrong or must not be used.
    Broken,
    /// No files for this platform.
    NotForThisPlatform,
}

/// A model in `luna models list`.
#[derive(Debug, Clone, Serialize)]
pub struct ModelState {
    pub name: String,
    pub kind: ModelKind,
    pub task: String,
    pub purpose: String,
    pub state: StoredState,
    /// Exact or approximate size.
    pub bytes: u64,
    /// Approximate memory of its engine, in MiB.
    pub memory_mb: u64,
    pub licence: String,
    pub languages: Vec<String>,
    /// Files for this platform.
    pub files: Vec<FileState>,
    /// For [`ModelKind::System`]: Debian packages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<String>,
}

/// A file in `luna models list`.
#[derive(Debug, Clone, Serialize)]
pub struct FileState {
    pub path: PathBuf,
    /// By owner, size and header.
    pub state: StoredState,
    /// The expected checksum: from the manifest, else from the first fetch.
    pub sha256: Option<String>,
    /// What is wrong with a broken file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

impl ModelStore {
    /// The models of `directory`, which need not exist.
    #[must_use]
    pub fn new(manifest: Manifest, directory: impl Into<PathBuf>) -> Self {
        Self { manifest, directory: directory.into(), owner: None }
    }

    /// Refuses files that other users could create or change (PRV-7). The platform provides the check; a store without a check trusts every
    /// folder.
    #[must_use]
    pub fn owned(self, check: OwnerCheck) -> Self {
        Self { owner: Some(check), ..self }
    }

    /// # Errors
    /// Another user could create or change the file.
    pub(crate) fn check_owner(&self, path: &Path) -> Result<(), ModelError> {
        self.owner.map_or(Ok(()), |check| check(path).map_err(ModelError::NotPrivate))
    }

    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The path of a file, whether it exists or not.
    #[must_use]
    pub fn path(&self, model: &ModelEntry, file: &FileEntry) -> PathBuf {
        self.directory.join(&model.name).join(&file.path)
    }

    /// The path of a verified file (ENG-4, PRV-7). `file` may be empty if the model has one file for this platform. The checksum of a model is
    /// computed only if the file changed, so that Luna starts quickly; that of a library each time, because its code is executed.
    ///
    /// # Errors
    /// An unknown model or file, a missing system package, or a file that [`Self::verify_before_use`] rejects.
    pub fn resolve(&self, model: &str, file: &str) -> Result<PathBuf, ModelError> {
        let model = self.manifest.expect_model(model)?;
        if model.kind == ModelKind::System {
            return model
                .present_if
                .iter()
                .map(PathBuf::from)
                .find(|path| path.exists())
                .ok_or_else(|| ModelError::FromSystem { model: model.name.clone(), packages: model.packages.clone() });
        }
        let here: Vec<&FileEntry> = model.files_here().collect();
        let found = match (file, here.as_slice()) {
            ("", [only]) => Some(*only),
            _ => here.iter().copied().find(|entry| entry.path == file),
        };
        let Some(entry) = found else {
            let known = here.iter().map(|entry| entry.path.clone()).collect();
            let (model, file) = (model.name.clone(), file.to_owned());
            return Err(ModelError::UnknownFile { model, file, platform: platform(), known });
        };
        self.verify_before_use(model, entry)?;
        Ok(self.path(model, entry))
    }

    /// [`ModelStore::resolve`] for the model's first file for this platform: its weights if it has several files.
    ///
    /// # Errors
    /// As [`ModelStore::resolve`].
    pub fn resolve_first(&self, model: &str) -> Result<PathBuf, ModelError> {
        let first = self.manifest.expect_model(model)?.files_here().next().map(|file| file.path.clone());
        self.resolve(model, first.as_deref().unwrap_or_default())
    }

    /// As [`Self::verify`], but takes the checksum of an unchanged file from the records, unless the file is a library.
    ///
    /// # Errors
    /// As [`Self::verify`].
    pub fn verify_before_use(&self, model: &ModelEntry, file: &FileEntry) -> Result<(), ModelError> {
        self.verify_with(model, file, model.kind != ModelKind::Library)
    }

    /// Checks owner, size, header and checksum, and always computes the checksum. If neither the manifest nor the records know the checksum, it is
    /// recorded and enforced from then on.
    ///
    /// # Errors
    /// A missing file or one that fails a check, damaged records, or an error of a file operation.
    pub fn verify(&self, model: &ModelEntry, file: &FileEntry) -> Result<(), ModelError> {
        self.verify_with(model, file, false)
    }

    fn verify_with(&self, model: &ModelEntry, file: &FileEntry, trust_records: bool) -> Result<(), ModelError> {
        let path = self.path(model, file);
        self.check_owner(&path)?;
        let key = key(model, file);
        let first_seen = records::read_strictly::<FirstSeenRecord>(&self.directory, FIRST_SEEN)?.remove(&key);
        self.check_size_and_header(model, file, first_seen.as_ref())?;
        let stamp = FileStamp::of(&path).map_err(|source| ModelError::Io { path: path.clone(), source })?;
        let recorded = records::read::<VerifiedRecord>(&self.directory, VERIFIED).remove(&key);
        let recorded = recorded.filter(|note| trust_records && note.stamp == stamp);
        let was_recorded = recorded.is_some();
        let found = match recorded {
            Some(note) => note.sha256,
            None => checksum::of_file(&path).map_err(|source| ModelError::Io { path: path.clone(), source })?.0,
        };
        let expected = file.sha256.known().map(str::to_owned).or_else(|| first_seen.map(|it| it.sha256));
        if let Some(expected) = expected {
            if expected != found {
                return Err(ModelError::WrongChecksum { model: model.name.clone(), path, found, expected });
            }
        } else {
            let source = "put there by hand".to_owned();
            let note = FirstSeenRecord { sha256: found.clone(), bytes: stamp.bytes, source };
            records::change(&self.directory, FIRST_SEEN, &key, Some(note))?;
        }
        if !was_recorded {
            let note = VerifiedRecord { sha256: found, stamp };
            // In a read-only folder the only consequence is a slower next start.
            if let Err(error) = records::change(&self.directory, VERIFIED, &key, Some(note)) {
                tracing::debug!(%error, "The checksum could not be recorded; it is computed again next time.");
            }
        }
        Ok(())
    }

    /// Checks size and header only.
    fn check_size_and_header(
        &self,
        model: &ModelEntry,
        file: &FileEntry,
        first_seen: Option<&FirstSeenRecord>,
    ) -> Result<(), ModelError> {
        let path = self.path(model, file);
        let meta = match fs::metadata(&path) {
            Ok(meta) if meta.is_file() => meta,
            Ok(_) => {
                return Err(ModelError::Missing { model: model.name.clone(), path });
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Err(ModelError::Missing { model: model.name.clone(), path });
            }
            Err(source) => return Err(ModelError::Io { path, source }),
        };
        let found = meta.len();
        if let Some(expected) = file.bytes.or(first_seen.map(|it| it.bytes)).filter(|expected| *expected != found) {
            return Err(ModelError::WrongSize { model: model.name.clone(), path, found, expected });
        }
        match header::check_file(&path, file.format) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(WrongHeader(expected))) => {
                Err(ModelError::WrongFormat { model: model.name.clone(), path, expected })
            }
            Err(source) => Err(ModelError::Io { path, source }),
        }
    }

    /// The state of all models, without checksums.
    #[must_use]
    pub fn list(&self) -> Vec<ModelState> {
        let first_seen = records::read::<FirstSeenRecord>(&self.directory, FIRST_SEEN);
        self.manifest.models.iter().map(|model| self.state(model, &first_seen)).collect()
    }

    fn state(&self, model: &ModelEntry, first_seen: &BTreeMap<String, FirstSeenRecord>) -> ModelState {
        let files: Vec<FileState> = model.files_here().map(|file| self.file_state(model, file, first_seen)).collect();
        let count = |state| files.iter().filter(|file| file.state == state).count();
        let state = match model.kind {
            ModelKind::System if model.present_if.iter().any(|path| Path::new(path).exists()) => StoredState::Present,
            ModelKind::System => StoredState::Missing,
            ModelKind::Model | ModelKind::Library if files.is_empty() => StoredState::NotForThisPlatform,
            ModelKind::Model | ModelKind::Library if count(StoredState::Broken) > 0 => StoredState::Broken,
            ModelKind::Model | ModelKind::Library if count(StoredState::Present) == files.len() => StoredState::Present,
            ModelKind::Model | ModelKind::Library if count(StoredState::Missing) == files.len() => StoredState::Missing,
            ModelKind::Model | ModelKind::Library => StoredState::Partial,
        };
        ModelState {
            name: model.name.clone(),
            kind: model.kind,
            task: model.task.clone(),
            purpose: model.purpose.clone(),
            state,
            bytes: model.bytes_here(),
            memory_mb: model.memory_mb,
            licence: model.licence.clone(),
            languages: model.languages.clone(),
            files,
            packages: model.packages.clone(),
        }
    }

    fn file_state(
        &self,
        model: &ModelEntry,
        file: &FileEntry,
        first_seen: &BTreeMap<String, FirstSeenRecord>,
    ) -> FileState {
        let path = self.path(model, file);
        let known = first_seen.get(&key(model, file));
        let (state, problem) =
            match self.check_owner(&path).and_then(|()| self.check_size_and_header(model, file, known)) {
                Ok(()) => (StoredState::Present, None),
                Err(ModelError::Missing { .. }) if part(&path).exists() => (StoredState::Partial, None),
                Err(ModelError::Missing { .. }) => (StoredState::Missing, None),
                Err(error) => (StoredState::Broken, Some(error.to_string())),
            };
        let sha256 = file.sha256.known().map(str::to_owned).or_else(|| known.map(|it| it.sha256.clone()));
        FileState { path, state, sha256, problem }
    }
}

/// The key of a file in the records.
pub(crate) fn key(model: &ModelEntry, file: &FileEntry) -> String {
    format!("{}/{}", model.name, file.path)
}

/// The path of an unverified download.
pub(crate) fn part(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}
