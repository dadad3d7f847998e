//! Segments a text into the pieces that are translated one by one, sentences and table rows, and keeps everything between them (TRN-1, TRN-2).

use luna_messages::Lang;
use luna_messages::language_tasks::TranslationSource;

use luna_text::language::{by_script, is_hangul};
use luna_text::sentence;

/// Whether a segment is translated, and as what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SegmentKind {
    /// A sentence, or a part of a long one.
    Sentence,
    /// A table row, its cells joined by `|`.
    Row,
    /// Text that needs no translation.
    Unchanged,
}

/// One piece of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// The text between the previous segment and this one.
    pub gap: String,
    pub text: String,
    pub kind: SegmentKind,
}

/// Segments a source for a translation into `to`. Gaps and texts concatenated are the source.
#[must_use]
pub fn split(source: &TranslationSource, to: Lang) -> Vec<Segment> {
    match source {
        TranslationSource::Text(text) => split_text(text, to),
        TranslationSource::Rows { rows, has_header } => split_rows(rows, *has_header, to),
    }
}

fn split_rows(rows: &[Vec<String>], has_header: bool, to: Lang) -> Vec<Segment> {
    let row = |(i, cells): (usize, &Vec<String>)| {
        // The bar separates cells and may not occur in one.
        let cells: Vec<String> =
            cells.iter().map(|cell| cell.replace('|', "/").split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        let text = cells.join(" | ");
        let header = has_header && i == 0;
        let kind = if header || !needs_translation(&text, to) { SegmentKind::Unchanged } else { SegmentKind::Row };
        Segment { gap: if i == 0 { String::new() } else { "\n".to_owned() }, text, kind }
    };
    rows.iter().enumerate().map(row).collect()
}

fn split_text(text: &str, to: Lang) -> Vec<Segment> {
    let mut units = Vec::new();
    let mut gap = String::new();
    let mut code = false;
    let mut lines = text.split_inclusive('\n').peekable();
    // Whether the previous line was a table row.
    let mut in_table = false;
    while let Some(line) = lines.next() {
        let body = line.trim_end_matches(['\n', '\r']);
        let end = line.get(body.len()..).unwrap_or_default();
        let trimmed = body.trim();
        let fence = trimmed.starts_with("```") || trimmed.starts_with("~~~");
        let row = !code && !fence && is_row(trimmed);
        if fence || code {
            code ^= fence;
            push(&mut units, &mut gap, body, SegmentKind::Unchanged);
        } else if row {
            let header = !in_table && lines.peek().is_some_and(|next| is_delimiter_row(next.trim()));
            let kind = if header || is_delimiter_row(trimmed) || !needs_translation(trimmed, to) {
                SegmentKind::Unchanged
            } else {
                SegmentKind::Row
            };
            push(&mut units, &mut gap, body, kind);
        } else {
            push_sentences(body, to, &mut units, &mut gap);
        }
        in_table = row;
        gap.push_str(end);
    }
    units
}

/// Whitespace around a piece belongs to the gaps.
fn push(units: &mut Vec<Segment>, gap: &mut String, body: &str, kind: SegmentKind) {
    let text = body.trim();
    if text.is_empty() {
        gap.push_str(body);
        return;
    }
    let begin = body.len() - body.trim_start().len();
    gap.push_str(body.get(..begin).unwrap_or_default());
    units.push(Segment { gap: std::mem::take(gap), text: text.to_owned(), kind });
    gap.push_str(body.get(begin + text.len()..).unwrap_or_default());
}

/// Pushes the sentences of a line; a leading list, heading or quotation marker is a part of the gap.
fn push_sentences(line: &str, to: Lang, units: &mut Vec<Segment>, gap: &mut String) {
    let mark = mark_len(line);
    let (mark, mut rest) = line.split_at_checked(mark).unwrap_or(("", line));
    if rest.trim().is_empty() {
        return push(units, gap, line, SegmentKind::Unchanged);
    }
    gap.push_str(mark);
    for piece in sentence::split_whole(rest) {
        let Some(at) = rest.find(piece.text) else { continue };
        let (before, here) = rest.split_at(at);
        gap.push_str(before);
        let kind = if needs_translation(piece.text, to) { SegmentKind::Sentence } else { SegmentKind::Unchanged };
        push(units, gap, piece.text, kind);
        rest = here.get(piece.text.len()..).unwrap_or_default();
    }
    gap.push_str(rest);
}

/// Bytes of a leading list, heading or quotation marker, with the surrounding whitespace.
fn mark_len(line: &str) -> usize {
    let body = line.trim_start();
    let indent = line.len() - body.len();
    let mark = body.len()
        - body.trim_start_matches(['#', '>', '-', '*', '+', '•', '·', '◦', '▪', '○', '●', '□', '■', '※']).len();
    let number = match body.find(|c: char| !c.is_ascii_digit()) {
        Some(digits)
            if digits > 0 && digits <= 3 && body.get(digits..).is_some_and(|rest| rest.starts_with(['.', ')'])) =>
        {
            digits + 1
        }
        Some(_) | None => 0,
    };
    let mark = mark.max(number);
    let after = body.get(mark..).unwrap_or_default();
    let blanks = after.len() - after.trim_start().len();
    // A marker without whitespace after it is a part of the text: "-5 °C", "1.5 km".
    if mark == 0 || blanks == 0 { indent } else { indent + mark + blanks }
}

/// Whether the line is a table row, such as `| a | b |`.
fn is_row(line: &str) -> bool {
    line.len() > 2 && line.starts_with('|') && line.ends_with('|') && line.matches('|').count() >= 3
}

/// Whether the line is the delimiter under a table header, such as `|---|:--:|`.
fn is_delimiter_row(line: &str) -> bool {
    is_row(line) && line.contains('-') && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}

/// Whether there is something to translate: words that are not in the target language already.
fn needs_translation(text: &str, to: Lang) -> bool {
    let words = text.chars().any(char::is_alphabetic);
    words
        && !is_address(text)
        && match to {
            Lang::En => text.chars().any(|c| is_hangul(c) || c.is_alphabetic() && !c.is_ascii() && !is_latin(c)),
            Lang::Ko => by_script(text, Lang::Ko) != Lang::Ko,
        }
}

const fn is_latin(c: char) -> bool {
    matches!(c, '\u{c0}'..='\u{24f}')
}

/// Whether the text is a single URL or e-mail address.
fn is_address(text: &str) -> bool {
    let text = text.trim();
    !text.contains(char::is_whitespace)
        && (text.contains("://")
            || text.starts_with("www.")
            || text.contains('@') && text.contains('.') && text.is_ascii())
}

/// Splits sentences longer than `most` tokens at commas and clause boundaries; rows stay whole. `counts` are the tokens of each segment.
#[must_use]
pub fn fit(units: Vec<Segment>, counts: &[u32], most: u32) -> Vec<Segment> {
    let mut fitting = Vec::new();
    for (i, unit) in units.into_iter().enumerate() {
        let count = counts.get(i).copied().unwrap_or(0);
        if unit.kind != SegmentKind::Sentence || count <= most {
            fitting.push(unit);
            continue;
        }
        let mut gap = unit.gap.clone();
        let mut rest = unit.text.as_str();
        for piece in sentence::split(&unit.text) {
            let Some(at) = rest.find(piece.text) else { continue };
            let (before, here) = rest.split_at(at);
            gap.push_str(before);
            fitting.push(Segment {
                gap: std::mem::take(&mut gap),
                text: piece.text.to_owned(),
                kind: SegmentKind::Sentence,
            });
            rest = here.get(piece.text.len()..).unwrap_or_default();
        }
    }
    fitting
}
