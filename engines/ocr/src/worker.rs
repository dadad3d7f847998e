//! Reads lines with the recognisers of one thread.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;

use fast_image_resize::Resizer;
use luna_engine_protocol::CancelFlag;
use luna_messages::Rect;
use luna_messages::engine::{EngineError, RecognisedLine};

use crate::contrast;
use crate::lines::{LineShape, is_better, is_doubtful, merge, weighed};
use crate::picture::RgbPicture;
use crate::quad::Quad;
use crate::reading::LineReading;
use crate::recognise::{LineImage, LineRecogniser};
use crate::runtime::RunCanceller;

/// The recognisers of one thread.
pub struct OcrWorker {
    /// Reads every line.
    pub preferred: Box<dyn LineRecogniser>,
    /// Tried in order if the preferred result is doubtful.
    pub others: Vec<Box<dyn LineRecogniser>>,
    pub scaler: Resizer,
}

impl OcrWorker {
    /// Reads lines until none is left.
    pub fn work(
        &mut self,
        lines: &[LineImage<'_>],
        next: &AtomicUsize,
        sender: &Sender<Result<RecognisedLine, EngineError>>,
        run: &RunCanceller,
        cancel: &CancelFlag,
    ) {
        while let Some(line) = lines.get(next.fetch_add(1, Ordering::Relaxed)) {
            if cancel.is_set() {
                return;
            }
            let answer = match self.read(line, run, cancel) {
                Ok((read, _)) if read.is_empty() => continue,
                Ok((read, recogniser)) => {
                    let bbox = bounds(&line.quad, line.picture);
                    let contrast = contrast::of(&line.cut(&mut self.scaler, CONTRAST_HEIGHT));
                    Ok(RecognisedLine { text: read.text(), bbox, confidence: read.confidence(), contrast, recogniser })
                }
                Err(error) => Err(error),
            };
            let failed = answer.is_err();
            if sender.send(answer).is_err() || failed {
                return;
            }
        }
    }

    /// The best text of a line and its recogniser's name. A turned line with a doubtful result is also read upright, because the direction
    /// classifier errs on scripts that it was not trained with.
    fn read(
        &mut self,
        line: &LineImage<'_>,
        run: &RunCanceller,
        cancel: &CancelFlag,
    ) -> Result<(LineReading, String), EngineError> {
        if !line.upside_down {
            return self.read_as_placed(line, run, cancel);
        }
        // The classifier takes Hangul for upside down as often as not, so that only what reads well is left so.
        let turned = weighed(self.preferred.read(line, run)?);
        if turned.confidence() >= SURE_TURNED || cancel.is_set() {
            return Ok((turned, self.preferred.name().to_owned()));
        }
        let standing = self.read_as_placed(&LineImage { upside_down: false, ..*line }, run, cancel)?;
        if standing.0.confidence() >= SURE_STANDING || cancel.is_set() {
            return Ok(standing);
        }
        let turned = self.read_as_placed(line, run, cancel)?;
        Ok(if standing.0.confidence() > turned.0.confidence() { standing } else { turned })
    }

    fn read_as_placed(
        &mut self,
        line: &LineImage<'_>,
        run: &RunCanceller,
        cancel: &CancelFlag,
    ) -> Result<(LineReading, String), EngineError> {
        let first = self.preferred.read(line, run)?;
        let mut best = weighed(first.clone());
        let mut name = self.preferred.name().to_owned();
        let ink = line.ink(&mut self.scaler);
        let shape = LineShape { aspect: line.aspect(), ink: &ink };
        if !is_doubtful(&first, shape) {
            return Ok((best, name));
        }
        for other in &mut self.others {
            if cancel.is_set() {
                break;
            }
            let second = other.read(line, run)?;
            let merged = merge(&second, shape, |start, end| self.preferred.read(&line.part(start, end), run))?;
            if is_better(&merged, &best, shape) {
                (best, name) = (merged, other.name().to_owned());
            }
        }
        Ok((best, name))
    }
}

/// Height of a line at which its contrast is measured.
const CONTRAST_HEIGHT: usize = 32;

/// Quality from which a line is left upside down.
const SURE_TURNED: f32 = 0.9;
/// Quality from which a line that was taken for upside down is not.
const SURE_STANDING: f32 = 0.7;

/// The upright bounding box of a line, clipped to the picture.
pub fn bounds(quad: &Quad, picture: &RgbPicture<'_>) -> Rect {
    let [left, top, right, bottom] = quad.bounds();
    let clip = |value: f32, most: usize| (value.round() as i32).clamp(0, i32::try_from(most).unwrap_or(i32::MAX));
    let (x, y) = (clip(left, picture.width), clip(top, picture.height));
    Rect::new(x, y, clip(right, picture.width) - x, clip(bottom, picture.height) - y)
}
