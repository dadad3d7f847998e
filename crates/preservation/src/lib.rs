//! The preservation check ("preserve lock"): does a translation keep the numbers, dates, amounts, addresses and code of its source (PRE-1..8)?
//!
//! A scanner passes once over each text and finds the tokens with their exact ends ([`scan`], PRE-3); [`alignment`] matches the tokens of the
//! translation with those of the source (PRE-2), and [`order`] finds those that changed places. All are linear (PRE-6). [`repair`] restores a token
//! only if nothing is doubtful: whatever the check does not know on one side would otherwise make a right translation wrong (PRE-7).
//!
//! Equality (PRE-2, TRN-3):
//! - **Faithful** compares the text of tokens, character by character: width, inner spaces, separators, signs and currency signs count. Counters
//!   (개, 번째, st) are words of the language and not part of a token. A unit that is a *word* (30초, 5킬로미터, 30퍼센트, 3시) may be replaced by the other
//!   language's word if the digits are unchanged; a symbol (km, %, ₩) must be kept.
//! - **Natural** compares values: 3만 2천원 = ₩32,000, 14:30 = 오후 2시 30분, 1.5 km = 1500 m = 1,500미터. Units convert exactly or not at all: 1 GB is
//!   1000 MB, 1 GiB is 1024 MiB, and 10 kg never equals 22 lb. Spelled-out numbers (세 개, three) match digits. Addresses and code are compared as
//!   in faithful mode; keys (Ctrl+S) ignoring case.
//! - A spelled-out number counts by its value in both modes (PRE-8). Without a counterpart it is a failure only as a dose, a repetition, a date or with a
//!   unit (세 번, two tablets, three hours): "two" alone may be 양쪽.
//! - A time of day has the class DATE, a version or a telephone number NUMBER, a key or a placeholder CODE.
//! - If a token is ambiguous (3만: 30,000 or "only 3"; 분: minutes or guests; 11/21), either reading matches.

#![forbid(unsafe_code)]

mod alignment;
mod faithful;
mod glossary;
mod header;
mod joining;
mod labels;
mod layout;
mod likeness;
mod lone;
mod negation;
mod order;
mod particle;
mod ratio;
mod repair;
mod scan;
mod spoken;
mod text;
mod token;
mod units;

#[cfg(test)]
mod tests;

pub use glossary::Glossary;
pub use header::{HeaderCell, headers};
pub use negation::{POLICY_WORDS, TranslationDifficulty, negations, translation_difficulty};
pub use particle::with_particle;
pub use repair::{RepairOutcome, repair};

use luna_messages::Fidelity;
use luna_messages::preserve::{PreservationReport, PreservedToken, Span, TokenClass, TokenStatus};

use alignment::{AlignedText, Alignment, align};
use text::Text;
use token::Weight;

/// Compares a translation with its source (PRE-2).
#[must_use]
pub fn check(source: &str, target: &str, mode: Fidelity, glossary: &Glossary) -> PreservationReport {
    compare(source, target, mode, glossary, |_, _, report| report)
}

/// Aligns a translation with its source, and hands both to `read` with the report.
fn compare<R>(
    source: &str,
    target: &str,
    mode: Fidelity,
    glossary: &Glossary,
    read: impl FnOnce(&AlignedText<'_>, &AlignedText<'_>, PreservationReport) -> R,
) -> R {
    let natural = mode == Fidelity::Natural;
    let (folded_source, folded_target) = (Text::new(source), Text::new(target));
    let scanned = |text: &Text| if natural { scan::scan(text, true, glossary) } else { faithful::scan(text, glossary) };
    let mut left = AlignedText::new(source, &folded_source, scanned(&folded_source));
    let mut right = AlignedText::new(target, &folded_target, scanned(&folded_target));
    align(&mut left, &mut right, natural);
    order::mark(&mut left, &mut right);
    let mut tokens = report(&left, &right, natural);
    tokens.extend(header::compare(source, target, mode));
    let report = PreservationReport { ok: tokens.iter().all(|token| token.status.is_ok()), tokens };
    read(&left, &right, report)
}

