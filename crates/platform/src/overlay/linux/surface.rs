//! The kind of window that the overlay uses: translucent with a compositing manager, else as the screen.

use x11rb::connection::{Connection as _, RequestConnection as _};
use x11rb::protocol::shape;
use x11rb::protocol::xfixes::{self, ConnectionExt as _};
use x11rb::protocol::xproto::{Colormap, ColormapAlloc, ConnectionExt as _, ImageOrder, VisualClass, Visualid};

use crate::PlatformError;
use crate::x11::{Failure, XDisplay, stacking};

/// How windows are made and pixels are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Surface {
    pub(super) is_translucent: bool,
    pub(super) depth: u8,
    pub(super) visual: Visualid,
    pub(super) colormap: Colormap,
    pub(super) is_little_endian: bool,
}

/// Whether the display can show an overlay at all.
pub(super) fn check(display: &XDisplay) -> Result<(), PlatformError> {
    for name in [xfixes::X11_EXTENSION_NAME, shape::X11_EXTENSION_NAME] {
        let has = display.connection.extension_information(name).map_err(Failure::from)?;
        if has.is_none() {
            return Err(PlatformError::unavailable(
                format!("The X display lacks the extension {name}, by which what Luna shows lets clicks through."),
                "Use an X server that has it, such as Xorg, Xwayland or Xvfb.",
            ));
        }
    }
    Ok(())
}

impl Surface {
    /// The kind of window for now; another one if the compositing manager starts or ends.
    pub(super) fn of(display: &XDisplay) -> Result<Self, Failure> {
        check(display)?;
        let connection = &display.connection;
        // The server expects the version before any other request of the extension; 2.0 brought regions of windows.
        connection.xfixes_query_version(5, 0)?.reply()?;
        let is_little_endian = connection.setup().image_byte_order == ImageOrder::LSB_FIRST;
        let screen = display.screen().ok_or(Failure::Lost)?;
        let is_usual = |depth: u8, visual: Option<Visualid>| {
            screen.allowed_depths.iter().filter(|one| one.depth == depth).flat_map(|one| &one.visuals).find(|one| {
                let masks = [one.red_mask, one.green_mask, one.blue_mask];
                visual.is_none_or(|visual| visual == one.visual_id)
                    && one.class == VisualClass::TRUE_COLOR
                    && masks == [0xff_0000, 0xff00, 0xff]
            })
        };
        if let (true, Some(visual)) = (stacking::composited(display)?, is_usual(32, None)) {
            let colormap = connection.generate_id()?;
            connection.create_colormap(ColormapAlloc::NONE, colormap, display.root, visual.visual_id)?;
            let visual = visual.visual_id;
            return Ok(Self { is_translucent: true, depth: 32, visual, colormap, is_little_endian });
        }
        if is_usual(screen.root_depth, Some(screen.root_visual)).is_none() {
            return Err(Failure::Final(PlatformError::unavailable(
                format!(
                    "The screen has {} bits of colour a pixel in an order that Luna can't draw.",
                    screen.root_depth
                ),
                "Set the display to 24 bits of colour.",
            )));
        }
        let colormap = screen.default_colormap;
        let (depth, visual) = (screen.root_depth, screen.root_visual);
        Ok(Self { is_translucent: false, depth, visual, colormap, is_little_endian })
    }

    /// The bytes of these pixels, as this kind of window stores them.
    pub(super) fn bytes(self, argb: &[u32]) -> Vec<u8> {
        let pixel = |argb: u32| {
            let pixel = if self.is_translucent { argb } else { opaque(argb) };
            if self.is_little_endian { pixel.to_le_bytes() } else { pixel.to_be_bytes() }
        };
        argb.iter().copied().flat_map(pixel).collect()
    }
}

/// The color of a premultiplied pixel without its opacity.
fn opaque(argb: u32) -> u32 {
    let [alpha, red, green, blue] = argb.to_be_bytes();
    if matches!(alpha, 0 | 255) {
        return argb & 0xff_ffff;
    }
    let whole = |one: u8| u8::try_from(u32::from(one) * 255 / u32::from(alpha)).unwrap_or(255);
    u32::from_be_bytes([0, whole(red), whole(green), whole(blue)])
}

#[cfg(test)]
mod tests {
    use super::*;

    // OVL-1
    #[test]
    fn pixels_are_opaque_without_a_compositing_manager_ovl_1() {
        for (argb, expect) in [(0xffff_d84a, 0xff_d84a), (0x8080_4000, 0xff_7f00), (0, 0), (0x80ff_0000, 0xff_0000)] {
            assert_eq!(opaque(argb), expect, "{argb:x}");
        }
        let surface = Surface { is_translucent: true, depth: 32, visual: 0, colormap: 0, is_little_endian: true };
        assert_eq!(surface.bytes(&[0x1234_5678]), [0x78, 0x56, 0x34, 0x12]);
        let other = Surface { is_translucent: false, is_little_endian: false, ..surface };
        assert_eq!(other.bytes(&[0xff34_5678]), [0, 0x34, 0x56, 0x78]);
    }
}
