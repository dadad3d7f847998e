//! Detects upside-down lines: PP-OCR's direction classifier votes on a few lines, and the vote applies to all.

use std::path::Path;

use fast_image_resize::Resizer;
use luna_messages::engine::EngineError;
use ort::environment::Environment;
use ort::session::Session;

use crate::picture::{Normalisation, RgbPicture};
use crate::quad::Quad;
use crate::runtime::{self, RunCanceller, infer, internal};

/// Lines per vote: all lines on a screen have one direction, and the classifier errs on single lines.
const VOTING_LINES: usize = 6;

/// Mean vote from which lines are turned: wrongly turning upright text is worse than missing turned text, which is rare on screens.
const TURN_THRESHOLD: f32 = 0.7;

/// A loaded direction classifier.
pub struct DirectionClassifier {
    session: Session,
    height: usize,
    width: usize,
    scaler: Resizer,
}

impl DirectionClassifier {
    /// # Errors
    /// `Missing` if the file does not exist, `BadModel` if it is damaged or no direction classifier, `OutOfMemory` if memory is too short.
    pub fn load(environment: &Environment, path: &Path) -> Result<Self, EngineError> {
        const WHAT: &str = "text direction";
        let mut session = runtime::session(environment, path, WHAT, 1)?;
        if runtime::declared(session.outputs()[0].dtype()).len() != 2 {
            return Err(runtime::wrong_purpose(path, WHAT, "it does not answer with two directions"));
        }
        let input = runtime::declared(session.inputs()[0].dtype());
        let fixed =
            |at: usize, usual: usize| input.get(at).and_then(|size| usize::try_from(*size).ok()).unwrap_or(usual);
        let (height, width) = (fixed(2, 48), fixed(3, 192));
        let planes = vec![0.0; 3 * height * width];
        let probe =
            infer(&mut session, &runtime::run_options()?, [1, 3, height, width], &planes, |shape, _| shape.to_vec());
        if !matches!(probe.as_deref(), Ok([1, 2])) {
            return Err(runtime::wrong_purpose(path, WHAT, "it does not answer with two directions"));
        }
        Ok(Self { session, height, width, scaler: Resizer::new() })
    }

    /// For each line, whether it is upside down. Vertical lines vote separately.
    ///
    /// # Errors
    /// ONNX Runtime failed.
    pub fn upside_down(
        &mut self,
        picture: &RgbPicture<'_>,
        quads: &[Quad],
        run: &RunCanceller,
    ) -> Result<Vec<bool>, EngineError> {
        let mut answer = vec![false; quads.len()];
        for tall in [false, true] {
            let mut group: Vec<usize> = (0..quads.len()).filter(|at| quads[*at].is_tall() == tall).collect();
            // Long lines are the most reliable.
            let length = |at: &usize| quads[*at].width.max(quads[*at].height) / quads[*at].width.min(quads[*at].height);
            group.sort_by(|a, b| length(b).total_cmp(&length(a)));
            let voters: Vec<&Quad> = group.iter().take(VOTING_LINES).map(|at| &quads[*at]).collect();
            if voters.is_empty() {
                continue;
            }
            let votes = self
                .votes(picture, &voters, run)
                .map_err(|error| internal("Finding the direction of lines", &error))?;
            if votes.iter().sum::<f32>() > TURN_THRESHOLD * votes.len() as f32 {
                group.iter().for_each(|at| answer[*at] = true);
            }
        }
        Ok(answer)
    }

    /// A vote per line, from -1 (certainly upright) to 1 (certainly upside down).
    fn votes(&mut self, picture: &RgbPicture<'_>, quads: &[&Quad], run: &RunCanceller) -> ort::Result<Vec<f32>> {
        let line_size = 3 * self.height * self.width;
        let mut planes = vec![0.0; line_size * quads.len()];
        for (quad, planes) in quads.iter().zip(planes.chunks_exact_mut(line_size)) {
            // The beginning of a long line at its true proportions, as in training.
            let line = picture.line(&mut self.scaler, quad, self.height, false);
            Normalisation::EVEN.write(&line, planes, self.width, self.height);
        }
        infer(&mut self.session, run, [quads.len(), 3, self.height, self.width], &planes, |_, values| {
            values.chunks_exact(2).map(|pair| pair[1] - pair[0]).collect()
        })
    }
}
