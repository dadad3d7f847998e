//! Defects of toolkits that tell boxes elsewhere than they are. LibreOffice tells its own part of a window as if it began
//! at the window's top, although the menu bar lies above it, so that all its boxes and hit tests are off by the height of
//! the menu bar. Java tells the entries of an open menu relative to what the menu drops from. Pure.

use atspi::Role as Native;
use luna_messages::{Point, Rect};

use super::node::{LinuxNode, NodeFacts};

/// How far the coordinates of an element in `parent` are off: the pane of a window that has exactly the size of what
/// contains it, but lies elsewhere, must lie where that lies.
fn displacement(native: Native, told: Rect, parent: Rect) -> Option<Point> {
    let is_displaced = may_displace(native)
        && !told.is_empty()
        && (told.width, told.height) == (parent.width, parent.height)
        && (told.x, told.y) != (parent.x, parent.y);
    is_displaced.then(|| Point::new(parent.x - told.x, parent.y - told.y))
}

/// Whether a box that was moved by `shift` with its container lies in the container only as it was told: widgets of GTK
/// inside LibreOffice's part of a window are told right.
fn lies_again(shift: Point, moved: Rect, parent: Rect) -> bool {
    const ROUNDING: i32 = 2;
    let lies_in = |inner: Rect| {
        inner.y >= parent.y - ROUNDING && inner.bottom() <= parent.bottom() + ROUNDING && inner.x >= parent.x - ROUNDING
    };
    shift != Point::default() && !moved.is_empty() && !lies_in(moved) && lies_in(moved.translated(-shift.x, -shift.y))
}

/// How far down the entries of a menu have to be moved to lie in it: Java tells them relative to the menu that they
/// drop from. `boxes` are those of all entries around `menu`. 0 unless the entries as wide as the menu fill it exactly.
pub(super) fn of_menu(menu: Rect, boxes: &[Rect]) -> i32 {
    /// Maximum height, in pixels, of both borders together.
    const BORDERS: i32 = 14;
    let entries = boxes.iter().filter(|entry| 5 * entry.width >= 4 * menu.width && entry.width <= menu.width);
    let Some(all) = entries.copied().reduce(Rect::union) else { return 0 };
    let is_inside = all.y >= menu.y - 2 && all.bottom() <= menu.bottom() + 2;
    let fills = (0..=BORDERS).contains(&(menu.height - all.height));
    if is_inside || !fills { 0 } else { menu.center().y - all.center().y }
}

/// How far a box that was moved by `shift` with its container, to `moved`, has to be moved besides.
fn correction(shift: Point, native: Native, moved: Rect, parent: Rect) -> Option<Point> {
    if lies_again(shift, moved, parent) {
        return Some(Point::new(-shift.x, -shift.y));
    }
    displacement(native, moved, parent)
}

/// How far each element of a path is off. `told`: their roles and boxes as the application tells them, the window's first;
/// `None` if it was not asked for.
pub(super) fn down(told: &[Option<(Native, Rect)>]) -> Vec<Point> {
    let (mut shift, mut parent) = (Point::default(), Rect::default());
    let shifts = told.iter().map(|told| {
        let Some((native, told)) = *told else { return shift };
        let moved = |shift: Point| if told.is_empty() { told } else { told.translated(shift.x, shift.y) };
        if let Some(by) = correction(shift, native, moved(shift), parent) {
            shift = Point::new(shift.x + by.x, shift.y + by.y);
        }
        parent = moved(shift);
        shift
    });
    shifts.collect()
}

/// Whether the box of an element matters for what lies in it although it is far from that.
pub(super) const fn may_displace(native: Native) -> bool {
    matches!(native, Native::RootPane)
}

/// Corrects `node`, which was found in an element with the box `parent`, and its `facts`. Returns whether they were off.
pub(super) fn correct(node: &mut LinuxNode, facts: &mut NodeFacts, parent: Rect) -> bool {
    let Some(by) = correction(node.shift, facts.native, facts.bbox, parent) else { return false };
    node.shift = Point::new(node.shift.x + by.x, node.shift.y + by.y);
    facts.bbox = facts.bbox.translated(by.x, by.y);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    // PIC-1, PIC-7
    #[test]
    fn a_pane_of_the_same_size_lies_where_its_container_lies_pic_1_pic_7() {
        let parent = Rect::new(0, 44, 1920, 1036);
        let check = |native, told: [i32; 4]| displacement(native, Rect::from(told), parent);
        assert_eq!(check(Native::RootPane, [0, 19, 1920, 1036]), Some(Point::new(0, 25)));
        assert_eq!(check(Native::RootPane, [0, 44, 1920, 1036]), None);
        assert_eq!(check(Native::RootPane, [0, 19, 1920, 1000]), None);
        assert_eq!(check(Native::Panel, [0, 19, 1920, 1036]), None);
        let (shift, toolbar) = (Point::new(0, 25), Rect::new(4, 124, 162, 34));
        assert!(lies_again(shift, Rect::new(4, 149, 162, 34), toolbar));
        assert!(!lies_again(shift, Rect::new(4, 124, 162, 34), toolbar));
        assert!(!lies_again(Point::default(), Rect::new(4, 149, 162, 34), toolbar));
        let entries: Vec<Rect> = (0..12).map(|row| Rect::new(102, 523 + 19 * row, 135, 19)).collect();
        assert_eq!(of_menu(Rect::new(101, 539, 137, 233), &entries), 18);
        assert_eq!(of_menu(Rect::new(101, 521, 137, 233), &entries), 0);
        // Entries of another menu, and no entries.
        assert_eq!(of_menu(Rect::new(101, 539, 137, 100), &entries), 0);
        assert_eq!(of_menu(Rect::new(101, 539, 400, 233), &entries), 0);
        assert_eq!(of_menu(Rect::new(101, 539, 137, 233), &[]), 0);
        assert_eq!(displacement(Native::RootPane, Rect::default(), Rect::new(5, 5, 0, 0)), None);
    }

    // ANN-3, SES-3
    #[test]
    fn what_lies_in_a_displaced_pane_is_moved_with_it_ann_3_ses_3() {
        let (window, pane) = (Rect::new(0, 44, 1920, 1036), Rect::new(0, 19, 1920, 1036));
        let cell = Rect::new(100, 300, 80, 20);
        let by = Point::new(0, 25);
        let toolbar = Some((Native::ToolBar, Rect::new(4, 99, 162, 34)));
        for (told, expect) in [
            (
                vec![Some((Native::Frame, window)), Some((Native::RootPane, pane)), Some((Native::TableCell, cell))],
                vec![Point::default(), by, by],
            ),
            // What was not asked for passes it on, and so does an element without a box.
            (
                vec![
                    Some((Native::Frame, window)),
                    Some((Native::RootPane, pane)),
                    None,
                    Some((Native::Panel, Rect::default())),
                    Some((Native::TableCell, cell)),
                ],
                vec![Point::default(), by, by, by, by],
            ),
            // A widget of GTK in it is told right.
            (
                vec![
                    Some((Native::Frame, window)),
                    Some((Native::RootPane, pane)),
                    toolbar,
                    Some((Native::ComboBox, Rect::new(4, 124, 162, 34))),
                ],
                vec![Point::default(), by, by, Point::default()],
            ),
            (
                vec![Some((Native::Frame, window)), Some((Native::RootPane, window)), Some((Native::TableCell, cell))],
                vec![Point::default(); 3],
            ),
        ] {
            assert_eq!(down(&told), expect, "{told:?}");
        }
    }
}
