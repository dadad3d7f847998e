//! Reading order of text boxes (FOC-4): rows from top to bottom by their vertical centres, each from left to right.
//! Pure.

use luna_messages::uia::TextLine;

/// Sorts lines into reading order. A line belongs to the current row if the distance of its centre from that of the
/// row's first line is at most half the smaller height.
pub(super) fn reading_order(mut lines: Vec<TextLine>) -> Vec<TextLine> {
    lines.sort_by_key(|line| (doubled_centre(line), line.bbox.x));
    let mut ordered: Vec<TextLine> = Vec::with_capacity(lines.len());
    let mut row: Vec<TextLine> = Vec::new();
    for line in lines {
        if row.first().is_some_and(|first| !same_row(first, &line)) {
            flush(&mut row, &mut ordered);
        }
        row.push(line);
    }
    flush(&mut row, &mut ordered);
    ordered
}

fn flush(row: &mut Vec<TextLine>, ordered: &mut Vec<TextLine>) {
    row.sort_by_key(|line| line.bbox.x);
    ordered.append(row);
}

fn doubled_centre(line: &TextLine) -> i64 {
    2 * i64::from(line.bbox.y) + i64::from(line.bbox.height)
}

fn same_row(first: &TextLine, other: &TextLine) -> bool {
    let apart = (doubled_centre(first) - doubled_centre(other)).abs();
    apart <= i64::from(first.bbox.height.min(other.bbox.height))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use luna_messages::Rect;
    use proptest::prelude::*;

    use super::*;

    fn line(text: &str, bbox: [i32; 4]) -> TextLine {
        TextLine { text: text.into(), bbox: Rect::from(bbox) }
    }

    fn check(lines: &[(&str, [i32; 4])], expect: &str) {
        let ordered = reading_order(lines.iter().map(|(text, bbox)| line(text, *bbox)).collect());
        let texts: Vec<_> = ordered.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(texts.join(" "), expect);
    }

    // FOC-4
    #[test]
    fn rows_then_columns_foc_4() {
        check(&[], "");
        check(&[("b", [50, 0, 10, 20]), ("a", [0, 0, 10, 20])], "a b");
        // Slightly shifted: still one row.
        check(&[("b", [50, 0, 10, 20]), ("a", [0, 5, 10, 20])], "a b");
        check(&[("c", [0, 30, 10, 20]), ("b", [50, 2, 10, 20]), ("a", [0, 4, 10, 18])], "a b c");
        // A lower row, although it starts further left.
        check(&[("b", [0, 16, 10, 20]), ("a", [50, 0, 10, 20])], "a b");
    }

    proptest! {
        #[test]
        fn nothing_is_lost_whatever_the_boxes(boxes in proptest::collection::vec((0..500_i32, 0..500_i32, 0..80_i32, 0..40_i32), 0..30)) {
            let lines: Vec<_> = boxes.iter().enumerate().map(|(i, &(x, y, w, h))| line(&i.to_string(), [x, y, w, h])).collect();
            let mut numbers: Vec<usize> = reading_order(lines).iter().map(|line| line.text.parse().unwrap()).collect();
            numbers.sort_unstable();
            prop_assert_eq!(numbers, (0..boxes.len()).collect::<Vec<_>>());
        }
    }
}
