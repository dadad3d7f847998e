//! The windows of the overlay. A window's picture is its background, which the server itself paints: nothing has to be drawn again.

use luna_messages::Rect;
use luna_messages::overlay::{OverlayImage, OverlayPicture};
use x11rb::connection::{Connection as _, RequestConnection as _};
use x11rb::protocol::shape;
use x11rb::protocol::xfixes::ConnectionExt as _;
use x11rb::protocol::xproto::{
    AtomEnum, ChangeWindowAttributesAux, ConfigureWindowAux, ConnectionExt as _, CreateGCAux, CreateWindowAux,
    ImageFormat, PropMode, Rectangle, StackMode, Window, WindowClass,
};
use x11rb::wrapper::ConnectionExt as _;

use super::surface::Surface;
use crate::x11::{Failure, XDisplay};

/// From this opacity on a pixel is opaque if nothing can be translucent.
const OPAQUE: u32 = 128;
/// Bytes of a request besides the pixels.
const REQUEST_HEADER: usize = 64;

struct OverlayWindow {
    window: Window,
    /// `None` of the one that darkens.
    picture: Option<OverlayPicture>,
}

/// The windows of one kind.
pub(super) struct Painter {
    pub(super) surface: Surface,
    /// Marks the windows as Luna's.
    mark: u32,
    windows: Vec<OverlayWindow>,
    /// Darkens the desktop; only with a compositing manager.
    shade: Option<Window>,
}

impl Painter {
    pub(super) const fn new(surface: Surface, mark: u32) -> Self {
        Self { surface, mark, windows: Vec::new(), shade: None }
    }

    /// Whether a window is one of these.
    pub(super) fn owns(&self, window: Window) -> bool {
        self.shade == Some(window) || self.windows.iter().any(|one| one.window == window)
    }

    /// The places where pixels are changed by this image.
    pub(super) fn places(&self, image: &OverlayImage) -> Vec<Rect> {
        let dimmed = if self.surface.is_translucent && image.darkness > 0 { &image.dimmed[..] } else { &[] };
        image.pictures.iter().map(|one| one.place).chain(dimmed.iter().copied()).collect()
    }

    /// Shows this in place of what was shown. Windows whose picture is the same stay as they are.
    pub(super) fn show(&mut self, display: &XDisplay, image: &OverlayImage) -> Result<(), Failure> {
        self.darken(display, image)?;
        let mut old = std::mem::take(&mut self.windows);
        for picture in &image.pictures {
            let same = old.iter().position(|one| one.picture.as_ref() == Some(picture));
            if let Some(index) = same {
                self.windows.push(old.swap_remove(index));
                continue;
            }
            let reused = old.iter().position(|one| image.pictures.iter().all(|p| one.picture.as_ref() != Some(p)));
            let window = match reused.map(|index| old.swap_remove(index)) {
                Some(one) => one.window,
                None => self.create(display, picture.place)?,
            };
            self.windows.push(OverlayWindow { window, picture: Some(picture.clone()) });
            self.paint(display, window, picture)?;
            display.connection.map_window(window)?;
        }
        for one in old {
            display.connection.destroy_window(one.window)?;
        }
        self.raise(display)
    }

    /// Puts all windows above the others, the one that darkens below the pictures.
    pub(super) fn raise(&self, display: &XDisplay) -> Result<(), Failure> {
        for window in self.shade.into_iter().chain(self.windows.iter().map(|one| one.window)) {
            display.connection.configure_window(window, &ConfigureWindowAux::new().stack_mode(StackMode::ABOVE))?;
        }
        display.connection.flush()?;
        Ok(())
    }

    /// No window is left.
    pub(super) fn hide(&mut self, display: &XDisplay) -> Result<(), Failure> {
        for window in self.shade.take().into_iter().chain(self.windows.drain(..).map(|one| one.window)) {
            display.connection.destroy_window(window)?;
        }
        display.connection.flush()?;
        Ok(())
    }

