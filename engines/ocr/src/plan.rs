//! Chooses the parts of a picture to search for text and their scale, by pure decisions on pixels before the costly detector runs.

use crate::picture::RgbPicture;
use crate::quad::PictureRect;

/// Side of a block in pixels; a block either may contain text or is blank.
const BLOCK: usize = 16;
/// Minimum luminance range of a block with text.
const CONTRAST: u8 = 20;
/// Blank blocks in a row that split a picture. Lines of a paragraph stay together, because the detector uses context.
const GAP: usize = 4;
/// Maximum width and height of a part, in pixels after scaling; a larger part is cut into overlapping tiles.
pub const TILE: usize = 1600;
/// Maximum pixels after scaling; larger pictures are scaled down.
const MAX_PIXELS: f64 = 24e6;
/// Median width of strokes and gaps, in pixels, at which text is recognised well and fast.
const STROKE: f64 = 3.0;

/// Scale for the detector: 1.0 for text of usual size, less if all text is large, more only if the job asks for magnification.
pub fn scale(picture: &RgbPicture<'_>, magnify: f32) -> f64 {
    let own = stroke(picture).map_or(1.0, |stroke| (STROKE / stroke).clamp(0.4, 1.0));
    let magnification = if magnify.is_finite() { f64::from(magnify).clamp(1.0, 4.0) } else { 1.0 };
    let most = (MAX_PIXELS / (picture.width as f64 * picture.height as f64)).sqrt();
    (own * magnification).min(most)
}

/// Width of the finer strokes and gaps in pixels: the lower third of the distances between edges along sampled rows. `None` if there are
/// too few edges. Small text has many edges, so that a little of it beside a large title keeps the scale up.
fn stroke(picture: &RgbPicture<'_>) -> Option<f64> {
    const LONGEST: usize = 64;
    let mut lengths = [0usize; LONGEST + 1];
    let step = (picture.height / 400).max(1) | 1;
    for y in (0..picture.height).step_by(step) {
        let (mut since, mut before) = (LONGEST + 1, i32::from(picture.luminance(0, y)));
        let mut rising = None;
        for x in 1..picture.width {
            let luminance = i32::from(picture.luminance(x, y));
            since += 1;
            let change = luminance - before;
            before = luminance;
            // An edge over several pixels counts once.
            if change.abs() >= 28 && rising != Some(change > 0) {
                if since <= LONGEST {
                    lengths[since] += 1;
                }
                since = 0;
                rising = Some(change > 0);
            } else if since > LONGEST {
                rising = None;
            }
        }
    }
    let all: usize = lengths.iter().sum();
    if all < 40 {
        return None;
    }
    let mut cumulative = 0;
    lengths
        .iter()
        .position(|count| {
            cumulative += count;
            cumulative * 3 >= all
        })
        .map(|length| length as f64)
}

/// The non-blank parts of the picture, with a margin of one block. They don't overlap.
pub fn parts(picture: &RgbPicture<'_>) -> Vec<PictureRect> {
    let columns = picture.width.div_ceil(BLOCK);
    let rows = picture.height.div_ceil(BLOCK);
    let busy: Vec<bool> = (0..rows * columns).map(|at| is_busy(picture, at % columns, at / columns)).collect();
    let mut found = Vec::new();
    split(&busy, columns, PictureRect { x: 0, y: 0, width: columns, height: rows }, 0, &mut found);
    for part in &mut found {
        let right = ((part.x + part.width) * BLOCK + BLOCK).min(picture.width);
        let bottom = ((part.y + part.height) * BLOCK + BLOCK).min(picture.height);
        let (x, y) = ((part.x * BLOCK).saturating_sub(BLOCK), (part.y * BLOCK).saturating_sub(BLOCK));
        *part = PictureRect { x, y, width: right - x, height: bottom - y };
    }
    found
}

fn is_busy(picture: &RgbPicture<'_>, column: usize, row: usize) -> bool {
    let (mut least, mut most) = (u8::MAX, 0);
    for y in row * BLOCK..((row + 1) * BLOCK).min(picture.height) {
        for x in column * BLOCK..((column + 1) * BLOCK).min(picture.width) {
            let luminance = picture.luminance(x, y);
            least = least.min(luminance);
            most = most.max(luminance);
        }
        if most.saturating_sub(least) >= CONTRAST {
            return true;
        }
    }
    false
}

