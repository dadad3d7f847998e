//! The digits of the badges, drawn as strokes: badges need no font.

use tiny_skia::{Path, PathBuilder};

/// The points of the strokes of a digit in a square of 0 to 1 wide 0.6 and high 1; curves are given by their points.
const DIGITS: [&[&[[f32; 2]]]; 10] = [
    &[&[
        [0.5, 0.0],
        [0.68, 0.06],
        [0.77, 0.25],
        [0.78, 0.5],
        [0.77, 0.75],
        [0.68, 0.94],
        [0.5, 1.0],
        [0.32, 0.94],
        [0.23, 0.75],
        [0.22, 0.5],
        [0.23, 0.25],
        [0.32, 0.06],
        [0.5, 0.0],
    ]],
    &[&[[0.3, 0.2], [0.54, 0.0], [0.54, 1.0]], &[[0.3, 1.0], [0.76, 1.0]]],
    &[&[[0.24, 0.24], [0.3, 0.08], [0.5, 0.0], [0.7, 0.08], [0.76, 0.26], [0.7, 0.44], [0.22, 1.0], [0.8, 1.0]]],
    &[&[
        [0.24, 0.1],
        [0.5, 0.0],
        [0.7, 0.08],
        [0.74, 0.24],
        [0.66, 0.4],
        [0.44, 0.46],
        [0.68, 0.53],
        [0.78, 0.72],
        [0.7, 0.92],
        [0.5, 1.0],
        [0.22, 0.92],
    ]],
    &[&[[0.64, 1.0], [0.64, 0.0], [0.2, 0.68], [0.82, 0.68]]],
    &[&[
        [0.74, 0.0],
        [0.3, 0.0],
        [0.26, 0.46],
        [0.48, 0.4],
        [0.7, 0.48],
        [0.78, 0.7],
        [0.7, 0.92],
        [0.48, 1.0],
        [0.22, 0.92],
    ]],
    &[&[
        [0.7, 0.03],
        [0.46, 0.12],
        [0.28, 0.38],
        [0.23, 0.68],
        [0.3, 0.92],
        [0.5, 1.0],
        [0.7, 0.92],
        [0.78, 0.7],
        [0.7, 0.49],
        [0.5, 0.42],
        [0.32, 0.48],
        [0.24, 0.66],
    ]],
    &[&[[0.22, 0.0], [0.78, 0.0], [0.44, 1.0]]],
    &[&[
        [0.5, 0.46],
        [0.3, 0.38],
        [0.26, 0.22],
        [0.33, 0.06],
        [0.5, 0.0],
        [0.67, 0.06],
        [0.74, 0.22],
        [0.7, 0.38],
        [0.5, 0.46],
        [0.28, 0.55],
        [0.22, 0.74],
        [0.3, 0.93],
        [0.5, 1.0],
        [0.7, 0.93],
        [0.78, 0.74],
        [0.72, 0.55],
        [0.5, 0.46],
    ]],
    &[&[
        [0.3, 0.97],
        [0.54, 0.88],
        [0.72, 0.62],
        [0.77, 0.32],
        [0.7, 0.08],
        [0.5, 0.0],
        [0.3, 0.08],
        [0.22, 0.3],
        [0.3, 0.51],
        [0.5, 0.58],
        [0.68, 0.52],
        [0.76, 0.34],
    ]],
];

/// The strokes of a number in the middle of a circle: center and height of the digits. `None` beyond 99, which no badge has.
pub(crate) fn strokes(number: usize, [x, y]: [f32; 2], height: f32) -> Option<Path> {
    let digits: &[usize] = match number {
        0..10 => &[number],
        10..100 => &[number / 10, number % 10],
        _ => return None,
    };
    // Two digits share the width.
    let (height, step) = if digits.len() == 1 { (height, 0.0) } else { (height * 0.8, height * 0.52) };
    let mut path = PathBuilder::new();
    for (index, &digit) in digits.iter().enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "at most 1")]
        let middle = if digits.len() == 1 { x } else { step.mul_add(index as f32 - 0.5, x) };
        for stroke in DIGITS[digit] {
            for (at, [px, py]) in stroke.iter().enumerate() {
                let (px, py) = ((px - 0.5).mul_add(height, middle), (py - 0.5).mul_add(height, y));
                if at == 0 { path.move_to(px, py) } else { path.line_to(px, py) }
            }
        }
    }
    path.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    // OVL-2
    #[test]
    fn each_number_has_strokes_of_its_own_ovl_2() {
        let all: Vec<Path> = (0..100).filter_map(|number| strokes(number, [50.0, 50.0], 20.0)).collect();
        assert_eq!(all.len(), 100);
        for (index, one) in all.iter().enumerate() {
            let bounds = one.bounds();
            assert!(bounds.top() > 39.0 && bounds.bottom() < 61.0 && bounds.left() > 35.0 && bounds.right() < 65.0);
            assert!(all[..index].iter().all(|other| other != one), "{index} looks like another number");
        }
        assert_eq!(strokes(100, [0.0, 0.0], 20.0), None);
    }
}