    fn darken(&mut self, display: &XDisplay, image: &OverlayImage) -> Result<(), Failure> {
        let connection = &display.connection;
        if !self.surface.is_translucent || image.darkness == 0 || image.dimmed.is_empty() {
            if let Some(window) = self.shade.take() {
                connection.destroy_window(window)?;
            }
            return Ok(());
        }
        let all = image.dimmed.iter().fold(Rect::default(), |all, part| all.union(*part));
        let window = match self.shade {
            Some(window) => window,
            None => *self.shade.insert(self.create(display, all)?),
        };
        let parts: Vec<Rect> = image.dimmed.iter().map(|part| part.translated(-all.x, -all.y)).collect();
        self.configure(display, window, all)?;
        shape_window(display, window, shape::SK::BOUNDING, &parts)?;
        let black = ChangeWindowAttributesAux::new().background_pixel(u32::from(image.darkness) << 24);
        connection.change_window_attributes(window, &black)?;
        connection.clear_area(false, window, 0, 0, 0, 0)?;
        connection.map_window(window)?;
        Ok(())
    }

    fn create(&self, display: &XDisplay, place: Rect) -> Result<Window, Failure> {
        let connection = &display.connection;
        let window = connection.generate_id()?;
        let look = CreateWindowAux::new()
            .override_redirect(1)
            .background_pixel(0)
            .border_pixel(0)
            .colormap(self.surface.colormap);
        let (depth, visual) = (self.surface.depth, self.surface.visual);
        let class = WindowClass::INPUT_OUTPUT;
        let [x, y] = position(place);
        let [width, height] = size(place);
        connection.create_window(depth, window, display.root, x, y, width, height, 0, class, visual, &look)?;
        let text = AtomEnum::STRING;
        connection.change_property8(PropMode::REPLACE, window, AtomEnum::WM_NAME, text, b"Luna overlay")?;
        connection.change_property8(PropMode::REPLACE, window, AtomEnum::WM_CLASS, text, b"luna\0Luna\0")?;
        let number = AtomEnum::CARDINAL;
        connection.change_property32(PropMode::REPLACE, window, self.mark, number, &[1])?;
        // Picom draws no shadow round it.
        let shadow = connection.intern_atom(false, b"_COMPTON_SHADOW")?.reply()?.atom;
        connection.change_property32(PropMode::REPLACE, window, shadow, number, &[0])?;
        let kind = connection.intern_atom(false, b"_NET_WM_WINDOW_TYPE")?.reply()?.atom;
        let notification = connection.intern_atom(false, b"_NET_WM_WINDOW_TYPE_NOTIFICATION")?.reply()?.atom;
        connection.change_property32(PropMode::REPLACE, window, kind, AtomEnum::ATOM, &[notification])?;
        // No part takes input (OVL-4).
        shape_window(display, window, shape::SK::INPUT, &[])?;
        Ok(window)
    }

    fn configure(&self, display: &XDisplay, window: Window, place: Rect) -> Result<(), Failure> {
        let [width, height] = size(place).map(u32::from);
        let change = ConfigureWindowAux::new().x(place.x).y(place.y).width(width).height(height);
        display.connection.configure_window(window, &change)?;
        Ok(())
    }

    fn paint(&self, display: &XDisplay, window: Window, picture: &OverlayPicture) -> Result<(), Failure> {
        let connection = &display.connection;
        let [width, height] = size(picture.place);
        let (pixmap, gc) = (connection.generate_id()?, connection.generate_id()?);
        connection.create_pixmap(self.surface.depth, pixmap, window, width, height)?;
        connection.create_gc(gc, pixmap, &CreateGCAux::new())?;
        let row = usize::from(width);
        let rows = (connection.maximum_request_bytes().saturating_sub(REQUEST_HEADER) / (4 * row.max(1))).max(1);
        for (index, part) in picture.argb.chunks(rows * row).enumerate() {
            let y = i16::try_from(index * rows).unwrap_or(i16::MAX);
            let lines = u16::try_from(part.len() / row).unwrap_or(0);
            let (format, depth) = (ImageFormat::Z_PIXMAP, self.surface.depth);
            connection.put_image(format, pixmap, gc, width, lines, 0, y, 0, depth, &self.surface.bytes(part))?;
        }
        connection.free_gc(gc)?;
        self.configure(display, window, picture.place)?;
        if !self.surface.is_translucent {
            shape_window(display, window, shape::SK::BOUNDING, &opaque_parts(picture))?;
        }
        connection.change_window_attributes(window, &ChangeWindowAttributesAux::new().background_pixmap(pixmap))?;
        connection.free_pixmap(pixmap)?;
        connection.clear_area(false, window, 0, 0, 0, 0)?;
        Ok(())
    }
}

