//! Detects tables among recognised lines, and header rows (OCR-4, PIC-8).

use luna_messages::Rect;

use crate::paragraphs::{self, PlacedText};

/// A table found among lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextTable {
    /// Index of its first row among the rows of lines.
    pub first: usize,
    /// Cells, row by row; an empty string for a missing cell.
    pub rows: Vec<Vec<String>>,
    /// Whether the first row is a header.
    pub has_header: bool,
}

/// Fewest rows of a table: two rows of two words stand under each other by chance.
const FEWEST_ROWS: usize = 3;
/// Least gap between columns, in tenths of a line's height: wider than between words.
const GUTTER_OF_TEN: i32 = 6;
/// Most gap between rows, in line heights.
const ROW_GAP: i32 = 2;

/// The largest table among `rows` of lines (see [`crate::reading_order::rows`]), with or without ruling lines: rows that follow each other
/// closely and leave the same gaps between columns free, most of them with text in two columns or more. `None` for running text, also in two
/// columns, for a form or a menu bar.
#[must_use]
pub fn find(rows: &[Vec<PlacedText<'_>>]) -> Option<TextTable> {
    let mut best: Option<(std::ops::Range<usize>, Vec<Rect>)> = None;
    let mut start = 0;
    while start < rows.len() {
        let Some((end, columns)) = run(rows, start) else {
            start += 1;
            continue;
        };
        let is_larger = best.as_ref().is_none_or(|(best, _)| end - start > best.len());
        if is_larger && is_table(&rows[start..end], &columns) {
            best = Some((start..end, columns));
            start = end;
        } else {
            start += 1;
        }
    }
    let (range, columns) = best?;
    let mut cells = Vec::with_capacity(range.len());
    for row in &rows[range.clone()] {
        let mut line = vec![String::new(); columns.len()];
        for (bbox, text) in row {
            let column = nearest(&columns, *bbox);
            if !line[column].is_empty() {
                line[column].push(' ');
            }
            line[column].push_str(text);
        }
        cells.push(line);
    }
    let has_header = has_header(&cells);
    Some(TextTable { first: range.start, rows: cells, has_header })
}

/// The rows from `start` that leave the same gaps free, and the columns between them.
fn run(rows: &[Vec<PlacedText<'_>>], start: usize) -> Option<(usize, Vec<Rect>)> {
    let mut columns = merged(Vec::new(), &rows[start]);
    if columns.len() < 2 {
        return None;
    }
    let mut end = start + 1;
    while end < rows.len() && is_near(&rows[end - 1], &rows[end]) {
        let more = merged(columns.clone(), &rows[end]);
        // A row that leaves fewer columns than it has itself, or than half of those before, ends the table.
        if more.len() < 2 || more.len() < rows[end].len().min(columns.len()) || 2 * more.len() < columns.len() {
            break;
        }
        columns = more;
        end += 1;
    }
    Some((end, columns))
}

/// Columns with the cells of one more row: cells that overlap or nearly touch are in one column.
fn merged(columns: Vec<Rect>, row: &[PlacedText<'_>]) -> Vec<Rect> {
    let mut all: Vec<Rect> = columns.into_iter().chain(row.iter().map(|cell| cell.0)).collect();
    all.sort_by_key(|cell| cell.x);
    let height = row.iter().map(|cell| cell.0.height).max().unwrap_or(0);
    let mut merged: Vec<Rect> = Vec::new();
    for cell in all {
        match merged.last_mut() {
            Some(last) if 10 * (cell.x - last.right()) < GUTTER_OF_TEN * height => *last = last.union(cell),
            _ => merged.push(cell),
        }
    }
    merged
}

fn is_near(above: &[PlacedText<'_>], below: &[PlacedText<'_>]) -> bool {
    let bottom = above.iter().map(|cell| cell.0.bottom()).max().unwrap_or(0);
    let top = below.iter().map(|cell| cell.0.y).min().unwrap_or(0);
    let height = above.iter().chain(below).map(|cell| cell.0.height).min().unwrap_or(0);
    top - bottom <= ROW_GAP * height
}

/// Whether rows between these columns are a table: enough of them, most with several cells, each column filled in most, and no running text.
fn is_table(rows: &[Vec<PlacedText<'_>>], columns: &[Rect]) -> bool {
    let count_where = |is: &dyn Fn(&Vec<PlacedText<'_>>) -> bool| rows.iter().filter(|row| is(row)).count();
    let several = count_where(&|row| merged(Vec::new(), row).len() >= 2);
    let in_column = |row: &[PlacedText<'_>], column: usize| row.iter().any(|cell| nearest(columns, cell.0) == column);
    let filled = (0..columns.len()).all(|column| 2 * count_where(&|row| in_column(row, column)) >= rows.len());
    let prose = (0..columns.len()).filter(|&column| is_prose(rows, columns, column)).count();
    rows.len() >= FEWEST_ROWS && several * 10 >= rows.len() * 7 && filled && prose * 2 < columns.len()
}

/// Whether the lines of a column continue each other.
fn is_prose(rows: &[Vec<PlacedText<'_>>], columns: &[Rect], column: usize) -> bool {
    let lines: Vec<PlacedText<'_>> =
        rows.iter().filter_map(|row| row.iter().find(|cell| nearest(columns, cell.0) == column).copied()).collect();
    let right = columns[column].right();
    let continued = lines.windows(2).filter(|pair| paragraphs::continues(pair[0], pair[1], right)).count();
    2 * continued >= lines.len().saturating_sub(1).max(1)
}

fn nearest(columns: &[Rect], bbox: Rect) -> usize {
    let center = bbox.center().x;
    let distance = |column: &Rect| (column.x - center).max(center - column.right()).max(0);
    (0..columns.len()).min_by_key(|&i| distance(&columns[i])).unwrap_or(0)
}

/// The first row is a header if its cells are neither empty nor numeric, and some column is numeric in most rows below.
fn has_header(rows: &[Vec<String>]) -> bool {
    let Some((first, rest)) = rows.split_first() else { return false };
    let numeric = |cell: &String| cell.chars().any(|c| c.is_ascii_digit());
    if rest.is_empty() || first.iter().any(|cell| cell.is_empty() || numeric(cell)) {
        return false;
    }
    (0..first.len()).any(|column| {
        let with_number = rest.iter().filter(|row| row.get(column).is_some_and(numeric)).count();
        2 * with_number > rest.len()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(rows: &[&[&'static str]], column_width: i32) -> Vec<Vec<(Rect, &'static str)>> {
        let place = |r: usize, c: usize, text: &str| {
            let (r, c, letters) = (r as i32, c as i32, text.chars().count() as i32);
            Rect::new(c * column_width, r * 30, letters * 8, 20)
        };
        rows.iter()
            .enumerate()
            .map(|(r, row)| row.iter().enumerate().map(|(c, text)| (place(r, c, text), *text)).collect())
            .collect()
    }

    // OCR-4, PIC-8
    #[test]
    fn a_grid_is_a_table_and_text_is_not_ocr_4_pic_8() {
        let rows = grid(&[&["이름", "가격"], &["사과", "1,200원"], &["배", "3,000원"], &["감", "800원"]], 120);
        let table = find(&rows).unwrap();
        assert!(table.has_header);
        assert_eq!(table.rows[2], ["배", "3,000원"]);

        let plain = grid(&[&["사과", "빨강"], &["배", "노랑"], &["감", "주황"]], 120);
        assert!(!find(&plain).unwrap().has_header, "OCR-4: no header is claimed where none can be told");

        assert_eq!(find(&grid(&[&["one line of text"], &["another line of text"]], 400)), None);
        assert_eq!(find(&grid(&[&["File", "Edit", "View"]], 80)), None);
        // Words of running text: the gaps differ from line to line.
        let ragged = grid(&[&["abcdefghij", "b"], &["a", "bcdefg"], &["abcdefgh", "cd"]], 60);
        assert_eq!(find(&ragged), None);
    }

    // OCR-4, PIC-8
    #[test]
    fn prose_in_two_columns_is_no_table_ocr_4_pic_8() {
        let left = [
            "the quick brown fox jumps over the",
            "lazy dog and runs into the forest",
            "where it meets another fox that",
            "is just as quick as it is itself",
        ];
        let right = [
            "on the other side of the page is a",
            "text about something else that has",
            "nothing to do with foxes or dogs",
            "but has lines of the same height",
        ];
        let rows: Vec<Vec<&'static str>> = left.iter().zip(right).map(|(left, right)| vec![*left, right]).collect();
        let rows: Vec<&[&'static str]> = rows.iter().map(Vec::as_slice).collect();
        assert_eq!(find(&grid(&rows, 340)), None);
    }

    // OCR-4, PIC-8
    #[test]
    fn a_table_stands_among_other_lines_ocr_4_pic_8() {
        let mut rows = grid(
            &[
                &["A page with a table and text around it"],
                &["item", "price", "stock"],
                &["apples", "1,200", "12"],
                &["pears and plums", "900", "3"],
                &["figs", "", "0"],
                &["A line of text under the table, which is long"],
            ],
            160,
        );
        rows.iter_mut().for_each(|row| row.retain(|cell| !cell.1.is_empty()));
        let table = find(&rows).unwrap();
        assert_eq!((table.first, table.rows.len(), table.has_header), (1, 4, true));
        assert_eq!(table.rows[3], ["figs", "", "0"]);
    }

    // OCR-4
    #[test]
    fn every_column_is_kept_ocr_4() {
        let row: Vec<&'static str> = vec!["1"; 15];
        let table = find(&grid(&[&row, &row, &row], 40)).unwrap();
        assert!(table.rows.iter().all(|row| row.len() == 15), "{table:?}");
    }

    // OCR-4
    #[test]
    fn a_cell_may_be_missing_ocr_4() {
        let rows = grid(&[&["a", "1"], &["b", "2"], &["c", "3"], &["d"]], 100);
        assert_eq!(find(&rows).unwrap().rows[3], ["d", ""]);
    }
}
