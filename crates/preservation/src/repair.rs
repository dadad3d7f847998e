//! Restores the one token that was altered (PRE-7). A wrong repair is worse than none: whatever is doubtful stays as it is and is told.
//!
//! A repair writes the source's figure into the translation's token, and needs all of:
//! - one broken token in the whole text, of the same class and the same unit on both sides, with the same writing but for one figure;
//! - a certain place: no other token of this kind on either side, nothing glued to it, and figures so alike that one was made of the other
//!   (a number that the scanner does not know on one side would otherwise be taken for the altered one);
//! - a repaired text that passes a new check, with the repaired token as its counterpart.

use luna_messages::Fidelity;
use luna_messages::preserve::{PreservationReport, TokenClass, TokenStatus};
use luna_text::characters::IndexedText;

use super::alignment::{AlignedText, Alignment, is_amount};
use super::likeness::{Likeness, verbatim_slip, with_figure_of};
use super::particle::{Following, following};
use super::token::{Token, Weight};
use super::{Glossary, compare};

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
    let (report, plan) = compare(source, target, mode, glossary, |left, right, report| {
        let plan = plan(left, right, &report);
        (report, plan)
    });
    if let Some(plan) = plan
        && let Some(after) = plan.confirmed(source, mode, glossary)
    {
        return RepairOutcome { text: plan.text, report: after, repaired: true };
    }
    RepairOutcome { text: target.to_owned(), report, repaired: false }
}

/// A repaired text, not yet checked.
struct RepairPlan {
    text: String,
    /// The repaired token's place in `text`, in characters.
    place: (usize, usize),
    /// Its counterpart in the source.
    counterpart: usize,
}

impl RepairPlan {
    /// The report on the repaired text, if that is right and has the repaired token at its place.
    fn confirmed(&self, source: &str, mode: Fidelity, glossary: &Glossary) -> Option<PreservationReport> {
        compare(source, &self.text, mode, glossary, |left, right, report| {
            let Alignment::Kept(at) = left.alignment(self.counterpart) else { return None };
            let same = right.scan.tokens.get(at as usize).is_some_and(|token| token.span() == self.place);
            (report.ok && same).then_some(report)
        })
    }
}

fn plan(left: &AlignedText<'_>, right: &AlignedText<'_>, report: &PreservationReport) -> Option<RepairPlan> {
    let mut broken = report.broken();
    let only = broken.next().filter(|token| token.status == TokenStatus::Altered && broken.next().is_none())?;
    let (at, altered) = (0..left.scan.tokens.len()).find_map(|at| match left.alignment(at) {
        Alignment::Altered(other) if only.source_span == left.scan.tokens.get(at).map(|token| left.span(token)) => {
            Some((at, other as usize))
        }
        _ => None,
    })?;
    let (own, other) = (left.scan.tokens.get(at)?, right.scan.tokens.get(altered)?);
    if own.class != other.class || !is_verbatim(own) || !is_verbatim(other) || own.short_end > 0 || other.short_end > 0
    {
        return None;
    }
    if is_amount(own.class) { number(left, right, (at, own), other) } else { verbatim(left, right, (at, own), other) }
}

/// Whether a token is written alike in both languages. A spelled number is not; a name of the glossary is, in any case.
fn is_verbatim(token: &Token) -> bool {
    token.weight == Weight::Hard || token.class == TokenClass::Glossary
}

/// A number, a date, an amount: the figure of the source in the writing of the translation.
fn number(
    left: &AlignedText<'_>,
    right: &AlignedText<'_>,
    (at, own): (usize, &Token),
    other: &Token,
) -> Option<RepairPlan> {
    let (from, to) = (left.text_of(own), right.text_of(other));
    let (text, likeness) = with_figure_of(from, to, own.class)?;
    let certain = match likeness {
        Likeness::OneSlip => is_only_one(left, right, |t| t.weight != Weight::Weak && t.class == own.class),
        // One digit for another says nothing of what it was made of: it must be the only number there is, and have a unit.
        Likeness::SingleDigit => {
            own.class != TokenClass::Number
                && is_only_one(left, right, |t| t.weight != Weight::Weak && is_amount(t.class))
        }
    };
    (certain && stands_free(right, other)).then_some(())?;
    written(right, (at, own.class), other, &text)
}

/// An address, code, a name: the text of the source, if little differs.
fn verbatim(
    left: &AlignedText<'_>,
    right: &AlignedText<'_>,
    (at, own): (usize, &Token),
    other: &Token,
) -> Option<RepairPlan> {
    let (from, to) = (left.text_of(own), right.text_of(other));
    let alike = if own.class == TokenClass::Glossary { from.eq_ignore_ascii_case(to) } else { verbatim_slip(from, to) };
    let certain =
        alike && is_only_one(left, right, |t| t.class == own.class && is_verbatim(t)) && stands_free(right, other);
    certain.then(|| written(right, (at, own.class), other, from)).flatten()
}

/// Whether each side has exactly one token of this kind, so that one can only have become the other.
fn is_only_one(left: &AlignedText<'_>, right: &AlignedText<'_>, is_of_kind: impl Fn(&Token) -> bool) -> bool {
    [left, right].iter().all(|side| side.scan.tokens.iter().filter(|token| is_of_kind(token)).count() == 1)
}

/// Whether nothing is glued to a token that may belong to it: the scanner then read only a part of what was meant.
fn stands_free(side: &AlignedText<'_>, token: &Token) -> bool {
    let (start, end) = token.span();
    const GLUE: &str = "_-.,:/%$€£¥₩+&@#=~'’";
    let (before, after) = (side.folded.before(start), side.folded.at(end));
    // A full stop or a comma ends a sentence if a space follows; before a token it belongs to it.
    let goes_on = after.is_ascii_alphanumeric() || GLUE.contains(after) && side.folded.at(end + 1).is_alphanumeric();
    !(before.is_ascii_alphanumeric() || GLUE.contains(before) || goes_on)
}

/// The translation with `text` in the place of a token, and the particle that fits.
fn written(side: &AlignedText<'_>, (at, class): (usize, TokenClass), token: &Token, text: &str) -> Option<RepairPlan> {
    let start = token.start as usize;
    let (before, rest) = (side.slice(0, start), side.rest_after(token));
    let new = match following(class, (side.text_of(token), text), rest, side.folded.before(start)) {
        Following::Stays => format!("{before}{text}{rest}"),
        Following::Becomes(length, form) => format!("{before}{text}{form}{}", rest.get(length..)?),
        Following::Doubtful => return None,
    };
    Some(RepairPlan { text: new, place: (start, start + text.chars().count()), counterpart: at })
}
