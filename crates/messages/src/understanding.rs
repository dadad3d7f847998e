//! Utterances and their interpretation (NLU, BRG, DSL): the input and output of `luna understand`.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::candidate::Zone;
use crate::control::Command;
use crate::dsl::{Action, ScrollAmount, ScrollDirection};
use crate::element_action::CapacitySet;
use crate::reading::{Intent, ReadingWish};
use crate::{Fidelity, Lang, Rect};

/// An utterance with its context.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub struct UtteranceInput {
    /// As recognised or typed.
    pub utterance: String,
    /// Whether Luna is speaking, so that the reflex vocabulary applies (BRG-1).
    #[serde(default)]
    pub speaking: bool,
    /// Whether a question is open, so that single words answer it (EXE-3, DNG-2).
    #[serde(default)]
    pub asking: bool,
    /// The candidates of the active window or of the question, in the order of the numbers on the badges.
    #[serde(default)]
    pub candidates: Option<Vec<CandidateInput>>,
}

/// A candidate. All fields but `id` may be omitted.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub struct CandidateInput {
    pub id: String,
    /// A role name of the platform or of Luna: `button`, `push button`, `MenuItem`.
    #[serde(default)]
    pub role: Option<String>,
    #[serde(default)]
    pub text: Option<String>,
    /// The application's automation id.
    #[serde(default, rename = "automationId", alias = "automation_id")]
    pub automation_id: Option<String>,
    /// Texts of nearby labels.
    #[serde(default)]
    pub near: Option<OneOrMany>,
    /// A [`Zone`] name, such as `top-right`.
    #[serde(default)]
    pub zone: Option<String>,
    /// Whether it accepts input now; unknown counts as yes.
    #[serde(default)]
    pub enabled: Option<bool>,
    /// On the desktop.
    #[serde(default)]
    pub bbox: Option<InputBox>,
    /// `uia` (the default) or `ocr`.
    #[serde(default)]
    pub source: Option<String>,
    /// What can be done to it, if that is known. One to which nothing can be done only tells where others are (EXE-1).
    #[serde(default)]
    pub capacities: Option<CapacitySet>,
    /// What it is more exactly than its role tells: `date_field`.
    #[serde(default)]
    pub kind: Option<String>,
    /// What is said of it besides its text, such as its description: it may tell of a danger (DNG-4).
    #[serde(default)]
    pub said: Option<String>,
}

impl CandidateInput {
    /// Whether nothing can be done to it: it only labels others, and is never a target (EXE-1).
    #[must_use]
    pub fn only_labels(&self) -> bool {
        self.capacities.as_ref().is_some_and(CapacitySet::is_empty)
    }
}

/// One text or several.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum OneOrMany {
    One(String),
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

/// A box: `[x, y, width, height]`, or an object with these keys (or `w` and `h`).
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

impl InputBox {
    /// `[x, y, width, height]`.
    #[must_use]
    pub const fn row(self) -> [f64; 4] {
        match self {
            Self::Row(row) => row,
            Self::Named { x, y, width, height } => [x, y, width, height],
        }
    }
}

impl From<Rect> for InputBox {
    fn from(rect: Rect) -> Self {
        let [x, y, width, height] = <[i32; 4]>::from(rect).map(f64::from);
        Self::Row([x, y, width, height])
    }
}

/// The kind of an utterance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UtteranceKind {
    /// A reflex command, performed at once without a model (BRG-1).
    Reflex,
    /// A request to read (NLU-1).
    Reading,
    /// A command for the desktop (NLU-2).
    Command,
    /// The answer to a question (EXE-3).
    Answer,
    /// Addressed to Luna, but beyond the rules (BRG-3, NLU-4).
    Ambiguous,
    /// Not understood by the rules.
    #[default]
    None,
}

/// The target's position relative to its anchor (NLU-2).
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

/// The requested state of a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Switch {
    On,
    Off,
}

/// One command: an utterance or one of its steps (NLU-1, NLU-2, EXE-5). Details that were not said are absent. Its debug output tells of the text to enter
/// only how long it is: it may be a secret (PRV-2).
#[derive(Clone, PartialEq, Default, Serialize)]
pub struct ParsedCommand {
    /// What to do on the desktop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<Action>,
    /// The name of a usual order (DSL-6): `copy`, `undo`, `open`. With [`Action::Desktop`]; `open` also with [`Action::Invoke`], because what is opened
    /// may be in the window or a program. Without an action the name of a reflex command: a step among others ("저장하고 멈춰").
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<String>,
    /// What the usual order is about: the program to open, the text to find, `up` for the volume.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub argument: Option<String>,
    /// What to do with a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intent: Option<Intent>,
    /// The fidelity of a translation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<Fidelity>,
    /// The named target language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lang_tgt: Option<Lang>,
    /// Lines from here: 2 is two lines down, -1 one line up (DSL-5).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_offset: Option<i32>,
    /// Text of the target, without particles and role words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_text: Option<String>,
    /// The named role, from a word such as "button".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<crate::pick::Role>,
    /// Position among several: 1 the first, -1 the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ordinal: Option<i32>,
    /// The target's position relative to the anchor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relation: Option<Relation>,
    /// Text of the anchor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchor: Option<String>,
    /// The named part of the screen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zone: Option<Zone>,
    /// Whether it is the farthest one on that side: "at the very bottom", "맨 위".
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub outermost: bool,
    /// The text to enter; for an answer `yes`, `no` or `cancel`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The requested state of a switch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<Switch>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Keys pressed together: `ctrl+shift+t`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hotkey: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<ScrollDirection>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<ScrollAmount>,
    /// What a button for the verb itself is called: "삭제" for "파일 삭제해 줘". A later screen may show that instead of the thing (EXE-5).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verb: Option<String>,
    /// What else the target may be called.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// How often keys are pressed, from 2 to 20; once if it was not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<u8>,
    /// Whether any of those that fit will do: "press any button", "버튼 아무거나 하나 눌러".
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub any: bool,
    /// Whether the rules can't say what is to be done, unless a candidate shows it: "창을 올려".
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unsure: bool,
}

