//! What can be wrong with a configuration, and what would be right (CFG-2).

use std::fmt;
use std::path::PathBuf;

use super::place::SourcePosition;

/// Why no configuration came out.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file is there and can't be read.
    #[error("{} can't be read: {source}. {}", file.display(), remedy(source))]
    Unreadable {
        file: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is far larger than any configuration.
    #[error("{}:1:1: the file has more than the {largest} bytes that a configuration may have. Is it the right file?", file.display())]
    TooLarge {
        file: PathBuf,
        /// The limit.
        largest: u64,
    },
    /// What is there is no file.
    #[error("{} is {what}, and a configuration is a file. Name one with --config, or take this away.", file.display())]
    NoFile {
        file: PathBuf,
        /// What it is, as the end of a sentence.
        what: &'static str,
    },
    /// What is wrong, each with its place and what would be right.
    #[error("{}", list(.0))]
    Invalid(Vec<Problem>),
}

impl ConfigError {
    /// One text per problem, for programs and for speech.
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

/// One mistake.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// Where it stands.
    pub place: SourcePosition,
    /// The key, such as `tts.rate`; empty if none is concerned.
    pub key: String,
    /// What is wrong.
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

/// What is wrong with one key.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ConfigFault {
    /// Not YAML.
    #[error("{message}. {remedy}")]
    Syntax {
        /// What is wrong.
        message: String,
        /// What would be right.
        remedy: String,
    },
    /// Bytes that are no text.
    #[error("this is not UTF-8 text. Save the file as UTF-8.")]
    NotUtf8,
    /// A key that nobody reads.
    #[error("unknown key.{} Known here: {}.", suggestion(.nearest), .known.join(", "))]
    UnknownKey {
        /// A known key that looks like it.
        nearest: Option<String>,
        /// All keys known here.
        known: Vec<String>,
    },
    /// Another kind of value is needed.
    #[error("expected {expected}, found {found}.{}", hint(.found))]
    WrongType {
        /// What is needed, with its range.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// A number outside its range.
    #[error("{found} is out of range; allowed: {allowed}.")]
    OutOfRange {
        /// What stands there.
        found: String,
        allowed: String,
    },
    /// A word that isn't one of the known ones.
    #[error("\"{found}\" is not known here.{} Allowed: {}.", suggestion(.nearest), .allowed.join(", "))]
    NotOneOf {
        /// What stands there.
        found: String,
        /// An allowed one that looks like it.
        nearest: Option<String>,
        allowed: Vec<String>,
    },
    /// A key that must be there.
    #[error("the key \"{key}\" is missing. Add {example}.")]
    Missing {
        /// Its name.
        key: String,
        /// How it would look.
        example: String,
    },
    /// `<<` takes a map or a list of maps.
    #[error(
        "<< takes what is marked with & above, such as *default, or a list of such. Write it so, or take the line out."
    )]
    BadMerge,
    /// A value that is well-formed and not accepted.
    #[error("{why} {remedy}")]
    Refused {
        /// The reason.
        why: String,
        /// What would be right.
        remedy: String,
    },
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
