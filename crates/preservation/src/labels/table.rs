//! The table of what numbers count or measure.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::sync::OnceLock;

/// The meanings of each word; the iteration order is never used.
type Words = HashMap<&'static str, Meanings, BuildHasherDefault<DefaultHasher>>;

/// What a row of the table names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowKind {
    /// A thing, or the counter that stands for it.
    Thing,
    /// A dose or a repetition.
    Strict,
    /// A thing whose Korean words are no counters.
    Noun,
    /// What happens to what is counted: 3명이 숨지고.
    Predicate,
}

/// What the table says of a word.
#[derive(Default)]
pub(super) struct Meanings {
    pub(super) rows: Vec<(u16, RowKind)>,
    /// Whether it is a general counter (번째, 개), after which the thing itself may stand.
    pub(super) general: bool,
}

/// What the table says of `word`; English in lower case. A row holds the words of both languages for one thing.
pub(super) fn meanings(word: &str) -> Option<&'static Meanings> {
    static TABLE: OnceLock<Words> = OnceLock::new();
    let read = || {
        let mut table = Words::default();
        let rows = include_str!("../labels.tsv").lines().filter(|line| !line.starts_with('#'));
        for (row, line) in (0..).zip(rows) {
            let mut columns = line.split('\t');
            let (korean, english) = (columns.next().unwrap_or(""), columns.next());
            let kind = match columns.next() {
                Some("strict") => RowKind::Strict,
                Some("noun") => RowKind::Noun,
                Some("predicate") => RowKind::Predicate,
                _ => RowKind::Thing,
            };
            for word in korean.split(' ').chain(english.into_iter().flat_map(|words| words.split(' '))) {
                let meanings = table.entry(word).or_default();
                match english {
                    Some(_) => meanings.rows.push((row, kind)),
                    None => meanings.general = true,
                }
            }
        }
        table
    };
    TABLE.get_or_init(read).get(word)
}

#[cfg(test)]
mod tests {
    // PRE-2
    #[test]
    fn every_row_of_the_table_is_of_a_known_kind_pre_2() {
        for line in include_str!("../labels.tsv").lines().filter(|line| !line.starts_with('#')) {
            let columns: Vec<&str> = line.split('\t').collect();
            let known = matches!(columns[..], [_] | [_, _] | [_, _, "strict" | "noun" | "predicate"]);
            assert!(known && columns.iter().all(|column| !column.is_empty()), "{line}");
        }
    }
}
