//! Whether a field shows mask characters instead of what was typed, judged by the shown text and by its picture
//! (PIC-5). Pure.
//!
//! Some toolkits don't report that a field is hidden, and return what was typed: GTK 4 for an entry made invisible,
//! browsers for a field that a page masks by style. What is visible on the screen decides.

use luna_messages::image::Picture;

/// Mask characters that toolkits draw instead of the typed ones.
const MARKS: [char; 17] = ['●', '•', '∙', '·', '⬤', '⚫', '◦', '○', '■', '▪', '◼', '*', '＊', '✱', '✲', '∗', '⁎'];

/// Whether `shown`, which a field shows instead of `typed` characters, hides them. One plain character is allowed,
/// because some toolkits briefly show the character typed last.
pub(super) fn hides(shown: &str, typed: usize) -> bool {
    let length = shown.chars().count();
    if length == 0 {
        return typed > 0;
    }
    if MARKS.iter().any(|&mark| {
        let marks = shown.chars().filter(|&c| c == mark).count();
        marks > 0 && marks + 1 >= length
    }) {
        return true;
    }
    // Applications can set any character as the mask.
    let mut characters = shown.chars();
    let first = characters.next().unwrap_or(' ');
    let is_repeated = length >= 3 && characters.all(|c| c == first);
    is_repeated && (!first.is_alphanumeric() || matches!(first, 'x' | 'X' | 'o' | 'O'))
}

/// Maximum size, in pixels, of a picture to examine: that of a single-line field.
const MAX_HEIGHT: usize = 120;
const MAX_WIDTH: usize = 4096;
/// Minimum sum of the channel differences for two colours to count as different.
const MIN_DIFFERENCE: i32 = 72;

/// Whether the picture of a single-line field shows a row of equal marks and nothing else but a caret, a frame and
/// icons.
pub(super) fn shows_marks(picture: &Picture) -> bool {
    let (width, height) = (picture.width as usize, picture.height as usize);
    if !(6..=MAX_HEIGHT).contains(&height) || !(6..=MAX_WIDTH).contains(&width) {
        return false;
    }
    let backgrounds = backgrounds(picture);
    if backgrounds.is_empty() {
        return false;
    }
    // Marks in a selection often have the background colour of the rest of the field, so try each background alone as
    // well.
    let alone = backgrounds.iter().filter(|_| backgrounds.len() > 1).map(std::slice::from_ref);
    std::iter::once(backgrounds.as_slice()).chain(alone).any(|backgrounds| {
        let shapes = shapes(&ink(picture, backgrounds), width);
        is_row(&shapes.into_iter().filter(|shape| !shape.is_frame(width, height)).collect::<Vec<_>>(), height)
    })
}

/// The pixels that match none of the background colours.
fn ink(picture: &Picture, backgrounds: &[[u8; 3]]) -> Vec<bool> {
    let (width, height) = (picture.width as usize, picture.height as usize);
    let contrast: Vec<i32> = picture
        .rgb
        .chunks_exact(3)
        .map(|pixel| backgrounds.iter().map(|&background| difference(pixel, background)).min().unwrap_or(0))
        .collect();
    // Antialiased edges are not ink, so that marks that nearly touch stay apart.
    let strongest = contrast.iter().skip(width * (height / 4)).take(width * (height / 2)).max().copied().unwrap_or(0);
    contrast.into_iter().map(|contrast| contrast >= MIN_DIFFERENCE.max(strongest / 2)).collect()
}

fn difference(pixel: &[u8], colour: [u8; 3]) -> i32 {
    pixel.iter().zip(colour).map(|(&one, other)| (i32::from(one) - i32::from(other)).abs()).sum()
}

fn alike(pixel: &[u8], colour: [u8; 3]) -> bool {
    difference(pixel, colour) < MIN_DIFFERENCE
}

