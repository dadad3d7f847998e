//! The surfaces of the overlay: on each monitor a transparent one as large as it, with a subsurface for each darkened part and each picture on it. What
//! changes on a monitor changes with the commit of that surface, so that no part is seen alone.

use luna_messages::Rect;
use luna_messages::overlay::{OverlayImage, OverlayPicture};
use wayland_client::QueueHandle;
use wayland_client::protocol::wl_buffer::WlBuffer;
use wayland_client::protocol::wl_output::WlOutput;
use wayland_client::protocol::wl_subsurface::WlSubsurface;
use wayland_client::protocol::wl_surface::WlSurface;
use wayland_protocols::wp::viewporter::client::wp_viewport::WpViewport;
use wayland_protocols_wlr::layer_shell::v1::client::zwlr_layer_shell_v1::Layer;
use wayland_protocols_wlr::layer_shell::v1::client::zwlr_layer_surface_v1::{
    Anchor, KeyboardInteractivity, ZwlrLayerSurfaceV1,
};

use super::compositor::{BoundGlobals, CompositorFailure, CompositorLink, CompositorState, LayerState};
use super::pixel_pool::{PLAIN_PIXEL, PixelPool};

/// Tells people and the rules of compositors whose surfaces they are.
const NAMESPACE: &str = "luna-overlay";
/// Not moved by panels, and moves none.
const OVER_PANELS: i32 = -1;

/// A part of an image on one monitor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LayerPart {
    /// Relative to the monitor.
    place: Rect,
    content: PartContent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PartContent {
    Dark,
    /// The picture with this index, and which of its pixels.
    Picture {
        index: usize,
        pixels: Rect,
    },
}

/// The parts of an image that a monitor shows, the lowest first.
fn parts_on(bounds: Rect, image: &OverlayImage) -> Vec<LayerPart> {
    let relative = |place: Rect| place.intersection(bounds).translated(-bounds.x, -bounds.y);
    let dimmed = if image.darkness > 0 { &image.dimmed[..] } else { &[] };
    let dark = dimmed.iter().map(|place| LayerPart { place: relative(*place), content: PartContent::Dark });
    let picture = |(index, picture): (usize, &OverlayPicture)| {
        let (whole, shown) = (picture.place, picture.place.intersection(bounds));
        let density = i32::try_from(picture.density()).unwrap_or(1);
        let [x, y, width, height] =
            [shown.x - whole.x, shown.y - whole.y, shown.width, shown.height].map(|length| length * density);
        LayerPart {
            place: relative(whole),
            content: PartContent::Picture { index, pixels: Rect::new(x, y, width, height) },
        }
    };
    dark.chain(image.pictures.iter().enumerate().map(picture)).filter(|part| !part.place.is_empty()).collect()
}

/// Shows images by the layers of a compositor.
pub(super) struct LayerPainter {
    globals: BoundGlobals,
    sheets: Vec<LayerSheet>,
    /// The buffers of what is shown.
    pool: Option<PixelPool>,
    /// The number of the newest layer surface.
    count: u32,
}

/// What lies over one monitor.
struct LayerSheet {
    /// The name of the output.
    output: u32,
    number: u32,
    surface: WlSurface,
    layer: ZwlrLayerSurfaceV1,
    viewport: WpViewport,
    /// The lowest first.
    pieces: Vec<SheetPiece>,
}

struct SheetPiece {
    surface: WlSurface,
    role: WlSubsurface,
    viewport: WpViewport,
}

impl LayerPainter {
    pub(super) const fn new(globals: BoundGlobals) -> Self {
        Self { globals, sheets: Vec::new(), pool: None, count: 0 }
    }

