//! Tables of windows as toolkits tell them at several scales and on two monitors.

use super::*;

fn boxes(client: [i32; 4], visible: [i32; 4], frame: [i32; 4]) -> WindowBoxes {
    WindowBoxes { client: client.into(), visible: visible.into(), frame: frame.into() }
}

/// A window without shadow and decorations.
fn plain(bounds: impl Into<Rect>) -> WindowBoxes {
    let bounds = bounds.into();
    WindowBoxes { visible: bounds, client: bounds, frame: bounds }
}

fn told(rect: [i32; 4]) -> ToldRect {
    Coordinates::new(rect.into())
}

/// A window as its application tells it, its boxes on the desktop, and where an element told at `element` shows.
struct ScaleCase {
    name: &'static str,
    window: [i32; 4],
    boxes: WindowBoxes,
    is_local: bool,
    element: [i32; 4],
    shows: [i32; 4],
}

// SES-3, PIC-7
#[test]
fn elements_lie_where_the_screen_shows_them_at_any_scale_ses_3_pic_7() {
    let decorated = |client: [i32; 4], frame: [i32; 4]| boxes(client, client, frame);
    let cases = [
        ScaleCase {
            name: "GTK 3 at 1, which tells the decorated window",
            window: [100, 100, 862, 661],
            boxes: decorated([101, 120, 860, 640], [100, 100, 862, 661]),
            is_local: false,
            element: [111, 206, 383, 34],
            shows: [111, 206, 383, 34],
        },
        ScaleCase {
            name: "GTK 3 at 2",
            window: [100, 100, 861, 651],
            boxes: decorated([201, 220, 1720, 1280], [200, 200, 1722, 1301]),
            is_local: false,
            element: [110, 196, 383, 34],
            shows: [220, 392, 766, 68],
        },
        ScaleCase {
            name: "GTK 3 at 2, far from the corner: the rounding of the window's size does not add up",
            window: [100, 100, 861, 651],
            boxes: decorated([201, 220, 1720, 1280], [200, 200, 1722, 1301]),
            is_local: false,
            element: [930, 740, 20, 20],
            shows: [1860, 1480, 40, 40],
        },
        ScaleCase {
            name: "Qt at 2, at an odd place",
            window: [301, 210, 400, 300],
            boxes: decorated([601, 420, 800, 600], [600, 400, 802, 621]),
            is_local: false,
            element: [312, 221, 378, 23],
            shows: [623, 442, 756, 46],
        },
        ScaleCase {
            name: "Qt at 1.5 on the right one of two monitors, whose origin it does not scale",
            window: [2020, 100, 400, 300],
            boxes: plain([2070, 150, 600, 450]),
            is_local: false,
            element: [2030, 110, 100, 21],
            shows: [2085, 165, 150, 32],
        },
        ScaleCase {
            name: "on a monitor left of the first one",
            window: [-800, 50, 400, 300],
            boxes: plain([-1600, 100, 800, 600]),
            is_local: false,
            element: [-790, 60, 10, 10],
            shows: [-1580, 120, 20, 20],
        },
        ScaleCase {
            name: "GTK 4 at 1",
            window: [0, 0, 560, 480],
            boxes: decorated([701, 320, 560, 480], [700, 300, 562, 501]),
            is_local: true,
            element: [27, 63, 506, 24],
            shows: [728, 383, 506, 24],
        },
        ScaleCase {
            name: "GTK 4 at 2",
            window: [0, 0, 560, 480],
            boxes: decorated([701, 320, 1120, 960], [700, 300, 1122, 981]),
            is_local: true,
            element: [27, 63, 506, 24],
            shows: [755, 446, 1012, 48],
        },
        ScaleCase {
            name: "GTK 4 with borders of its own at 1",
            window: [0, 0, 690, 510],
            boxes: plain([100, 1200, 700, 520]),
            is_local: true,
            element: [0, 47, 690, 463],
            shows: [105, 1252, 690, 463],
        },
        ScaleCase {
            name: "GTK 4 with borders of its own at 2",
            window: [0, 0, 690, 510],
            boxes: plain([2440, 0, 1400, 1040]),
            is_local: true,
            element: [0, 47, 690, 463],
            shows: [2450, 104, 1380, 926],
        },
        ScaleCase {
            name: "GTK 4 with a shadow that it tells the window manager",
            window: [0, 0, 690, 510],
            boxes: boxes([100, 100, 742, 562], [126, 123, 690, 510], [100, 100, 742, 562]),
            is_local: true,
            element: [10, 10, 20, 20],
            shows: [136, 133, 20, 20],
        },
        ScaleCase {
            name: "the views of Chromium at 2, which tells its X window with its borders",
            window: [900, 400, 700, 500],
            boxes: boxes([1800, 800, 1400, 1000], [1808, 800, 1384, 992], [1800, 800, 1400, 1000]),
            is_local: false,
            element: [982, 446, 34, 34],
            shows: [1964, 892, 68, 68],
        },
        ScaleCase {
            name: "a scale that is none of the usual ones",
            window: [0, 0, 2000, 1600],
            boxes: plain([0, 0, 2396, 1917]),
            is_local: false,
            element: [500, 400, 10, 10],
            shows: [599, 479, 12, 12],
        },
        ScaleCase {
            name: "a window whose size is wrong says nothing about its scale",
            window: [0, 0, 1000, 300],
            boxes: plain([40, 40, 800, 600]),
            is_local: false,
            element: [500, 400, 10, 10],
            shows: [500, 400, 10, 10],
        },
        ScaleCase {
            name: "a border of a few pixels is no scale",
            window: [0, 0, 300, 300],
            boxes: plain([40, 40, 310, 310]),
            is_local: false,
            element: [50, 40, 10, 10],
            shows: [50, 40, 10, 10],
        },
    ];
    for case in cases {
        let placement = Placement::of(told(case.window), case.boxes, case.is_local);
        let shows = Rect::from(case.shows);
        assert_eq!(placement.rect(told(case.element)), shows, "{}: {placement:?}", case.name);
        // Back again: the points of the box belong to the element; the last row may be half a neighbour's.
        for point in [shows.center(), Point::new(shows.x, shows.y), Point::new(shows.right() - 2, shows.bottom() - 2)] {
            let back = placement.point(point).raw();
            assert!(Rect::from(case.element).contains(back), "{}: {point:?} became {back:?}", case.name);
        }
    }
}

