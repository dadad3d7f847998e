//! Fetches missing files: tries each source in turn, and verifies a file before it moves it into place.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

use crate::checksum;
use crate::error::{ModelError, SourceError};
use crate::header::{self, WrongHeader};
use crate::manifest::{FileEntry, FileSource, Manifest, ModelEntry, ModelKind, Sha256, platform};
use crate::progress::ProgressSink;
use crate::records::{self, FIRST_SEEN, FileStamp, FirstSeenRecord, VERIFIED, VerifiedRecord};
use crate::store::{ModelStore, key, part};

mod http;
mod local;
mod pip;

pub use http::HttpSettings;

/// Reads environment variables.
type Variables<'a> = Box<dyn Fn(&str) -> Option<String> + 'a>;

/// Fetches models; keeps connections and downloaded wheels until it is dropped.
pub struct Fetcher<'a> {
    store: &'a ModelStore,
    http: http::HttpClient,
    pip: pip::DownloadedWheels,
    /// `LUNA_MODEL_FILES` and other variables that paths name.
    var: Variables<'a>,
}

/// The outcome of a fetch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FetchOutcome {
    /// The file was present and valid.
    AlreadyPresent,
    /// The file was fetched from this source.
    From(String),
}

/// A request to a source.
struct FetchRequest<'a> {
    /// The path to write to.
    part: &'a Path,
    /// The exact size in bytes, if known.
    bytes: Option<u64>,
    /// The approximate size in bytes, for progress.
    about: Option<u64>,
    /// Whether the checksum is known, so that a part from one source can be continued from another.
    has_known_checksum: bool,
    /// The name in progress reports.
    name: &'a str,
}

impl<'a> Fetcher<'a> {
    /// A fetcher for a store. `var` reads environment variables: `LUNA_MODEL_FILES` for local copies, `LUNA_PYTHON`.
    #[must_use]
    pub fn new(store: &'a ModelStore, settings: HttpSettings, var: impl Fn(&str) -> Option<String> + 'a) -> Self {
        let python = var("LUNA_PYTHON").filter(|value| !value.is_empty());
        Self {
            store,
            http: http::HttpClient::new(settings),
            pip: pip::DownloadedWheels::new(python),
            var: Box::new(var),
        }
    }

    /// Fetches the missing or broken files of a model.
    ///
    /// # Errors
    /// An unknown model or one without files for this platform, a missing system package, all sources failed ([`ModelError::NoSource`]), damaged
    /// records, or a folder that is not private or can't be written to.
    pub fn fetch(&mut self, model: &str, sink: &mut dyn ProgressSink) -> Result<Vec<FetchOutcome>, ModelError> {
        let store = self.store;
        let model = store.manifest().expect_model(model)?;
        if model.kind == ModelKind::System {
            return store.resolve(&model.name, "").map(|_| vec![FetchOutcome::AlreadyPresent]);
        }
        let files: Vec<&FileEntry> = model.files_here().collect();
        if files.is_empty() {
            let known = model.files.iter().map(|file| file.path.clone()).collect();
            let (model, file) = (model.name.clone(), String::new());
            return Err(ModelError::UnknownFile { model, file, platform: platform(), known });
        }
        files.into_iter().map(|file| self.fetch_file(model, file, sink)).collect()
    }

    fn fetch_file(
        &mut self,
        model: &ModelEntry,
        file: &FileEntry,
        sink: &mut dyn ProgressSink,
    ) -> Result<FetchOutcome, ModelError> {
        let store = self.store;
        let path = store.path(model, file);
        // Before anything is written: in a foreign folder the lock file could be a link to a file of this user.
        store.check_owner(&path)?;
        let _lock = lock(store.directory(), &model.name, sink)?;
        match store.verify_before_use(model, file) {
            Ok(()) => return Ok(FetchOutcome::AlreadyPresent),
            Err(ModelError::Missing { .. }) => {}
            Err(
                error @ (ModelError::WrongSize { .. }
                | ModelError::WrongFormat { .. }
                | ModelError::WrongChecksum { .. }),
            ) => sink.note(&error.to_string()),
            Err(error) => return Err(error),
        }
        let first_seen =
            records::read_strictly::<FirstSeenRecord>(store.directory(), FIRST_SEEN)?.remove(&key(model, file));
        let mut file = file.clone();
        if let (Sha256::Unknown, Some(first_seen)) = (&file.sha256, first_seen) {
            file.sha256 = Sha256::Known(first_seen.sha256);
            file.bytes = Some(first_seen.bytes);
        }
        let sources = sources(store.manifest(), model, &file);
        let part = part(&path);
        let folder = store.directory().join(&model.name);
        make_folder(&folder)?;
        let wanted = FetchRequest {
            part: &part,
            bytes: file.bytes,
            about: file.about_bytes,
            has_known_checksum: file.sha256.known().is_some(),
            name: &model.name,
        };
        let mut tried = Vec::new();
        for source in sources {
            let shown = source.to_string();
            let fetched = match &source {
                FileSource::Url(url) => self.http.get(url, &wanted, sink),
                FileSource::Pypi(pypi) => self.pip.get(pypi, &wanted, sink),
                FileSource::Path(text) => local::get(text, &self.var, &wanted, sink),
            };
            match fetched.and_then(|()| self.install(model, &file, &part, &path, &shown)) {
                Ok(bytes) => {
                    sink.finish(&model.name, bytes);
                    return Ok(FetchOutcome::From(shown));
                }
                Err(SourceError::Target(error)) => return Err(*error),
                Err(error) => {
                    if !matches!(error, SourceError::Variable { .. } | SourceError::NoFile) {
                        sink.note(&format!("{shown}: {error}"));
                    }
                    tried.push((shown, error));
                }
            }
        }
        // Removes only an empty folder: a part that can be continued is kept.
        drop(fs::remove_dir(&folder));
        let sha256 = file.sha256.known().map(str::to_owned);
        Err(ModelError::NoSource { model: model.name.clone(), file: file.path.clone(), path, sha256, tried })
    }

