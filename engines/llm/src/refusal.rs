//! Errors for rejected model files (ENG-4).

use luna_engine_protocol::ModelFile;
use luna_engine_protocol::failure;
use luna_messages::engine::{EngineError, EngineErrorKind};

use crate::log;

const FETCH_REMEDY: &str = "Fetch it again with `luna models fetch`, or name another file in the configuration.";

/// The error of a damaged or unsuitable file.
pub fn bad(file: &ModelFile, what: &str) -> EngineError {
    failure(EngineErrorKind::BadModel, format!("The model file {} {what}.", file.path.display()), FETCH_REMEDY)
}

/// The error of a file that llama.cpp rejected, in llama.cpp's words.
pub fn refused(file: &ModelFile, otherwise: &str) -> EngineError {
    let errors = log::take();
    let why = log::reason(&errors).unwrap_or_else(|| otherwise.to_owned());
    if log::is_memory(&errors) {
        return failure(
            EngineErrorKind::OutOfMemory,
            format!("There is not enough memory for {}: {why}.", file.path.display()),
            "Close other programs, have fewer layers on the graphics card, or take a smaller model.",
        );
    }
    bad(file, &format!("is refused by llama.cpp: {why}"))
}