#[test]
fn elements_that_are_nowhere_stay_nowhere_ses_3() {
    let placement = Placement::of(told([0, 0, 100, 100]), plain(Rect::new(7, 7, 200, 200)), true);
    assert!(placement.is_scaled());
    assert_eq!(placement.rect(told([5, 5, 0, 9])), Rect::default());
    // Numbers at the edge of the range do not overflow.
    for edge in [i32::MIN, i32::MAX] {
        let _ = placement.rect(told([edge, edge, i32::MAX, i32::MAX]));
        let _ = placement.point(Point::new(edge, edge));
    }
}

proptest::proptest! {
    // SES-3
    #[test]
    fn a_point_and_its_pixel_belong_together_ses_3(
        origin in (-4000..4000, -4000..4000), size in (80..2000, 80..2000), at in (0.0..1.0, 0.0..1.0), quarters in 4..=12,
    ) {
        let scale = f64::from(quarters) / 4.0;
        let scaled = |length: i32| (f64::from(length) * scale).round() as i32;
        let shown = Rect::new(scaled(origin.0), scaled(origin.1), scaled(size.0), scaled(size.1));
        let window = told([origin.0, origin.1, size.0, size.1]);
        let placement = Placement::of(window, plain(shown), false);
        let along = |start: i32, length: i32, part: f64| start + (f64::from(length - 1) * part) as i32;
        let point = Point::new(along(shown.x, shown.width, at.0), along(shown.y, shown.height, at.1));
        let pixel = placement.point(point).raw();
        // The pixel's own box on the screen contains the point, but for the rounding of its edges.
        let place = placement.rect(told([pixel.x, pixel.y, 1, 1]));
        proptest::prop_assert!(place.distance_to(point) < 1.5, "{point:?} {pixel:?} {place:?}");
    }
}
