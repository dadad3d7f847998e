//! Results of text recognition.

use serde::{Deserialize, Serialize};

use crate::Rect;

/// A line of text in a picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecognisedLine {
    pub text: String,
    /// In pixels of the picture.
    pub bbox: Rect,
    /// 0 to 1.
    pub confidence: f32,
    /// Contrast between its letters and their ground: 0 for none, 1 from the 4.5 to 1 that guidelines ask of text (PIC-4).
    #[serde(default = "full_contrast")]
    pub contrast: f32,
    /// Name of the recogniser that read it.
    pub recogniser: String,
}

const fn full_contrast() -> f32 {
    1.0
}
