//! Where box, badges and chip lie: in whole on one monitor, and badges never on each other (OVL-1 to OVL-3, PIC-7).

use luna_messages::{Point, Rect};

use crate::scene::SceneMonitor;

/// Sizes in logical pixels.
const GAP: f64 = 4.0;
const BADGE: f64 = 30.0;
const CHIP_HEIGHT: f64 = 36.0;
const CHIP_MARGIN: f64 = 12.0;
const BOX_MARGIN: f64 = 3.0;
const BOX_LINE: f64 = 4.0;
const THICK_LINE: f64 = 7.0;

/// Units of the desktop of a length in logical pixels, at least 1.
#[expect(clippy::cast_possible_truncation, reason = "lengths are some hundred pixels")]
#[must_use]
pub(crate) fn physical(length: f64, scale: f64) -> i32 {
    ((length * scale).round() as i32).max(1)
}

/// The monitor of a box: the one with its middle, else the nearest. `None` only without monitors.
#[must_use]
pub fn monitor_of(monitors: &[SceneMonitor], bbox: Rect) -> Option<SceneMonitor> {
    let distance = |monitor: &SceneMonitor| monitor.bounds.distance_to(bbox.center());
    monitors.iter().copied().min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

/// The box round a target, in units of the desktop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BoxPlace {
    /// With the line.
    pub(crate) outer: Rect,
    /// Width of the line.
    pub(crate) line: i32,
    /// Outer radius.
    pub(crate) radius: i32,
    /// The highest of the monitors that the target is on, so that no part of the box is coarse.
    pub(crate) density: u16,
}

/// The box round `bbox`: a little outside of it, and all of it on the monitors that the target is on.
pub(crate) fn box_round(bbox: Rect, monitors: &[SceneMonitor], radius: u32, thick: bool) -> Option<BoxPlace> {
    let scale = monitor_of(monitors, bbox)?.scale;
    let line = physical(if thick { THICK_LINE } else { BOX_LINE }, scale);
    let grown = grow(bbox, line + physical(BOX_MARGIN, scale));
    let parts = monitors.iter().map(|monitor| monitor.bounds.intersection(bbox)).filter(|part| !part.is_empty());
    let on = monitors.iter().filter(|monitor| !monitor.bounds.intersection(bbox).is_empty());
    let density = on.clone().map(|monitor| monitor.density).max().unwrap_or(1);
    let area = on.fold(Rect::default(), |all, monitor| all.union(monitor.bounds));
    let outer = grown.intersection(area);
    if parts.count() == 0 || outer.width < 2 * line || outer.height < 2 * line {
        return None;
    }
    let radius = physical(f64::from(radius), scale).min(outer.width / 2).min(outer.height / 2);
    Some(BoxPlace { outer, line, radius: if radius <= 1 { 0 } else { radius }, density })
}

/// Where the chip of this width lies: at the top in the middle, or wherever else at an edge nothing is marked.
pub(crate) fn chip_place(monitor: SceneMonitor, width: f64, marked: &[Rect]) -> Rect {
    let (bounds, margin) = (monitor.bounds, physical(CHIP_MARGIN, monitor.scale));
    let width = physical(width, monitor.scale).min(bounds.width);
    let height = physical(CHIP_HEIGHT, monitor.scale).min(bounds.height);
    let (left, right) = (bounds.x + margin, bounds.right() - margin - width);
    let middle = bounds.x + (bounds.width - width) / 2;
    let (top, bottom) = (bounds.y + margin, bounds.bottom() - margin - height);
    let places = [(middle, top), (right, top), (left, top), (middle, bottom), (right, bottom), (left, bottom)];
    let places = places.map(|(x, y)| within(Rect::new(x, y, width, height), bounds));
    let is_free = |place: &&Rect| marked.iter().all(|one| one.intersection(**place).is_empty());
    places.iter().find(is_free).copied().unwrap_or(places[0])
}

/// Places of the badges of these boxes, in the same order; `None` if a monitor has no room left. No badge meets another one or anything of `taken`.
pub(crate) fn badge_places(boxes: &[Rect], monitors: &[SceneMonitor], taken: &[Rect]) -> Vec<Option<Rect>> {
    let mut placed: Vec<Rect> = taken.to_vec();
    let mut places = Vec::with_capacity(boxes.len());
    for (index, &bbox) in boxes.iter().enumerate() {
        let place = monitor_of(monitors, bbox).and_then(|monitor| {
            let others: Vec<Rect> =
                boxes.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, other)| *other).collect();
            badge_place(bbox, monitor, &placed, &others)
        });
        placed.extend(place);
        places.push(place);
    }
    places
}

