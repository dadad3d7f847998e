//! The character under a point of a text, by the places of its characters, for toolkits that don't find it themselves
//! or find a wrong one (PIC-1).

use futures_util::future::join;
use luna_messages::{Point, Rect};

use super::lines_of_text as lines;
use super::node::LinuxNode;

/// Maximum number of places to request: enough for a text of a million characters.
const MAX_STEPS: usize = 24;
/// How far, in pixels, the pointer may be from a line and still mean it: the distance of lines.
const NEAR: i32 = 6;

/// The offset of the character at the pointer. `told`: what the toolkit answered, which is checked, because some count
/// from the top of what is scrolled away. `None` if nothing is known, or if no text is there.
pub(super) async fn locate(node: &LinuxNode, told: Option<i32>, count: i32, pointer: Point) -> Located {
    if count <= 0 {
        return Located::Unknown;
    }
    if let Some(told) = told.filter(|told| (0..count).contains(told)) {
        match place(node, told).await {
            Some(place) if is_on(place, pointer) => return Located::At(told),
            // A toolkit that reports no places may still be right.
            None => return Located::At(told),
            Some(_) => {}
        }
    }
    match lines::by_lines(node, count, pointer).await {
        Some(lines::ByLines::At(offset)) => return Located::At(offset),
        Some(lines::ByLines::Beside) => return Located::Beside,
        None => {}
    }
    let found = search(node, count, pointer).await;
    found.unwrap_or_else(|| told.map_or(Located::Unknown, Located::At))
}

/// Where the pointer is in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Located {
    At(i32),
    /// The text has no line there.
    Beside,
    /// The toolkit reports no places.
    Unknown,
}

impl Located {
    pub(super) const fn offset(self) -> Option<i32> {
        match self {
            Self::At(offset) => Some(offset),
            Self::Beside | Self::Unknown => None,
        }
    }
}

/// Whether a character of the text is on the pointer's line and no farther from it than the line is high.
pub(super) async fn has_character_at(node: &LinuxNode, count: i32, pointer: Point) -> bool {
    match search(node, count, pointer).await {
        Some(Located::At(offset)) => {
            let place = place(node, offset).await;
            place.is_some_and(|place| near(place).contains(pointer))
        }
        _ => false,
    }
}

/// The character at the pointer by bisection: first the line, then the place in it. `None` if places are not reported.
async fn search(node: &LinuxNode, count: i32, pointer: Point) -> Option<Located> {
    let (mut low, mut high) = (0, count);
    let mut is_reported = false;
    for _ in 0..MAX_STEPS {
        if low >= high {
            break;
        }
        let middle = low + (high - low) / 2;
        // The end of a line has no width in some toolkits, so its neighbour stands for it.
        let place = match place(node, middle).await {
            Some(place) => place,
            None => place_near(node, middle, count).await?,
        };
        is_reported = true;
        match order(place, pointer) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Equal => return Some(Located::At(middle)),
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    if !is_reported {
        return None;
    }
    // Beside the end of a line, or before its beginning.
    let last = low.clamp(0, count - 1);
    let (before, after) = join(place(node, (last - 1).max(0)), place(node, last)).await;
    let is_near = |place: Option<Rect>| place.is_some_and(|place| is_on(place, pointer));
    Some(match (is_near(after), is_near(before)) {
        (true, _) => Located::At(last),
        (false, true) => Located::At((last - 1).max(0)),
        (false, false) => Located::Beside,
    })
}

async fn place(node: &LinuxNode, offset: i32) -> Option<Rect> {
    node.character_extents(offset).await
}

/// Whether a character of the text, whose element has the box `bbox`, is where the pointer is, or so near that it is
/// meant. `false` if the character is told outside of the box: one of the two is wrong.
pub(super) async fn is_at(node: &LinuxNode, offset: i32, bbox: Rect, pointer: Point) -> bool {
    let place = place(node, offset).await;
    place.is_some_and(|place| near(place).contains(pointer) && bbox.contains(place.center()))
}

/// Where the pointer means a character. Pure.
fn near(place: Rect) -> Rect {
    let reach = place.height.max(NEAR);
    Rect::new(place.x - reach, place.y - NEAR, place.width + 2 * reach, place.height + 2 * NEAR)
}

async fn place_near(node: &LinuxNode, offset: i32, count: i32) -> Option<Rect> {
    let (before, after) = ((offset - 1).max(0), (offset + 1).min(count - 1));
    let (before, after) = join(place(node, before), place(node, after)).await;
    before.or(after)
}

/// Whether the pointer is on the character's line. Pure.
const fn is_on(place: Rect, pointer: Point) -> bool {
    pointer.y >= place.y - NEAR && pointer.y < place.y + place.height + NEAR
}

/// Where a character is, seen from the pointer: before or after it in the text, or at it. Pure.
fn order(place: Rect, point: Point) -> std::cmp::Ordering {
    if point.y >= place.y + place.height {
        std::cmp::Ordering::Less
    } else if point.y < place.y {
        std::cmp::Ordering::Greater
    } else if point.x >= place.x + place.width {
        std::cmp::Ordering::Less
    } else if point.x < place.x {
        std::cmp::Ordering::Greater
    } else {
        std::cmp::Ordering::Equal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // PIC-1
    #[test]
    fn characters_come_before_and_after_the_pointer_pic_1() {
        use std::cmp::Ordering::{Equal, Greater, Less};
        let pointer = Point::new(50, 30);
        for (place, expect) in [
            ([48, 20, 8, 20], Equal),
            ([10, 20, 8, 20], Less),
            ([90, 20, 8, 20], Greater),
            ([90, 0, 8, 20], Less),
            ([10, 40, 8, 20], Greater),
        ] {
            assert_eq!(order(Rect::from(place), pointer), expect, "{place:?}");
        }
        assert!(is_on(Rect::new(0, 20, 8, 20), pointer) && !is_on(Rect::new(0, 60, 8, 20), pointer));
    }
}
