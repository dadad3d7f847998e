//! Box, badge and chip as pixels.

use luna_messages::Rect;
use luna_messages::overlay::OverlayPicture;
use tiny_skia::{
    FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, PremultipliedColorU8, Stroke, Transform,
};

use crate::digits;
use crate::font::ChipFont;
use crate::layout::BoxPlace;
use crate::scene::{OverlayLook, SceneChip, SceneMonitor};

/// The dark that numbers, and the chip, stand on: 13 to 1 against the default colour, 18 to 1 against white.
const DARK: [u8; 3] = [0x14, 0x16, 0x1a];
const WHITE: [u8; 3] = [0xff; 3];
const BLACK: [u8; 3] = [0; 3];
/// Of the chip, so that a little of what lies below shows through.
const CHIP_OPACITY: u8 = 235;
/// Logical pixels.
pub(crate) const TEXT_SIZE: f32 = 19.0;
pub(crate) const CHIP_PADDING: f32 = 16.0;
const DOT: f32 = 14.0;
const DOT_GAP: f32 = 10.0;

/// Pixels of a part of the desktop that is drawn on.
struct Canvas {
    pixmap: Pixmap,
    place: Rect,
    /// From the desktop to the picture.
    onto: Transform,
}

impl Canvas {
    /// With this many pixels per unit of the place. `None` if the place is empty or huge.
    fn new(place: Rect, density: u16) -> Option<Self> {
        let pixels = |length: i32| u32::try_from(length).ok()?.checked_mul(density.into());
        let pixmap = Pixmap::new(pixels(place.width)?, pixels(place.height)?)?;
        let onto = Transform::from_translate(-float(place.x), -float(place.y));
        Some(Self { pixmap, place, onto: onto.post_scale(density.into(), density.into()) })
    }

    fn fill(&mut self, path: Option<Path>, color: [u8; 3], opacity: u8) {
        if let Some(path) = path {
            self.pixmap.fill_path(&path, &paint(color, opacity), FillRule::EvenOdd, self.onto, None);
        }
    }

    fn stroke(&mut self, path: Option<&Path>, color: [u8; 3], width: f32) {
        let stroke = Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
        if let Some(path) = path {
            self.pixmap.stroke_path(path, &paint(color, 255), &stroke, self.onto, None);
        }
    }

    fn picture(self) -> OverlayPicture {
        let argb = |pixel: &PremultipliedColorU8| {
            u32::from_be_bytes([pixel.alpha(), pixel.red(), pixel.green(), pixel.blue()])
        };
        OverlayPicture { place: self.place, argb: self.pixmap.pixels().iter().map(argb).collect() }
    }
}

/// A part of the box round a target (OVL-1); outside of its round corners the rest is darkened.
pub(crate) fn box_part(
    place: Rect,
    target: BoxPlace,
    pinned: bool,
    look: &OverlayLook,
    dark: u8,
) -> Option<OverlayPicture> {
    let mut canvas = Canvas::new(place, target.density)?;
    let (outer, line, radius) = (target.outer, float(target.line), float(target.radius));
    if dark > 0 {
        let mut outside = PathBuilder::new();
        outside.push_rect(rect(place)?);
        outside.push_path(&rounded(outer, 0.0, radius)?);
        canvas.fill(outside.finish(), BLACK, dark);
    }
    let middle = rounded(outer, line / 2.0, radius - line / 2.0);
    let (color, edges) = (look.color, look.high_contrast);
    canvas.stroke(middle.as_ref(), if edges { BLACK } else { color }, line);
    if edges {
        canvas.stroke(middle.as_ref(), WHITE, line * 0.72);
        canvas.stroke(middle.as_ref(), color, line * 0.44);
    }
    if pinned {
        // Two lines in place of one: told apart without colours.
        canvas.stroke(middle.as_ref(), DARK, line / 2.5);
    }
    Some(canvas.picture())
}

/// A number in a circle (OVL-2).
pub(crate) fn badge(number: usize, place: Rect, density: u16, look: &OverlayLook) -> Option<OverlayPicture> {
    let mut canvas = Canvas::new(place, density)?;
    let size = float(place.width);
    let at @ [x, y] = [float(place.x) + size / 2.0, float(place.y) + size / 2.0];
    // A light edge round a dark one: seen on every ground.
    canvas.fill(PathBuilder::from_circle(x, y, size / 2.0), WHITE, 255);
    canvas.fill(PathBuilder::from_circle(x, y, size * 0.46), DARK, 255);
    let ring = PathBuilder::from_circle(x, y, size * 0.4);
    canvas.stroke(ring.as_ref(), look.color, size * 0.06);
    let digits = digits::strokes(number, at, size * if look.high_contrast { 0.48 } else { 0.44 });
    let color = if look.high_contrast { WHITE } else { look.color };
    canvas.stroke(digits.as_ref(), color, size * if look.high_contrast { 0.1 } else { 0.085 });
    Some(canvas.picture())
}