    /// Shows this in place of what was shown, on the monitors as they are now.
    pub(super) fn show(
        &mut self,
        compositor: &mut CompositorLink,
        image: &OverlayImage,
    ) -> Result<(), CompositorFailure> {
        // What changes from here on, this image may not show.
        compositor.state.is_changed = false;
        let queue = compositor.handle();
        let parts: Vec<(u32, Vec<LayerPart>)> = compositor
            .state
            .outputs
            .placed()
            .map(|(name, _, monitor)| (name, parts_on(monitor.bounds, image)))
            .filter(|(_, parts)| !parts.is_empty())
            .collect();
        self.remove_sheets(&mut compositor.state, |sheet, layer| {
            layer.is_closed || parts.iter().all(|(output, _)| *output != sheet.output)
        });
        for (name, _) in &parts {
            if self.sheets.iter().all(|sheet| sheet.output != *name) {
                self.add_sheet(&mut compositor.state, *name, &queue);
            }
        }
        let numbers: Vec<u32> = self.sheets.iter().map(|sheet| sheet.number).collect();
        compositor.settle(|state| {
            let mut layers = numbers.iter().filter_map(|number| state.layers.get(number));
            layers.all(|layer| layer.size.is_some() || layer.is_closed)
        })?;
        let pool = PixelPool::new(&self.globals.shm, &queue, image).map_err(CompositorFailure::Final)?;
        for sheet in &mut self.sheets {
            let size = compositor.state.layers.get(&sheet.number).and_then(|layer| layer.size);
            let own = parts.iter().find(|(output, _)| *output == sheet.output);
            if let (Some(size), Some((_, parts))) = (size, own) {
                sheet.show(&self.globals, &queue, &pool, size, parts);
            }
        }
        let old = self.pool.replace(pool);
        compositor.sync()?;
        old.into_iter().for_each(PixelPool::destroy);
        Ok(())
    }

    /// Nothing is left.
    pub(super) fn hide(&mut self, compositor: &mut CompositorLink) -> Result<(), CompositorFailure> {
        self.remove_sheets(&mut compositor.state, |_, _| true);
        self.pool.take().into_iter().for_each(PixelPool::destroy);
        compositor.sync()
    }

    fn remove_sheets(&mut self, state: &mut CompositorState, goes: impl Fn(&LayerSheet, LayerState) -> bool) {
        let sheets = std::mem::take(&mut self.sheets);
        for sheet in sheets {
            let layer = state.layers.get(&sheet.number).copied().unwrap_or_default();
            if goes(&sheet, layer) {
                state.layers.remove(&sheet.number);
                sheet.destroy();
            } else {
                self.sheets.push(sheet);
            }
        }
    }

    fn add_sheet(&mut self, state: &mut CompositorState, output: u32, queue: &QueueHandle<CompositorState>) {
        let found = state.outputs.placed().find(|(name, _, _)| *name == output);
        let Some((_, shown_on, _)) = found else { return };
        self.count += 1;
        let sheet = LayerSheet::new(&self.globals, queue, shown_on, output, self.count);
        state.layers.insert(self.count, LayerState::default());
        self.sheets.push(sheet);
    }
}

impl LayerSheet {
    /// The compositor chooses its size, and tells it.
    fn new(
        globals: &BoundGlobals,
        queue: &QueueHandle<CompositorState>,
        shown_on: &WlOutput,
        output: u32,
        number: u32,
    ) -> Self {
        let surface = globals.create_surface(queue);
        let (layer, name) = (Layer::Overlay, NAMESPACE.to_owned());
        let layer = globals.layer_shell.get_layer_surface(&surface, Some(shown_on), layer, name, queue, number);
        layer.set_anchor(Anchor::all());
        layer.set_size(0, 0);
        layer.set_exclusive_zone(OVER_PANELS);
        layer.set_keyboard_interactivity(KeyboardInteractivity::None);
        surface.commit();
        let viewport = globals.viewporter.get_viewport(&surface, queue, ());
        Self { output, number, surface, layer, viewport, pieces: Vec::new() }
    }

    fn show(
        &mut self,
        globals: &BoundGlobals,
        queue: &QueueHandle<CompositorState>,
        pool: &PixelPool,
        [width, height]: [i32; 2],
        parts: &[LayerPart],
    ) {
        while self.pieces.len() < parts.len() {
            self.pieces.push(SheetPiece::new(globals, queue, &self.surface));
        }
        for (piece, part) in self.pieces.iter().zip(parts) {
            piece.show(pool, part);
        }
        let surplus = self.pieces.split_off(parts.len());
        for piece in &surplus {
            piece.surface.attach(None, 0, 0);
            piece.surface.commit();
        }
        self.viewport.set_destination(width, height);
        attach(&self.surface, &pool.clear);
        surplus.into_iter().for_each(SheetPiece::destroy);
    }

