//! `models/manifest.yaml`: every model, its files and their sources.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::ModelError;

/// The manifest built into the program.
pub const BUILT_IN: &str = include_str!("../../../models/manifest.yaml");

/// The manifest of all models.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Version of this format; 1.
    pub version: u32,
    /// Sources to try first for every file; `{model}` and `{file}` stand for the names.
    #[serde(default)]
    pub everywhere: Vec<FileSource>,
    /// Names of models that are fetched together, by set.
    pub sets: BTreeMap<String, Vec<String>>,
    pub models: Vec<ModelEntry>,
}

/// An entry of `models/manifest.yaml`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelEntry {
    /// Also the name of its folder.
    pub name: String,
    #[serde(default)]
    pub kind: ModelKind,
    /// The task, such as `ocr-detection`.
    pub task: String,
    /// A description for people.
    pub purpose: String,
    /// Approximate memory of its engine, in MiB.
    pub memory_mb: u64,
    /// The licence of the files.
    pub licence: String,
    /// Languages; `multilingual` for many.
    #[serde(default)]
    pub languages: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Its files for all platforms.
    #[serde(default)]
    pub files: Vec<FileEntry>,
    /// For [`ModelKind::System`]: Debian packages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<String>,
    /// For [`ModelKind::System`]: it is installed if one of these files exists.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub present_if: Vec<String>,
}

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelKind {
    /// Weights.
    #[default]
    Model,
    /// A native library.
    Library,
    /// Installed with the system's packages.
    System,
}

/// A file of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileEntry {
    /// Name in the model's folder.
    pub path: String,
    /// Its platform, such as `linux-x86_64`; none: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub platform: Option<String>,
    pub format: Format,
    /// Exact size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Approximate size if the exact one is unknown; for messages only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about_bytes: Option<u64>,
    pub sha256: Sha256,
    /// In order of preference.
    pub sources: Vec<FileSource>,
}

/// The format of a file, which its header must match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// An ONNX model.
    Onnx,
    /// A whisper.cpp model.
    Ggml,
    /// A llama.cpp model.
    Gguf,
    /// A Linux library.
    Elf,
    /// A Windows library.
    Pe,
    /// UTF-8 text.
    Text,
}

/// A checksum, possibly not known yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sha256 {
    /// 64 lower-case hexadecimal digits.
    Known(String),
    /// Recorded at the first fetch.
    Unknown,
}

impl Sha256 {
    /// The digits, if known.
    #[must_use]
    pub fn known(&self) -> Option<&str> {
        match self {
            Self::Known(digits) => Some(digits),
            Self::Unknown => None,
        }
    }
}

impl Serialize for Sha256 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.known().unwrap_or("unknown"))
    }
}

impl<'de> Deserialize<'de> for Sha256 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let hex = text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        match text.as_str() {
            "unknown" => Ok(Self::Unknown),
            _ if hex => Ok(Self::Known(text)),
            _ => Err(serde::de::Error::custom("expected 64 small hexadecimal digits, or unknown")),
        }
    }
}

/// A source of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileSource {
    /// A web address.
    Url(String),
    /// A member of a Python wheel, fetched with pip.
    Pypi(Pypi),
    /// A local file; may contain `${VARIABLES}`.
    Path(String),
}

/// A member of a Python wheel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pypi {
    pub package: String,
    /// Exact version.
    pub version: String,
    /// The file inside the wheel.
    pub member: String,
}

impl fmt::Display for FileSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(url) => f.write_str(url),
            Self::Pypi(Pypi { package, version, member }) => {
                write!(f, "{member} in the Python package {package} {version}")
            }
            Self::Path(path) => f.write_str(path),
        }
    }
}

impl Manifest {
    /// The manifest built into the program.
    ///
    /// # Errors
    /// The manifest is invalid. A test loads it, so a released program never fails here.
    pub fn built_in() -> Result<Self, ModelError> {
        Self::parse(BUILT_IN)
    }

