//! Detects lines of text with a PP-OCR detection model (differentiable binarisation).

use std::path::Path;

use fast_image_resize::Resizer;
use luna_engine_protocol::CancelFlag;
use luna_messages::engine::EngineError;
use ort::environment::Environment;
use ort::session::Session;

use crate::boxes::{MapThresholds, ProbabilityMap, boxes};
use crate::picture::{Normalisation, RgbPicture};
use crate::plan;
use crate::quad::{PictureRect, PixelArea, Quad};
use crate::runtime::{self, RunCanceller, infer, internal};
use crate::stacks;

/// Input sizes are multiples of this.
const STEP: usize = 32;
/// Minimum padding of a part: text at the border is detected worse.
const PADDING: usize = 8;

/// A loaded detection model.
pub struct Detector {
    session: Session,
    settings: DetectionSettings,
    // Reused between jobs: allocation costs more than filling.
    planes: Vec<f32>,
    scaler: Resizer,
}

/// The training parameters of a model.
#[derive(Debug, Clone, Copy, PartialEq)]
struct DetectionSettings {
    normal: Normalisation,
    thresholds: MapThresholds,
}

impl Default for DetectionSettings {
    /// Suits all PP-OCR detectors since version 3.
    fn default() -> Self {
        Self { normal: Normalisation::IMAGENET, thresholds: MapThresholds { pixel: 0.3, mean: 0.5, growth: 1.6 } }
    }
}

impl Detector {
    /// Loads the model; thresholds and growth come from a `.yml` file of the same name, if there is one.
    ///
    /// # Errors
    /// `Missing` if the file does not exist, `BadModel` if it is damaged or no detection model, `OutOfMemory` if memory is too short.
    pub fn load(environment: &Environment, path: &Path, threads: usize) -> Result<Self, EngineError> {
        const WHAT: &str = "text detection";
        let mut session = runtime::session(environment, path, WHAT, threads)?;
        let declared = runtime::declared(session.outputs()[0].dtype());
        if declared.len() != 4 {
            return Err(runtime::wrong_purpose(path, WHAT, "it does not answer with a map of the picture"));
        }
        let probe = infer(&mut session, &runtime::run_options()?, [1, 3, 64, 64], &[0.0; 3 * 64 * 64], |shape, _| {
            shape.to_vec()
        });
        if !matches!(probe.as_deref(), Ok([1, 1, 64, 64])) {
            return Err(runtime::wrong_purpose(path, WHAT, "its map does not have the size of the picture"));
        }
        let beside = std::fs::read_to_string(path.with_extension("yml")).unwrap_or_default();
        Ok(Self { session, settings: settings(&beside), planes: Vec::new(), scaler: Resizer::new() })
    }

    /// Finds the lines of text in a part of `picture`, in pixels of the whole.
    ///
    /// # Errors
    /// ONNX Runtime failed.
    pub fn find_in(
        &mut self,
        picture: &RgbPicture<'_>,
        part: PictureRect,
        magnify: f32,
        run: &RunCanceller,
        cancel: &CancelFlag,
    ) -> Result<Vec<Quad>, EngineError> {
        let found = self.find(&picture.crop(part), magnify, run, cancel)?;
        let moved = |quad: Quad| Quad { x: quad.x + part.x as f32, y: quad.y + part.y as f32, ..quad };
        Ok(found.into_iter().map(moved).collect())
    }

    /// Finds the lines of text in `picture`, in its pixels and at its scale. Returns none once `cancel` is set.
    ///
    /// # Errors
    /// ONNX Runtime failed.
    pub fn find(
        &mut self,
        picture: &RgbPicture<'_>,
        magnify: f32,
        run: &RunCanceller,
        cancel: &CancelFlag,
    ) -> Result<Vec<Quad>, EngineError> {
        let scale = plan::scale(picture, magnify);
        let mut found = Vec::new();
        for part in plan::parts(picture) {
            let Some(map) = self.map(picture, part, scale, run, cancel)? else {
                return Ok(Vec::new());
            };
            let (across, down) = (part.width as f32 / map.width as f32, part.height as f32 / map.height as f32);
            found.extend(boxes(&map, self.settings.thresholds).into_iter().map(|quad| Quad {
                x: quad.x * across + part.x as f32,
                y: quad.y * down + part.y as f32,
                width: quad.width * across,
                height: quad.height * down,
                angle: quad.angle,
            }));
        }
        Ok(stacks::mended(picture, found))
    }

