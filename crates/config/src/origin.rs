//! Where each value of a configuration comes from.

use std::fmt;

use serde::Serialize;

use super::place::ConfigSource;
use super::profile::DEFAULT;
use super::tree::ConfigNode;

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
#[allow(missing_docs, reason = "the names say it")]
pub enum ValueOrigin {
    /// The built-in file; the profile that says it.
    Default {
        profile: String,
    },
    /// The person's file.
    File {
        file: String,
        line: u64,
        column: u64,
        profile: String,
    },
    /// A variable.
    Env {
        name: String,
    },
    Flag {
        text: String,
    },
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
