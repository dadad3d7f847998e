//! What the recognition engine loads, and its job (OCR-1).

use std::path::PathBuf;

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
    /// Languages, such as `kor+eng`.
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
}
