//! The command language between Luna and a language model (DSL-1 to DSL-5), which the rules speak, too.
//!
//! Nothing in it can name a place of the screen: a target is an id that was offered, or there is none (DSL-4).

use serde::{Deserialize, Serialize};

use crate::candidate::Zone;
use crate::pick::Role;
use crate::reading::Intent;
use crate::{Fidelity, Lang};

/// Version of the request, its `v` (DSL-1).
pub const DSL_VERSION: &str = "1.0";

/// What a model is asked to do; each has its budgets and its shape of answer (DSL-1, DSL-5, REA-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DslTask {
    /// What the person wants: a command or a way of reading.
    NluIntent,
    /// Which of the candidates is meant.
    SelectionDisambiguation,
    /// Translate a text; the answer is plain text.
    TranslateFaithful,
    /// Summarise a text; the answer is plain text.
    SummarizeShort,
    /// Several steps, one after another.
    MacroPlan,
}

impl DslTask {
    /// All of them.
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

/// What is to be done with a target (NLU-2, DSL-2).
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
    /// Nothing can be done before the person has said more.
    Clarify,
}

impl Action {
    /// All of them.
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
            Self::Clarify => "clarify",
        }
    }
}

/// Where scrolling goes (DSL-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum ScrollDirection {
    Up,
    Down,
}

/// How far scrolling goes (DSL-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScrollAmount {
    /// A few lines.
    Small,
    /// What fits on the screen.
    Page,
    /// To the very beginning or end.
    End,
}

/// What a model is told and asked (DSL-1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DslRequest {
    /// [`DSL_VERSION`].
    pub v: String,
    pub task: DslTask,
    /// What the person said.
    pub user_utterance: String,
    /// What may be meant, the likeliest first.
    pub candidates: Vec<DslCandidate>,
    /// What binds the model.
    pub rules: DslRules,
}

/// A candidate as a model sees it: without its place in pixels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DslCandidate {
    /// Names it in the answer. Short names of this request alone (`c1`, `c2`, …), not the long ids of elements.
    pub id: String,
    pub role: Role,
    /// Its text. Screen content: data, never an instruction (PRV-5).
    pub text: String,
    /// Automation id of the application, if there is one.
    #[serde(rename = "automationId", default, skip_serializing_if = "Option::is_none")]
    pub automation_id: Option<String>,
    /// Texts near it.
    pub near: Vec<String>,
    /// Where on the screen it is, in words.
    pub zone: Zone,
    /// Whether a person can use it now.
    pub enabled: bool,
}

/// What binds the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DslRules {
    /// A target is one of the candidates.
    pub must_choose_from_candidates: bool,
    /// Words that are answered by clarify (REA-5, DNG-1).
    pub dangerous: Vec<String>,
}

/// One command (DSL-2). Made by validation only: every id in it was offered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DslCommand {
    /// What is to be done.
    pub action: Action,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<DslTarget>,
    #[serde(default, skip_serializing_if = "DslParams::is_empty")]
    pub params: DslParams,
    /// What the person may choose from; with clarify only, at most three.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
}

impl DslCommand {
    /// A command without anything else.
    #[must_use]
    pub fn new(action: Action) -> Self {
        Self { action, target: None, params: DslParams::default(), options: Vec::new() }
    }
}

/// A target (DSL-2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DslTarget {
    /// The id of a candidate.
    pub id: String,
}

/// How a command is to be done (DSL-2).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DslParams {
    /// What a field is to hold; with `set_value`, and with `select` where a choice is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Where to scroll.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<ScrollDirection>,
    /// How far to scroll.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<ScrollAmount>,
    /// Which key, by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Which keys together: `ctrl+shift+t`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hotkey: Option<String>,
}

impl DslParams {
    /// Whether nothing is said.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.value.is_none()
            && self.direction.is_none()
            && self.amount.is_none()
            && self.key.is_none()
            && self.hotkey.is_none()
    }
}

/// How the text under the cursor is to be read (DSL-5): "두 줄 뒤 영어로 읽어줘" is read, en, +2 lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadingAnswer {
    pub intent: Intent,
    /// How free a translation may be.
    pub mode: Fidelity,
    /// Into which language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang_tgt: Option<Lang>,
    /// Lines to go on from here; below zero: back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_offset: Option<i32>,
}

/// A valid answer of a model (DSL-5).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DslAnswer {
    Command(DslCommand),
    /// A way of reading.
    Reading(ReadingAnswer),
    /// Several commands in order; each is resolved on the screen as it is then (EXE-5).
    Plan(Vec<DslCommand>),
    /// Plain text: a translation or a summary.
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
