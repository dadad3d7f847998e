//! Lines beyond a border, in drawn pictures.

use std::borrow::Cow;

use proptest::prelude::*;

use super::*;

/// A white picture of 400 × 200 with dark boxes: `[x, y, width, height]`.
fn drawn(boxes: &[[usize; 4]]) -> RgbPicture<'static> {
    let (width, height) = (400, 200);
    let mut pixels = vec![255; 3 * width * height];
    for [x, y, across, down] in boxes {
        for row in *y..y + down {
            // Strokes of two pixels, so that no column is full.
            for column in (*x..x + across).filter(|column| (column + row) % 4 < 2) {
                pixels[3 * (row * width + column)..][..3].fill(0);
            }
        }
    }
    RgbPicture { width, height, pixels: Cow::Owned(pixels) }
}

const fn quad(x: f32, y: f32, width: f32, height: f32) -> Quad {
    Quad { x: x + width / 2.0, y: y + height / 2.0, width, height, angle: 0.0 }
}

const AREA: PictureRect = PictureRect { x: 100, y: 50, width: 200, height: 100 };

// OCR-5
#[test]
fn rows_are_added_until_the_line_at_the_border_ends_ocr_5() {
    let check = |boxes: &[[usize; 4]], expect: (usize, usize)| {
        let found = area(&drawn(boxes), Rect::new(100, 50, 200, 100));
        assert_eq!((found.x, found.width), (100, 200));
        assert_eq!((found.y, found.y + found.height), expect, "{boxes:?}");
    };
    check(&[], (47, 153));
    // The upper border cuts a line, the lower one touches none.
    check(&[[120, 40, 50, 20]], (37, 153));
    check(&[[120, 140, 50, 20]], (47, 163));
    // A picture without a blank row.
    check(&[[100, 0, 200, 200]], (47, 153));
}

// OCR-5
#[test]
fn ink_is_followed_to_the_gap_that_ends_the_line_ocr_5() {
    let line = quad(250.0, 80.0, 50.0, 20.0);
    let check = |boxes: &[[usize; 4]], expect: usize| {
        assert_eq!(reach(&drawn(boxes), &line, AREA, Side::Right), expect, "{boxes:?}");
    };
    check(&[[250, 84, 50, 12]], 300);
    check(&[[250, 84, 80, 12]], 330);
    // Two words, and a column that is too far away.
    check(&[[250, 84, 80, 12], [336, 84, 20, 12], [380, 84, 20, 12]], 356);
    // To the edge of the window.
    check(&[[250, 84, 150, 12]], 400);
    let left = quad(100.0, 80.0, 50.0, 20.0);
    assert_eq!(reach(&drawn(&[[40, 84, 110, 12]]), &left, AREA, Side::Left), 40);
}

// OCR-5
#[test]
fn lines_are_joined_with_what_continues_them_ocr_5() {
    let line = quad(250.0, 80.0, 48.0, 20.0);
    let check = |found: &[Quad], expect: [f32; 4]| {
        let whole = joined(line, found, Side::Right).bounds();
        assert!(whole.iter().zip(expect).all(|(a, b)| (a - b).abs() < 0.5), "{found:?}: {whole:?}");
    };
    check(&[], [250.0, 80.0, 298.0, 100.0]);
    check(&[quad(240.0, 81.0, 100.0, 19.0)], [250.0, 80.0, 340.0, 100.0]);
    check(&[quad(345.0, 80.0, 20.0, 20.0), quad(240.0, 81.0, 100.0, 19.0)], [250.0, 80.0, 365.0, 100.0]);
    // Another row, another size, another column.
    check(&[quad(240.0, 105.0, 100.0, 20.0)], [250.0, 80.0, 298.0, 100.0]);
    check(&[quad(240.0, 70.0, 100.0, 60.0)], [250.0, 80.0, 298.0, 100.0]);
    check(&[quad(330.0, 80.0, 50.0, 20.0)], [250.0, 80.0, 298.0, 100.0]);
    let left = joined(quad(100.0, 80.0, 50.0, 20.0), &[quad(20.0, 80.0, 100.0, 20.0)], Side::Left).bounds();
    assert!((left[0] - 20.0).abs() < 0.5 && (left[2] - 150.0).abs() < 0.5, "{left:?}");
}

// OCR-5
#[test]
fn only_lines_at_a_border_inside_of_the_picture_are_cut_ocr_5() {
    let picture = drawn(&[]);
    let check = |line: Quad, area: PictureRect, expect: (bool, bool)| {
        let found = (is_cut(&line, area, &picture, Side::Left), is_cut(&line, area, &picture, Side::Right));
        assert_eq!(found, expect, "{line:?} in {area:?}");
    };
    check(quad(150.0, 80.0, 50.0, 20.0), AREA, (false, false));
    check(quad(105.0, 80.0, 50.0, 20.0), AREA, (true, false));
    check(quad(105.0, 80.0, 190.0, 20.0), AREA, (true, true));
    check(quad(0.0, 80.0, 400.0, 20.0), PictureRect { x: 0, y: 50, width: 400, height: 100 }, (false, false));
}

// OCR-5
#[test]
fn near_lines_come_first_and_lines_elsewhere_never_ocr_5() {
    let lines = vec![
        quad(110.0, 55.0, 50.0, 20.0),
        quad(110.0, 120.0, 50.0, 20.0),
        quad(110.0, 145.0, 50.0, 20.0),
        quad(110.0, 20.0, 50.0, 20.0),
    ];
    let (near, ordered) = ordered(lines, Rect::new(100, 50, 200, 100), Point::new(130, 130));
    assert_eq!(ordered.iter().map(|line| line.y).collect::<Vec<_>>(), [130.0, 155.0, 65.0]);
    assert_eq!(near, 2);
}

proptest! {
    #[test]
    fn strips_stay_inside_of_the_picture_and_hold_the_border(
        x in 0.0_f32..300.0, y in 0.0_f32..190.0, width in 5.0_f32..200.0, height in 5.0_f32..60.0,
        boxes in prop::collection::vec((0usize..350, 0usize..150, 1usize..50, 1usize..50), 0..12),
    ) {
        let boxes: Vec<[usize; 4]> = boxes.into_iter().map(|(x, y, w, h)| [x, y, w, h]).collect();
        let picture = drawn(&boxes);
        let line = quad(x, y, width, height);
        for side in [Side::Left, Side::Right] {
            for strip in strips(&picture, &[&line], AREA, side) {
                prop_assert!(strip.x + strip.width <= 400 && strip.y + strip.height <= 200 && strip.width > 0 && strip.height > 0);
                let border = border(AREA, side);
                prop_assert!(strip.x <= border && border <= strip.x + strip.width, "{:?}", strip);
            }
        }
    }
}
