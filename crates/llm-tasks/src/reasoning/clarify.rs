//! The question to the person if no model gave an answer (REA-3).

use luna_messages::dsl::{Action, DslCommand, DslTarget};

use crate::dsl::{MAX_OPTIONS, OPTION_CHARS, Offer};

/// A clarify with the texts of the most likely candidates as options. Candidates with the same text are one option: the caller shows numbers
/// at all of them (EXE-3). If exactly one candidate was offered, it is the target, and still only asked about.
#[must_use]
pub fn clarify(offer: &Offer) -> DslCommand {
    let mut options: Vec<String> = Vec::new();
    for candidate in offer.candidates() {
        let named = if candidate.text.trim().is_empty() { candidate.near.first() } else { Some(&candidate.text) };
        let option: String = named.map(|text| text.trim().chars().take(OPTION_CHARS).collect()).unwrap_or_default();
        if !option.is_empty() && !options.contains(&option) && options.len() < MAX_OPTIONS {
            options.push(option);
        }
    }
    let target = match offer.candidates() {
        [only] => Some(DslTarget { id: only.id.clone() }),
        _ => None,
    };
    DslCommand { target, options, ..DslCommand::new(Action::Clarify) }
}
