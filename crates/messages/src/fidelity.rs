//! How free a translation may be (TRN-3).

use serde::{Deserialize, Serialize};

/// How free a translation may be (TRN-3), and so which differences from its source the preservation check tolerates (PRE-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fidelity {
    /// Nothing added, nothing lost, every preserved token as written in the source.
    #[default]
    Faithful,
    /// Fluent wording; preserved tokens keep their values, not their spelling.
    Natural,
}

impl Fidelity {
    /// Both, the default first.
    pub const ALL: [Self; 2] = [Self::Faithful, Self::Natural];

    /// `faithful` or `natural`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Faithful => "faithful",
            Self::Natural => "natural",
        }
    }
}
