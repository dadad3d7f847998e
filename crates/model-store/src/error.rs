//! Errors of model files. Each message names the file, what is wrong and the remedy (ENG-4).

use std::io;
use std::path::{Path, PathBuf};

/// Why a model file can't be used or fetched.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The manifest is invalid.
    #[error("the model manifest is wrong: {problem}")]
    Manifest { problem: String },
    #[error("there is no model \"{name}\". Known: {}.", known.join(", "))]
    UnknownModel { name: String, known: Vec<String> },
    #[error("there is no set \"{name}\". Known: {}.", known.join(", "))]
    UnknownSet { name: String, known: Vec<String> },
    /// The model has no such file, or has several and none was named.
    #[error("the model {model} has no file \"{file}\" on this platform ({platform}). It has: {}.", known.join(", "))]
    UnknownFile {
        model: String,
        file: String,
        platform: String,
        /// Its files for this platform.
        known: Vec<String>,
    },
    #[error("{} is not there. Get it with: luna models fetch {model}", path.display())]
    Missing {
        model: String,
        /// The expected path.
        path: PathBuf,
    },
    /// Sizes in bytes.
    #[error("{} has {found} bytes instead of {expected}: it is truncated or another file. Get it again with: luna models fetch {model}", path.display())]
    WrongSize { model: String, path: PathBuf, found: u64, expected: u64 },
    /// The file's header belongs to another format.
    #[error("{} is not {expected}. Get it again with: luna models fetch {model}", path.display())]
    WrongFormat {
        model: String,
        path: PathBuf,
        /// The expected format, such as "an ONNX model".
        expected: &'static str,
    },
    /// The file's content differs from the manifest.
    #[error("{} has the checksum {found} instead of {expected}. It is damaged or another version. Get it again with: luna models fetch {model}", path.display())]
    WrongChecksum { model: String, path: PathBuf, found: String, expected: String },
    /// Missing, and provided by the system's packages.
    #[error("{model} comes from the system: install it with: sudo apt-get install {}", packages.join(" "))]
    FromSystem { model: String, packages: Vec<String> },
    #[error("the disk that holds {} is full; {needed} bytes are needed. Make room, or choose another place with --models-dir", path.display())]
    DiskFull {
        /// The file that was written.
        path: PathBuf,
        /// Its whole size, in bytes.
        needed: u64,
    },
    /// The folder can't be written to.
    #[error("{} can't be written to ({source}). Choose another place with --models-dir or LUNA_MODELS, or change its permissions", path.display())]
    NotWritable { path: PathBuf, source: io::Error },
    /// No folder for models is named, configured or known.
    #[error(
        "there is no place for models: no home folder is known. Name one with --models-dir, LUNA_MODELS or models.directory"
    )]
    NoPlace,
    /// Another user could have put the file there, or could change it.
    #[error(transparent)]
    NotPrivate(Box<dyn std::error::Error + Send + Sync>),
    /// The records of checksums can't be parsed.
    #[error("the notes on model files in {} are damaged. Remove that file, then run: luna models verify", path.display())]
    DamagedRecords { path: PathBuf },
    /// Another error of a file operation.
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    /// Every source of the file failed.
    #[error("{model}: {file} could not be fetched.\n{}\nBy hand: put the file at {}{}, then run: luna models verify {model}",
        tried.iter().map(|(source, error)| format!("  - {source}: {error}")).collect::<Vec<_>>().join("\n"),
        path.display(),
        sha256.as_ref().map(|sum| format!(" (SHA-256 {sum})")).unwrap_or_default())]
    NoSource {
        model: String,
        file: String,
        /// The expected path.
        path: PathBuf,
        /// The checksum, if known.
        sha256: Option<String>,
        /// Each source with its error.
        tried: Vec<(String, SourceError)>,
    },
}

impl ModelError {
    /// The message, split into the reason and the remedy.
    #[must_use]
    pub fn parts(&self) -> (String, String) {
        let text = self.to_string();
        // Most messages end with the remedy as a separate sentence.
        let remedies = [
            ". Get it",
            ". Make room",
            "; make room",
            ". Choose another",
            ". Name one",
            ". Remove that",
            ": install it",
        ];
        let cut = remedies.iter().find_map(|begin| text.find(begin).map(|at| text.split_at(at)));
        if let Some((reason, remedy)) = cut.filter(|_| !matches!(self, Self::NoSource { .. })) {
            let remedy = remedy.trim_start_matches(['.', ';', ':', ' ']);
            let mut letters = remedy.chars();
            let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
            return (format!("{reason}."), format!("{first}{}.", letters.as_str()));
        }
        let remedy = match self {
            Self::Manifest { .. } => "Install Luna again.",
            Self::NoSource { .. } => "Check the connection to the network, then fetch again.",
            Self::NotPrivate(_) => "Choose a folder of your own with LUNA_MODELS or models.directory.",
            Self::Io { source, .. } if source.kind() == io::ErrorKind::PermissionDenied => {
                "Give yourself the right to read it, or choose another folder with LUNA_MODELS."
            }
            Self::Io { .. } => "Check the disk that it lies on.",
            _ => "`luna models list` shows all models.",
        };
        (text, remedy.to_owned())
    }

    /// Classifies the error of a file operation by its remedy. `needed` is the whole size of the file, in bytes.
    #[must_use]
    pub fn io(path: &Path, needed: u64, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull { path, needed },
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Self::NotWritable { path, source },
            _ => Self::Io { path, source },
        }
    }
}

/// Why a source failed.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// No connection, or it was interrupted.
    #[error(
        "the network failed: {cause}. Check the connection; what came so far is kept and the next fetch goes on from there"
    )]
    Network { cause: String },
    /// The server answered with another status than success.
    #[error("the server answered {code}")]
    Status { code: u16 },
    /// Sizes in bytes.
    #[error("it has {found} bytes instead of {expected}")]
    WrongSize { found: u64, expected: u64 },
    #[error("its checksum is {found} instead of {expected}; it was thrown away")]
    WrongChecksum { found: String, expected: String },
    /// Another kind of file, such as an error page.
    #[error("what came is not {expected}; it was thrown away")]
    WrongFormat {
        /// The expected format, such as "an ONNX model".
        expected: &'static str,
    },
    #[error("Python is not installed (sudo apt-get install python3 python3-pip)")]
    NoPython,
    #[error("{python} has no pip (sudo apt-get install python3-pip)")]
    NoPip { python: String },
    /// pip failed, or downloaded no wheel.
    #[error("pip could not download it: {message}")]
    Pip {
        /// pip's last error.
        message: String,
    },
    /// The file is no wheel or has no such member, or its content can't be read.
    #[error("the wheel is not usable: {message}")]
    Wheel { message: String },
    /// A variable in the path isn't set.
    #[error("{name} is not set")]
    Variable { name: String },
    #[error("there is no such file")]
    NoFile,
    /// The target can't be written, so other sources would fail, too.
    #[error("{0}")]
    Target(#[source] Box<ModelError>),
}
