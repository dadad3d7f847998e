//! Where the engine programs and their models are, by the configuration.

use std::sync::Arc;

use luna_actor_ocr::FindModels;
use luna_messages::capability::Unavailable;
use luna_messages::engine::{EngineKind, OcrLoad, RecogniserLoad, SpeechLoad, TesseractLoad};
use luna_models::{Manifest, ModelError, Store};
use luna_runtime::engine::{EngineProgram, engine_path};

use crate::config::Config;

/// The program of an engine, at the priority that its lane deserves: speech as urgent as Luna herself, recognition behind.
#[must_use]
pub fn program(kind: EngineKind, config: &Config) -> EngineProgram {
    let nice = i32::try_from(config.engines.nice).unwrap_or(10);
    let (name, nice) = match kind {
        EngineKind::Ocr => ("luna-engine-ocr", nice),
        EngineKind::Speech => ("luna-engine-speech-espeak", 0),
    };
    EngineProgram { kind, path: engine_path(name), arguments: Vec::new(), nice }
}

/// What the speech engine loads: the system's library and data.
#[must_use]
pub const fn speech_load() -> SpeechLoad {
    SpeechLoad { library: None, data: None }
}

/// Finds the models of recognition anew at each call, so that a file placed meanwhile counts (KER-9).
#[must_use]
pub fn find_ocr_models(config: Config) -> FindModels {
    Arc::new(move || ocr_load(&config).map_err(|error| unavailable(&error)))
}

/// What the recognition engine loads.
///
/// # Errors
/// The first file that is missing or broken.
pub fn ocr_load(config: &Config) -> Result<OcrLoad, ModelError> {
    let store = store(config)?;
    let ocr = &config.engines.ocr;
    let mut recognisers = Vec::new();
    // The Korean recogniser is an extra: without it Tesseract reads Hangul (OCR-1).
    if let Some(korean) = ocr.recognition_ko.as_deref()
        && let Ok(model) = store.resolve(korean, "")
    {
        recognisers.push(RecogniserLoad { name: "korean".to_owned(), model, dictionary: None });
    }
    let model = store.resolve(&ocr.recognition, "")?;
    recognisers.insert(0, RecogniserLoad { name: "latin".to_owned(), model, dictionary: None });
    Ok(OcrLoad {
        runtime_library: store.resolve("onnxruntime", "")?,
        detector: store.resolve(&ocr.detection, "")?,
        direction: ocr.direction.as_deref().map(|name| store.resolve(name, "")).transpose()?,
        recognisers,
        tesseract: Some(TesseractLoad { library: None, data: None, languages: "kor+eng".to_owned() }),
        threads: ocr.threads as usize,
    })
}

/// The store of models, where the configuration or `LUNA_MODELS` says.
///
/// # Errors
/// A manifest that can't be read.
pub fn store(config: &Config) -> Result<Store, ModelError> {
    let directory = luna_models::directory(None, config.models.directory.clone(), |name| std::env::var(name).ok());
    Ok(Store::new(Manifest::built_in()?, directory))
}

fn unavailable(error: &ModelError) -> Unavailable {
    Unavailable { reason: error.to_string(), remedy: "Run `luna models fetch`.".to_owned() }
}
