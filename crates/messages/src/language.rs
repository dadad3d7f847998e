//! The languages that Luna reads and speaks.

use serde::{Deserialize, Serialize};

/// A language that Luna reads and speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lang {
    /// Korean.
    Ko,
    /// English, and whatever else is written in Latin letters.
    En,
}

impl Lang {
    /// `ko` or `en`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Ko => "ko",
            Self::En => "en",
        }
    }
}
