//! Groups recognised lines into paragraphs, so that the paragraph is read and not only the line pointed at.

use luna_messages::Rect;

/// Groups lines, given in reading order with one line per row, into paragraphs, as index ranges.
///
/// A line joins the one above if it starts at about the same x, has about the same height, and follows closely.
#[must_use]
pub fn group(lines: &[Rect]) -> Vec<std::ops::Range<usize>> {
    let mut groups: Vec<std::ops::Range<usize>> = Vec::new();
    for i in 0..lines.len() {
        match groups.last_mut() {
            Some(last) if last.end == i && follows(lines[i - 1], lines[i]) => last.end = i + 1,
            _ => groups.push(i..i + 1),
        }
    }
    groups
}

fn follows(above: Rect, below: Rect) -> bool {
    let height = above.height.max(below.height).max(1);
    let gap = below.y - above.bottom();
    let alike = 10 * above.height.min(below.height) >= 7 * height;
    let aligned = (above.x - below.x).abs() <= 2 * height;
    // The length of a line does not matter, so a short line continues its paragraph if the next one is aligned.
    alike && aligned && gap < height && gap > -height / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lines: &[[i32; 4]], expect: &[std::ops::Range<usize>]) {
        let lines: Vec<Rect> = lines.iter().map(|l| Rect::from(*l)).collect();
        assert_eq!(group(&lines), expect);
    }

    #[test]
    #[allow(clippy::single_range_in_vec_init, reason = "one paragraph is one range")]
    fn close_aligned_lines_of_one_size_belong_together() {
        check(&[], &[]);
        check(&[[10, 0, 300, 20], [10, 26, 280, 20], [10, 52, 100, 21]], &[0..3]);
        check(&[[10, 0, 300, 40], [10, 50, 280, 20], [10, 76, 100, 20]], &[0..1, 1..3]);
        check(&[[10, 0, 300, 20], [10, 80, 280, 20]], &[0..1, 1..2]);
        check(&[[10, 0, 100, 20], [400, 26, 100, 20]], &[0..1, 1..2]);
    }
}