/// Splits `part` (in blocks) recursively along blank rows, then blank columns.
fn split(busy: &[bool], columns: usize, part: PictureRect, tried: u8, found: &mut Vec<PictureRect>) {
    let by_rows = tried.is_multiple_of(2);
    let (length, across) = if by_rows { (part.height, part.width) } else { (part.width, part.height) };
    let is_used = |line: usize| {
        (0..across).any(|at| {
            let (x, y) = if by_rows { (part.x + at, part.y + line) } else { (part.x + line, part.y + at) };
            busy[y * columns + x]
        })
    };
    let mut pieces: Vec<(usize, usize)> = Vec::new();
    for line in (0..length).filter(|line| is_used(*line)) {
        match pieces.last_mut() {
            Some((_, end)) if line - *end < GAP => *end = line + 1,
            _ => pieces.push((line, line + 1)),
        }
    }
    for &(start, end) in &pieces {
        let piece = if by_rows {
            PictureRect { y: part.y + start, height: end - start, ..part }
        } else {
            PictureRect { x: part.x + start, width: end - start, ..part }
        };
        // Done: neither direction splits it.
        if piece == part && tried > 0 {
            found.push(piece);
        } else {
            split(busy, columns, piece, if piece == part { tried + 1 } else { 2 + (tried + 1) % 2 }, found);
        }
    }
}

/// Cuts a length into overlapping pieces of at most [`TILE`]: `(start, end)`.
pub fn tiles(length: usize) -> Vec<(usize, usize)> {
    const OVERLAP: usize = 96;
    if length <= TILE {
        return vec![(0, length)];
    }
    let count = (length - OVERLAP).div_ceil(TILE - OVERLAP);
    let step = (length - OVERLAP).div_ceil(count);
    (0..count).map(|at| (at * step, (at * step + step + OVERLAP).min(length))).collect()
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use proptest::prelude::*;

    use super::*;

    fn with_ink(width: usize, height: usize, ink: &[PictureRect]) -> RgbPicture<'static> {
        let mut pixels = vec![255u8; 3 * width * height];
        for part in ink {
            for y in part.y..part.y + part.height {
                // Strokes of two pixels.
                for x in (part.x..part.x + part.width).filter(|x| x % 4 < 2) {
                    pixels[3 * (y * width + x)..][..3].fill(0);
                }
            }
        }
        RgbPicture { width, height, pixels: Cow::Owned(pixels) }
    }

    #[test]
    fn blank_parts_are_left_out() {
        let ink = |x, y, width, height| PictureRect { x, y, width, height };
        let check = |ink: &[PictureRect], expect: usize| {
            let picture = with_ink(640, 480, ink);
            let parts = parts(&picture);
            assert_eq!(parts.len(), expect, "{parts:?}");
            for ink in ink {
                let holds = |part: &PictureRect| {
                    part.x <= ink.x
                        && part.y <= ink.y
                        && part.x + part.width >= ink.x + ink.width
                        && part.y + part.height >= ink.y + ink.height
                };
                assert!(parts.iter().any(holds), "{ink:?} in {parts:?}");
            }
        };
        check(&[], 0);
        check(&[ink(100, 100, 200, 20)], 1);
        check(&[ink(100, 100, 200, 20), ink(100, 140, 200, 20)], 1);
        check(&[ink(100, 100, 200, 20), ink(100, 300, 200, 20)], 2);
        check(&[ink(10, 100, 100, 20), ink(400, 100, 100, 20), ink(400, 400, 100, 20)], 3);
    }

    #[test]
    fn fine_strokes_keep_the_scale() {
        let fine = with_ink(640, 480, &[PictureRect { x: 10, y: 10, width: 500, height: 200 }]);
        assert!((scale(&fine, 1.0) - 1.0).abs() < 1e-9);
        assert!((scale(&fine, 2.0) - 2.0).abs() < 1e-9);
        assert!((scale(&fine, f32::NAN) - 1.0).abs() < 1e-9);
        let blank = with_ink(64, 64, &[]);
        assert!((scale(&blank, 1.0) - 1.0).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn tiles_cover_the_whole_length(length in 1usize..30_000) {
            let tiles = tiles(length);
            prop_assert_eq!(tiles[0].0, 0);
            prop_assert_eq!(tiles[tiles.len() - 1].1, length);
            for pair in tiles.windows(2) {
                prop_assert!(pair[1].0 + 32 < pair[0].1, "{:?}", pair);
            }
            prop_assert!(tiles.iter().all(|(start, end)| end - start <= TILE && start < end));
        }
    }
}
