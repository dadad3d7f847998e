//! What is said is about the page that a window shows sooner than about the window's own controls: "click the button", "the first field" in a browser.

use luna_messages::executor::ScreenCandidates;
use luna_messages::understanding::{Interpretation, ParsedCommand, TargetMatch};

use crate::rules::CommandRules;

/// Whether the words have a name, and no count among several: what has that name alone is meant wherever it is.
pub(super) const fn is_named(step: &ParsedCommand) -> bool {
    step.target_text.is_some() && step.ordinal.is_none() && !step.any
}

/// What an utterance means on the screen (NLU-3).
pub(super) fn understand(rules: &dyn CommandRules, utterance: &str, screen: &ScreenCandidates) -> Interpretation {
    let whole = rules.understand(utterance, false, &screen.candidates);
    if whole.target_id.is_some() && is_named(&whole.wish) {
        return whole;
    }
    let Some(on_pages) = screen.on_pages() else { return whole };
    let found = rules.understand(utterance, false, &on_pages);
    if found.target_id.is_some() || !found.several.is_empty() { found } else { whole }
}

/// Which element of the screen a later step means (EXE-5).
pub(super) fn resolve(rules: &dyn CommandRules, step: &ParsedCommand, screen: &ScreenCandidates) -> TargetMatch {
    let whole = rules.resolve(step, &screen.candidates);
    if whole.target.is_some() && is_named(step) {
        return whole;
    }
    let Some(on_pages) = screen.on_pages() else { return whole };
    let found = rules.resolve(step, &on_pages);
    if found.target.is_some() || !found.several.is_empty() { found } else { whole }
}
