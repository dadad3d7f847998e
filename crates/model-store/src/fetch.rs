//! Getting what is missing: each source in turn, verified before it is moved into place.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

use crate::checksum;
use crate::error::{ModelError, SourceError};
use crate::header::{self, NotThis};
use crate::manifest::{FileEntry, FileSource, Manifest, ModelEntry, ModelKind, Sha256, platform};
use crate::progress::ProgressSink;
use crate::records::{self, FileStamp, FirstSeenRecord, LEARNT, VERIFIED, Verified};
use crate::store::{ModelStore, key, part};

mod http;
mod local;
mod pip;

pub use http::HttpSettings;

/// Gives environment variables.
type Variables<'a> = Box<dyn Fn(&str) -> Option<String> + 'a>;

/// Fetches models; keeps connections and wheels for as long as it lives.
pub struct Fetcher<'a> {
    store: &'a ModelStore,
    http: http::HttpClient,
    pip: pip::Wheels,
    /// `LUNA_MODEL_FILES` and whatever else a path names.
    var: Variables<'a>,
}

/// What a fetch did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fetched {
    /// It was there already, and is right.
    WasThere,
    /// It came from this source.
    From(String),
}

/// What a source is asked for.
struct FetchRequest<'a> {
    /// Where it is written to.
    part: &'a Path,
    /// The exact size, if known.
    bytes: Option<u64>,
    /// The size for people.
    about: Option<u64>,
    /// The checksum is known, so that parts of different sources fit together.
    same_everywhere: bool,
    /// Name for the progress.
    name: &'a str,
}

impl<'a> Fetcher<'a> {
    /// A fetcher for a store. `var` gives environment variables: `LUNA_MODEL_FILES` for local copies, `LUNA_PYTHON`.
    #[must_use]
    pub fn new(store: &'a ModelStore, settings: HttpSettings, var: impl Fn(&str) -> Option<String> + 'a) -> Self {
        let python = var("LUNA_PYTHON").filter(|value| !value.is_empty());
        Self { store, http: http::HttpClient::new(settings), pip: pip::Wheels::new(python), var: Box::new(var) }
    }

    /// Fetches what is missing or broken of a model.
    ///
    /// # Errors
    /// One error that lists each source with what went wrong and what to do by hand, or why the folder can't be written to.
    pub fn fetch(&mut self, model: &str, sink: &mut dyn ProgressSink) -> Result<Vec<Fetched>, ModelError> {
        let store = self.store;
        let model = store.manifest().expect_model(model)?;
        if model.kind == ModelKind::System {
            return store.resolve(&model.name, "").map(|_| vec![Fetched::WasThere]);
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
    ) -> Result<Fetched, ModelError> {
        let store = self.store;
        let path = store.path(model, file);
        // Before anything is written: a lock could be a link to a file of this person's.
        store.check_owner(&path)?;
        let _lock = lock(store.directory(), &model.name, sink)?;
        match store.verify_before_use(model, file) {
            Ok(()) => return Ok(Fetched::WasThere),
            Err(ModelError::Missing { .. }) => {}
            Err(
                error @ (ModelError::WrongSize { .. }
                | ModelError::WrongFormat { .. }
                | ModelError::WrongChecksum { .. }),
            ) => sink.note(&error.to_string()),
            Err(error) => return Err(error),
        }
        let learnt = records::read_strictly::<FirstSeenRecord>(store.directory(), LEARNT)?.remove(&key(model, file));
        let mut file = file.clone();
        if let (Sha256::Unknown, Some(learnt)) = (&file.sha256, learnt) {
            file.sha256 = Sha256::Known(learnt.sha256);
            file.bytes = Some(learnt.bytes);
        }
        let sources = sources(store.manifest(), model, &file);
        let part = part(&path);
        let folder = store.directory().join(&model.name);
        make_folder(&folder)?;
        let wanted = FetchRequest {
            part: &part,
            bytes: file.bytes,
            about: file.about_bytes,
            same_everywhere: file.sha256.known().is_some(),
            name: &model.name,
        };
        let mut tried = Vec::new();
        for source in sources {
            let shown = source.to_string();
            let got = match &source {
                FileSource::Url(url) => self.http.get(url, &wanted, sink),
                FileSource::Pypi(pypi) => self.pip.get(pypi, &wanted, sink),
                FileSource::Path(text) => local::get(text, &self.var, &wanted, sink),
            };
            match got.and_then(|()| self.settle(model, &file, &part, &path, &shown)) {
                Ok(bytes) => {
                    sink.finish(&model.name, bytes);
                    return Ok(Fetched::From(shown));
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
        // Only an empty folder goes; a part that can be continued stays.
        drop(fs::remove_dir(&folder));
        let sha256 = file.sha256.known().map(str::to_owned);
        Err(ModelError::NoSource { model: model.name.clone(), file: file.path.clone(), path, sha256, tried })
    }

    /// Verifies what came and moves it into place; throws it away where it is wrong.
    fn settle(
        &self,
        model: &ModelEntry,
        file: &FileEntry,
        part: &Path,
        path: &Path,
        source: &str,
    ) -> Result<u64, SourceError> {
        let target = |error| SourceError::Target(Box::new(ModelError::io(part, file.size(), error)));
        let (sha256, bytes) = match right(file, part).map_err(target)? {
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
        let noted = |error| SourceError::Target(Box::new(error));
        if file.sha256.known().is_none() {
            let note = FirstSeenRecord { sha256: sha256.clone(), bytes, source: source.to_owned() };
            records::change(directory, LEARNT, &key, Some(note)).map_err(noted)?;
        }
        let stamp = FileStamp::of(path).map_err(target)?;
        records::change(directory, VERIFIED, &key, Some(Verified { sha256, stamp })).map_err(noted)?;
        Ok(stamp.bytes)
    }
}

/// Size, header and checksum of what came.
fn right(file: &FileEntry, part: &Path) -> io::Result<Result<(String, u64), SourceError>> {
    let found = fs::metadata(part)?.len();
    if let Some(expected) = file.bytes.filter(|expected| *expected != found) {
        return Ok(Err(SourceError::WrongSize { found, expected }));
    }
    if let Err(NotThis(expected)) = header::check_file(part, file.format)? {
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

/// The sources of a file, those of all files first.
fn sources(manifest: &Manifest, model: &ModelEntry, file: &FileEntry) -> Vec<FileSource> {
    let fill = |text: &str| text.replace("{model}", &model.name).replace("{file}", &file.path);
    let everywhere = manifest.everywhere.iter().map(|source| match source {
        FileSource::Url(url) => FileSource::Url(fill(url)),
        FileSource::Path(path) => FileSource::Path(fill(path)),
        FileSource::Pypi(pypi) => FileSource::Pypi(pypi.clone()),
    });
    everywhere.chain(file.sources.iter().cloned()).collect()
}

/// One fetch of a model at a time, also between processes; the system gives the lock back when a process ends.
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
        // Whatever keeps a folder from being made, another place is the remedy.
        ModelError::Io { path, source } => ModelError::NotWritable { path, source },
        other => other,
    })
}