    /// Verifies a fetched part and moves it into place; removes the part if it fails a check.
    fn install(
        &self,
        model: &ModelEntry,
        file: &FileEntry,
        part: &Path,
        path: &Path,
        source: &str,
    ) -> Result<u64, SourceError> {
        let target = |error| SourceError::Target(Box::new(ModelError::io(part, file.size(), error)));
        let (sha256, bytes) = match verify_part(file, part).map_err(target)? {
            Ok(right) => right,
            Err(error) => {
                http::discard(part);
                return Err(error);
            }
        };
        OpenOptions::new().write(true).open(part).and_then(|file| file.sync_all()).map_err(target)?;
        fs::rename(part, path).map_err(target)?;
        http::discard(part);
        let directory = self.store.directory();
        let key = key(model, file);
        let failed = |error| SourceError::Target(Box::new(error));
        if file.sha256.known().is_none() {
            let note = FirstSeenRecord { sha256: sha256.clone(), bytes, source: source.to_owned() };
            records::change(directory, FIRST_SEEN, &key, Some(note)).map_err(failed)?;
        }
        let stamp = FileStamp::of(path).map_err(target)?;
        records::change(directory, VERIFIED, &key, Some(VerifiedRecord { sha256, stamp })).map_err(failed)?;
        Ok(stamp.bytes)
    }
}

/// Checks size, header and checksum of a part; returns its checksum and size.
fn verify_part(file: &FileEntry, part: &Path) -> io::Result<Result<(String, u64), SourceError>> {
    let found = fs::metadata(part)?.len();
    if let Some(expected) = file.bytes.filter(|expected| *expected != found) {
        return Ok(Err(SourceError::WrongSize { found, expected }));
    }
    if let Err(WrongHeader(expected)) = header::check_file(part, file.format)? {
        return Ok(Err(SourceError::WrongFormat { expected }));
    }
    let (found, bytes) = checksum::of_file(part)?;
    match file.sha256.known() {
        Some(expected) if expected != found => {
            Ok(Err(SourceError::WrongChecksum { found, expected: expected.to_owned() }))
        }
        _ => Ok(Ok((found, bytes))),
    }
}

/// The sources of a file; sources common to all files first.
fn sources(manifest: &Manifest, model: &ModelEntry, file: &FileEntry) -> Vec<FileSource> {
    let fill = |text: &str| text.replace("{model}", &model.name).replace("{file}", &file.path);
    let everywhere = manifest.everywhere.iter().map(|source| match source {
        FileSource::Url(url) => FileSource::Url(fill(url)),
        FileSource::Path(path) => FileSource::Path(fill(path)),
        FileSource::Pypi(pypi) => FileSource::Pypi(pypi.clone()),
    });
    everywhere.chain(file.sources.iter().cloned()).collect()
}

/// Allows one fetch of a model at a time, also between processes; the system releases the lock when a process ends.
fn lock(directory: &Path, name: &str, sink: &mut dyn ProgressSink) -> Result<File, ModelError> {
    let folder = directory.join(".locks");
    make_folder(&folder)?;
    let path = folder.join(name);
    let failed = |error| ModelError::io(&path, 0, error);
    let file = File::create(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            sink.note(&format!("{name} is being fetched by another process; waiting for it."));
            file.lock().map_err(failed)?;
        }
        Err(TryLockError::Error(error)) => return Err(failed(error)),
    }
    Ok(file)
}

fn make_folder(folder: &Path) -> Result<(), ModelError> {
    fs::create_dir_all(folder).map_err(|source| match ModelError::io(folder, 0, source) {
        // Whatever the reason, the remedy is another folder.
        ModelError::Io { path, source } => ModelError::NotWritable { path, source },
        other => other,
    })
}