/// The width of a chip in logical pixels.
pub(crate) fn chip_width(chip: SceneChip, font: &ChipFont) -> f64 {
    f64::from(font.width(&chip.text(font.lang())).mul_add(TEXT_SIZE, 2.0 * CHIP_PADDING + DOT + DOT_GAP))
}

/// The mode, and whether Luna listens (OVL-3): a full dot if so, else an empty one.
pub(crate) fn chip(
    chip: SceneChip,
    place: Rect,
    monitor: SceneMonitor,
    look: &OverlayLook,
    font: &ChipFont,
) -> Option<OverlayPicture> {
    let mut canvas = Canvas::new(place, monitor.density)?;
    #[expect(clippy::cast_possible_truncation, reason = "a scale is about 1 to 4")]
    let scale = monitor.scale as f32;
    let height = float(place.height);
    let pill = rounded(place, 0.0, height / 2.0);
    canvas.fill(pill, DARK, if look.high_contrast { 255 } else { CHIP_OPACITY });
    if look.high_contrast {
        canvas.stroke(rounded(place, scale, height / 2.0 - scale).as_ref(), WHITE, 2.0 * scale);
    }
    let (x, y) = (float(place.x) + CHIP_PADDING * scale, float(place.y) + height / 2.0);
    let dot = |size: f32| PathBuilder::from_circle(DOT.mul_add(scale / 2.0, x), y, size * scale);
    if chip.listening {
        canvas.fill(dot(DOT / 2.0), look.color, 255);
    } else {
        canvas.stroke(dot(DOT / 2.0 - 1.0).as_ref(), look.color, 2.0 * scale);
    }
    // The middle of letters lies about 0.36 em above the base line.
    let base = [(DOT + DOT_GAP).mul_add(scale, x), (0.36 * TEXT_SIZE).mul_add(scale, y)];
    canvas.fill_letters(font.path(&chip.text(font.lang()), base, TEXT_SIZE * scale));
    Some(canvas.picture())
}

impl Canvas {
    /// Outlines of letters overlap themselves in some fonts.
    fn fill_letters(&mut self, path: Option<Path>) {
        if let Some(path) = path {
            self.pixmap.fill_path(&path, &paint(WHITE, 255), FillRule::Winding, self.onto, None);
        }
    }
}

fn paint(color: [u8; 3], opacity: u8) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(color[0], color[1], color[2], opacity);
    paint
}

/// A rounded rectangle, `inset` pixels inside of the box.
fn rounded(place: Rect, inset: f32, radius: f32) -> Option<Path> {
    /// Length of the handle of a curve that approximates a quarter of a circle of radius 1.
    const HANDLE: f32 = 0.552_285;
    let (x, y) = (float(place.x) + inset, float(place.y) + inset);
    let (w, h) = (2.0f32.mul_add(-inset, float(place.width)), 2.0f32.mul_add(-inset, float(place.height)));
    let r = radius.max(0.0).min(w / 2.0).min(h / 2.0);
    let (right, bottom, k) = (x + w, y + h, r * HANDLE);
    let mut path = PathBuilder::new();
    path.move_to(x + r, y);
    path.line_to(right - r, y);
    path.cubic_to(right - r + k, y, right, y + r - k, right, y + r);
    path.line_to(right, bottom - r);
    path.cubic_to(right, bottom - r + k, right - r + k, bottom, right - r, bottom);
    path.line_to(x + r, bottom);
    path.cubic_to(x + r - k, bottom, x, bottom - r + k, x, bottom - r);
    path.line_to(x, y + r);
    path.cubic_to(x, y + r - k, x + r - k, y, x + r, y);
    path.close();
    path.finish()
}

fn rect(place: Rect) -> Option<tiny_skia::Rect> {
    tiny_skia::Rect::from_xywh(float(place.x), float(place.y), float(place.width), float(place.height))
}

#[expect(clippy::cast_precision_loss, reason = "coordinates of the desktop are far below 2^24")]
const fn float(number: i32) -> f32 {
    number as f32
}
