//! Turns the detector's map into boxes: connected areas, the smallest rotated rectangle around each, its score, and its growth to the full
//! height of the text. Areas are stored as runs of pixels, without a copy of the map.

use crate::quad::Quad;

/// Thresholds for the map; the values come from PP-OCR's own configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MapThresholds {
    /// Minimum value of a text pixel.
    pub pixel: f32,
    /// Minimum mean value of a text box.
    pub mean: f32,
    /// Growth of boxes, in units of area divided by circumference.
    pub growth: f32,
}

/// Text probability per pixel, 0 to 255.
pub struct ProbabilityMap {
    pub width: usize,
    pub height: usize,
    /// Row by row.
    pub values: Vec<u8>,
}

/// Maximum boxes per picture; a picture with more contains noise.
const MAX_BOXES: usize = 3000;

/// A run of text pixels in a row: columns `start` up to, not including, `end`.
struct PixelRun {
    y: u32,
    start: u32,
    end: u32,
}

/// Finds the boxes of text, in pixels of the map.
pub fn boxes(map: &ProbabilityMap, thresholds: MapThresholds) -> Vec<Quad> {
    let (runs, owner) = connect(map, (thresholds.pixel * 255.0) as u8);
    // Runs by area, in order of rows.
    let mut areas: Vec<Vec<u32>> = vec![Vec::new(); runs.len()];
    for (at, owner) in owner.iter().enumerate() {
        areas[*owner as usize].push(u32::try_from(at).unwrap_or(u32::MAX));
    }
    areas
        .iter()
        .filter(|area| !area.is_empty())
        .filter_map(|area| {
            let quad = smallest(&outline(area.iter().map(|at| &runs[*at as usize])))?;
            if quad.width.min(quad.height) < 3.0 || mean(map, &quad) < thresholds.mean * 255.0 {
                return None;
            }
            let grown = quad.grown(quad.width * quad.height * thresholds.growth / (2.0 * (quad.width + quad.height)));
            (grown.width.min(grown.height) >= 5.0).then_some(grown)
        })
        .take(MAX_BOXES)
        .collect()
}

/// All runs of text pixels, and for each the first run of its area. Runs connect across corners and across one blank pixel.
fn connect(map: &ProbabilityMap, threshold: u8) -> (Vec<PixelRun>, Vec<u32>) {
    let mut runs: Vec<PixelRun> = Vec::new();
    let mut owner: Vec<u32> = Vec::new();
    let (mut above, mut above_end) = (0usize, 0usize);
    for (y, row) in map.values.chunks_exact(map.width).enumerate() {
        let first = runs.len();
        let mut x = 0;
        while x < row.len() {
            let Some(start) = row[x..].iter().position(|value| *value > threshold).map(|skip| x + skip) else {
                break;
            };
            let mut end = start + 1;
            while end < row.len() && (row[end] > threshold || (end + 1 < row.len() && row[end + 1] > threshold)) {
                end += 1;
            }
            x = end + 1;
            let at = runs.len() as u32;
            runs.push(PixelRun { y: y as u32, start: start as u32, end: end as u32 });
            owner.push(at);
            let mut other = above;
            while other < above_end && (runs[other].start as usize) <= end {
                if runs[other].end as usize >= start {
                    join(&mut owner, other as u32, at);
                }
                other += 1;
            }
            while above < above_end && (runs[above].end as usize) < start {
                above += 1;
            }
        }
        (above, above_end) = (first, runs.len());
    }
    for at in 0..owner.len() as u32 {
        let root = root(&mut owner, at);
        owner[at as usize] = root;
    }
    (runs, owner)
}

fn root(owner: &mut [u32], mut at: u32) -> u32 {
    while owner[at as usize] != at {
        owner[at as usize] = owner[owner[at as usize] as usize];
        at = owner[at as usize];
    }
    at
}

fn join(owner: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(owner, a), root(owner, b));
    let (low, high) = (a.min(b), a.max(b));
    owner[high as usize] = low;
}

type Corner = (f32, f32);

