//! What lies on disk: `<directory>/<model>/<file>`.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::checksum;
use crate::error::ModelError;
use crate::header::{self, NotThis};
use crate::manifest::{FileEntry, Manifest, ModelEntry, ModelKind, platform};
use crate::records::{self, FileStamp, FirstSeenRecord, LEARNT, VERIFIED, Verified};

/// Whether nobody but the person, or the administrator, can have put a file there or changed it; it need not be there.
pub type OwnerCheck = fn(&Path) -> Result<(), Box<dyn std::error::Error + Send + Sync>>;

/// The models of a folder.
#[derive(Debug, Clone)]
pub struct ModelStore {
    manifest: Manifest,
    directory: PathBuf,
    /// Notes on checksums are as good as the folder that they lie in, and a file may be exchanged after it was verified.
    owner: Option<OwnerCheck>,
}

/// How a model or a file stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StoredState {
    /// All is there.
    Present,
    /// Nothing is there.
    Missing,
    /// Some of it is there, or a download broke off.
    Partial,
    /// Something is there that can't be right.
    Broken,
    /// It isn't made for this platform.
    NotForThisPlatform,
}

/// A model, as `luna models list` shows it.
#[derive(Debug, Clone, Serialize)]
pub struct ModelState {
    pub name: String,
    /// What kind of thing it is.
    pub kind: ModelKind,
    pub task: String,
    pub purpose: String,
    /// How it stands.
    pub state: StoredState,
    /// Its size, exact or about.
    pub bytes: u64,
    /// About how much memory its engine needs, in MiB.
    pub memory_mb: u64,
    pub licence: String,
    pub languages: Vec<String>,
    /// Its files for this platform.
    pub files: Vec<FileState>,
    /// For what comes from the system: the packages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<String>,
}

/// A file, as `luna models list` shows it.
#[derive(Debug, Clone, Serialize)]
pub struct FileState {
    pub path: PathBuf,
    /// How it stands, by size and header.
    pub state: StoredState,
    /// The checksum that counts, from the manifest or learnt.
    pub sha256: Option<String>,
    /// What is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

impl ModelStore {
    /// The models of `directory`, which need not exist.
    #[must_use]
    pub fn new(manifest: Manifest, directory: impl Into<PathBuf>) -> Self {
        Self { manifest, directory: directory.into(), owner: None }
    }

    /// Refuses files that others could have put there or changed (PRV-7). The check is the platform's; without it the folder is believed.
    #[must_use]
    pub fn owned(self, check: OwnerCheck) -> Self {
        Self { owner: Some(check), ..self }
    }

    /// # Errors
    /// Others could have put the file there, or could change it.
    pub(crate) fn check_owner(&self, path: &Path) -> Result<(), ModelError> {
        self.owner.map_or(Ok(()), |check| check(path).map_err(ModelError::NotPrivate))
    }

    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The folder.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Where a file lies or would lie.
    #[must_use]
    pub fn path(&self, model: &ModelEntry, file: &FileEntry) -> PathBuf {
        self.directory.join(&model.name).join(&file.path)
    }

    /// The path of a verified file (ENG-4, PRV-7). `file` may be empty if the model has only one here. The checksum of a model is computed
    /// once and again when the file changes in any way, so a start stays quick; that of a library each time, because it is run.
    ///
    /// # Errors
    /// What is wrong with the file, and how to get it.
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

    /// [`ModelStore::resolve`] for the first file of a model on this platform: its weights, if it has several files.
    ///
    /// # Errors
    /// As there.
    pub fn resolve_first(&self, model: &str) -> Result<PathBuf, ModelError> {
        let first = self.manifest.expect_model(model)?.files_here().next().map(|file| file.path.clone());
        self.resolve(model, first.as_deref().unwrap_or_default())
    }

    /// Size, header and checksum; the checksum from the notes where the file hasn't changed since.
    ///
    /// # Errors
    /// What is wrong.
    pub fn verify_before_use(&self, model: &ModelEntry, file: &FileEntry) -> Result<(), ModelError> {
        self.verify_with(model, file, model.kind != ModelKind::Library)
    }

