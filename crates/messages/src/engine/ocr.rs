//! What text recognition answers.

use serde::{Deserialize, Serialize};

use crate::Rect;

/// A recognised line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecognisedLine {
    pub text: String,
    /// Place in the picture, in its pixels.
    pub bbox: Rect,
    /// 0 to 1.
    pub confidence: f32,
    /// Which recogniser read it.
    pub recogniser: String,
}