/// The background colours of the field and of a selection in it. Only background colours form long uninterrupted runs.
fn backgrounds(picture: &Picture) -> Vec<[u8; 3]> {
    let (width, height) = (picture.width as usize, picture.height as usize);
    let long = (height / 2).max(4);
    let mut found: Vec<([u8; 3], usize)> = Vec::new();
    // Only the middle half of the height is examined, because a thick frame is not a background.
    for row in picture.rgb.chunks_exact(3 * width).skip(height / 4).take(height / 2) {
        let mut start = 0;
        while start < width {
            let colour = [row[3 * start], row[3 * start + 1], row[3 * start + 2]];
            let length = row[3 * start..].chunks_exact(3).take_while(|pixel| alike(pixel, colour)).count().max(1);
            if length >= long {
                match found.iter_mut().find(|(known, _)| alike(&colour, *known)) {
                    Some((_, count)) => *count += length,
                    None => found.push((colour, length)),
                }
            }
            start += length;
        }
    }
    found.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    found.into_iter().filter(|&(_, count)| count * 40 >= width * height).take(3).map(|(colour, _)| colour).collect()
}

/// A connected group of ink pixels.
struct InkShape {
    left: usize,
    right: usize,
    top: usize,
    bottom: usize,
    pixels: Vec<(usize, usize)>,
}

impl InkShape {
    const fn width(&self) -> usize {
        self.right - self.left + 1
    }

    const fn height(&self) -> usize {
        self.bottom - self.top + 1
    }

    /// Twice the centre, to avoid fractions.
    const fn middle(&self) -> (usize, usize) {
        (self.left + self.right, self.top + self.bottom)
    }

    /// A border, focus ring or caret.
    const fn is_frame(&self, width: usize, height: usize) -> bool {
        let is_border = 2 * self.width() > width || 5 * self.height() > 4 * height;
        let is_caret = self.width() <= 3 && self.height() >= 3 * self.width() && 3 * self.height() > height;
        is_border || is_caret
    }

    /// As wide as high and symmetric in both axes: dots, squares, asterisks and circles, but few letters.
    fn is_mark(&self) -> bool {
        let (width, height) = (self.width(), self.height());
        if width.min(height) < 2 || width.abs_diff(height) > (width.max(height) / 5).max(1) {
            return false;
        }
        let mut filled = vec![false; width * height];
        for &(x, y) in &self.pixels {
            filled[(y - self.top) * width + x - self.left] = true;
        }
        let at = |x: usize, y: usize| filled[y * width + x];
        let differing = |mirrored: &dyn Fn(usize, usize) -> bool| {
            (0..height)
                .flat_map(|y| (0..width).map(move |x| (x, y)))
                .filter(|&(x, y)| at(x, y) != mirrored(x, y))
                .count()
        };
        // Antialiased edges differ by a pixel here and there; nearly symmetric letters are not solid.
        let bound = (width * height / if self.is_solid() { 4 } else { 8 }).max(4);
        differing(&|x, y| at(width - 1 - x, y)) <= bound && differing(&|x, y| at(x, height - 1 - y)) <= bound
    }

    fn is_solid(&self) -> bool {
        10 * self.pixels.len() >= 6 * self.width() * self.height()
    }

    /// A disc fills 0.79 of its box, but not the corners; letters fill less.
    fn is_round(&self) -> bool {
        let is_corner =
            |&&(x, y): &&(usize, usize)| (x == self.left || x == self.right) && (y == self.top || y == self.bottom);
        let is_full = 100 * self.pixels.len() >= 68 * self.width() * self.height();
        is_full && self.height() >= 4 && !self.pixels.iter().any(|pixel| is_corner(&pixel))
    }

    fn is_like(&self, other: &Self) -> bool {
        let near = |one: usize, other: usize| one.abs_diff(other) <= (one.max(other) / 6).max(1);
        near(self.width(), other.width())
            && near(self.height(), other.height())
            && self.middle().1.abs_diff(other.middle().1) <= 2
    }
}