/// A set with a fixed hash; its iteration order is never used.
type Set<T> = std::collections::HashSet<T, std::hash::BuildHasherDefault<std::hash::DefaultHasher>>;

/// The status of the tokens: those of the source in order, then those that only the translation has. A common word without a
/// counterpart is left out.
fn report(source: &AlignedText<'_>, target: &AlignedText<'_>, natural: bool) -> Vec<PreservedToken> {
    let mut tokens = Vec::with_capacity(source.scan.tokens.len());
    for (k, token) in source.scan.tokens.iter().enumerate() {
        let (status, alignment) = match source.alignment(k) {
            Alignment::Kept(alignment) => (TokenStatus::Kept, target.scan.tokens.get(alignment as usize)),
            Alignment::Altered(alignment) => (TokenStatus::Altered, target.scan.tokens.get(alignment as usize)),
            Alignment::Reordered(alignment) => (TokenStatus::Reordered, target.scan.tokens.get(alignment as usize)),
            Alignment::Free => (TokenStatus::Missing, None),
        };
        let light = token.weight == Weight::Weak && alignment.is_none_or(|alignment| alignment.weight != Weight::Hard);
        if light || (alignment.is_none() && !lone::is_failure(source, k)) {
            continue;
        }
        let own = source.text_of(token);
        let other = alignment.map(|alignment| target.text_of(alignment));
        let digits = |text: &str| text.chars().any(char::is_numeric);
        let respelled =
            !natural && status == TokenStatus::Kept && other.is_some_and(|other| digits(own) != digits(other));
        let status = if respelled { TokenStatus::Respelled } else { status };
        // An "a" that matches a 1 is reported as that 1.
        let (class, text) = match alignment {
            Some(alignment) if token.weight == Weight::Weak => (alignment.class, other.unwrap_or(own)),
            _ => (token.class, own),
        };
        tokens.push(PreservedToken {
            class,
            text: text.to_owned(),
            status,
            source_span: Some(source.span(token)),
            target_span: alignment.map(|alignment| target.span(alignment)),
            target_text: other.filter(|other| *other != text).map(str::to_owned),
        });
    }
    for (k, token) in target.scan.tokens.iter().enumerate() {
        if target.alignment(k) == Alignment::Free && lone::is_failure(target, k) {
            tokens.push(PreservedToken {
                class: token.class,
                text: target.text_of(token).to_owned(),
                status: TokenStatus::Added,
                source_span: None,
                target_span: Some(target.span(token)),
                target_text: None,
            });
        }
    }
    tokens
}

/// The numbers, dates, percentages and amounts of a summary that do not occur in its source, as spelled in the summary (PRE-5). They may be repeated;
/// other tokens are ignored.
#[must_use]
pub fn invented_numbers(source: &str, summary: &str) -> Vec<(String, Span)> {
    let none = Glossary::default();
    let (folded_source, folded_summary) = (Text::new(source), Text::new(summary));
    let of_source = scan::scan(&folded_source, true, &none);
    let of_summary = scan::scan(&folded_summary, true, &none);
    let left = AlignedText::new(source, &folded_source, of_source);
    let right = AlignedText::new(summary, &folded_summary, of_summary);
    let values: Set<&token::CanonicalValue> =
        left.scan.tokens.iter().flat_map(|token| left.scan.keys_of(token)).collect();
    let texts: Set<&str> = left.scan.tokens.iter().map(|token| left.text_of(token)).collect();
    let amount = |class: TokenClass| {
        matches!(
            class,
            TokenClass::Number | TokenClass::Date | TokenClass::Percent | TokenClass::Currency | TokenClass::Unit
        )
    };
    let mut invented = Vec::new();
    for token in right.scan.tokens.iter().filter(|token| token.weight != Weight::Weak && amount(token.class)) {
        let text = right.text_of(token);
        if !texts.contains(text) && !right.scan.keys_of(token).iter().any(|key| values.contains(key)) {
            invented.push((text.to_owned(), right.span(token)));
        }
    }
    invented
}
