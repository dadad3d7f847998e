//! The region in which text is recognised (PIC-2, PIC-3).

use luna_messages::{Point, Rect};

/// Settings of the region.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RegionRule {
    /// Configured side in physical pixels, `focus_mode.roi_px`.
    pub roi_px: u32,
    /// Whether to capture the whole screen instead of the window (PIC-3).
    pub whole_screen: bool,
}

/// Maximum side before enlargement on request, in physical pixels.
const LARGEST_SIDE: f64 = 480.0;

/// The square around `cursor`: side `min(roi_px, 0.35 × shorter side of the monitor, 480)`, times `enlarge`, shifted and clipped into `window`, or
/// into `monitor` if there is no window or the rule captures the whole screen. Empty only if the cursor is outside of that.
#[must_use]
pub fn around(rule: RegionRule, cursor: Point, monitor: Rect, window: Option<Rect>, enlarge: f32) -> Rect {
    let shorter = f64::from(monitor.width.min(monitor.height).max(1));
    let base = f64::from(rule.roi_px).min(0.35 * shorter).min(LARGEST_SIDE);
    let within = match window {
        Some(window) if !rule.whole_screen => window.intersection(monitor_or(window, monitor)),
        _ => monitor,
    };
    if !within.contains(cursor) {
        return Rect::default();
    }
    #[expect(clippy::cast_possible_truncation, reason = "a side is at most some thousand pixels")]
    let side = (base * f64::from(enlarge.max(1.0))).round().clamp(1.0, 32_768.0) as i32;
    let (width, height) = (side.min(within.width), side.min(within.height));
    // A square that would extend beyond the edge is shifted inwards rather than cut, so that a cursor near the edge sees as much as one in the
    // middle.
    let x = (cursor.x - width / 2).clamp(within.x, within.right() - width);
    let y = (cursor.y - height / 2).clamp(within.y, within.bottom() - height);
    Rect::new(x, y, width, height)
}

/// The rows of `region` over the whole width of what may be captured, with a margin above and below: there lines continue that `region` cuts (OCR-5).
#[must_use]
pub fn with_whole_lines(rule: RegionRule, region: Rect, monitor: Rect, window: Option<Rect>) -> Rect {
    if region.is_empty() {
        return region;
    }
    let within = match window {
        Some(window) if !rule.whole_screen => window.intersection(monitor_or(window, monitor)),
        _ => monitor,
    };
    let margin = region.height / MARGIN_PART;
    Rect::new(within.x, region.y - margin, within.width, region.height + 2 * margin).intersection(within).union(region)
}

/// The margin is this part of the region's height: no line is higher that is not all of the region.
const MARGIN_PART: i32 = 6;

/// A window can span several monitors; then its own box counts.
fn monitor_or(window: Rect, monitor: Rect) -> Rect {
    if window.intersection(monitor) == window { monitor } else { window.union(monitor) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const RULE: RegionRule = RegionRule { roi_px: 420, whole_screen: false };
    const FULL_HD: Rect = Rect::new(0, 0, 1920, 1080);

    #[track_caller]
    fn check(cursor: (i32, i32), monitor: Rect, window: Option<Rect>, enlarge: f32, expect: [i32; 4]) {
        let found = around(RULE, Point::new(cursor.0, cursor.1), monitor, window, enlarge);
        assert_eq!(found, Rect::from(expect));
    }

    // PIC-2
    #[test]
    fn the_side_is_the_smallest_of_three_pic_2() {
        check((960, 540), FULL_HD, None, 1.0, [771, 351, 378, 378]);
        check((1500, 1000), Rect::new(0, 0, 3840, 2160), None, 1.0, [1290, 790, 420, 420]);
        check((400, 300), Rect::new(0, 0, 800, 600), None, 1.0, [295, 195, 210, 210]);
    }

    // PIC-2, PIC-3
    #[test]
    fn it_stays_inside_the_window_pic_2_pic_3() {
        let window = Some(Rect::new(100, 100, 200, 150));
        check((150, 150), FULL_HD, window, 1.0, [100, 100, 200, 150]);
        check((105, 105), FULL_HD, Some(Rect::new(100, 100, 900, 900)), 1.0, [100, 100, 378, 378]);
        check((50, 50), FULL_HD, window, 1.0, [0, 0, 0, 0]);
        let screen = RegionRule { whole_screen: true, ..RULE };
        assert_eq!(around(screen, Point::new(150, 150), FULL_HD, window, 1.0), Rect::new(0, 0, 378, 378));
    }

    // OCR-5
    #[test]
    fn lines_may_continue_to_the_edge_of_the_window_ocr_5() {
        let check = |region: [i32; 4], window: Option<Rect>, expect: [i32; 4]| {
            assert_eq!(with_whole_lines(RULE, Rect::from(region), FULL_HD, window), Rect::from(expect));
        };
        check([500, 300, 360, 360], Some(Rect::new(100, 0, 1000, 1000)), [100, 240, 1000, 480]);
        check([100, 0, 360, 360], Some(Rect::new(100, 0, 1000, 400)), [100, 0, 1000, 400]);
        check([500, 300, 360, 360], None, [0, 240, 1920, 480]);
        check([0, 0, 0, 0], Some(Rect::new(100, 0, 1000, 400)), [0, 0, 0, 0]);
    }

    // PIC-2
    #[test]
    fn bigger_grows_up_to_the_window_pic_2() {
        let window = Some(Rect::new(0, 0, 1000, 600));
        check((500, 300), FULL_HD, window, 1.5, [217, 17, 567, 567]);
        check((500, 300), FULL_HD, window, 9.0, [0, 0, 1000, 600]);
    }

    proptest! {
        #[test]
        fn the_region_holds_the_cursor_and_leaves_the_window_never(
            x in 0..1920_i32, y in 0..1080_i32, wx in 0..1500_i32, wy in 0..900_i32, ww in 1..1900_i32, wh in 1..1000_i32,
            enlarge in 1.0_f32..40.0,
        ) {
            let window = Rect::new(wx, wy, ww, wh);
            let found = around(RULE, Point::new(x, y), FULL_HD, Some(window), enlarge);
            if window.contains(Point::new(x, y)) {
                prop_assert!(found.contains(Point::new(x, y)));
                prop_assert_eq!(found.intersection(window), found);
            } else {
                prop_assert!(found.is_empty());
            }
        }
    }
}
