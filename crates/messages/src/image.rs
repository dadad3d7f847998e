//! A captured part of the screen. In memory only, wiped on drop (BUF-2, PRV-1).

use std::fmt;

/// Pixels as 8-bit RGB, rows from top to bottom without padding.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// Columns, at least 1.
    pub width: u32,
    /// Rows, at least 1.
    pub height: u32,
    /// `3 × width × height` bytes.
    pub rgb: Vec<u8>,
}

/// The number of bytes does not match the size of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{width}×{height} pixels don't match {bytes} bytes of RGB")]
pub struct PictureShapeError {
    pub width: u32,
    pub height: u32,
    pub bytes: usize,
}

impl Picture {
    /// A picture of `width` × `height` pixels.
    ///
    /// # Errors
    /// A side is 0, or the number of bytes isn't `3 × width × height`.
    pub fn new(width: u32, height: u32, rgb: Vec<u8>) -> Result<Self, PictureShapeError> {
        if width == 0 || height == 0 || rgb.len() as u64 != 3 * u64::from(width) * u64::from(height) {
            return Err(PictureShapeError { width, height, bytes: rgb.len() });
        }
        Ok(Self { width, height, rgb })
    }
}

impl Drop for Picture {
    fn drop(&mut self) {
        // Screen content must not stay in freed memory. `black_box` keeps the store from being optimised away.
        self.rgb.fill(0);
        std::hint::black_box(&self.rgb);
    }
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Picture({}×{})", self.width, self.height)
    }
}
