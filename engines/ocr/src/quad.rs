//! Geometry of text in a picture: rotated boxes and the upright areas to crop.

/// An area of a picture in fractional pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PixelArea {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// A part of the picture in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureRect {
    pub x: usize,
    pub y: usize,
    pub width: usize,
    pub height: usize,
}

/// A rotated rectangle in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quad {
    /// Centre.
    pub x: f32,
    /// Centre.
    pub y: f32,
    /// Extent along `angle`.
    pub width: f32,
    /// Extent across `angle`.
    pub height: f32,
    /// Radians, clockwise on the screen, from -π/4 to π/4.
    pub angle: f32,
}

impl Quad {
    /// Whether the box is so narrow that its line is vertical.
    pub fn is_tall(&self) -> bool {
        self.height >= 1.5 * self.width
    }

    /// Whether cropping without rotation loses nothing: it leans by less than an eighth of its height.
    pub fn is_straight(&self) -> bool {
        let (long, short) = if self.is_tall() { (self.height, self.width) } else { (self.width, self.height) };
        (self.angle.sin() * long).abs() < short / 8.0
    }

    /// The box without its slant.
    pub fn area(&self) -> PixelArea {
        PixelArea {
            x: f64::from(self.x - self.width / 2.0),
            y: f64::from(self.y - self.height / 2.0),
            width: f64::from(self.width),
            height: f64::from(self.height),
        }
    }

    /// The upright bounding box: left, top, right, bottom.
    pub fn bounds(&self) -> [f32; 4] {
        let (sin, cos) = (self.angle.sin().abs(), self.angle.cos().abs());
        let (half_width, half_height) =
            ((self.width * cos + self.height * sin) / 2.0, (self.width * sin + self.height * cos) / 2.0);
        [self.x - half_width, self.y - half_height, self.x + half_width, self.y + half_height]
    }

    /// Grown by `by` on every side.
    pub fn grown(self, by: f32) -> Self {
        Self { width: self.width + 2.0 * by, height: self.height + 2.0 * by, ..self }
    }
}
