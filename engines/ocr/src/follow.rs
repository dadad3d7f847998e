//! Follows lines beyond the part of a picture in which the person points at something, so that none is cut at its border (OCR-5). Pure.

use luna_messages::{Point, Rect};

use crate::picture::RgbPicture;
use crate::quad::{PictureRect, Quad};

/// Rows without change that end a line above or below, and the most that are looked at for them: a line at the border is not higher.
const BLANK_ROWS: usize = 3;
const MOST_ROWS: usize = 64;
/// Difference of luminance that is a change.
const CHANGE: u8 = 24;
/// Distance from the border at which a line is cut by it, in heights of the line: as far as the gap between two words.
const TOUCHES: f32 = 0.5;
/// Gap that ends a line, in heights of the line with its margins. The detector, too, ends lines there.
const GAP: f32 = 0.8;
/// Lines within this distance from the line nearest to the cursor, in its heights, are followed and read before the others.
const NEAR: f32 = 2.5;

/// A side of the searched area.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Left,
    Right,
}

/// `region` inside of the picture, with as many more rows as the lines need that its upper and lower border cut.
pub fn area(picture: &RgbPicture<'_>, region: Rect) -> PictureRect {
    let clip = |value: i32, most: usize| usize::try_from(value).unwrap_or(0).min(most);
    let (left, right) = (clip(region.x, picture.width - 1), clip(region.right(), picture.width));
    let (mut top, mut bottom) = (clip(region.y, picture.height - 1), clip(region.bottom(), picture.height));
    let right = right.max(left + 1);
    bottom = bottom.max(top + 1);
    let is_blank = |y: usize| {
        let row = (left..right).map(|x| picture.luminance(x, y));
        let (least, most) = row.fold((u8::MAX, 0), |(least, most), value| (least.min(value), most.max(value)));
        most.saturating_sub(least) < CHANGE
    };
    let ends = |rows: &mut dyn Iterator<Item = usize>| {
        let mut blank = 0;
        for (count, y) in rows.take(MOST_ROWS).enumerate() {
            blank = if is_blank(y) { blank + 1 } else { 0 };
            if blank == BLANK_ROWS {
                return count + 1;
            }
        }
        // No blank row: a picture, or a line higher than any that is followed. A few rows help the detector all the same.
        BLANK_ROWS
    };
    let above = ends(&mut (0..top).rev()).min(top);
    let below = ends(&mut (bottom..picture.height)).min(picture.height - bottom);
    top -= above;
    bottom += below;
    PictureRect { x: left, y: top, width: right - left, height: bottom - top }
}

/// Lines of which `region` shows something, those near the cursor first: the number of near ones, and all.
pub fn ordered(mut lines: Vec<Quad>, region: Rect, cursor: Point) -> (usize, Vec<Quad>) {
    let [left, top, right, bottom] = [region.x, region.y, region.right(), region.bottom()].map(|edge| edge as f32);
    lines.retain(|line| {
        let [x0, y0, x1, y1] = line.bounds();
        x1 > left && x0 < right && y1 > top && y0 < bottom
    });
    let (x, y) = (cursor.x as f32, cursor.y as f32);
    let distance = |line: &Quad| {
        let [left, top, right, bottom] = line.bounds();
        (left - x).max(x - right).max(0.0).hypot((top - y).max(y - bottom).max(0.0))
    };
    lines.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
    let near = lines.first().map_or(0, |first| {
        let reach = NEAR * first.height;
        lines.iter().take_while(|line| (line.y - first.y).abs() <= reach + line.height / 2.0).count()
    });
    (near, lines)
}

/// Whether the side of `area` cuts the line.
pub fn is_cut(line: &Quad, area: PictureRect, picture: &RgbPicture<'_>, side: Side) -> bool {
    let [left, _, right, _] = line.bounds();
    let touches = TOUCHES * line.height;
    !line.is_tall()
        && match side {
            Side::Left => area.x > 0 && left - touches <= area.x as f32,
            Side::Right => area.x + area.width < picture.width && right + touches >= (area.x + area.width) as f32,
        }
}