    /// Parses a manifest and checks it: unique names, file names without folders, a size and a source for each file.
    ///
    /// # Errors
    /// The text is no valid YAML of this format, or one of the checks fails.
    pub fn parse(text: &str) -> Result<Self, ModelError> {
        let options = serde_saphyr::options! { strict_booleans: true, with_snippet: false };
        let manifest: Self = serde_saphyr::from_str_with_options(text, options)
            .map_err(|error| ModelError::Manifest { problem: error.to_string() })?;
        match manifest.problem() {
            Some(problem) => Err(ModelError::Manifest { problem }),
            None => Ok(manifest),
        }
    }

    fn problem(&self) -> Option<String> {
        let plain = |name: &str| {
            !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', ':', '\0']) && name != ".."
        };
        if self.version != 1 {
            return Some(format!("version {} is not known", self.version));
        }
        for (index, model) in self.models.iter().enumerate() {
            let name = &model.name;
            if !plain(name) || self.models[..index].iter().any(|other| other.name == *name) {
                return Some(format!("the name {name:?} is taken or no plain name"));
            }
            if (model.kind == ModelKind::System) == model.present_if.is_empty()
                || (model.kind == ModelKind::System) != model.files.is_empty()
            {
                return Some(format!("{name} needs files, or present_if for the kind system"));
            }
            for (index, file) in model.files.iter().enumerate() {
                let path = &file.path;
                let taken =
                    model.files[..index].iter().any(|other| other.path == *path && other.platform == file.platform);
                if !plain(path) || path.ends_with(".part") || taken {
                    return Some(format!("{name}: the file name {path:?} is taken or no plain name"));
                }
                if file.sources.is_empty() || file.bytes.is_some() == file.about_bytes.is_some() {
                    return Some(format!("{name}: {path} needs sources, and either bytes or about_bytes"));
                }
            }
        }
        let missing = self.sets.values().flatten().find(|name| self.model(name).is_none());
        missing.map(|name| format!("the set names {name}, which is not there"))
    }

    #[must_use]
    pub fn model(&self, name: &str) -> Option<&ModelEntry> {
        self.models.iter().find(|model| model.name == name)
    }

    /// [`Self::model`] as a `Result`.
    ///
    /// # Errors
    /// No model has this name.
    pub fn expect_model(&self, name: &str) -> Result<&ModelEntry, ModelError> {
        self.model(name).ok_or_else(|| ModelError::UnknownModel {
            name: name.to_owned(),
            known: self.models.iter().map(|model| model.name.clone()).collect(),
        })
    }

    /// The models of a set; `all` is every model that can be fetched.
    ///
    /// # Errors
    /// No set has this name.
    pub fn set(&self, name: &str) -> Result<Vec<String>, ModelError> {
        if name == "all" {
            let fetchable = self.models.iter().filter(|model| model.kind != ModelKind::System);
            return Ok(fetchable.map(|model| model.name.clone()).collect());
        }
        self.sets.get(name).cloned().ok_or_else(|| ModelError::UnknownSet {
            name: name.to_owned(),
            known: self.sets.keys().cloned().chain(["all".to_owned()]).collect(),
        })
    }
}

impl ModelEntry {
    /// The files for this platform.
    pub fn files_here(&self) -> impl Iterator<Item = &FileEntry> {
        let here = platform();
        self.files.iter().filter(move |file| file.platform.as_ref().is_none_or(|platform| *platform == here))
    }

    /// Size of the files for this platform; exact if all their sizes are exact.
    #[must_use]
    pub fn bytes_here(&self) -> u64 {
        self.files_here().map(FileEntry::size).sum()
    }
}

impl FileEntry {
    /// Exact or approximate size in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.bytes.or(self.about_bytes).unwrap_or(0)
    }
}

/// This platform's name in the manifest, such as `linux-x86_64`.
#[must_use]
pub fn platform() -> String {
    format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH)
}