/// The convex hull of an area's pixels, pixel corners included, in order.
fn outline<'a>(runs: impl Iterator<Item = &'a PixelRun>) -> Vec<Corner> {
    let mut points: Vec<Corner> = Vec::new();
    for run in runs {
        let (top, left, right) = (run.y as f32, run.start as f32, run.end as f32);
        points.extend([(left, top), (right, top), (left, top + 1.0), (right, top + 1.0)]);
    }
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    points.dedup();
    let cross = |o: Corner, a: Corner, b: Corner| (a.0 - o.0) * (b.1 - o.1) - (a.1 - o.1) * (b.0 - o.0);
    let mut hull: Vec<Corner> = Vec::new();
    for half in 0..2 {
        let kept = hull.len();
        let add = |point: Corner, hull: &mut Vec<Corner>| {
            while hull.len() >= kept + 2 && cross(hull[hull.len() - 2], hull[hull.len() - 1], point) <= 0.0 {
                hull.pop();
            }
            hull.push(point);
        };
        if half == 0 {
            points.iter().for_each(|point| add(*point, &mut hull));
        } else {
            points.iter().rev().for_each(|point| add(*point, &mut hull));
        }
        hull.pop();
    }
    hull
}

/// The rotated rectangle of least area around a hull.
fn smallest(hull: &[Corner]) -> Option<Quad> {
    let mut best: Option<(f32, Quad)> = None;
    for (at, a) in hull.iter().enumerate() {
        let b = hull[(at + 1) % hull.len()];
        // Either side may be the width: takes the one closer to horizontal.
        let mut angle = (b.1 - a.1).atan2(b.0 - a.0);
        while angle > std::f32::consts::FRAC_PI_4 {
            angle -= std::f32::consts::FRAC_PI_2;
        }
        while angle < -std::f32::consts::FRAC_PI_4 {
            angle += std::f32::consts::FRAC_PI_2;
        }
        let (sin, cos) = angle.sin_cos();
        let mut extent = [f32::MAX, f32::MIN, f32::MAX, f32::MIN];
        for (x, y) in hull {
            let (u, v) = (x * cos + y * sin, y * cos - x * sin);
            extent = [extent[0].min(u), extent[1].max(u), extent[2].min(v), extent[3].max(v)];
        }
        let (width, height) = (extent[1] - extent[0], extent[3] - extent[2]);
        // Prefers straight boxes in a tie, because text on screens is straight.
        let size = width * height * (1.0 + angle.abs() * 0.05);
        if best.is_none_or(|(least, _)| size < least) {
            let (u, v) = (f32::midpoint(extent[0], extent[1]), f32::midpoint(extent[2], extent[3]));
            best = Some((size, Quad { x: u * cos - v * sin, y: u * sin + v * cos, width, height, angle }));
        }
    }
    best.map(|(_, quad)| quad)
}

/// Mean value of the map inside a rectangle.
fn mean(map: &ProbabilityMap, quad: &Quad) -> f32 {
    let [_, top, _, bottom] = quad.bounds();
    let (sin, cos) = quad.angle.sin_cos();
    let (mut sum, mut count) = (0u64, 0u64);
    for y in top.max(0.0) as usize..(bottom.ceil().max(0.0) as usize).min(map.height) {
        // The columns at which this row's centre line crosses the rectangle.
        let dy = y as f32 + 0.5 - quad.y;
        let (mut left, mut right) = (f32::MIN, f32::MAX);
        for (slope, offset, half) in [(cos, dy * sin, quad.width / 2.0), (-sin, dy * cos, quad.height / 2.0)] {
            if slope.abs() < 1e-6 {
                if offset.abs() > half {
                    (left, right) = (0.0, 0.0);
                }
            } else {
                let (a, b) = ((-half - offset) / slope, (half - offset) / slope);
                (left, right) = (left.max(a.min(b)), right.min(a.max(b)));
            }
        }
        let start = (left + quad.x).round().max(0.0) as usize;
        let end = ((right + quad.x).round().max(0.0) as usize).min(map.width);
        if start < end {
            let row = &map.values[y * map.width + start..y * map.width + end];
            sum += row.iter().map(|value| u64::from(*value)).sum::<u64>();
            count += row.len() as u64;
        }
    }
    if count == 0 { 0.0 } else { sum as f32 / count as f32 }
}

#[cfg(test)]
#[path = "boxes/tests.rs"]
mod tests;
