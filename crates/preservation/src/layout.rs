//! The layout of a text: its lines, the cells of its tables, its sentences. A translation keeps it (TRN-1).

use luna_text::characters::IndexedText;

use super::text::Text;

/// A break between two cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BreakKind {
    Line,
    Cell,
    Sentence,
}

/// Where each cell but the first begins.
pub(super) type Layout = Vec<usize>;

/// The layouts of two texts, by sentences if both have as many, otherwise by lines and cells; `None` if they differ, or are one cell.
pub(super) fn layouts(one: &Text, other: &Text) -> Option<(Layout, Layout)> {
    let (mut one, mut other) = (breaks(one), breaks(other));
    for with_sentences in [true, false] {
        if !with_sentences {
            one.retain(|(_, kind)| *kind != BreakKind::Sentence);
            other.retain(|(_, kind)| *kind != BreakKind::Sentence);
        }
        let alike = one.len() == other.len() && one.iter().zip(&other).all(|(a, b)| a.1 == b.1);
        if alike && !one.is_empty() {
            let places = |breaks: &[(usize, BreakKind)]| breaks.iter().map(|(at, _)| *at).collect();
            return Some((places(&one), places(&other)));
        }
    }
    None
}

fn breaks(text: &Text) -> Vec<(usize, BreakKind)> {
    let kind = |at: usize| match text.at(at) {
        '\n' => Some(BreakKind::Line),
        '|' | '\t' => Some(BreakKind::Cell),
        _ if is_sentence_end(text, at) => Some(BreakKind::Sentence),
        _ => None,
    };
    (0..text.len()).filter_map(|at| Some((at, kind(at)?))).collect()
}

/// Whether a sentence ends at `at`, and more follows.
pub(super) fn is_sentence_end(text: &Text, at: usize) -> bool {
    match text.at(at) {
        '。' => true,
        '.' | '!' | '?' => text.at(at + 1).is_whitespace() && at + 2 < text.len() && text.before(at).is_alphabetic(),
        _ => false,
    }
}

/// The index of the cell that contains `at`.
pub(super) fn cell(layout: &Layout, at: usize) -> usize {
    layout.partition_point(|start| *start < at)
}
