//! How text is read aloud (TTS, NLU-1).

use serde::{Deserialize, Serialize};

use crate::{Fidelity, Lang};

/// What to do with the text under the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names are those of FOC-3")]
pub enum Intent {
    Read,
    Translate,
    Spell,
    Numbers,
    Summarize,
}

impl Intent {
    /// The name in FOC-3.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Translate => "translate",
            Self::Spell => "spell",
            Self::Numbers => "numbers",
            Self::Summarize => "summarize",
        }
    }
}

/// How a text is turned into speech (TTS-3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    /// Plain reading.
    #[default]
    News,
    /// Character by character.
    Spell,
    /// Character by character, Hangul syllables split into their jamo.
    SpellJamo,
    /// Only the numbers with their units.
    Numbers,
}

/// How much is said of an element besides its text (ANN-1), `reading.verbosity`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verbosity {
    /// Its text, and states that are not the usual ones.
    Brief,
    /// Also its role, its description, and its position in lists, menus and trees.
    #[default]
    Normal,
    /// Everything that is known about it.
    Full,
}

impl Verbosity {
    /// All, the shortest first.
    pub const ALL: [Self; 3] = [Self::Brief, Self::Normal, Self::Full];
}

/// What the person wants done with the text, with the details that were said (`Focus.Intent.request`, NLU-1). Details that were not said are absent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadingWish {
    /// What the person said.
    pub utterance: String,
    pub intent: Intent,
    /// The fidelity of a translation.
    pub mode: Option<Fidelity>,
    /// The language to read or translate in.
    pub lang_tgt: Option<Lang>,
    /// Lines from here: 2 is two lines down, -1 one line up (DSL-5).
    pub line_offset: Option<i32>,
}
