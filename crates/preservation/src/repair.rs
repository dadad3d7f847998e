//! Restores the one token that was altered (PRE-7).

use luna_messages::Fidelity;
use luna_messages::preserve::{PreservationReport, TokenClass, TokenStatus};

use super::particle::fit_particle;
use super::spoken::ending;
use super::{Glossary, check};

/// A translation after an attempted repair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepairOutcome {
    /// The translation, repaired if that was possible.
    pub text: String,
    /// The preservation report on `text`.
    pub report: PreservationReport,
    /// Whether a token was restored; the sentence is then marked as repaired.
    pub repaired: bool,
}

/// Restores the source's token in `target` if exactly one was altered and its place is certain, and adapts the particle after it; otherwise
/// `target` is returned unchanged. A repaired text has passed the check again.
#[must_use]
pub fn repair(source: &str, target: &str, mode: Fidelity, glossary: &Glossary) -> RepairOutcome {
    let report = check(source, target, mode, glossary);
    if let Some(text) = repaired_text(target, &report) {
        let after = check(source, &text, mode, glossary);
        if after.ok {
            return RepairOutcome { text, report: after, repaired: true };
        }
    }
    RepairOutcome { text: target.to_owned(), report, repaired: false }
}

fn repaired_text(target: &str, report: &PreservationReport) -> Option<String> {
    let mut broken = report.broken();
    let token = broken.next().filter(|token| token.status == TokenStatus::Altered)?;
    let place = token.target_span?;
    // A spelled-out number belongs to its language.
    let amount = !matches!(
        token.class,
        TokenClass::Url | TokenClass::Email | TokenClass::Code | TokenClass::Glossary | TokenClass::Header
    );
    let digits = |text: &str| text.chars().any(char::is_numeric);
    if amount && !(digits(&token.text) && token.target_text.as_deref().is_some_and(digits)) {
        return None;
    }
    if broken.next().is_some() || place.start >= place.end {
        return None;
    }
    let byte = |at: usize| target.char_indices().map(|(byte, _)| byte).chain([target.len()]).nth(at);
    let (start, end) = (byte(place.start)?, byte(place.end)?);
    let (before, rest) = (target.get(..start)?, target.get(end..)?);
    let mut text = String::with_capacity(target.len() + token.text.len());
    text.push_str(before);
    text.push_str(&token.text);
    match fit_particle(rest, ending(token.class, &token.text)) {
        Some((length, form)) => {
            text.push_str(form);
            text.push_str(rest.get(length..)?);
        }
        None => text.push_str(rest),
    }
    Some(text)
}