/// Where the ink that continues a line beyond `area` ends, in columns of the picture; the border itself if none does.
pub fn reach(picture: &RgbPicture<'_>, line: &Quad, area: PictureRect, side: Side) -> usize {
    let [_, top, _, bottom] = line.bounds();
    let margin = line.height / 8.0;
    let (top, bottom) = ((top + margin).max(0.0) as usize, ((bottom - margin).max(0.0) as usize).min(picture.height));
    if top >= bottom {
        return border(area, side);
    }
    let is_inked = |x: usize| {
        let column = (top..bottom).map(|y| picture.luminance(x, y));
        let (least, most) = column.fold((u8::MAX, 0), |(least, most), value| (least.min(value), most.max(value)));
        most.saturating_sub(least) >= CHANGE
    };
    let longest = (GAP * line.height).ceil().max(1.0) as usize;
    // A line may end in the gap before the border.
    let own = line.bounds();
    let gap_inside = match side {
        Side::Left => own[0] - area.x as f32,
        Side::Right => (area.x + area.width) as f32 - own[2],
    };
    let (mut end, mut blank) = (border(area, side), gap_inside.max(0.0) as usize);
    let columns: Box<dyn Iterator<Item = usize>> = match side {
        Side::Left => Box::new((0..area.x).rev()),
        Side::Right => Box::new(area.x + area.width..picture.width),
    };
    for x in columns {
        if is_inked(x) {
            (end, blank) = (if side == Side::Left { x } else { x + 1 }, 0);
        } else {
            blank += 1;
            if blank > longest {
                break;
            }
        }
    }
    end
}

const fn border(area: PictureRect, side: Side) -> usize {
    match side {
        Side::Left => area.x,
        Side::Right => area.x + area.width,
    }
}

/// The parts of the picture in which cut lines continue on a side: one for each group of lines whose rows meet. A part overlaps with the area, so
/// that what is found in it can be joined.
pub fn strips(picture: &RgbPicture<'_>, cut: &[&Quad], area: PictureRect, side: Side) -> Vec<PictureRect> {
    let mut bands: Vec<(f32, f32, usize, f32)> = Vec::new();
    let mut lines: Vec<&&Quad> = cut.iter().collect();
    lines.sort_by(|a, b| a.y.total_cmp(&b.y));
    for line in lines {
        let end = reach(picture, line, area, side);
        if end == border(area, side) {
            continue;
        }
        let [_, top, _, bottom] = line.bounds();
        let (top, bottom) = (top - line.height / 2.0, bottom + line.height / 2.0);
        match bands.last_mut() {
            Some(band) if top <= band.1 => {
                band.1 = band.1.max(bottom);
                band.2 = if side == Side::Left { band.2.min(end) } else { band.2.max(end) };
                band.3 = band.3.max(line.height);
            }
            _ => bands.push((top, bottom, end, line.height)),
        }
    }
    let strip = |(top, bottom, end, height): (f32, f32, usize, f32)| {
        let (overlap, margin) = ((3.0 * height) as usize, height as usize);
        let (left, right) = match side {
            Side::Left => (end.saturating_sub(margin), (area.x + overlap).min(area.x + area.width)),
            Side::Right => {
                ((area.x + area.width).saturating_sub(overlap).max(area.x), (end + margin).min(picture.width))
            }
        };
        let (top, bottom) = (top.max(0.0) as usize, (bottom.ceil() as usize).min(picture.height));
        PictureRect { x: left, y: top, width: right - left, height: bottom - top }
    };
    bands.into_iter().map(strip).collect()
}

/// `line` with what continues it among the lines that were found in a strip.
pub fn joined(line: Quad, found: &[Quad], side: Side) -> Quad {
    let mut whole = line;
    let mut parts: Vec<&Quad> = found.iter().filter(|part| is_same_row(&line, part)).collect();
    let outwards = |quad: &Quad| if side == Side::Left { -quad.x } else { quad.x };
    parts.sort_by(|a, b| outwards(a).total_cmp(&outwards(b)));
    for part in parts {
        let ([left, _, right, _], [own_left, _, own_right, _]) = (part.bounds(), whole.bounds());
        let (gap, more) = match side {
            Side::Left => (own_left - right, own_left - left),
            Side::Right => (left - own_right, right - own_right),
        };
        if gap > GAP * line.height || more <= 0.0 {
            continue;
        }
        // Grows along its own slant.
        let (sin, cos) = whole.angle.sin_cos();
        let (growth, sign) = (more / cos.max(0.5), if side == Side::Left { -0.5 } else { 0.5 });
        whole.x += sign * growth * cos;
        whole.y += sign * growth * sin;
        whole.width += growth;
    }
    whole
}

fn is_same_row(line: &Quad, part: &Quad) -> bool {
    let ([_, top, _, bottom], [_, part_top, _, part_bottom]) = (line.bounds(), part.bounds());
    let common = bottom.min(part_bottom) - top.max(part_top);
    common >= 0.5 * line.height.min(part.height) && part.height <= 1.8 * line.height
}

#[cfg(test)]
#[path = "follow/tests.rs"]
mod tests;
