//! Pictures: cropping lines, scaling, rotating, and conversion to a model's input planes.

use std::borrow::Cow;

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::U8x3;
use fast_image_resize::{FilterType, ResizeAlg, ResizeOptions, Resizer};

use crate::quad::{PictureRect, PixelArea, Quad};

/// 8-bit RGB, rows without padding; never empty.
#[derive(Clone)]
pub struct RgbPicture<'a> {
    pub width: usize,
    pub height: usize,
    /// `3 * width * height` bytes.
    pub pixels: Cow<'a, [u8]>,
}

/// Normalisation of a model's input: `(value / 255 - mean) / deviation`, planes in the order blue, green, red.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Normalisation {
    /// Per plane.
    pub mean: [f32; 3],
    /// Per plane.
    pub deviation: [f32; 3],
}

impl Normalisation {
    /// For recognisers and direction classifiers: -1 to 1.
    pub const EVEN: Self = Self { mean: [0.5; 3], deviation: [0.5; 3] };
    /// For detectors.
    pub const IMAGENET: Self = Self { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] };

    /// Writes `picture` to the top left corner of planes of `width` × `height`; leaves the rest unchanged.
    pub fn write(&self, picture: &RgbPicture<'_>, planes: &mut [f32], width: usize, height: usize) {
        self.write_at(picture, planes, width, height, (0, 0));
    }

    /// Like [`Self::write`], with the picture's corner at column and row `at`. What does not fit is clipped.
    pub fn write_at(
        &self,
        picture: &RgbPicture<'_>,
        planes: &mut [f32],
        width: usize,
        height: usize,
        at: (usize, usize),
    ) {
        let columns = picture.width.min(width.saturating_sub(at.0));
        let rows = picture.height.min(height.saturating_sub(at.1));
        for plane in 0..3 {
            let factor = 1.0 / (255.0 * self.deviation[plane]);
            let offset = -self.mean[plane] / self.deviation[plane];
            let out = &mut planes[plane * width * height..(plane + 1) * width * height];
            for y in 0..rows {
                let row = &picture.pixels[3 * y * picture.width..3 * (y * picture.width + columns)];
                let start = (at.1 + y) * width + at.0;
                for (value, pixel) in out[start..start + columns].iter_mut().zip(row.chunks_exact(3)) {
                    *value = f32::from(pixel[2 - plane]) * factor + offset;
                }
            }
        }
    }
}

