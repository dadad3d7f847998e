//! Summaries: short, and without numbers that the source does not have (PRE-5).

use luna_messages::language_tasks::Summary;

use super::PreservationCheck;
use crate::answer;
use luna_text::sentence;

/// The decision about a model's summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SummaryStep {
    /// Return it.
    Use(Summary),
    /// Ask once more and name these numbers.
    Retry(Vec<String>),
}

/// Judges a summary. On the second attempt, unverifiable sentences are dropped, or marked if nothing would be left.
pub fn judge(
    said: &str,
    source: &str,
    most_sentences: u32,
    retry: bool,
    shortened: bool,
    preservation: &impl PreservationCheck,
) -> SummaryStep {
    let text = answer::plain(said, "");
    let most = usize::try_from(most_sentences.max(1)).unwrap_or(usize::MAX);
    let sentences: Vec<String> =
        sentence::split_whole(&text).iter().take(most).map(|piece| piece.text.to_owned()).collect();
    let joined = sentences.join(" ");
    let foreign = preservation.foreign_numbers(source, &joined);
    if foreign.is_empty() {
        return SummaryStep::Use(Summary { text: joined, verified: true, shortened });
    }
    if !retry {
        return SummaryStep::Retry(foreign);
    }
    let sound: Vec<&str> = sentences
        .iter()
        .map(String::as_str)
        .filter(|sentence| preservation.foreign_numbers(source, sentence).is_empty())
        .collect();
    SummaryStep::Use(if sound.is_empty() {
        Summary { text: format!("[요약(검증 실패)] {joined}"), verified: false, shortened }
    } else {
        Summary { text: sound.join(" "), verified: true, shortened }
    })
}
