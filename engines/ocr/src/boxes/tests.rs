//! Boxes found in drawn maps.

use std::f32::consts::FRAC_PI_4;

use proptest::prelude::*;

use super::*;

const THRESHOLDS: MapThresholds = MapThresholds { pixel: 0.3, mean: 0.5, growth: 1.5 };

/// A map with filled rectangles.
fn map_of(width: usize, height: usize, quads: &[Quad]) -> ProbabilityMap {
    let mut values = vec![0u8; width * height];
    for quad in quads {
        let (sin, cos) = quad.angle.sin_cos();
        for (at, value) in values.iter_mut().enumerate() {
            let (dx, dy) = ((at % width) as f32 + 0.5 - quad.x, (at / width) as f32 + 0.5 - quad.y);
            if (dx * cos + dy * sin).abs() <= quad.width / 2.0 && (dy * cos - dx * sin).abs() <= quad.height / 2.0 {
                *value = 255;
            }
        }
    }
    ProbabilityMap { width, height, values }
}

fn quad(x: f32, y: f32, width: f32, height: f32, angle: f32) -> Quad {
    Quad { x, y, width, height, angle }
}

// OCR-1
#[test]
fn a_straight_line_grows_by_its_height_ocr_1() {
    let found = boxes(&map_of(300, 100, &[quad(150.0, 50.0, 200.0, 10.0, 0.0)]), THRESHOLDS);
    // Area divided by circumference of 200 × 10 is 4.76.
    assert_eq!(
        found,
        [quad(150.0, 50.0, 200.0 + 3.0 * 4.7619, 10.0 + 3.0 * 4.7619, 0.0)].map(|expect| Quad {
            width: found[0].width,
            height: found[0].height,
            ..expect
        })
    );
    assert!((found[0].height - 24.28).abs() < 0.05 && (found[0].width - 214.28).abs() < 0.05, "{found:?}");
}

// OCR-1
#[test]
fn lines_side_by_side_stay_apart_and_specks_are_left_out_ocr_1() {
    let check = |quads: &[Quad], expect: usize| {
        assert_eq!(boxes(&map_of(300, 100, quads), THRESHOLDS).len(), expect, "{quads:?}")
    };
    check(&[], 0);
    check(&[quad(10.0, 10.0, 2.0, 2.0, 0.0)], 0);
    check(&[quad(60.0, 20.0, 100.0, 10.0, 0.0), quad(60.0, 35.0, 100.0, 10.0, 0.0)], 2);
    check(&[quad(60.0, 20.0, 100.0, 10.0, 0.0), quad(200.0, 20.0, 100.0, 10.0, 0.0)], 2);
    // One blank column does not split a word.
    check(&[quad(50.0, 20.0, 40.0, 10.0, 0.0), quad(91.0, 20.0, 40.0, 10.0, 0.0)], 1);
    check(&[quad(150.0, 50.0, 300.0, 100.0, 0.0)], 1);
}

proptest! {
    // OCR-1
    #[test]
    fn a_turned_line_is_found_where_it_is_ocr_1(
        width in 60.0f32..140.0, height in 8.0f32..16.0, angle in -0.7f32..0.7, x in 90.0f32..110.0, y in 90.0f32..110.0,
    ) {
        let found = boxes(&map_of(200, 200, &[quad(x, y, width, height, angle)]), THRESHOLDS);
        prop_assert_eq!(found.len(), 1);
        let found = found[0];
        prop_assert!((found.x - x).abs() < 1.5 && (found.y - y).abs() < 1.5, "{:?}", found);
        prop_assert!((found.angle - angle).abs() < 0.06, "{:?}", found);
        prop_assert!(found.width > width && found.height > height);
        prop_assert!(found.angle.abs() <= FRAC_PI_4 + 0.001);
    }

    #[test]
    fn no_map_is_too_odd(width in 1usize..40, height in 1usize..40, seed in proptest::collection::vec(any::<u8>(), 1600)) {
        let map = ProbabilityMap { width, height, values: seed[..width * height].to_vec() };
        for quad in boxes(&map, THRESHOLDS) {
            prop_assert!(quad.width.is_finite() && quad.height >= 5.0 && quad.angle.is_finite());
        }
    }
}