impl RgbPicture<'_> {
    /// Luminance of a pixel, 0 to 255.
    pub fn luminance(&self, x: usize, y: usize) -> u8 {
        luminance(&self.pixels[3 * (y * self.width + x)..][..3])
    }

    /// `area` scaled to another size. The caller owns the scaler, for its buffers.
    pub fn scaled(&self, scaler: &mut Resizer, area: PixelArea, width: usize, height: usize) -> RgbPicture<'static> {
        let (width, height) = (width.max(1), height.max(1));
        let (full_width, full_height) = (self.width as f64, self.height as f64);
        let x = area.x.clamp(0.0, full_width - 1.0);
        let y = area.y.clamp(0.0, full_height - 1.0);
        let area_width = area.width.clamp(1.0, full_width - x);
        let area_height = area.height.clamp(1.0, full_height - y);
        let mut pixels = vec![0; 3 * width * height];
        // Sharp when enlarging, without aliasing when shrinking.
        let filter = if area_height < height as f64 { FilterType::CatmullRom } else { FilterType::Bilinear };
        let options = ResizeOptions::new()
            .resize_alg(ResizeAlg::Convolution(filter))
            .crop(x, y, area_width, area_height)
            .use_alpha(false);
        // The kind of pixels is named: the library's other ways are half of this program's time to build.
        let source = TypedImageRef::<U8x3>::from_buffer(size(self.width), size(self.height), &self.pixels);
        let target = TypedImage::<U8x3>::from_buffer(size(width), size(height), &mut pixels);
        let done = match (source, target) {
            (Ok(source), Ok(mut target)) => scaler.resize_typed(&source, &mut target, &options).is_ok(),
            _ => false,
        };
        debug_assert!(done, "sizes were clamped");
        RgbPicture { width, height, pixels: Cow::Owned(pixels) }
    }

    /// Like [`Self::scaled`], but what lies outside of the picture has the colour of the background inside: letters that are cut close keep their
    /// proportions, and no stroke is drawn out.
    fn scaled_beyond(&self, scaler: &mut Resizer, area: PixelArea, width: usize, height: usize) -> RgbPicture<'static> {
        let (across, down) = (width as f64 / area.width.max(1e-6), height as f64 / area.height.max(1e-6));
        // The part inside of the picture, in pixels of the answer.
        let left = ((-area.x).max(0.0) * across).round() as usize;
        let top = ((-area.y).max(0.0) * down).round() as usize;
        let right =
            width.saturating_sub(((area.x + area.width - self.width as f64).max(0.0) * across).round() as usize);
        let bottom =
            height.saturating_sub(((area.y + area.height - self.height as f64).max(0.0) * down).round() as usize);
        if (left, top, right, bottom) == (0, 0, width, height) || left >= right || top >= bottom {
            return self.scaled(scaler, area, width, height);
        }
        let inside = PixelArea {
            x: area.x.max(0.0),
            y: area.y.max(0.0),
            width: (right - left) as f64 / across,
            height: (bottom - top) as f64 / down,
        };
        let part = self.scaled(scaler, inside, right - left, bottom - top);
        let colour = part.background();
        let mut pixels = colour.repeat(width * height);
        for (row, source) in pixels.chunks_exact_mut(3 * width).skip(top).zip(part.pixels.chunks_exact(3 * part.width))
        {
            row[3 * left..3 * right].copy_from_slice(source);
        }
        RgbPicture { width, height, pixels: Cow::Owned(pixels) }
    }

    /// The mean colour of the pixels whose luminance is the commonest.
    fn background(&self) -> [u8; 3] {
        let shade = |pixel: &[u8]| usize::from(luminance(pixel)) / 16;
        let mut shades = [0usize; 16];
        self.pixels.chunks_exact(3).for_each(|pixel| shades[shade(pixel)] += 1);
        let commonest = shades.iter().enumerate().max_by_key(|(_, count)| **count).map_or(0, |(shade, _)| shade);
        let (mut sum, mut count) = ([0usize; 3], 0);
        for pixel in self.pixels.chunks_exact(3).filter(|pixel| shade(pixel) == commonest) {
            sum.iter_mut().zip(pixel).for_each(|(sum, value)| *sum += usize::from(*value));
            count += 1;
        }
        sum.map(|sum| u8::try_from(sum / count.max(1)).unwrap_or(u8::MAX))
    }

    /// The line in `quad`, upright and `height` pixels high; `upside_down` rotates it by 180°. Tall boxes are rotated to horizontal.
    pub fn line(&self, scaler: &mut Resizer, quad: &Quad, height: usize, upside_down: bool) -> RgbPicture<'static> {
        let tall = quad.is_tall();
        let (long, short) = if tall { (quad.height, quad.width) } else { (quad.width, quad.height) };
        let length = (height as f64 * f64::from(long) / f64::from(short.max(1.0))).ceil().max(4.0) as usize;
        let upright = if quad.is_straight() {
            let area = quad.area();
            let (across, down) = if tall { (height, length) } else { (length, height) };
            self.scaled_beyond(scaler, area, across, down)
        } else {
            let patch = self.straightened(quad);
            let whole = PixelArea { x: 0.0, y: 0.0, width: patch.width as f64, height: patch.height as f64 };
            if tall { patch.scaled(scaler, whole, height, length) } else { patch.scaled(scaler, whole, length, height) }
        };
        let lying = if tall { upright.rotated_left() } else { upright };
        if upside_down { lying.rotated_180() } else { lying }
    }

    /// Straightens the slanted box `quad` by bilinear sampling at the picture's scale.
    fn straightened(&self, quad: &Quad) -> RgbPicture<'static> {
        let width = (quad.width.ceil() as usize).max(1);
        let height = (quad.height.ceil() as usize).max(1);
        let (sin, cos) = quad.angle.sin_cos();
        let mut pixels = Vec::with_capacity(3 * width * height);
        for row in 0..height {
            let v = (row as f32 + 0.5) / height as f32 * quad.height - quad.height / 2.0;
            for column in 0..width {
                let u = (column as f32 + 0.5) / width as f32 * quad.width - quad.width / 2.0;
                pixels.extend_from_slice(
                    &self.sample(quad.x + u * cos - v * sin - 0.5, quad.y + u * sin + v * cos - 0.5),
                );
            }
        }
        RgbPicture { width, height, pixels: Cow::Owned(pixels) }
    }

    fn sample(&self, x: f32, y: f32) -> [u8; 3] {
        let x = x.clamp(0.0, (self.width - 1) as f32);
        let y = y.clamp(0.0, (self.height - 1) as f32);
        let (left, top) = (x as usize, y as usize);
        let (right, bottom) = ((left + 1).min(self.width - 1), (top + 1).min(self.height - 1));
        let (fx, fy) = (x - left as f32, y - top as f32);
        let at = |x: usize, y: usize, plane: usize| f32::from(self.pixels[3 * (y * self.width + x) + plane]);
        [0, 1, 2].map(|plane| {
            let upper = at(left, top, plane) * (1.0 - fx) + at(right, top, plane) * fx;
            let lower = at(left, bottom, plane) * (1.0 - fx) + at(right, bottom, plane) * fx;
            (upper * (1.0 - fy) + lower * fy).round() as u8
        })
    }

    /// Rotated by 90° counter-clockwise.
    fn rotated_left(&self) -> RgbPicture<'static> {
        let mut pixels = Vec::with_capacity(self.pixels.len());
        for x in (0..self.width).rev() {
            for y in 0..self.height {
                let at = 3 * (y * self.width + x);
                pixels.extend_from_slice(&self.pixels[at..at + 3]);
            }
        }
        RgbPicture { width: self.height, height: self.width, pixels: Cow::Owned(pixels) }
    }

    /// Rotated by 180°.
    pub fn rotated_180(&self) -> RgbPicture<'static> {
        let mut pixels = Vec::with_capacity(self.pixels.len());
        self.pixels.rchunks_exact(3).for_each(|pixel| pixels.extend_from_slice(pixel));
        RgbPicture { width: self.width, height: self.height, pixels: Cow::Owned(pixels) }
    }

    /// A copy of a part, which lies inside of the picture.
    pub fn crop(&self, part: PictureRect) -> RgbPicture<'static> {
        let rows = self.pixels.chunks_exact(3 * self.width).skip(part.y).take(part.height);
        let pixels: Vec<u8> = rows.flat_map(|row| &row[3 * part.x..3 * (part.x + part.width)]).copied().collect();
        RgbPicture { width: part.width, height: part.height, pixels: Cow::Owned(pixels) }
    }

    /// Luminance of all pixels.
    pub fn grey(&self) -> Vec<u8> {
        (0..self.height).flat_map(|y| (0..self.width).map(move |x| self.luminance(x, y))).collect()
    }
}

/// Luminance of red, green and blue, 0 to 255.
fn luminance(pixel: &[u8]) -> u8 {
    let [red, green, blue] = [0, 1, 2].map(|plane| u32::from(pixel[plane]));
    u8::try_from((77 * red + 150 * green + 29 * blue) >> 8).unwrap_or(u8::MAX)
}

/// Converts a size for the scaler.
fn size(pixels: usize) -> u32 {
    u32::try_from(pixels).unwrap_or(u32::MAX)
}