/// The opaque parts of a picture, a run of a row each; rows that are alike are one part.
fn opaque_parts(picture: &OverlayPicture) -> Vec<Rect> {
    let width = usize::try_from(picture.place.width).unwrap_or(1).max(1);
    let mut parts: Vec<Rect> = Vec::new();
    let (mut above, mut first): (Vec<[i32; 2]>, usize) = (Vec::new(), 0);
    for (y, row) in picture.argb.chunks(width).enumerate() {
        let mut runs: Vec<[i32; 2]> = Vec::new();
        for (x, _) in (0_i32..).zip(row).filter(|(_, pixel)| **pixel >> 24 >= OPAQUE) {
            match runs.last_mut() {
                Some([_, end]) if *end == x => *end = x + 1,
                _ => runs.push([x, x + 1]),
            }
        }
        if runs == above && y > 0 {
            parts[first..].iter_mut().for_each(|part| part.height += 1);
        } else {
            first = parts.len();
            let y = i32::try_from(y).unwrap_or(i32::MAX);
            parts.extend(runs.iter().map(|[from, to]| Rect::new(*from, y, to - from, 1)));
        }
        above = runs;
    }
    parts
}

fn shape_window(display: &XDisplay, window: Window, kind: shape::SK, parts: &[Rect]) -> Result<(), Failure> {
    let connection = &display.connection;
    let rectangle = |part: &Rect| {
        let ([x, y], [width, height]) = (position(*part), size(*part));
        Rectangle { x, y, width, height }
    };
    let parts: Vec<Rectangle> = parts.iter().map(rectangle).collect();
    let region = connection.generate_id()?;
    connection.xfixes_create_region(region, &parts)?;
    connection.xfixes_set_window_shape_region(window, kind, 0, 0, region)?;
    connection.xfixes_destroy_region(region)?;
    Ok(())
}

fn position(place: Rect) -> [i16; 2] {
    [place.x, place.y].map(|one| i16::try_from(one).unwrap_or(i16::MAX))
}

/// A window has at least one pixel.
fn size(place: Rect) -> [u16; 2] {
    [place.width, place.height].map(|one| u16::try_from(one.max(1)).unwrap_or(u16::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    // OVL-1
    #[test]
    fn the_shape_covers_each_opaque_pixel_once_ovl_1() {
        let rows = ["####", "####", "#..#", "....", ".##.", "#.#.", "...."];
        let argb: Vec<u32> = rows
            .iter()
            .flat_map(|row| row.bytes().map(|one| if one == b'#' { 0x80 << 24 } else { 0x7f << 24 }))
            .collect();
        let picture = OverlayPicture { place: Rect::new(9, 9, 4, 7), argb: argb.clone() };
        let parts = opaque_parts(&picture);
        for (index, pixel) in argb.iter().enumerate() {
            let at = luna_messages::Point::new(i32::try_from(index % 4).unwrap(), i32::try_from(index / 4).unwrap());
            let covering = parts.iter().filter(|part| part.contains(at)).count();
            assert_eq!(covering, usize::from(*pixel >> 24 >= OPAQUE), "{at:?} in {parts:?}");
        }
        assert_eq!(parts.len(), 6, "rows that are alike are one part");
    }
}
