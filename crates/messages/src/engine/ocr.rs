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
    /// Name of the recogniser that read it.
    pub recogniser: String,
}
