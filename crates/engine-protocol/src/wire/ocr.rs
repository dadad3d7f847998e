//! What the recognition engine loads, and its job (OCR-1).

use std::path::PathBuf;

use luna_messages::{Point, Rect};
use serde::{Deserialize, Serialize};

/// Models of text recognition (OCR-1).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OcrLoad {
    /// `libonnxruntime.so` or `onnxruntime.dll`.
    pub runtime_library: PathBuf,
    /// Text detection model.
    pub detector: PathBuf,
    /// Text direction model; without it upside-down lines are not turned.
    pub direction: Option<PathBuf>,
    /// Recognisers, the preferred one first.
    pub recognisers: Vec<RecogniserLoad>,
    /// Tesseract for Korean lines if no recogniser knows Hangul.
    pub tesseract: Option<TesseractLoad>,
    /// Threads to use, at least 1.
    pub threads: usize,
}

/// A model that recognises the characters of one script.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecogniserLoad {
    /// Its name in results, such as `latin` or `korean`.
    pub name: String,
    pub model: PathBuf,
    /// One character per line; `None`: the dictionary in the model's metadata.
    pub dictionary: Option<PathBuf>,
}

/// Tesseract's library and data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TesseractLoad {
    /// The library; `None`: the system's.
    pub library: Option<PathBuf>,
    /// Folder of the `.traineddata` files; `None`: the system's.
    pub data: Option<PathBuf>,
    /// Languages, such as `kor`.
    pub languages: String,
}

/// The payload is 8-bit RGB, rows without padding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecogniseJob {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Extra magnification requested by the person; 1.0 is none. The engine also magnifies small text by itself.
    pub magnify: f32,
    /// The part to recognise; `None`: the whole picture.
    #[serde(default)]
    pub around: Option<PointedArea>,
}

/// A part of a picture in which the person points at something. The lines that it touches are recognised whole, also beyond it (OCR-5). First come
/// all their boxes, as lines without text, then the lines themselves, those near the cursor first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PointedArea {
    /// In pixels of the picture.
    pub region: Rect,
    /// In pixels of the picture.
    pub cursor: Point,
}