fn shapes(ink: &[bool], width: usize) -> Vec<InkShape> {
    let height = ink.len() / width;
    let mut seen = vec![false; ink.len()];
    let mut shapes = Vec::new();
    for start in 0..ink.len() {
        if !ink[start] || seen[start] {
            continue;
        }
        seen[start] = true;
        let (x, y) = (start % width, start / width);
        let mut shape = InkShape { left: x, right: x, top: y, bottom: y, pixels: Vec::new() };
        let mut open = vec![(x, y)];
        while let Some((x, y)) = open.pop() {
            shape.left = shape.left.min(x);
            shape.right = shape.right.max(x);
            shape.top = shape.top.min(y);
            shape.bottom = shape.bottom.max(y);
            shape.pixels.push((x, y));
            for (dx, dy) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)] {
                let (Some(x), Some(y)) = ((x + dx).checked_sub(1), (y + dy).checked_sub(1)) else { continue };
                if x < width && y < height && ink[y * width + x] && !seen[y * width + x] {
                    seen[y * width + x] = true;
                    open.push((x, y));
                }
            }
        }
        shapes.push(shape);
    }
    shapes
}

/// Whether the shapes form a row of equal, evenly spaced marks, with at most icons and one plain character beside it.
fn is_row(shapes: &[InkShape], height: usize) -> bool {
    let marks: Vec<&InkShape> = shapes.iter().filter(|shape| shape.is_mark()).collect();
    let Some(row) = marks
        .iter()
        .map(|one| marks.iter().filter(|other| one.is_like(other)).copied().collect::<Vec<_>>())
        .max_by_key(Vec::len)
    else {
        return false;
    };
    let mut row = row;
    row.sort_by_key(|mark| mark.left);
    let mut steps: Vec<usize> = row.windows(2).map(|pair| pair[1].middle().0 - pair[0].middle().0).collect();
    steps.sort_unstable();
    let (Some(first), Some(last)) = (row.first(), row.last()) else { return false };
    let step = steps.get(steps.len() / 2).copied().unwrap_or(3 * first.width());
    let is_even = steps.iter().all(|one| one.abs_diff(step) <= (step / 4).max(3));
    // Leaders and full stops are small and low; one or two marks could be icons or letters, so only round marks count
    // then.
    let is_in_the_middle = first.middle().1.abs_diff(height) * 3 <= height && first.height() * 12 >= height;
    let is_sure = row.len() >= 3 || row.iter().all(|mark| mark.is_round() && 2 * mark.height() <= height);
    let is_sure = is_sure && is_in_the_middle && first.height() >= 3;
    if !is_even || !is_sure {
        return false;
    }
    let is_of_row = |shape: &InkShape| row.iter().any(|mark| std::ptr::eq(*mark, shape));
    let others: Vec<&InkShape> = shapes.iter().filter(|shape| !is_of_row(shape) && shape.pixels.len() > 2).collect();
    // Distances of centres are doubled, so `step` spans two characters.
    let is_near = |shape: &InkShape| shape.right + step > first.left && shape.left < last.right + step;
    let is_between = |shape: &&&InkShape| shape.left <= last.right && shape.right >= first.left;
    let near =
        |is_left: bool| clusters(others.iter().filter(|shape| is_near(shape) && is_left == (shape.right < first.left)));
    let is_alone = others.iter().filter(is_between).count() == 0 && near(true) <= 1 && near(false) <= 1;
    is_alone && clusters(others.iter()) <= if row.len() >= 3 { 2 } else { 1 }
}

/// The number of characters or icons. Shapes above one another count as one.
fn clusters<'a>(shapes: impl Iterator<Item = &'a &'a InkShape>) -> usize {
    let mut spans: Vec<(usize, usize)> = shapes.map(|shape| (shape.left, shape.right)).collect();
    spans.sort_unstable();
    let mut count = 0;
    let mut end = None;
    for (left, right) in spans {
        if end.is_none_or(|end| left > end) {
            count += 1;
        }
        end = Some(end.map_or(right, |end: usize| end.max(right)));
    }
    count
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
