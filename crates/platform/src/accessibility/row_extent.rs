//! What of a table or list is read on demand (ANN-3, OCR-4). Pure.

use luna_messages::pick::Element;
use luna_messages::uia::RowsExtent;

/// Cuts the rows of a container down to `extent`: its header and the row under the pointer, or everything. `None` if
/// that is nothing.
pub(super) fn cut(mut container: Element, extent: RowsExtent) -> Option<Element> {
    if extent == RowsExtent::Row {
        let row = container.row.filter(|&row| row < container.rows.len())?;
        let here = container.rows.swap_remove(row);
        container.rows.truncate(usize::from(container.has_header && row > 0));
        container.has_header = !container.rows.is_empty();
        container.row = Some(container.rows.len());
        container.rows.push(here);
    }
    (!container.rows.is_empty()).then_some(container)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accessibility::fault::protected_field;

    fn check(has_header: bool, row: Option<usize>, extent: RowsExtent, expect: Option<(&[&str], bool, Option<usize>)>) {
        let rows = ["head", "one", "two"].map(|cell| vec![cell.to_owned()]).to_vec();
        let table = Element { rows, has_header, row, ..protected_field(luna_messages::Rect::default()) };
        let cut = cut(table, extent);
        let seen = cut.as_ref().map(|cut| {
            (cut.rows.iter().map(|row| row[0].as_str()).collect::<Vec<_>>(), cut.has_header, cut.row)
        });
        assert_eq!(seen, expect.map(|(rows, has_header, row)| (rows.to_vec(), has_header, row)));
    }

    // ANN-3, OCR-4
    #[test]
    fn a_row_comes_with_the_names_of_its_columns_ann_3_ocr_4() {
        check(true, Some(2), RowsExtent::Row, Some((&["head", "two"], true, Some(1))));
        check(true, Some(0), RowsExtent::Row, Some((&["head"], false, Some(0))));
        check(false, Some(1), RowsExtent::Row, Some((&["one"], false, Some(0))));
        check(false, None, RowsExtent::Row, None);
        check(false, Some(3), RowsExtent::Row, None);
        check(true, Some(2), RowsExtent::Container, Some((&["head", "one", "two"], true, Some(2))));
    }
}