impl fmt::Debug for ParsedCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { action, order, argument, intent, mode, lang_tgt, line_offset, target_text, role, ordinal, .. } =
            self;
        let Self {
            relation,
            anchor,
            zone,
            outermost,
            value,
            state,
            key,
            hotkey,
            direction,
            amount,
            verb,
            also,
            unsure,
            times,
            any,
            ..
        } = self;
        let value = value.as_ref().map(|value| WrittenLength(value.chars().count()));
        f.debug_struct("ParsedCommand")
            .field("action", action)
            .field("order", order)
            .field("argument", argument)
            .field("intent", intent)
            .field("mode", mode)
            .field("lang_tgt", lang_tgt)
            .field("line_offset", line_offset)
            .field("target_text", target_text)
            .field("role", role)
            .field("ordinal", ordinal)
            .field("relation", relation)
            .field("anchor", anchor)
            .field("zone", zone)
            .field("outermost", outermost)
            .field("value", &value)
            .field("state", state)
            .field("key", key)
            .field("hotkey", hotkey)
            .field("direction", direction)
            .field("amount", amount)
            .field("verb", verb)
            .field("also", also)
            .field("times", times)
            .field("any", any)
            .field("unsure", unsure)
            .finish()
    }
}

/// Stands for a text that is not shown, in characters.
struct WrittenLength(usize);

impl fmt::Debug for WrittenLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} characters", self.0)
    }
}

impl ParsedCommand {
    /// What `utterance` wants read, with the details that the rules found in it.
    #[must_use]
    pub fn reading_wish(&self, utterance: &str, intent: Intent) -> ReadingWish {
        let Self { mode, lang_tgt, line_offset, .. } = *self;
        ReadingWish { utterance: utterance.to_owned(), intent, mode, lang_tgt, line_offset }
    }
}

/// The interpretation of an utterance by the rules.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Interpretation {
    pub kind: UtteranceKind,
    /// The reflex command; with [`UtteranceKind::Command`] the one that does a usual order of the desktop, because Luna itself does it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<Command>,
    /// The parsed command; of several steps the first.
    #[serde(flatten)]
    pub wish: ParsedCommand,
    /// All steps if there are several (EXE-5).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<ParsedCommand>,
    /// Whether it needs a confirmation (DNG-1).
    pub dangerous: bool,
    /// Whether an order was forbidden or taken back, and nothing else is wanted (NLU-5).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub negated: bool,
    /// Whether it calls Luna by its wake word (VOI-1).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub addressed: bool,
    /// How sure it is, from 0 to 1 (NLU-6).
    pub score: f64,
    /// The score less that of the best other interpretation, from 0 to 1 (NLU-6).
    pub margin: f64,
    /// The target, if exactly one candidate matches (NLU-3).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_id: Option<String>,
    /// If the target is ambiguous, the ids of all that fit alike, in reading order (EXE-3).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub several: Vec<String>,
    /// Ids of the best candidates, best first (RNK-1).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ranking: Vec<String>,
    /// The best other interpretations, at most three, best first (NLU-6).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Alternative>,
    /// The reason, in one line, in the language of the utterance.
    pub why: String,
}

/// Which element of a screen a step means (NLU-3, EXE-5).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TargetMatch {
    /// The target, if exactly one candidate matches.
    pub target: Option<String>,
    /// If not, the ids of all that fit alike, in reading order (EXE-3).
    pub several: Vec<String>,
    /// Ids of the best candidates, best first (RNK-1).
    pub ranking: Vec<String>,
    /// Whether it needs a confirmation, by what the step says or by what the target shows (DNG-1, DNG-4).
    pub dangerous: bool,
}

/// Another interpretation of the same utterance (NLU-6).
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Alternative {
    pub kind: UtteranceKind,
    /// The reflex command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<Command>,
    #[serde(flatten)]
    pub wish: ParsedCommand,
    /// The target, if exactly one candidate matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_id: Option<String>,
    /// Whether an order was forbidden or taken back, and nothing else is wanted (NLU-5).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub negated: bool,
    /// From 0 to 1, not above that of the interpretation.
    pub score: f64,
}

/// Whether words call Luna by its wake word (VOI-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WakeCall {
    /// The wake word is not said, or it is no call.
    NotCalled,
    /// The wake word, and nothing besides it but sounds of hesitation.
    Alone,
    /// The wake word and more.
    WithWords,
}

impl WakeCall {
    /// Whether Luna is called at all.
    #[must_use]
    pub const fn is_called(self) -> bool {
        !matches!(self, Self::NotCalled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // PRV-2
    #[test]
    fn the_text_to_enter_is_not_in_the_debug_output_prv_2() {
        let step = ParsedCommand { value: Some("가나다".to_owned()), ..ParsedCommand::default() };
        let shown =
            format!("{:?}", Interpretation { wish: step.clone(), steps: vec![step], ..Interpretation::default() });
        assert!(!shown.contains("가나다") && shown.contains("value: Some(3 characters)"), "{shown}");
    }
}
