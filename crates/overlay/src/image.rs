//! A scene on these monitors as pictures.

use luna_messages::Rect;
use luna_messages::overlay::OverlayImage;

use crate::draw;
use crate::font::ChipFont;
use crate::layout::{BoxPlace, badge_places, box_round, chip_place, monitor_of, without};
use crate::scene::{OverlayLook, OverlayScene, SceneMonitor};

/// The pictures of a scene. Without a font the chip is left out.
#[must_use]
pub fn image(
    scene: &OverlayScene,
    monitors: &[SceneMonitor],
    look: &OverlayLook,
    font: Option<&ChipFont>,
) -> OverlayImage {
    let mut image = OverlayImage::default();
    let boxes: Vec<Rect> = scene.badges.iter().map(|(_, bbox)| *bbox).collect();
    let round = scene.target.and_then(|target| {
        let round = box_round(target.bbox, monitors, look.corner_radius, look.high_contrast)?;
        Some((target, round))
    });
    if let Some((target, round)) = round {
        image.darkness = darkness(look);
        let parts = box_parts(round);
        let draw = |place| draw::box_part(place, round, target.pinned, look, image.darkness);
        image.pictures.extend(parts.into_iter().filter_map(draw));
        image.dimmed = dimmed(monitors, round.outer);
    }
    let mut taken = Vec::new();
    let first = scene.target.map(|target| target.bbox).or_else(|| boxes.first().copied()).unwrap_or_default();
    if let (Some(chip), Some(font), Some(monitor)) = (scene.chip, font, monitor_of(monitors, first)) {
        let marked: Vec<Rect> = boxes.iter().copied().chain(round.map(|(_, round)| round.outer)).collect();
        let place = chip_place(monitor, draw::chip_width(chip, font), &marked);
        taken.push(place);
        image.pictures.extend(draw::chip(chip, place, monitor, look, font));
    }
    let places = badge_places(&boxes, monitors, &taken);
    let badge = |(&(number, _), place): (&(usize, Rect), Option<Rect>)| {
        let density = monitor_of(monitors, place?)?.density;
        draw::badge(number, place?, density, look)
    };
    image.pictures.extend(scene.badges.iter().zip(places).filter_map(badge));
    image.followed = scene.target.map(|target| target.bbox).into_iter().chain(boxes).collect();
    image
}

/// The parts of the box that its line touches: what it surrounds stays free of pictures.
fn box_parts(round: BoxPlace) -> Vec<Rect> {
    let (outer, line) = (round.outer, round.line);
    let strip = line.max(round.radius);
    if outer.height <= 2 * strip + 1 || outer.width <= 2 * line {
        return vec![outer];
    }
    let between = outer.height - 2 * strip;
    vec![
        Rect::new(outer.x, outer.y, outer.width, strip),
        Rect::new(outer.x, outer.bottom() - strip, outer.width, strip),
        Rect::new(outer.x, outer.y + strip, line, between),
        Rect::new(outer.right() - line, outer.y + strip, line, between),
    ]
}

/// The monitors without the box; what several monitors show is darkened once.
fn dimmed(monitors: &[SceneMonitor], outer: Rect) -> Vec<Rect> {
    let mut parts: Vec<Rect> = Vec::new();
    for (index, monitor) in monitors.iter().enumerate() {
        let mut pieces = without(monitor.bounds, outer);
        for earlier in &monitors[..index] {
            pieces = pieces.into_iter().flat_map(|piece| without(piece, earlier.bounds)).collect();
        }
        parts.extend(pieces);
    }
    parts
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 255")]
fn darkness(look: &OverlayLook) -> u8 {
    (look.darkness.clamp(0.0, 1.0) * 255.0).round() as u8
}

#[cfg(test)]
mod tests;
