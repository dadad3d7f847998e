//! Mends the detector's boxes of dense text, such as a terminal's: it takes the same column of several rows for one vertical line, and the words
//! of a row for lines of their own. Pure.

use crate::picture::RgbPicture;
use crate::quad::Quad;

/// Lines beside a tall box from which it is a stack of rows: vertical text stands alone.
const BESIDE: usize = 2;
/// Difference of luminance from the rows without ink, as a part of the box's contrast.
const OF_CONTRAST: u8 = 3;
/// Fewest rows of ink of a line.
const FEWEST_ROWS: usize = 5;
/// Gap between the boxes of two words of one line, in heights of a box with its margins: together with the margins, that is a space.
const WORD_GAP: f32 = 0.3;

/// The boxes with stacks parted into rows, and words that stand a space apart joined.
pub fn mended(picture: &RgbPicture<'_>, found: Vec<Quad>) -> Vec<Quad> {
    let is_stack = |quad: &Quad| {
        let [left, top, right, bottom] = quad.bounds();
        let height = right - left;
        let is_beside = |other: &&Quad| {
            let [_, other_top, _, other_bottom] = other.bounds();
            !other.is_tall() && other_top >= top - height / 2.0 && other_bottom <= bottom + height / 2.0
        };
        quad.is_tall() && quad.is_straight() && found.iter().filter(is_beside).count() >= BESIDE
    };
    let parted = found.iter().flat_map(|quad| if is_stack(quad) { rows(picture, quad) } else { vec![*quad] });
    joined(parted.collect())
}

/// The rows of ink in a stack; the stack itself if there is only one.
fn rows(picture: &RgbPicture<'_>, stack: &Quad) -> Vec<Quad> {
    let [left, top, right, bottom] = stack.bounds();
    let clip = |value: f32, most: usize| (value.max(0.0) as usize).min(most);
    let (x0, x1) = (clip(left, picture.width), clip(right, picture.width));
    let (y0, y1) = (clip(top, picture.height), clip(bottom, picture.height));
    let range = |y: usize| {
        (x0..x1)
            .map(|x| picture.luminance(x, y))
            .fold((u8::MAX, 0), |(least, most), value| (least.min(value), most.max(value)))
    };
    let (least, most) = (y0..y1).map(range).fold((u8::MAX, 0), |(a, b), (c, d)| (a.min(c), b.max(d)));
    let contrast = most.saturating_sub(least);
    let mut found: Vec<(usize, usize)> = Vec::new();
    for y in y0..y1 {
        let (least, most) = range(y);
        if most.saturating_sub(least) > contrast / OF_CONTRAST {
            match found.last_mut() {
                Some((_, end)) if *end == y => *end = y + 1,
                _ => found.push((y, y + 1)),
            }
        }
    }
    found.retain(|(start, end)| end - start >= FEWEST_ROWS);
    if found.len() < 2 {
        return vec![*stack];
    }
    let row = |(start, end): (usize, usize)| {
        let height = (end - start) as f32;
        Quad { x: stack.x, y: start as f32 + height / 2.0, width: right - left, height: height * 1.4, angle: 0.0 }
    };
    found.into_iter().map(row).collect()
}

/// Boxes of one row that stand a space apart become one.
fn joined(mut quads: Vec<Quad>) -> Vec<Quad> {
    quads.sort_by(|a, b| a.bounds()[0].total_cmp(&b.bounds()[0]));
    let mut lines: Vec<Quad> = Vec::new();
    for quad in quads {
        let is_before = |line: &&mut Quad| {
            let height = line.height.min(quad.height);
            let straight = !line.is_tall() && !quad.is_tall() && line.is_straight() && quad.is_straight();
            let gap = quad.bounds()[0] - line.bounds()[2];
            let same_row = (line.y - quad.y).abs() <= 0.25 * height && height >= 0.65 * line.height.max(quad.height);
            straight && same_row && gap <= WORD_GAP * height && gap >= -height
        };
        match lines.iter_mut().find(is_before) {
            Some(line) => {
                let ([left, top, right, bottom], [_, other_top, other_right, other_bottom]) =
                    (line.bounds(), quad.bounds());
                let (top, right, bottom) = (top.min(other_top), right.max(other_right), bottom.max(other_bottom));
                *line = Quad {
                    x: f32::midpoint(left, right),
                    y: f32::midpoint(top, bottom),
                    width: right - left,
                    height: bottom - top,
                    angle: 0.0,
                };
            }
            None => lines.push(quad),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    const fn quad(x: f32, y: f32, width: f32, height: f32) -> Quad {
        Quad { x: x + width / 2.0, y: y + height / 2.0, width, height, angle: 0.0 }
    }

    /// Black with light rows of text: 10 of 15 pixels, in steps.
    fn terminal() -> RgbPicture<'static> {
        let (width, height) = (200, 90);
        let light = |x: usize, y: usize| y % 15 >= 3 && y % 15 < 13 && (x + y) % 4 < 2;
        let pixels =
            (0..width * height).flat_map(|at| [if light(at % width, at / width) { 220 } else { 0 }; 3]).collect();
        RgbPicture { width, height, pixels: Cow::<[u8]>::Owned(pixels) }
    }

    // OCR-2
    #[test]
    fn a_column_of_a_terminal_is_parted_into_its_rows_ocr_2() {
        let beside = [quad(60.0, 1.0, 60.0, 14.0), quad(60.0, 16.0, 60.0, 14.0), quad(60.0, 31.0, 60.0, 14.0)];
        let stack = quad(10.0, 0.0, 26.0, 60.0);
        let found = mended(&terminal(), [&beside[..], &[stack]].concat());
        let rows: Vec<i32> = found.iter().filter(|one| one.x < 50.0).map(|one| one.y as i32).collect();
        assert_eq!(rows, [8, 23, 38, 53]);
        assert_eq!(found.len(), 7);
        assert_eq!(mended(&terminal(), vec![stack]), [stack], "vertical text stands alone");
    }

    // OCR-5
    #[test]
    fn words_a_space_apart_are_one_line_ocr_5() {
        let check = |found: &[Quad], expect: usize| {
            assert_eq!(mended(&terminal(), found.to_vec()).len(), expect, "{found:?}");
        };
        check(&[quad(0.0, 0.0, 40.0, 14.0), quad(43.0, 0.0, 40.0, 14.0), quad(85.0, 1.0, 20.0, 13.0)], 1);
        // Columns, other rows, and other sizes stay apart.
        check(&[quad(0.0, 0.0, 40.0, 14.0), quad(50.0, 0.0, 40.0, 14.0)], 2);
        check(&[quad(0.0, 0.0, 40.0, 14.0), quad(43.0, 8.0, 40.0, 14.0)], 2);
        check(&[quad(0.0, 0.0, 40.0, 28.0), quad(43.0, 7.0, 40.0, 14.0)], 2);
    }
}
