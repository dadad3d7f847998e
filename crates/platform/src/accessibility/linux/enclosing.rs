//! The name of what a field is wrapped in: LibreOffice names its own control, and the field of GTK in it lies some boxes
//! deeper without a name.

use atspi::Role as Native;
use futures_util::future::join3;
use luna_messages::Rect;

use super::node::LinuxNode;

/// Maximum number of boxes around the field.
const DEPTH: usize = 8;

/// The name of the nearest of the boxes around a field that has one; empty if there is none. `parent` has no other field;
/// `field` is the field's box. Only boxes as large as `parent`, so that they contain nothing else.
pub(super) async fn name(parent: &LinuxNode, field: Rect) -> String {
    let mut inner = field;
    let mut current = Some(parent.clone());
    for depth in 0..DEPTH {
        let Some(node) = current else { break };
        let (native, bbox, above) = join3(node.native(), node.extents(), node.parent()).await;
        let is_box = matches!(native, Ok(Native::Filler | Native::Panel | Native::Viewport));
        if !is_box || !bbox.is_ok_and(|bbox| encloses(inner, bbox, depth == 0)) {
            break;
        }
        let name = node.readable_name().await;
        if !name.trim().is_empty() {
            return name;
        }
        inner = bbox.unwrap_or_default();
        current = above.ok().flatten();
    }
    String::new()
}

/// Whether nothing but the field, and the button that opens its list, has room in the box `outer`: it is as high as what
/// it holds, and if it holds more than the field, as wide. Where it is told does not matter: LibreOffice tells its own
/// part of a window too high. Pure.
const fn encloses(inner: Rect, outer: Rect, is_row: bool) -> bool {
    const BORDER: u32 = 4;
    let is_as_high = inner.height.abs_diff(outer.height) <= BORDER;
    !inner.is_empty() && is_as_high && (is_row || inner.width.abs_diff(outer.width) <= BORDER)
}

#[cfg(test)]
mod tests {
    use super::*;

    // ANN-2
    #[test]
    fn a_box_around_a_field_has_room_for_nothing_else_ann_2() {
        let (field, row) = (Rect::new(4, 85, 153, 34), Rect::new(4, 85, 189, 34));
        assert!(encloses(field, row, true) && encloses(row, Rect::new(4, 60, 189, 34), false));
        // A box with more in it, one with several rows, and one that is not on the screen.
        assert!(!encloses(row, Rect::new(4, 85, 800, 34), false) && !encloses(row, Rect::new(4, 60, 189, 80), false));
        assert!(!encloses(field, Rect::new(4, 60, 189, 80), true));
        assert!(!encloses(Rect::default(), Rect::default(), true));
    }
}