    /// Size, header and checksum, computed now.
    ///
    /// # Errors
    /// What is wrong.
    pub fn verify(&self, model: &ModelEntry, file: &FileEntry) -> Result<(), ModelError> {
        self.verify_with(model, file, false)
    }

    fn verify_with(&self, model: &ModelEntry, file: &FileEntry, trust_notes: bool) -> Result<(), ModelError> {
        let path = self.path(model, file);
        self.check_owner(&path)?;
        let key = key(model, file);
        let learnt = records::read_strictly::<FirstSeenRecord>(&self.directory, LEARNT)?.remove(&key);
        self.check_outside(model, file, learnt.as_ref())?;
        let stamp = FileStamp::of(&path).map_err(|source| ModelError::Io { path: path.clone(), source })?;
        let noted = records::read::<Verified>(&self.directory, VERIFIED).remove(&key);
        let noted = noted.filter(|note| trust_notes && note.stamp == stamp);
        let was_noted = noted.is_some();
        let found = match noted {
            Some(note) => note.sha256,
            None => checksum::of_file(&path).map_err(|source| ModelError::Io { path: path.clone(), source })?.0,
        };
        let expected = file.sha256.known().map(str::to_owned).or_else(|| learnt.map(|it| it.sha256));
        if let Some(expected) = expected {
            if expected != found {
                return Err(ModelError::WrongChecksum { model: model.name.clone(), path, found, expected });
            }
        } else {
            let source = "put there by hand".to_owned();
            let note = FirstSeenRecord { sha256: found.clone(), bytes: stamp.bytes, source };
            records::change(&self.directory, LEARNT, &key, Some(note))?;
        }
        if !was_noted {
            let note = Verified { sha256: found, stamp };
            // A folder that can't be written to only makes the next start slower.
            if let Err(error) = records::change(&self.directory, VERIFIED, &key, Some(note)) {
                tracing::debug!(%error, "The checksum could not be noted; it is computed again next time.");
            }
        }
        Ok(())
    }

    /// Size and header only.
    fn check_outside(
        &self,
        model: &ModelEntry,
        file: &FileEntry,
        learnt: Option<&FirstSeenRecord>,
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
        if let Some(expected) = file.bytes.or(learnt.map(|it| it.bytes)).filter(|expected| *expected != found) {
            return Err(ModelError::WrongSize { model: model.name.clone(), path, found, expected });
        }
        match header::check_file(&path, file.format) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(NotThis(expected))) => Err(ModelError::WrongFormat { model: model.name.clone(), path, expected }),
            Err(source) => Err(ModelError::Io { path, source }),
        }
    }

    /// All models as they stand, by size and header; quick.
    #[must_use]
    pub fn list(&self) -> Vec<ModelState> {
        let learnt = records::read::<FirstSeenRecord>(&self.directory, LEARNT);
        self.manifest.models.iter().map(|model| self.state(model, &learnt)).collect()
    }

    fn state(&self, model: &ModelEntry, learnt: &BTreeMap<String, FirstSeenRecord>) -> ModelState {
        let files: Vec<FileState> = model.files_here().map(|file| self.file_state(model, file, learnt)).collect();
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
        learnt: &BTreeMap<String, FirstSeenRecord>,
    ) -> FileState {
        let path = self.path(model, file);
        let known = learnt.get(&key(model, file));
        let (state, problem) = match self.check_owner(&path).and_then(|()| self.check_outside(model, file, known)) {
            Ok(()) => (StoredState::Present, None),
            Err(ModelError::Missing { .. }) if part(&path).exists() => (StoredState::Partial, None),
            Err(ModelError::Missing { .. }) => (StoredState::Missing, None),
            Err(error) => (StoredState::Broken, Some(error.to_string())),
        };
        let sha256 = file.sha256.known().map(str::to_owned).or_else(|| known.map(|it| it.sha256.clone()));
        FileState { path, state, sha256, problem }
    }
}

/// The name of a file in the notes.
pub(crate) fn key(model: &ModelEntry, file: &FileEntry) -> String {
    format!("{}/{}", model.name, file.path)
}

/// Where a download grows before it is verified.
pub(crate) fn part(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}
