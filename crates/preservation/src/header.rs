//! Column names of tables, which must be translated consistently (PRE-2).

use luna_messages::Fidelity;
use luna_messages::preserve::{PreservedToken, Span, TokenClass, TokenStatus};

/// A cell in the first row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderCell<'a> {
    pub text: &'a str,
    /// Its span, in characters.
    pub span: Span,
}

/// The header rows of all tables in `text`: Markdown tables, and two or more lines with the same number of tabs.
#[must_use]
pub fn headers(text: &str) -> Vec<Vec<HeaderCell<'_>>> {
    if !(text.as_bytes().contains(&b'|') || text.as_bytes().contains(&b'\t')) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut lines = text.split('\n').peekable();
    let mut start = 0;
    let mut in_table = false;
    while let Some(line) = lines.next() {
        let next = lines.peek().copied().unwrap_or("");
        let tabs = line.matches('\t').count();
        let markdown = line.contains('|') && is_delimiter_row(next);
        let tabbed = tabs > 0 && next.matches('\t').count() == tabs;
        if markdown {
            found.push(cells(line, '|', start));
        } else if tabbed && !in_table && !line.chars().any(|c| c.is_numeric()) {
            // A first row with numbers is data: such a table has no header.
            found.push(cells(line, '\t', start));
        }
        in_table = tabbed;
        start += line.chars().count() + 1;
    }
    found
}

/// Whether `line` is the delimiter row below the header of a Markdown table.
fn is_delimiter_row(line: &str) -> bool {
    line.contains('-') && line.contains('|') && line.chars().all(|c| matches!(c, '-' | ':' | '|' | ' ' | '\t' | '\r'))
}

fn cells(line: &str, separator: char, line_start: usize) -> Vec<HeaderCell<'_>> {
    let mut cells = Vec::new();
    let mut start = line_start;
    for part in line.split(separator) {
        let text = part.trim();
        if !text.is_empty() {
            let from = start + part.chars().take_while(|c| c.is_whitespace()).count();
            cells.push(HeaderCell { text, span: Span { start: from, end: from + text.chars().count() } });
        }
        start += part.chars().count() + 1;
    }
    cells
}

/// Compares the header cells of `source` and `target`. Faithful: they must be unchanged. Natural: each name must be translated the same way in
/// all tables. Only altered and missing names are listed: column names are not tokens of their own (PRE-1), but a changed one breaks the preserve
/// lock.
pub(super) fn compare(source: &str, target: &str, mode: Fidelity) -> Vec<PreservedToken> {
    let of_source = headers(source);
    let mut tokens = Vec::new();
    if of_source.is_empty() {
        return tokens;
    }
    let of_target = headers(target);
    let mut names: std::collections::BTreeMap<&str, &str> = std::collections::BTreeMap::new();
    let mut rows = of_target.iter();
    for row in &of_source {
        let mut others = rows.next().map(|row| row.as_slice()).unwrap_or_default().iter();
        for cell in row {
            let other = others.next();
            let same = match (mode, other) {
                (_, None) => false,
                (Fidelity::Faithful, Some(other)) => other.text == cell.text,
                (Fidelity::Natural, Some(other)) => *names.entry(cell.text).or_insert(other.text) == other.text,
            };
            if same || (mode == Fidelity::Natural && other.is_none()) {
                continue;
            }
            let status = if other.is_some() { TokenStatus::Altered } else { TokenStatus::Missing };
            tokens.push(PreservedToken {
                class: TokenClass::Header,
                text: cell.text.to_owned(),
                status,
                source_span: Some(cell.span),
                target_span: other.map(|other| other.span),
                target_text: other.filter(|other| other.text != cell.text).map(|other| other.text.to_owned()),
            });
        }
    }
    tokens
}
