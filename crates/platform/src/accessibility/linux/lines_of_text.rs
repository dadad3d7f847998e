//! The line of a text under the pointer by the text's scroll bar, for Qt's plain text editors, which report the place of
//! each character as if its line were the first one.

use atspi::Role as Native;
use futures_util::future::join_all;
use luna_messages::{Point, Rect};

use super::details::Details;
use super::node::{LinuxNode, NodeFacts};
use super::reading::{LocalPointer, MAX_READ_CHARACTERS};

/// Maximum number of children to examine, on each of two levels.
const CHILDREN: usize = 8;

/// What the lines tell about the pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ByLines {
    /// The offset of the character under the pointer, or of the last one of its line.
    At(i32),
    /// The text has no line there.
    Beside,
}

/// The character at the pointer. `None` unless all lines are told at the same height.
pub(super) async fn by_lines(node: &LinuxNode, count: i32, pointer: LocalPointer) -> Option<ByLines> {
    let text = node.text(0, count.min(MAX_READ_CHARACTERS)).await.ok()?;
    let second = text.chars().position(|c| c == '\n').and_then(|end| i32::try_from(end + 1).ok())?;
    let first = node.character_extents(0, pointer.origin).await?;
    let below = node.character_extents(second, pointer.origin).await?;
    if first.y != below.y {
        return None;
    }
    let facts = node.facts(pointer.origin).await.ok()?;
    let scrolled = scroll_bar(node, &facts, pointer.origin).await;
    let seen = facts.bbox.height / first.height.max(1);
    let lines = i32::try_from(text.lines().count()).ok()?;
    let top = first_line(scrolled, lines, seen)?;
    let line = top + (pointer.point.y - facts.bbox.y).max(0) / first.height.max(1);
    let column = (pointer.point.x - first.x).max(0) / below.width.max(1);
    Some(offset_of(&text, line, column).map_or(ByLines::Beside, ByLines::At))
}

/// The first visible line, by value and maximum of the scroll bar. `None` if the bar does not count lines: its range
/// must be the number of lines that don't fit. Pure.
fn first_line(scrolled: Option<(f64, f64)>, lines: i32, seen: i32) -> Option<i32> {
    const ROUNDING: i32 = 2;
    let Some((value, max)) = scrolled else { return Some(0) };
    let is_in_lines = (0.0..=f64::from(i32::MAX)).contains(&max) && (max as i32 - (lines - seen)).abs() <= ROUNDING;
    is_in_lines.then_some(value as i32)
}

/// The offset of a place in a text whose lines are not wrapped; of a place after a line's end that of its last
/// character. `None` below the last line. Pure.
fn offset_of(text: &str, line: i32, column: i32) -> Option<i32> {
    let (line, column) = (usize::try_from(line).ok()?, usize::try_from(column).ok()?);
    let before: usize = text.split('\n').take(line).map(|line| line.chars().count() + 1).sum();
    let length = text.split('\n').nth(line)?.chars().count();
    i32::try_from(before + column.min(length.saturating_sub(1))).ok()
}

/// Value and maximum of the vertical scroll bar inside the text; `None` if it has none that is shown.
async fn scroll_bar(node: &LinuxNode, facts: &NodeFacts, origin: Point) -> Option<(f64, f64)> {
    let mut level = vec![(node.clone(), facts.children)];
    for _ in 0..2 {
        let mut below = Vec::new();
        for (node, count) in &level {
            if *count > 0 {
                below.extend(node.first_children(CHILDREN).await.unwrap_or_default());
            }
        }
        below.truncate(2 * CHILDREN);
        let answers = join_all(below.iter().map(|child| child.facts(origin))).await;
        level.clear();
        for (facts, child) in answers.into_iter().zip(below) {
            let Ok(facts) = facts else { continue };
            let is_bar = facts.native == Native::ScrollBar && is_upright(facts.bbox);
            if is_bar && facts.states.is_shown(false) {
                let details = Details { interfaces: child.interfaces().await.ok()?, ..Details::default() };
                let value = child.range_value(&details).await?;
                return Some((value.now, value.max));
            }
            level.push((child, facts.children));
        }
    }
    None
}

const fn is_upright(bbox: Rect) -> bool {
    bbox.height > bbox.width
}

#[cfg(test)]
mod tests {
    use super::*;

    // PIC-1
    #[test]
    fn a_scroll_bar_tells_the_first_line_if_it_counts_lines_pic_1() {
        assert_eq!(first_line(None, 90, 20), Some(0));
        assert_eq!(first_line(Some((7.0, 70.0)), 90, 20), Some(7));
        assert_eq!(first_line(Some((7.0, 69.0)), 90, 20), Some(7));
        // In pixels.
        assert_eq!(first_line(Some((105.0, 1050.0)), 90, 20), None);
        assert_eq!(first_line(Some((0.0, f64::NAN)), 90, 20), None);
    }

    // PIC-1
    #[test]
    fn a_place_in_lines_is_an_offset_pic_1() {
        let text = "가나다\n\nlast";
        let cases = [(0, 1, Some(1)), (0, 9, Some(2)), (1, 4, Some(4)), (2, 0, Some(5)), (2, 3, Some(8)), (3, 0, None)];
        for (line, column, expect) in cases {
            assert_eq!(offset_of(text, line, column), expect, "{line} {column}");
        }
    }
}
