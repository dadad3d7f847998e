//! Reading order of recognised lines: rows by vertical centre, then columns by x (OCR-2).

use luna_messages::Rect;

/// Indices of `boxes` grouped into rows from top to bottom, each row from left to right.
///
/// Two boxes share a row if the vertical centre of each lies within the height of the other, compared with the row's first box, so that a slight
/// slope does not merge a whole page into one row.
#[must_use]
pub fn rows(boxes: &[Rect]) -> Vec<Vec<usize>> {
    let mut by_center: Vec<usize> = (0..boxes.len()).collect();
    by_center.sort_by_key(|&i| (boxes[i].center().y, boxes[i].x, i));
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for i in by_center {
        match rows.last_mut() {
            Some(row) if row.first().is_some_and(|&first| same_row(boxes[first], boxes[i])) => row.push(i),
            _ => rows.push(vec![i]),
        }
    }
    for row in &mut rows {
        row.sort_by_key(|&i| (boxes[i].x, boxes[i].y, i));
    }
    rows
}

fn same_row(a: Rect, b: Rect) -> bool {
    let inside = |y: i32, of: Rect| y >= of.y && y < of.bottom().max(of.y + 1);
    inside(a.center().y, b) && inside(b.center().y, a)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(boxes: &[[i32; 4]], expect: &[&[usize]]) {
        let boxes: Vec<Rect> = boxes.iter().map(|b| Rect::from(*b)).collect();
        assert_eq!(rows(&boxes), expect);
    }

    // OCR-2
    #[test]
    fn rows_then_columns_ocr_2() {
        check(&[], &[]);
        check(&[[300, 10, 80, 20], [10, 12, 80, 20], [10, 50, 80, 20]], &[&[1, 0], &[2]]);
        // One tall heading beside two lines of small text stays a row of its own.
        check(&[[0, 0, 50, 60], [60, 0, 50, 18], [60, 40, 50, 18]], &[&[1], &[0], &[2]]);
        // A slope: each box overlaps only its neighbour.
        check(&[[0, 0, 10, 20], [20, 14, 10, 20], [40, 28, 10, 20]], &[&[0], &[1], &[2]]);
    }

    proptest! {
        #[test]
        fn every_box_is_read_exactly_once(boxes in prop::collection::vec((0..500_i32, 0..500_i32, 0..200_i32, 0..60_i32), 0..40)) {
            let boxes: Vec<Rect> = boxes.into_iter().map(|(x, y, w, h)| Rect::new(x, y, w, h)).collect();
            let mut seen: Vec<usize> = rows(&boxes).concat();
            seen.sort_unstable();
            prop_assert_eq!(seen, (0..boxes.len()).collect::<Vec<_>>());
        }
    }
}
