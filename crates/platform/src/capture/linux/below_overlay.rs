//! Pictures of the screen without Luna's own overlay (OVL-4): where it lies, the pictures of the windows below are put in its place.

use luna_messages::Rect;
use luna_messages::image::Picture;
use luna_messages::pick::ShownWindow;
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{ConnectionExt as _, Window};

use super::own_picture::blacken;
use super::pixels::PixelLayout;
use super::{CaptureArea, CaptureSession};
use crate::capture::Shot;
use crate::x11::{Failure, overlay_places, stacking, unless_gone};

/// A window below the overlay, and the part of it that a picture shows there.
struct PartBelow {
    window: ShownWindow,
    part: Rect,
    is_translucent: bool,
}

impl CaptureSession {
    /// The pixels of the screen, and the parts of them that may show the overlay. Nothing is shown or hidden between both.
    pub(super) fn screen_with_overlay(
        &mut self,
        area: CaptureArea,
        region: Rect,
    ) -> Result<(Vec<u8>, Vec<Rect>), Failure> {
        self.display.connection.grab_server()?;
        let taken = self.places_and_pixels(area, region);
        // A lost display has no grab either.
        self.display.connection.ungrab_server()?;
        self.display.connection.flush()?;
        taken
    }

    fn places_and_pixels(&mut self, area: CaptureArea, region: Rect) -> Result<(Vec<u8>, Vec<Rect>), Failure> {
        let places = self.overlay_in(region)?;
        Ok((self.pixels(self.display.root, area, self.layout)?, places))
    }

    /// The parts of `region` that the overlay may cover; they don't meet.
    pub(super) fn overlay_in(&self, region: Rect) -> Result<Vec<Rect>, Failure> {
        let mut parts: Vec<Rect> = Vec::new();
        for place in overlay_places::overlay_places(&self.display)? {
            let mut pieces = vec![place.intersection(region)];
            for part in &parts {
                pieces = pieces.into_iter().flat_map(|piece| stacking::without(piece, *part)).collect();
            }
            parts.extend(pieces.into_iter().filter(|piece| !piece.is_empty()));
        }
        Ok(parts)
    }

    /// Puts what lies below the overlay at its places. What can't be had is black.
    pub(super) fn paint_below(&mut self, shot: &mut Shot, places: &[Rect]) -> Result<(), Failure> {
        let origin = (-shot.region.x, -shot.region.y);
        for place in places {
            blacken(&mut shot.picture, place.translated(origin.0, origin.1));
        }
        // From the lowest window to the highest.
        for below in self.parts_below(shot.region, places)?.into_iter().rev() {
            let Some(own) = self.window(below.window, below.part)? else { continue };
            let opacity = if below.is_translucent { self.opacity(below.window, below.part)? } else { None };
            let parts = places.iter().map(|place| place.intersection(own.shot.region)).filter(|part| !part.is_empty());
            for part in parts {
                copy(&mut shot.picture, &own.shot, opacity.as_ref(), part, shot.region);
            }
        }
        Ok(())
    }

    /// The windows at the places, topmost first.
    fn parts_below(&self, region: Rect, places: &[Rect]) -> Result<Vec<PartBelow>, Failure> {
        let mut left = places.to_vec();
        let mut below = Vec::new();
        for window in stacking::shown(&self.display, region)? {
            let part = left.iter().fold(Rect::default(), |all, one| all.union(one.intersection(window.bounds)));
            if part.is_empty() {
                continue;
            }
            let Ok(id) = Window::try_from(window.handle) else { continue };
            let geometry = self.display.connection.get_geometry(id)?.reply().map_err(Failure::from);
            let Some(geometry) = unless_gone(geometry)? else { continue };
            let is_translucent = geometry.depth == 32;
            below.push(PartBelow { window, part, is_translucent });
            if !is_translucent {
                left = left.into_iter().flat_map(|one| stacking::without(one, window.bounds)).collect();
            }
        }
        Ok(below)
    }

    /// How opaque each pixel of a window's own picture is, as a picture of grey; `None` if that can't be had or nothing is translucent.
    fn opacity(&mut self, window: ShownWindow, part: Rect) -> Result<Option<Shot>, Failure> {
        if !stacking::composited(&self.display)? {
            return Ok(None);
        }
        Ok(self.window_as(window, part, PixelLayout::opacity)?.map(|own| own.shot))
    }
}

/// Copies `part` of the desktop from a window's own picture, whose colours are premultiplied by its opacity.
fn copy(picture: &mut Picture, own: &Shot, opacity: Option<&Shot>, part: Rect, region: Rect) {
    let index = |shot: Rect, x: i32, y: i32| 3 * ((y - shot.y) as usize * shot.width as usize + (x - shot.x) as usize);
    for y in part.y..part.bottom() {
        for x in part.x..part.right() {
            let (from, to) = (index(own.region, x, y), index(region, x, y));
            let (Some(source), Some(pixel)) = (own.picture.rgb.get(from..from + 3), picture.rgb.get_mut(to..to + 3))
            else {
                continue;
            };
            let alpha = opacity.and_then(|opacity| opacity.picture.rgb.get(from)).copied().unwrap_or(255);
            for (pixel, source) in pixel.iter_mut().zip(source) {
                let below = u16::from(*pixel) * u16::from(255 - alpha) / 255;
                *pixel = u8::try_from(below + u16::from(*source)).unwrap_or(255);
            }
        }
    }
}
