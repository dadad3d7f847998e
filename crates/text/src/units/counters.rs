//! Korean counters, the words between a number and what is counted.

use std::sync::LazyLock;

use super::table::rows;
use crate::characters::{ByFirst, IndexedText};

/// A word between a number and what is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KoreanCounter {
    /// The counter itself: 개, 번째.
    pub word: &'static str,
    /// Whether native numbers stand before it: 세 개.
    pub native: bool,
    /// Whether Sino-Korean numbers stand before it: 삼 층.
    pub sino: bool,
    /// Whether English may say one of them with an article: 1개 is "a".
    pub single: bool,
    /// Whether half of it is said with 반: 반 알.
    pub half: bool,
}

static COUNTERS: LazyLock<ByFirst<KoreanCounter>> = LazyLock::new(|| {
    let counter = |(_, columns): (&str, Vec<&'static str>)| match columns[..] {
        [word, series @ ("native" | "sino" | "both" | "none"), flags] => Some(KoreanCounter {
            word,
            native: matches!(series, "native" | "both"),
            sino: matches!(series, "sino" | "both"),
            single: flags.split(' ').any(|flag| flag == "single"),
            half: flags.split(' ').any(|flag| flag == "half"),
        }),
        _ => None,
    };
    let mut counters = ByFirst::default();
    for counter in rows(include_str!("counters.tsv")).filter_map(counter) {
        if let Some(first) = counter.word.chars().next() {
            counters.add(first, counter);
        }
    }
    counters.sort_by_length(|counter: &KoreanCounter| counter.word.len());
    counters
});

/// Every row of the table, in the order of first syllables, longer words before shorter ones.
pub fn counters() -> impl Iterator<Item = &'static KoreanCounter> {
    COUNTERS.all()
}

/// The longest counter at `i` that fits.
pub fn counter<C: IndexedText>(
    text: &C,
    i: usize,
    fits: impl Fn(&KoreanCounter) -> bool,
) -> Option<&'static KoreanCounter> {
    COUNTERS.get(text.at(i)).iter().find(|counter| fits(counter) && text.starts(i, counter.word))
}