    /// The map of one part, assembled from tiles if it is large; `None` if cancelled.
    fn map(
        &mut self,
        picture: &RgbPicture<'_>,
        part: PictureRect,
        scale: f64,
        run: &RunCanceller,
        cancel: &CancelFlag,
    ) -> Result<Option<ProbabilityMap>, EngineError> {
        let scaled = |length: usize| ((length as f64 * scale).round() as usize).max(1);
        let (width, height) = (scaled(part.width), scaled(part.height));
        let mut map = ProbabilityMap { width, height, values: vec![0; width * height] };
        for (top, bottom) in plan::tiles(height) {
            for (left, right) in plan::tiles(width) {
                if cancel.is_set() {
                    return Ok(None);
                }
                let area = PixelArea {
                    x: part.x as f64 + left as f64 / scale,
                    y: part.y as f64 + top as f64 / scale,
                    width: (right - left) as f64 / scale,
                    height: (bottom - top) as f64 / scale,
                };
                let tile = picture.scaled(&mut self.scaler, area, right - left, bottom - top);
                let done = self.run_tile(&tile, run, |values, stride| {
                    for y in 0..tile.height {
                        let out = &mut map.values[(top + y) * width + left..][..tile.width];
                        for (out, value) in out.iter_mut().zip(&values[y * stride..]) {
                            // In an overlap the higher value counts.
                            *out = (*out).max((value * 255.0) as u8);
                        }
                    }
                });
                match done {
                    Ok(()) => {}
                    Err(_) if cancel.is_set() => return Ok(None),
                    Err(error) => return Err(internal("Finding text", &error)),
                }
            }
        }
        Ok(Some(map))
    }

    /// Runs the model on one tile; `then` gets the map's values from the tile's top left corner, and the row length.
    fn run_tile(
        &mut self,
        tile: &RgbPicture<'_>,
        run: &RunCanceller,
        then: impl FnOnce(&[f32], usize),
    ) -> ort::Result<()> {
        let padded = |length: usize| (length + PADDING).div_ceil(STEP).max(2) * STEP;
        let (width, height) = (padded(tile.width), padded(tile.height));
        let (x, y) = ((width - tile.width) / 2, (height - tile.height) / 2);
        self.planes.resize(3 * width * height, 0.0);
        // Pads with the colour of the corner, which is nearly always background.
        let corner = RgbPicture { width: 1, height: 1, pixels: tile.pixels[..3].to_vec().into() };
        let mut colour = [0.0; 3];
        self.settings.normal.write(&corner, &mut colour, 1, 1);
        for (plane, value) in self.planes.chunks_exact_mut(width * height).zip(colour) {
            plane[..y * width].fill(value);
            plane[(y + tile.height) * width..].fill(value);
            for row in plane[y * width..(y + tile.height) * width].chunks_exact_mut(width) {
                row[..x].fill(value);
                row[x + tile.width..].fill(value);
            }
        }
        self.settings.normal.write_at(tile, &mut self.planes, width, height, (x, y));
        infer(&mut self.session, run, [1, 3, height, width], &self.planes, |_, values| {
            then(&values[y * width + x..], width);
        })
    }
}

/// Reads `mean`, `std`, `thresh`, `box_thresh` and `unclip_ratio` from the file that PP-OCR ships beside a model. Missing keys keep their
/// defaults; other keys are ignored.
fn settings(yml: &str) -> DetectionSettings {
    let mut settings = DetectionSettings::default();
    let mut list: Option<(&str, Vec<f32>)> = None;
    for line in yml.lines().map(str::trim) {
        if let (Some((name, values)), Some(value)) =
            (&mut list, line.strip_prefix("- ").and_then(|value| value.parse().ok()))
        {
            values.push(value);
            if let Ok(three) = <[f32; 3]>::try_from(values.as_slice()) {
                match *name {
                    "mean" => settings.normal.mean = three,
                    _ => settings.normal.deviation = three,
                }
                list = None;
            }
            continue;
        }
        list = match line {
            "mean:" => Some(("mean", Vec::new())),
            "std:" => Some(("std", Vec::new())),
            _ => None,
        };
        let Some((key, Ok(value))) = line.split_once(": ").map(|(key, value)| (key, value.parse::<f32>())) else {
            continue;
        };
        match key {
            "thresh" if (0.05..0.95).contains(&value) => settings.thresholds.pixel = value,
            "box_thresh" if (0.05..0.95).contains(&value) => settings.thresholds.mean = value,
            "unclip_ratio" if (0.5..4.0).contains(&value) => settings.thresholds.growth = value,
            _ => {}
        }
    }
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_from_the_file_beside_the_model() {
        assert_eq!(settings(""), DetectionSettings::default());
        let yml = "PostProcess:\n  box_thresh: 0.4\n  thresh: 0.2\n  unclip_ratio: 1.4\n  mean:\n  - 0.1\n  - 0.2\n  - 0.3\n  std:\n  - 1\n";
        let found = settings(yml);
        assert_eq!(found.thresholds, MapThresholds { pixel: 0.2, mean: 0.4, growth: 1.4 });
        assert_eq!(found.normal, Normalisation { mean: [0.1, 0.2, 0.3], ..Normalisation::IMAGENET });
        assert_eq!(settings("thresh: 7\nbox_thresh: NaN\n"), DetectionSettings::default());
    }
}
