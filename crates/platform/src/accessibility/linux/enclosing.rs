//! The name of what a field is wrapped in. LibreOffice names its own control, in which lies a nameless field of GTK; that
//! field's parents are GTK's own, without the control, so that it is known only by having been passed on the way down.

use atspi::Role as Native;
use luna_messages::Rect;

use super::ancestor_path::AncestorPath;

impl AncestorPath {
    /// The name of the innermost named box that the hit test passed and that contains nothing but the field at `target`;
    /// empty if there is none. Without such a box it costs no call.
    pub(super) async fn name_around(&self, target: usize) -> String {
        let (Some(field), Some(around)) = (self.ancestors.get(target), self.ancestors.get(target + 1)) else {
            return String::new();
        };
        if !encloses(field.facts.bbox, around.facts.bbox, true) {
            return String::new();
        }
        for passed in self.passed.iter().rev() {
            let is_box = matches!(passed.facts.native, Native::Filler | Native::Panel);
            if is_box && encloses(around.facts.bbox, passed.facts.bbox, false) {
                let name = passed.node.readable_name().await;
                if !name.trim().is_empty() {
                    return name;
                }
            }
        }
        String::new()
    }
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
