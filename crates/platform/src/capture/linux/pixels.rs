//! Converts the pixels of an X11 screen to RGB.

use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{ImageOrder, VisualClass, Visualid};

use crate::PlatformError;
use crate::x11::XDisplay;

/// Which bytes of a four-byte pixel hold the colours. The fourth byte is unused (depth 24) or opacity (depth 32).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PixelLayout {
    red: usize,
    green: usize,
    blue: usize,
}

impl PixelLayout {
    /// The layout of the default screen.
    ///
    /// # Errors
    /// If the screen's pixels are not four bytes with a depth of 24 or 32 bits and a whole byte for each colour. The
    /// error names the depth.
    pub(super) fn of(display: &XDisplay) -> Result<Self, PlatformError> {
        let setup = display.connection.setup();
        let found = display.screen().and_then(|screen| {
            let format = setup.pixmap_formats.iter().find(|format| format.depth == screen.root_depth)?;
            let visual = screen
                .allowed_depths
                .iter()
                .flat_map(|depth| &depth.visuals)
                .find(|visual| visual.visual_id == screen.root_visual)?;
            let true_colour = visual.class == VisualClass::TRUE_COLOR || visual.class == VisualClass::DIRECT_COLOR;
            if !true_colour || format.bits_per_pixel != 32 || !matches!(screen.root_depth, 24 | 32) {
                return None;
            }
            let little = setup.image_byte_order == ImageOrder::LSB_FIRST;
            Self::of_masks([visual.red_mask, visual.green_mask, visual.blue_mask], little)
        });
        found.ok_or_else(|| {
            let depth = display.screen().map_or(0, |screen| screen.root_depth);
            PlatformError::unavailable(
                format!("The screen has {depth} bits of colour a pixel in an order that Luna can't read."),
                "Set the display to 24 bits of colour.",
            )
        })
    }

    /// The layout of a window's own picture; `None` if its pixels are none of those.
    pub(super) fn of_visual(display: &XDisplay, visual: Visualid, depth: u8) -> Option<Self> {
        let setup = display.connection.setup();
        let bits = setup.pixmap_formats.iter().find(|format| format.depth == depth)?.bits_per_pixel;
        let visuals = display.screen()?.allowed_depths.iter().flat_map(|depth| &depth.visuals);
        let visual = visuals.filter(|one| one.visual_id == visual).find(|_| bits == 32)?;
        let little = setup.image_byte_order == ImageOrder::LSB_FIRST;
        Self::of_masks([visual.red_mask, visual.green_mask, visual.blue_mask], little)
    }

    /// The opacity in place of each colour, of pixels with a depth of 32.
    pub(super) const fn opacity(self) -> Self {
        let byte = 6 - self.red - self.green - self.blue;
        Self { red: byte, green: byte, blue: byte }
    }

    /// `None` if a colour isn't a whole byte.
    fn of_masks(masks: [u32; 3], little_endian: bool) -> Option<Self> {
        let byte = |mask: u32| {
            let shift = mask.trailing_zeros();
            let whole = mask != 0 && shift.is_multiple_of(8) && mask >> shift == 0xff;
            let place = usize::try_from(shift / 8).ok()?;
            whole.then_some(if little_endian { place } else { 3 - place })
        };
        let [red, green, blue] = masks;
        Some(Self { red: byte(red)?, green: byte(green)?, blue: byte(blue)? })
    }

    /// `pixels` as RGB. Four-byte pixels leave no padding at the end of a row, whatever the width.
    pub(super) fn to_rgb(self, pixels: &[u8]) -> Vec<u8> {
        let mut rgb = vec![0; pixels.len() / 4 * 3];
        if self == (Self { red: 2, green: 1, blue: 0 }) {
            // The usual order, spelled out so that the compiler vectorises the loop.
            for (from, to) in pixels.chunks_exact(4).zip(rgb.chunks_exact_mut(3)) {
                (to[0], to[1], to[2]) = (from[2], from[1], from[0]);
            }
        } else {
            for (from, to) in pixels.chunks_exact(4).zip(rgb.chunks_exact_mut(3)) {
                (to[0], to[1], to[2]) = (from[self.red], from[self.green], from[self.blue]);
            }
        }
        rgb
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn masks_tell_the_byte_of_each_colour() {
        let layout = |red, green, blue| Some(PixelLayout { red, green, blue });
        for (masks, little, expect) in [
            ([0xff_0000, 0xff00, 0xff], true, layout(2, 1, 0)),
            ([0xff, 0xff00, 0xff_0000], true, layout(0, 1, 2)),
            ([0xff_0000, 0xff00, 0xff], false, layout(1, 2, 3)),
            ([0xf800, 0x07e0, 0x1f], true, None),
            ([0x3ff0_0000, 0xf_fc00, 0x3ff], true, None),
            ([0, 0xff00, 0xff], true, None),
        ] {
            assert_eq!(PixelLayout::of_masks(masks, little), expect, "{masks:x?} {little}");
        }
    }

    #[test]
    fn colours_come_out_in_the_order_of_rgb() {
        let usual = PixelLayout::of_masks([0xff_0000, 0xff00, 0xff], true).unwrap();
        assert_eq!(usual.to_rgb(&[3, 2, 1, 0, 6, 5, 4, 255]), [1, 2, 3, 4, 5, 6]);
        let other = PixelLayout::of_masks([0xff, 0xff00, 0xff_0000], true).unwrap();
        assert_eq!(other.to_rgb(&[1, 2, 3, 0]), [1, 2, 3]);
        assert_eq!(usual.to_rgb(&[]), [0_u8; 0]);
    }
}
