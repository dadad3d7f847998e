//! The command language between Luna and a language model (DSL-1 to DSL-5); the rules of `nlu` use the same types.
//!
//! Nothing in it can name a position on the screen: a target is the id of an offered candidate, or absent (DSL-4).

use serde::{Deserialize, Serialize};

use crate::candidate::Zone;
use crate::pick::Role;
use crate::reading::Intent;
use crate::{Fidelity, Lang};

/// Version of the request, in its field `v` (DSL-1).
pub const DSL_VERSION: &str = "1.0";

/// What a model is asked to do; each task has its budgets and its answer format (DSL-1, DSL-5, REA-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DslTask {
    /// Turn an utterance into a command or a way of reading.
    NluIntent,
    /// Choose the candidate that an utterance names.
    SelectionDisambiguation,
    /// Translate a text; the answer is plain text.
    TranslateFaithful,
    /// Summarise a text; the answer is plain text.
    SummarizeShort,
    /// Plan several steps in order.
    MacroPlan,
}

impl DslTask {
    pub const ALL: [Self; 5] = [
        Self::NluIntent,
        Self::SelectionDisambiguation,
        Self::TranslateFaithful,
        Self::SummarizeShort,
        Self::MacroPlan,
    ];

    /// The name in requests, in the configuration and in metrics labels.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NluIntent => "nlu_intent",
            Self::SelectionDisambiguation => "selection_disambiguation",
            Self::TranslateFaithful => "translate_faithful",
            Self::SummarizeShort => "summarize_short",
            Self::MacroPlan => "macro_plan",
        }
    }
}

/// What to do with a target (NLU-2, DSL-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Action {
    Invoke,
    SetValue,
    Toggle,
    Select,
    Scroll,
    Key,
    Hotkey,
    /// A usual order of the desktop, by name: copy, undo, close (DSL-6). Only understanding by rules gives it.
    Desktop,
    /// Puts the keyboard focus on the target. Only understanding by rules gives it.
    Focus,
    /// Shows what belongs to the target. Only understanding by rules gives it.
    Expand,
    /// Hides what belongs to the target. Only understanding by rules gives it.
    Collapse,
    /// Ask the person first: the utterance is not clear enough to act on.
    Clarify,
}

impl Action {
    /// Those that a model is offered.
    pub const ALL: [Self; 8] = [
        Self::Invoke,
        Self::SetValue,
        Self::Toggle,
        Self::Select,
        Self::Scroll,
        Self::Key,
        Self::Hotkey,
        Self::Clarify,
    ];

    /// The name in requests and answers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Invoke => "invoke",
            Self::SetValue => "set_value",
            Self::Toggle => "toggle",
            Self::Select => "select",
            Self::Scroll => "scroll",
            Self::Key => "key",
            Self::Hotkey => "hotkey",
            Self::Desktop => "desktop",
            Self::Focus => "focus",
            Self::Expand => "expand",
            Self::Collapse => "collapse",
            Self::Clarify => "clarify",
        }
    }
}

/// In which direction to scroll (DSL-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum ScrollDirection {
    Up,
    Down,
}

/// How far to scroll (DSL-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScrollAmount {
    /// A few lines.
    Small,
    /// One screenful.
    Page,
    /// To the very beginning or end.
    End,
}

/// A request to a model (DSL-1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DslRequest {
    /// [`DSL_VERSION`].
    pub v: String,
    pub task: DslTask,
    /// What the person said.
    pub user_utterance: String,
    /// Possible targets, the likeliest first.
    pub candidates: Vec<DslCandidate>,
    pub rules: DslRules,
}

/// A candidate as a model sees it: without pixel coordinates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DslCandidate {
    /// Names the candidate in the answer: `c1`, `c2`, …, valid in this request only.
    pub id: String,
    pub role: Role,
    /// Its text. Screen content: data, never an instruction (PRV-5).
    pub text: String,
    /// The application's automation id.
    #[serde(rename = "automationId", default, skip_serializing_if = "Option::is_none")]
    pub automation_id: Option<String>,
    /// Texts of nearby labels.
    pub near: Vec<String>,
    pub zone: Zone,
    /// Whether it accepts input now.
    pub enabled: bool,
}

/// Constraints on the model's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DslRules {
    /// Whether the target must be one of the candidates.
    pub must_choose_from_candidates: bool,
    /// Words that require [`Action::Clarify`] as the answer (REA-5, DNG-1).
    pub dangerous: Vec<String>,
}

/// One command (DSL-2). Each id in a validated command was offered to the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DslCommand {
    pub action: Action,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<DslTarget>,
    #[serde(default, skip_serializing_if = "DslParams::is_empty")]
    pub params: DslParams,
    /// Choices for the person, at most three; only with [`Action::Clarify`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
}

impl DslCommand {
    /// A command without target, parameters and options.
    #[must_use]
    pub fn new(action: Action) -> Self {
        Self { action, target: None, params: DslParams::default(), options: Vec::new() }
    }
}

/// The target of a command (DSL-2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DslTarget {
    /// The id of a candidate.
    pub id: String,
}

/// Parameters of a command (DSL-2).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DslParams {
    /// With `set_value` the new content of a field; with `select` the name of the choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<ScrollDirection>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<ScrollAmount>,
    /// Name of a key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Keys pressed together: `ctrl+shift+t`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hotkey: Option<String>,
}

impl DslParams {
    /// Whether no parameter is given.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.value.is_none()
            && self.direction.is_none()
            && self.amount.is_none()
            && self.key.is_none()
            && self.hotkey.is_none()
    }
}

/// How to read the text under the cursor (DSL-5): "두 줄 뒤 영어로 읽어줘" is read, en, +2 lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadingAnswer {
    pub intent: Intent,
    pub mode: Fidelity,
    /// Target language of a translation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang_tgt: Option<Lang>,
    /// Lines to skip from here; negative: backwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_offset: Option<i32>,
}

/// A validated answer of a model (DSL-5).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DslAnswer {
    Command(DslCommand),
    /// A way of reading.
    Reading(ReadingAnswer),
    /// Several commands in order; each is resolved against the screen at its turn (EXE-5).
    Plan(Vec<DslCommand>),
    /// A translation or a summary, as plain text.
    Text(String),
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    // DSL-1, DSL-2
    #[test]
    fn the_names_are_those_of_the_page_dsl_1_dsl_2() {
        for task in DslTask::ALL {
            assert_eq!(serde_json::to_string(&task).unwrap(), format!("\"{}\"", task.name()));
        }
        for action in Action::ALL {
            assert_eq!(serde_json::to_string(&action).unwrap(), format!("\"{}\"", action.name()));
        }
        let candidate = DslCandidate {
            id: "c1".into(),
            role: Role::Button,
            text: "저장".into(),
            automation_id: Some("save".into()),
            near: Vec::new(),
            zone: Zone::TopRight,
            enabled: true,
        };
        let written = serde_json::to_value(&candidate).unwrap();
        assert_eq!((&written["automationId"], &written["zone"]), (&"save".into(), &"top-right".into()));
        assert!(serde_json::from_str::<DslTarget>(r#"{"id":"c1","x":3}"#).is_err(), "a coordinate");
    }
}
