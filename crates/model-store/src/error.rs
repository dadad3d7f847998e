//! What can go wrong with model files. Each text names the file, what is wrong and how to get it (ENG-4).

use std::io;
use std::path::{Path, PathBuf};

/// Why a model file can't be given or fetched.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The manifest itself is wrong.
    #[error("the model manifest is wrong: {problem}")]
    Manifest { problem: String },
    /// No such model.
    #[error("there is no model \"{name}\". Known: {}.", known.join(", "))]
    UnknownModel {
        name: String,
        /// All names.
        known: Vec<String>,
    },
    /// No such set.
    #[error("there is no set \"{name}\". Known: {}.", known.join(", "))]
    UnknownSet {
        name: String,
        /// All names.
        known: Vec<String>,
    },
    /// The model has no such file, or several and none was named.
    #[error("the model {model} has no file \"{file}\" on this platform ({platform}). It has: {}.", known.join(", "))]
    UnknownFile {
        model: String,
        file: String,
        platform: String,
        /// Its files here.
        known: Vec<String>,
    },
    /// The file isn't there.
    #[error("{} is not there. Get it with: luna models fetch {model}", path.display())]
    Missing {
        model: String,
        /// Where it would be.
        path: PathBuf,
    },
    /// The file is too short or too long.
    #[error("{} has {found} bytes instead of {expected}: it is truncated or another file. Get it again with: luna models fetch {model}", path.display())]
    WrongSize {
        model: String,
        /// The file.
        path: PathBuf,
        found: u64,
        /// The right size.
        expected: u64,
    },
    /// The file begins like something else.
    #[error("{} is not {expected}. Get it again with: luna models fetch {model}", path.display())]
    WrongFormat {
        model: String,
        /// The file.
        path: PathBuf,
        /// What it should be.
        expected: &'static str,
    },
    /// The file's content is another one.
    #[error("{} has the checksum {found} instead of {expected}. It is damaged or another version. Get it again with: luna models fetch {model}", path.display())]
    WrongChecksum {
        model: String,
        /// The file.
        path: PathBuf,
        found: String,
        /// The right one.
        expected: String,
    },
    /// It comes from the system's packages.
    #[error("{model} comes from the system: install it with: sudo apt-get install {}", packages.join(" "))]
    FromSystem { model: String, packages: Vec<String> },
    #[error("the disk that holds {} is full; {needed} bytes are needed. Make room, or choose another place with --models-dir", path.display())]
    DiskFull {
        /// What was written.
        path: PathBuf,
        /// The whole size of the file.
        needed: u64,
    },
    /// The folder can't be written to.
    #[error("{} can't be written to ({source}). Choose another place with --models-dir or LUNA_MODELS, or change its permissions", path.display())]
    NotWritable {
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Nothing says where models lie.
    #[error(
        "there is no place for models: no home folder is known. Name one with --models-dir, LUNA_MODELS or models.directory"
    )]
    NoPlace,
    /// Others could have put the file there, or could change it.
    #[error(transparent)]
    NotPrivate(Box<dyn std::error::Error + Send + Sync>),
    /// The notes on checksums can't be read.
    #[error("the notes on model files in {} are damaged. Remove that file, then run: luna models verify", path.display())]
    DamagedNotes { path: PathBuf },
    /// Something else about a file.
    #[error("{}: {source}", path.display())]
    Io {
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// No source gave the file.
    #[error("{model}: {file} could not be fetched.\n{}\nBy hand: put the file at {}{}, then run: luna models verify {model}",
        tried.iter().map(|(source, error)| format!("  - {source}: {error}")).collect::<Vec<_>>().join("\n"),
        path.display(),
        sha256.as_ref().map(|sum| format!(" (SHA-256 {sum})")).unwrap_or_default())]
    NoSource {
        model: String,
        file: String,
        /// Where it would be.
        path: PathBuf,
        /// Its checksum, if known.
        sha256: Option<String>,
        /// Each source with what went wrong.
        tried: Vec<(String, SourceError)>,
    },
}

impl ModelError {
    /// What is wrong, and what can be done about it, apart.
    #[must_use]
    pub fn parts(&self) -> (String, String) {
        let text = self.to_string();
        // Most texts end with the remedy, as a sentence of its own.
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

    /// The error of a file operation, told apart by what a person can do.
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

/// Why one source did not give a file.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// No connection, or it broke off.
    #[error(
        "the network failed: {cause}. Check the connection; what came so far is kept and the next fetch goes on from there"
    )]
    Network {
        /// What the client said.
        cause: String,
    },
    /// The server refused.
    #[error("the server answered {code}")]
    Status {
        /// The HTTP status.
        code: u16,
    },
    /// More or fewer bytes than there should be.
    #[error("it has {found} bytes instead of {expected}")]
    WrongSize {
        /// What came.
        found: u64,
        /// The right size.
        expected: u64,
    },
    /// Another content.
    #[error("its checksum is {found} instead of {expected}; it was thrown away")]
    WrongChecksum {
        /// What came.
        found: String,
        /// The right one.
        expected: String,
    },
    /// Another kind of file, such as a page that explains an error.
    #[error("what came is not {expected}; it was thrown away")]
    WrongFormat {
        /// What it should be.
        expected: &'static str,
    },
    #[error("Python is not installed (sudo apt-get install python3 python3-pip)")]
    NoPython,
    /// Python without pip.
    #[error("{python} has no pip (sudo apt-get install python3-pip)")]
    NoPip {
        /// The program.
        python: String,
    },
    /// pip gave no wheel.
    #[error("pip could not download it: {message}")]
    Pip {
        /// Its last words.
        message: String,
    },
    /// The wheel has no such member, or is no wheel.
    #[error("the wheel is not usable: {message}")]
    Wheel {
        /// What is wrong.
        message: String,
    },
    /// A variable of the path isn't set.
    #[error("{name} is not set")]
    Variable { name: String },
    /// The path leads nowhere.
    #[error("there is no such file")]
    NoFile,
    /// The target can't be written; no other source would help.
    #[error("{0}")]
    Target(#[source] Box<ModelError>),
}
