//! What a language model would do, in words.

use luna_messages::Lang;

use crate::done_action::DoneAction;

/// A step of a proposal. Who says yes must know what is entered, so that it is told; it stands in the person's own words, and never goes into a protected field.
#[derive(Clone, PartialEq, Eq)]
pub struct ProposedStep {
    pub action: DoneAction,
    pub target: String,
    pub value: Option<String>,
}

/// Shows nothing that is to be entered (PRV-2).
impl std::fmt::Debug for ProposedStep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProposedStep")
            .field("action", &self.action)
            .field("target", &self.target)
            .finish_non_exhaustive()
    }
}

impl ProposedStep {
    /// As a question without its mark.
    pub(super) fn asked(&self, lang: Lang) -> String {
        let Self { action, target, value } = self;
        let asked = action.asked(lang);
        match (lang, value) {
            (Lang::Ko, Some(value)) => format!("{target}: '{value}' {asked}"),
            (Lang::Ko, None) => format!("{target}: {asked}"),
            (Lang::En, Some(value)) => format!("enter '{value}' in {target}"),
            (Lang::En, None) => format!("{asked} {target}"),
        }
    }
}
