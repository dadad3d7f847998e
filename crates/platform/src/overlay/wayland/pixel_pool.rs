//! The pixels of an image, in memory that the compositor reads.

use std::fs::File;
use std::io::Write as _;
use std::os::fd::AsFd as _;

use luna_messages::Rect;
use luna_messages::overlay::{OverlayImage, OverlayPicture};
use rustix::fs::{MemfdFlags, memfd_create};
use wayland_client::QueueHandle;
use wayland_client::protocol::wl_buffer::WlBuffer;
use wayland_client::protocol::wl_shm::{Format, WlShm};

use super::compositor::CompositorState;
use crate::PlatformError;

/// Bytes of a pixel.
const PIXEL: usize = 4;
/// Columns and rows of a buffer of one color, of which the middle pixel is stretched: software renderers round, and would show nothing beyond the edge of
/// a single pixel in the last rows.
const PLAIN: i32 = 3;
/// The middle pixel of a buffer of one color.
pub(super) const PLAIN_PIXEL: Rect = Rect::new(PLAIN / 2, PLAIN / 2, 1, 1);

/// The buffers of one image. They are written once, and so may be shown at several places.
pub(super) struct PixelPool {
    /// Shows nothing.
    pub(super) clear: WlBuffer,
    /// Darkens.
    pub(super) dark: WlBuffer,
    /// In the order of the image's pictures.
    pub(super) pictures: Vec<WlBuffer>,
}

impl PixelPool {
    pub(super) fn new(
        shm: &WlShm,
        queue: &QueueHandle<CompositorState>,
        image: &OverlayImage,
    ) -> Result<Self, PlatformError> {
        let bytes = bytes(image);
        let size = i32::try_from(bytes.len()).map_err(|_| no_memory("the image is too large"))?;
        let file = memfd_create("luna-overlay", MemfdFlags::CLOEXEC).map_err(|error| no_memory(&error.to_string()))?;
        let mut file = File::from(file);
        file.write_all(&bytes).map_err(|error| no_memory(&error.to_string()))?;
        let pool = shm.create_pool(file.as_fd(), size, queue, ());
        let mut offset = 0;
        let mut buffer = |[width, height]: [i32; 2]| {
            let start = offset;
            offset += width * height * 4;
            pool.create_buffer(start, width, height, width * 4, Format::Argb8888, queue, ())
        };
        let (clear, dark) = (buffer([PLAIN, PLAIN]), buffer([PLAIN, PLAIN]));
        let pictures = image.pictures.iter().map(|picture| buffer(pixels(picture))).collect();
        pool.destroy();
        Ok(Self { clear, dark, pictures })
    }

    /// To be called once the surfaces show something else.
    pub(super) fn destroy(self) {
        self.clear.destroy();
        self.dark.destroy();
        self.pictures.iter().for_each(WlBuffer::destroy);
    }
}

/// Columns and rows of a picture.
fn pixels(picture: &OverlayPicture) -> [i32; 2] {
    let density = i32::try_from(picture.density()).unwrap_or(1);
    [picture.place.width * density, picture.place.height * density]
}

/// The two plain colors, and the pictures; a picture with too few pixels is transparent at its end.
fn bytes(image: &OverlayImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    // The protocol has the lowest byte first on every machine.
    for pixel in [0, u32::from(image.darkness) << 24] {
        (0..PLAIN * PLAIN).for_each(|_| bytes.extend_from_slice(&pixel.to_le_bytes()));
    }
    for picture in &image.pictures {
        let [columns, rows] = pixels(picture).map(|length| usize::try_from(length).unwrap_or(0));
        let end = bytes.len() + columns * rows * PIXEL;
        bytes.extend(picture.argb.iter().take(columns * rows).flat_map(|pixel| pixel.to_le_bytes()));
        bytes.resize(end, 0);
    }
    bytes
}

fn no_memory(why: &str) -> PlatformError {
    PlatformError::unavailable(
        format!("The system gives no memory to show anything with: {why}."),
        "Close programs; Luna tries again with the next mark.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    // OVL-1
    #[test]
    fn pixels_lie_one_after_the_other_lowest_byte_first_ovl_1() {
        let place = Rect::new(5, 5, 2, 1);
        let fine = OverlayPicture { place, argb: (1..=8).collect() };
        let short = OverlayPicture { place, argb: vec![0x1234_5678] };
        let image = OverlayImage { pictures: vec![fine, short], darkness: 46, ..OverlayImage::default() };
        let bytes = bytes(&image);
        let pixels: Vec<u32> = bytes.chunks(4).map(|one| u32::from_le_bytes(one.try_into().unwrap())).collect();
        assert_eq!(pixels[..9], [0; 9]);
        assert_eq!(pixels[9..18], [46 << 24; 9]);
        assert_eq!(pixels[18..], [1, 2, 3, 4, 5, 6, 7, 8, 0x1234_5678, 0]);
    }
}
