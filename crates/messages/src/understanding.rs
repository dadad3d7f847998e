//! What a person said, and what Luna took it to mean (NLU, BRG, DSL): what `luna understand` reads and writes.

use serde::{Deserialize, Serialize};

use crate::candidate::Zone;
use crate::control::Command;
use crate::dsl::{Action, ScrollAmount, ScrollDirection};
use crate::reading::Intent;
use crate::{Fidelity, Lang, Rect};

/// An utterance with what it was said to.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub struct UtteranceInput {
    /// The words, as they were recognised or typed.
    pub utterance: String,
    /// Whether Luna speaks: then the reflex vocabulary counts (BRG-1).
    #[serde(default)]
    pub speaking: bool,
    /// Whether a question is open (EXE-3, DNG-2): then single words answer it.
    #[serde(default)]
    pub asking: bool,
    /// What the active window, or the question, offers. Its order is that of the numbers on the badges.
    #[serde(default)]
    pub candidates: Option<Vec<CandidateInput>>,
}

/// A candidate as the rules need it; whatever is unknown may be left out.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub struct CandidateInput {
    pub id: String,
    /// What it is, as the platform or Luna calls it: `button`, `push button`, `MenuItem`.
    #[serde(default)]
    pub role: Option<String>,
    /// Its label.
    #[serde(default)]
    pub text: Option<String>,
    /// The application's own name for it.
    #[serde(default, rename = "automationId", alias = "automation_id")]
    pub automation_id: Option<String>,
    /// Texts of the labels near it.
    #[serde(default)]
    pub near: Option<OneOrMany>,
    /// Where on the screen it is: `top-right`.
    #[serde(default)]
    pub zone: Option<String>,
    /// Whether it can be used now; unknown counts as yes.
    #[serde(default)]
    pub enabled: Option<bool>,
    /// Place on the desktop.
    #[serde(default)]
    pub bbox: Option<InputBox>,
    /// `uia` (the default) or `ocr`.
    #[serde(default)]
    pub source: Option<String>,
}

/// One text or several.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum OneOrMany {
    One(String),
    /// Several.
    Many(Vec<String>),
}

impl OneOrMany {
    #[must_use]
    pub fn texts(&self) -> &[String] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::Many(many) => many,
        }
    }
}

/// A box: `[x, y, width, height]`, or an object with these names (`w` and `h` will do).
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(untagged)]
#[allow(missing_docs, reason = "see Rect")]
pub enum InputBox {
    Row([f64; 4]),
    Named {
        x: f64,
        y: f64,
        #[serde(alias = "w")]
        width: f64,
        #[serde(alias = "h")]
        height: f64,
    },
}

impl From<Rect> for InputBox {
    fn from(rect: Rect) -> Self {
        let [x, y, width, height] = <[i32; 4]>::from(rect).map(f64::from);
        Self::Row([x, y, width, height])
    }
}

/// What kind of thing was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UtteranceKind {
    /// A reflex command: obeyed at once, without a model (BRG-1).
    Reflex,
    /// Something is to be read (NLU-1).
    Reading,
    /// Something is to be done on the desktop (NLU-2).
    Command,
    /// The answer to a question (EXE-3).
    Answer,
    /// Addressed to Luna, but more than the rules decide (BRG-3, NLU-4).
    Ambiguous,
    /// Nothing that the rules know.
    #[default]
    None,
}

/// Where the target is, seen from its anchor (NLU-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Relation {
    Above,
    Below,
    Left,
    Right,
    Near,
    Inside,
}

/// Which state a switch shall have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Switch {
    On,
    Off,
}

/// One thing to do: what an utterance asks for, or one of its steps (NLU-1, NLU-2, EXE-5). What was not said is absent.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct ParsedCommand {
    /// What to do on the desktop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<Action>,
    /// What to do with a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intent: Option<Intent>,
    /// How to translate, if that was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<Fidelity>,
    /// The language that was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lang_tgt: Option<Lang>,
    /// Lines from here: 2 is two lines further down, -1 one up (DSL-5).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_offset: Option<i32>,
    /// Text of the target, without particles and words of its role.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_text: Option<String>,
    /// The role that was named: a word such as "button".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<crate::pick::Role>,
    /// Which of several: 1 the first, -1 the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ordinal: Option<i32>,
    /// Where the target is, seen from the anchor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relation: Option<Relation>,
    /// Text of the anchor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchor: Option<String>,
    /// Where on the screen the target is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zone: Option<Zone>,
    /// What to enter; of an answer `yes`, `no` or `cancel`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Which state a switch shall have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<Switch>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The keys together: `ctrl+shift+t`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hotkey: Option<String>,
    /// Where to scroll.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<ScrollDirection>,
    /// How far to scroll.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<ScrollAmount>,
}

/// What was understood.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Interpretation {
    /// What kind of thing it is.
    pub kind: UtteranceKind,
    /// The reflex command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<Command>,
    /// What is wanted; of several steps the first.
    #[serde(flatten)]
    pub wish: ParsedCommand,
    /// All steps, if there are several (EXE-5).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<ParsedCommand>,
    /// Whether it needs a confirmation (DNG-1).
    pub dangerous: bool,
    /// The candidate that is meant, if exactly one is (NLU-3).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_id: Option<String>,
    /// Ids of the best candidates, the best first (RNK-1).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ranking: Vec<String>,
    /// Why, in one line, in the language of the utterance.
    pub why: String,
}
