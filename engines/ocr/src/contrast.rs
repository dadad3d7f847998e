//! Contrast of a line (PIC-4).

use crate::picture::RgbPicture;

/// The ratio that the Web Content Accessibility Guidelines ask of text (success criterion 1.4.3).
const ENOUGH: f32 = 4.5;
/// Share of a line's pixels that differ most from its ground and count as its letters: less than any letters take, so that their blurred edges
/// don't count.
const OF_LETTERS: usize = 50;

/// Contrast between the letters of a line and their ground: 0 for none, 1 from a ratio of [`ENOUGH`].
pub fn of(line: &RgbPicture<'_>) -> f32 {
    let mut shades = [0usize; 256];
    line.grey().iter().for_each(|luminance| shades[usize::from(*luminance)] += 1);
    // The ground may be noisy: the fullest stretch of shades is.
    let width = 8;
    let ground = (0..=shades.len() - width).max_by_key(|at| shades[*at..at + width].iter().sum::<usize>());
    let ground = ground.unwrap_or(0) + width / 2;
    let mut by_distance: Vec<usize> = (0..shades.len()).filter(|shade| shades[*shade] > 0).collect();
    by_distance.sort_by_key(|shade| std::cmp::Reverse(shade.abs_diff(ground)));
    let (mut rest, mut sum, mut count) = ((line.width * line.height / OF_LETTERS).max(1), 0, 0);
    for shade in by_distance {
        let taken = shades[shade].min(rest);
        (sum, count, rest) = (sum + taken * shade, count + taken, rest - taken);
        if rest == 0 {
            break;
        }
    }
    let (ground, letters) = (light(ground as f32), light(sum as f32 / count.max(1) as f32));
    let ratio = (ground.max(letters) + 0.05) / (ground.min(letters) + 0.05);
    ((ratio - 1.0) / (ENOUGH - 1.0)).clamp(0.0, 1.0)
}

/// Relative light of a shade of grey, 0 to 1.
fn light(shade: f32) -> f32 {
    let value = shade / 255.0;
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    // PIC-4
    #[test]
    fn contrast_is_that_of_the_guidelines_pic_4() {
        let check = |letters: u8, ground: u8, expect: f32| {
            // Strokes of two columns in ten, their edges blurred.
            let shade = |x: usize| match x % 10 {
                3 | 6 => u8::midpoint(letters, ground),
                4 | 5 => letters,
                _ => ground,
            };
            let pixels = (0..100 * 20).flat_map(|at| [shade(at % 100); 3]).collect::<Vec<u8>>();
            let found = of(&RgbPicture { width: 100, height: 20, pixels: Cow::Owned(pixels) });
            assert!((found - expect).abs() < 0.06, "{letters} on {ground}: {found}");
        };
        check(0, 255, 1.0);
        check(255, 0, 1.0);
        check(90, 250, 1.0);
        // The ratio 4.5 is that of this grey on white; 2.3 and 1.3 are those below.
        check(118, 255, 1.0);
        check(170, 255, 0.38);
        check(225, 255, 0.09);
        check(40, 60, 0.09);
        check(128, 128, 0.0);
    }
}
