//! The origin of each value of a configuration.

use std::fmt;

use serde::Serialize;

use super::place::ConfigSource;
use super::profile::DEFAULT;
use super::tree::ConfigNode;

/// The origin of a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
#[allow(missing_docs, reason = "the names say it")]
pub enum ValueOrigin {
    /// The built-in file, with the profile that sets the value.
    Default { profile: String },
    /// The person's file.
    File { file: String, line: u64, column: u64, profile: String },
    /// An environment variable.
    Env { name: String },
    /// A command line flag.
    Flag { text: String },
}

impl ValueOrigin {
    pub(super) fn new(node: &ConfigNode) -> Self {
        let profile = node.profile.as_deref().unwrap_or(DEFAULT).to_owned();
        match &*node.place.source {
            ConfigSource::BuiltIn => Self::Default { profile },
            ConfigSource::File { path } => {
                Self::File { file: path.clone(), line: node.place.line, column: node.place.column, profile }
            }
            ConfigSource::Env { name } => Self::Env { name: name.clone() },
            ConfigSource::Flag { text } => Self::Flag { text: text.clone() },
        }
    }
}

impl fmt::Display for ValueOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default { profile } if profile == DEFAULT => f.write_str("default"),
            Self::Default { profile } => write!(f, "default, profile {profile}"),
            Self::File { file, line, column, profile } => write!(f, "{file}:{line}:{column}, profile {profile}"),
            Self::Env { name } => write!(f, "env {name}"),
            Self::Flag { text } => write!(f, "flag {text}"),
        }
    }
}
