//! Errors in a configuration, each with its position and a remedy (CFG-2).

use std::fmt;
use std::path::PathBuf;

use super::place::SourcePosition;

/// Why a configuration can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file exists but can't be read.
    #[error("{} can't be read: {source}. {}", file.display(), remedy(source))]
    Unreadable { file: PathBuf, source: std::io::Error },
    /// The file is larger than [`MAX_FILE_BYTES`](crate::tree::MAX_FILE_BYTES).
    #[error("{}:1:1: the file has more than the {largest} bytes that a configuration may have. Is it the right file?", file.display())]
    TooLarge {
        file: PathBuf,
        /// The limit in bytes.
        largest: u64,
    },
    /// A folder, a pipe or a device.
    #[error("{} is {what}, and a configuration is a file. Name one with --config, or take this away.", file.display())]
    NoFile {
        file: PathBuf,
        /// What it is, such as "a folder".
        what: &'static str,
    },
    /// Mistakes in the configuration.
    #[error("{}", list(.0))]
    Invalid(Vec<Problem>),
}

impl ConfigError {
    /// One text per problem.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        match self {
            Self::Invalid(problems) => problems.iter().map(ToString::to_string).collect(),
            Self::Unreadable { .. } | Self::TooLarge { .. } | Self::NoFile { .. } => vec![self.to_string()],
        }
    }
}

impl From<Problem> for ConfigError {
    fn from(problem: Problem) -> Self {
        Self::Invalid(vec![problem])
    }
}

fn list(problems: &[Problem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// A mistake in a configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    pub place: SourcePosition,
    /// The key, such as `tts.rate`; empty if the mistake concerns no key.
    pub key: String,
    pub fault: ConfigFault,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.place)?;
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        write!(f, "{}", self.fault)
    }
}

/// The kind of a mistake.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ConfigFault {
    /// Not YAML.
    #[error("{message}. {remedy}")]
    Syntax { message: String, remedy: String },
    #[error("this is not UTF-8 text. Save the file as UTF-8.")]
    NotUtf8,
    /// A key that the schema does not have.
    #[error("unknown key.{} Known here: {}.", suggestion(.nearest), .known.join(", "))]
    UnknownKey {
        /// A similar known key.
        nearest: Option<String>,
        /// All known keys at this level.
        known: Vec<String>,
    },
    /// A value of the wrong type.
    #[error("expected {expected}, found {found}.{}", hint(.found))]
    WrongType {
        /// The expected type, with its range.
        expected: String,
        found: String,
    },
    /// A number outside its range.
    #[error("{found} is out of range; allowed: {allowed}.")]
    OutOfRange { found: String, allowed: String },
    /// A word that isn't one of the allowed ones.
    #[error("\"{found}\" is not known here.{} Allowed: {}.", suggestion(.nearest), .allowed.join(", "))]
    NotOneOf {
        found: String,
        /// A similar allowed word.
        nearest: Option<String>,
        allowed: Vec<String>,
    },
    /// A required key is missing.
    #[error("the key \"{key}\" is missing. Add {example}.")]
    Missing {
        key: String,
        /// How to write it.
        example: String,
    },
    /// `<<` without a map or a list of maps.
    #[error(
        "<< takes what is marked with & above, such as *default, or a list of such. Write it so, or take the line out."
    )]
    BadMerge,
    /// A well-formed value that Luna refuses.
    #[error("{why} {remedy}")]
    Refused { why: String, remedy: String },
    /// A flag that isn't `key=value`.
    #[error("expected KEY=VALUE, such as --set tts.rate=1.2.")]
    NotAnAssignment,
}

fn remedy(error: &std::io::Error) -> &'static str {
    match error.kind() {
        std::io::ErrorKind::PermissionDenied => {
            "Give yourself the right to read it, or name another file with --config."
        }
        _ => "Name another file with --config.",
    }
}

fn suggestion(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |nearest| format!(" Did you mean \"{nearest}\"?"))
}

fn hint(found: &str) -> &'static str {
    match found.trim_start_matches("the text ").trim_matches('"').to_lowercase().as_str() {
        "yes" | "on" | "y" => " Write true.",
        "no" | "off" | "n" => " Write false.",
        _ => "",
    }
}