    fn destroy(self) {
        self.pieces.into_iter().for_each(SheetPiece::destroy);
        self.viewport.destroy();
        self.layer.destroy();
        self.surface.destroy();
    }
}

impl SheetPiece {
    /// Above the earlier ones.
    fn new(globals: &BoundGlobals, queue: &QueueHandle<CompositorState>, parent: &WlSurface) -> Self {
        let surface = globals.create_surface(queue);
        let role = globals.subcompositor.get_subsurface(&surface, parent, queue, ());
        let viewport = globals.viewporter.get_viewport(&surface, queue, ());
        Self { surface, role, viewport }
    }

    /// Seen from the next commit of the parent on.
    fn show(&self, pool: &PixelPool, part: &LayerPart) {
        let (buffer, pixels) = match part.content {
            PartContent::Dark => (Some(&pool.dark), PLAIN_PIXEL),
            PartContent::Picture { index, pixels } => (pool.pictures.get(index), pixels),
        };
        let Some(buffer) = buffer else { return };
        self.role.set_position(part.place.x, part.place.y);
        let [x, y, width, height] = [pixels.x, pixels.y, pixels.width, pixels.height].map(f64::from);
        self.viewport.set_source(x, y, width, height);
        self.viewport.set_destination(part.place.width, part.place.height);
        attach(&self.surface, buffer);
    }

    fn destroy(self) {
        self.viewport.destroy();
        self.role.destroy();
        self.surface.destroy();
    }
}

impl BoundGlobals {
    /// A surface that takes no input (OVL-4).
    fn create_surface(&self, queue: &QueueHandle<CompositorState>) -> WlSurface {
        let surface = self.compositor.create_surface(queue, ());
        let nothing = self.compositor.create_region(queue, ());
        surface.set_input_region(Some(&nothing));
        nothing.destroy();
        surface
    }
}

fn attach(surface: &WlSurface, buffer: &WlBuffer) {
    surface.attach(Some(buffer), 0, 0);
    surface.damage_buffer(0, 0, i32::MAX, i32::MAX);
    surface.commit();
}

#[cfg(test)]
mod tests {
    use super::*;

    // OVL-1, PIC-7
    #[test]
    fn each_monitor_shows_its_own_part_of_a_picture_between_them_ovl_1_pic_7() {
        let [left, right] = [Rect::new(0, 0, 100, 100), Rect::new(100, 20, 50, 50)];
        let argb = vec![0xff; 20 * 10 * 4];
        let between = OverlayPicture { place: Rect::new(90, 15, 20, 10), argb };
        let dimmed = vec![Rect::new(0, 0, 150, 10), Rect::new(0, 40, 150, 10)];
        let image = OverlayImage { pictures: vec![between], dimmed, darkness: 46, followed: Vec::new() };
        let picture = |place, pixels| LayerPart { place, content: PartContent::Picture { index: 0, pixels } };
        let dark = |place| LayerPart { place, content: PartContent::Dark };
        assert_eq!(
            parts_on(left, &image),
            [
                dark(Rect::new(0, 0, 100, 10)),
                dark(Rect::new(0, 40, 100, 10)),
                picture(Rect::new(90, 15, 10, 10), Rect::new(0, 0, 20, 20)),
            ]
        );
        // The first dark part and half of the picture's height lie beside it.
        let on_right = [dark(Rect::new(0, 20, 50, 10)), picture(Rect::new(0, 0, 10, 5), Rect::new(20, 10, 20, 10))];
        assert_eq!(parts_on(right, &image), on_right);
        assert_eq!(parts_on(Rect::new(200, 0, 50, 50), &image), []);
        assert_eq!(parts_on(right, &OverlayImage { darkness: 0, ..image })[..], on_right[1..]);
    }
}
