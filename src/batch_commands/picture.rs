//! Recognises the text of a picture file (OCR).

use std::fmt::Display;
use std::io::{Cursor, ErrorKind};
use std::path::Path;

use anyhow::{Context as _, bail};
use bytes::Bytes;
use image::{ImageDecoder as _, ImageReader};
use luna_actor_ocr::RecognitionEngine;
use luna_actor_runtime::capabilities::Capabilities;
use luna_engine_protocol::RecogniseJob;
use luna_focus::choose::ChoiceReach;
use luna_focus::recognition;
use luna_messages::Point;
use luna_messages::capability::Unavailable;
use luna_messages::engine::EngineKind;
use luna_messages::image::Picture;
use luna_messages::ocr::{OcrPick, OcrResult};

use crate::{engines, settings};
use luna_config::Config;

mod whole;

/// Maximum pixels of a picture: a page at 600 dots per inch, or 20,000 by 2,500.
const MAX_PIXELS: u64 = 50_000_000;

/// Maximum bytes of a picture file: that many pixels uncompressed, four bytes each, and its metadata.
const MAX_BYTES: u64 = 256 << 20;

/// Longest side of a picture, in pixels.
const LONGEST_SIDE: u32 = 30_000;

/// Opens a picture as pixels, rotated as its metadata says, with transparency laid on white.
///
/// # Errors
/// If the file can't be opened, is no picture, is truncated, or is too large; the error says what to do.
pub fn open(path: &Path) -> anyhow::Result<Picture> {
    let name = path.display();
    let bytes =
        luna_config::bounded::file(path, MAX_BYTES).with_context(|| format!("the picture {name} can't be opened"))?;
    // The JPEG decoder paints missing parts grey instead of failing.
    if whole::is_cut_short(&bytes) {
        bail!("the picture {name} is cut short: its end is missing; get the whole file again");
    }
    let reader = ImageReader::new(Cursor::new(bytes))
        .with_guessed_format()
        .with_context(|| format!("the picture {name} can't be read"))?;
    let unreadable = || format!("{name} is no picture that Luna can read; PNG, JPEG, TIFF, GIF, BMP and WebP are");
    let mut decoder = reader.into_decoder().map_err(|error| decode_error(error, &name, unreadable()))?;
    let (width, height) = decoder.dimensions();
    if width == 0 || height == 0 {
        bail!("the picture {name} is empty ({width}×{height} pixels)");
    }
    if width > LONGEST_SIDE || height > LONGEST_SIDE || u64::from(width) * u64::from(height) > MAX_PIXELS {
        bail!(
            "the picture {name} is too large ({width}×{height} pixels; at most {LONGEST_SIDE} a side and {MAX_PIXELS} in all); \
             cut it or make it smaller"
        );
    }
    let turned = decoder.orientation().unwrap_or(image::metadata::Orientation::NoTransforms);
    let picture = image::DynamicImage::from_decoder(decoder);
    let mut picture = picture.map_err(|error| decode_error(error, &name, unreadable()))?;
    picture.apply_orientation(turned);
    let rgb = flatten(&picture);
    Ok(Picture::new(rgb.width(), rgb.height(), rgb.into_raw())?)
}

/// Distinguishes a truncated picture from a file that is no picture.
fn decode_error(error: image::ImageError, name: &impl Display, unreadable: String) -> anyhow::Error {
    let ends = |why: &image::ImageError| match why {
        image::ImageError::IoError(why) => why.kind() == ErrorKind::UnexpectedEof,
        // The GIF decoder reports a missing end only by this text.
        why => why.to_string().to_lowercase().contains("unexpected end of file"),
    };
    if ends(&error) {
        return anyhow::anyhow!("the picture {name} is cut short: its end is missing; get the whole file again");
    }
    anyhow::Error::new(error).context(unreadable)
}

/// Lays transparent pixels on white, or on black if the opaque pixels are nearly white themselves.
fn flatten(picture: &image::DynamicImage) -> image::RgbImage {
    if !picture.color().has_alpha() {
        return picture.to_rgb8();
    }
    let rgba = picture.to_rgba8();
    let (mut sum, mut weight) = (0_u64, 0_u64);
    for pixel in rgba.pixels() {
        let [r, g, b, a] = pixel.0;
        sum += (u64::from(r) + u64::from(g) + u64::from(b)) * u64::from(a);
        weight += 3 * u64::from(a);
    }
    let ground: u16 = if weight > 0 && sum / weight > 200 { 0 } else { 255 };
    image::RgbImage::from_fn(rgba.width(), rgba.height(), |x, y| {
        let [r, g, b, a] = rgba.get_pixel(x, y).0;
        let a = u16::from(a);
        #[expect(clippy::cast_possible_truncation, reason = "a mean of two bytes")]
        let mix = |c: u8| ((u16::from(c) * a + ground * (255 - a)) / 255) as u8;
        image::Rgb([mix(r), mix(g), mix(b)])
    })
}

/// The recognition engine of one command.
pub struct Recogniser {
    engine: RecognitionEngine,
    config: Config,
}

impl Recogniser {
    /// An engine with the configured models; started at the first picture.
    #[must_use]
    pub fn new(config: &Config) -> Self {
        let capabilities = Capabilities::new(std::sync::Arc::new(|_, _| {}));
        let program = engines::program(EngineKind::Ocr, config);
        let engine = RecognitionEngine::new(
            program,
            engines::ocr_models(engines::find_ocr_models(config.clone())),
            capabilities,
        );
        Self { engine, config: config.clone() }
    }

    /// Recognises a whole picture; boxes are in its pixels.
    ///
    /// # Errors
    /// If a model or the engine is unavailable or fails; the error says what to do.
    pub async fn recognise(&self, mut picture: Picture, magnify: f32) -> anyhow::Result<OcrResult> {
        let job = RecogniseJob { width: picture.width, height: picture.height, magnify, around: None };
        let pixels = Bytes::from(std::mem::take(&mut picture.rgb));
        let lines = self.engine.recognise(job, pixels, |_| false).await.map_err(|why| sentence(&why))?;
        Ok(recognition::assemble(&lines, Point::default(), settings::ocr_settings(&self.config).low_quality))
    }

    /// The part of a result that is picked at a point.
    #[must_use]
    pub fn pick(&self, result: &OcrResult, at: Point) -> Option<OcrPick> {
        recognition::pick(result, at, settings::ocr_settings(&self.config).weights, ChoiceReach::Near)
    }

    /// Ends the engine.
    pub async fn close(&self) {
        self.engine.close().await;
    }
}

/// Reason and remedy in one error.
#[must_use]
pub fn sentence(why: &Unavailable) -> anyhow::Error {
    anyhow::anyhow!("{} {}", why.reason, why.remedy)
}