fn badge_place(bbox: Rect, monitor: SceneMonitor, placed: &[Rect], others: &[Rect]) -> Option<Rect> {
    let (size, gap) = (physical(BADGE, monitor.scale), physical(GAP, monitor.scale));
    let bounds = monitor.bounds;
    if bounds.width < size || bounds.height < size {
        return None;
    }
    let near = bbox.intersection(bounds);
    let near = if near.is_empty() { Rect { width: 1, height: 1, ..within(bbox, bounds) } } else { near };
    let middle = near.y + (near.height - size) / 2;
    let center = near.x + (near.width - size) / 2;
    // Beside the option rather than on it, because a badge hides what lies below.
    let beside = [
        (near.x - gap - size, middle),
        (near.right() + gap, middle),
        (near.x - gap - size, near.y - gap - size),
        (near.right() + gap, near.y - gap - size),
        (center, near.y - gap - size),
        (center, near.bottom() + gap),
        (near.x - gap - size, near.bottom() + gap),
        (near.right() + gap, near.bottom() + gap),
        // A second column: rows of a list are lower than badges.
        (near.x - 2 * (gap + size), middle),
        (near.right() + 2 * gap + size, middle),
    ];
    let on = [(near.x, near.y), (near.right() - size, near.y), (near.x, near.bottom() - size)];
    let place = |(x, y): (i32, i32)| Rect::new(x, y, size, size);
    let is_free = |place: &Rect| {
        place.intersection(bounds) == *place && placed.iter().all(|one| one.intersection(*place).is_empty())
    };
    let hides_none = |place: &Rect| others.iter().all(|other| other.intersection(*place).is_empty());
    let mut candidates = beside.into_iter().map(place).filter(|one| is_free(one));
    candidates
        .clone()
        .find(hides_none)
        .or_else(|| on.into_iter().map(|at| within(place(at), bounds)).find(is_free))
        .or_else(|| candidates.next())
        .or_else(|| nearest_free(near.center(), size, bounds, is_free))
}

/// The free place of a grid of badges that is nearest.
fn nearest_free(to: Point, size: i32, bounds: Rect, is_free: impl Fn(&Rect) -> bool) -> Option<Rect> {
    let columns = (bounds.x..=bounds.right() - size).step_by(usize::try_from(size / 2).unwrap_or(1).max(1));
    let rows = (bounds.y..=bounds.bottom() - size).step_by(usize::try_from(size / 2).unwrap_or(1).max(1));
    let grid = columns.flat_map(|x| rows.clone().map(move |y| Rect::new(x, y, size, size)));
    let distance = |place: &Rect| place.center().distance(to);
    grid.filter(is_free).min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

/// The box moved into `bounds`, as far as it fits.
fn within(place: Rect, bounds: Rect) -> Rect {
    let x = place.x.min(bounds.right() - place.width).max(bounds.x);
    let y = place.y.min(bounds.bottom() - place.height).max(bounds.y);
    Rect { x, y, ..place }
}

pub(crate) const fn grow(bbox: Rect, by: i32) -> Rect {
    Rect::new(
        bbox.x.saturating_sub(by),
        bbox.y.saturating_sub(by),
        bbox.width.saturating_add(2 * by),
        bbox.height.saturating_add(2 * by),
    )
}

/// The parts of `area` outside of `hole`.
pub(crate) fn without(area: Rect, hole: Rect) -> Vec<Rect> {
    let hole = area.intersection(hole);
    if hole.is_empty() {
        return vec![area];
    }
    let around = [
        Rect::new(area.x, area.y, area.width, hole.y - area.y),
        Rect::new(area.x, hole.bottom(), area.width, area.bottom() - hole.bottom()),
        Rect::new(area.x, hole.y, hole.x - area.x, hole.height),
        Rect::new(hole.right(), hole.y, area.right() - hole.right(), hole.height),
    ];
    around.into_iter().filter(|one| !one.is_empty()).collect()
}

#[cfg(test)]
mod tests;
