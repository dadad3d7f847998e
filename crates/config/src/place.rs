//! Positions in a configuration: a line of a file, a variable, a flag.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;

/// A source of configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ConfigSource {
    /// The defaults built into the program.
    BuiltIn,
    /// A file, as the person named it.
    File { path: String },
    /// An environment variable.
    Env { name: String },
    /// A command line flag.
    Flag {
        /// As typed.
        text: String,
    },
}

/// A position in a source. Line and column count from 1; 0 if the source has no lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcePosition {
    pub source: Arc<ConfigSource>,
    pub line: u64,
    /// In characters.
    pub column: u64,
}

impl SourcePosition {
    /// The beginning of a source.
    #[must_use]
    pub fn start(source: &Arc<ConfigSource>) -> Self {
        Self { source: Arc::clone(source), line: 1, column: 1 }
    }
}

impl fmt::Display for SourcePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.source {
            ConfigSource::BuiltIn => write!(f, "config/default.yaml:{}:{}", self.line, self.column),
            ConfigSource::File { path } => write!(f, "{path}:{}:{}", self.line, self.column),
            ConfigSource::Env { name } => write!(f, "env {name}"),
            ConfigSource::Flag { text } => write!(f, "flag {text}"),
        }
    }
}
