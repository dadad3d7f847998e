//! Detects tables among recognised lines, and header rows (OCR-4, PIC-8).

use luna_messages::Rect;

/// A table found among lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextTable {
    /// Cells, row by row; an empty string for a missing cell.
    pub rows: Vec<Vec<String>>,
    /// Whether the first row is a header.
    pub has_header: bool,
}

/// The table formed by `rows` of lines (see [`crate::reading_order::rows`]): at least two columns that at least three rows share. `None` for
/// running text, a form or a menu bar.
#[must_use]
pub fn find(rows: &[Vec<(Rect, &str)>]) -> Option<TextTable> {
    let columns = columns(rows)?;
    let mut cells = Vec::with_capacity(rows.len());
    for row in rows {
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
    Some(TextTable { rows: cells, has_header })
}

/// Boxes of the columns: disjoint horizontal intervals over all rows with the most common number of cells.
fn columns(rows: &[Vec<(Rect, &str)>]) -> Option<Vec<Rect>> {
    let width = (2..=rows.iter().map(Vec::len).max()?)
        .map(|count| (rows.iter().filter(|row| row.len() == count).count(), count))
        .filter(|(rows_with, _)| *rows_with >= 3)
        .max()?
        .1;
    let full: Vec<&Vec<(Rect, &str)>> = rows.iter().filter(|row| row.len() == width).collect();
    let mut columns: Vec<Rect> = full[0].iter().map(|(bbox, _)| *bbox).collect();
    for row in &full[1..] {
        for (column, (bbox, _)) in columns.iter_mut().zip(row.iter()) {
            *column = column.union(*bbox);
        }
    }
    // Overlapping columns are words of running text, not a table.
    let apart = columns.windows(2).all(|pair| pair[0].right() <= pair[1].x);
    // At least 70 % of the rows must have that shape.
    (apart && full.len() * 10 >= rows.len() * 7).then_some(columns)
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

    // OCR-4
    #[test]
    fn a_cell_may_be_missing_ocr_4() {
        let rows = grid(&[&["a", "1"], &["b", "2"], &["c", "3"], &["d"]], 100);
        assert_eq!(find(&rows).unwrap().rows[3], ["d", ""]);
    }
}
