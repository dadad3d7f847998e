//! ONNX Runtime: the library, sessions, and actionable errors.

use std::path::Path;
use std::sync::Arc;

use luna_engine_protocol::failure;
use luna_messages::engine::{EngineError, EngineErrorKind};
use ort::environment::Environment;
use ort::session::builder::GraphOptimizationLevel;
use ort::session::{NoSelectedOutputs, RunOptions, Session};
use ort::value::{TensorRef, ValueType};

/// Aborts a running session from another thread.
pub type RunCanceller = Arc<RunOptions<NoSelectedOutputs>>;

const FETCH: &str = "Run `luna models fetch` to get it, or correct the path in the configuration.";
const FETCH_AGAIN: &str =
    "Run `luna models verify` and fetch the file again, or name another model in the configuration.";

/// The library's name in errors.
pub const LIBRARY: &str = "The ONNX Runtime library";

/// Loads the library from an absolute path, because `ort` would search beside the program. Once per process.
///
/// # Errors
/// `BadModel` if the file is not ONNX Runtime, or its version is too old.
pub fn open(library: &Path) -> Result<Environment, EngineError> {
    let broken = |reason: String| {
        failure(
            EngineErrorKind::BadModel,
            format!("{} is not a usable ONNX Runtime library: {reason}.", library.display()),
            "Run `luna models fetch` to get the right one, or correct the path in the configuration.",
        )
    };
    let builder = ort::init_from(library).map_err(|error| broken(error.to_string()))?;
    builder.with_name("luna").with_telemetry(false).build().map_err(|error| broken(error.to_string()))
}

/// The absolute path of an existing file.
///
/// # Errors
/// `Missing` if the path does not name an existing file.
pub fn existing(path: &Path, what: &str) -> Result<std::path::PathBuf, EngineError> {
    match path.canonicalize() {
        Ok(path) if path.is_file() => Ok(path),
        _ => Err(failure(EngineErrorKind::Missing, format!("{what} {} is not there.", path.display()), FETCH)),
    }
}

/// Opens a model; `what` names its purpose in errors, as in "the text detection model".
///
/// # Errors
/// `Missing` if the file does not exist, `BadModel` if it is damaged, `OutOfMemory` if memory is too short.
pub fn session(environment: &Environment, path: &Path, what: &str, threads: usize) -> Result<Session, EngineError> {
    let path = existing(path, &format!("The {what} model"))?;
    let build = || -> ort::Result<Session> {
        let mut builder = Session::builder(environment)?
            .with_optimization_level(GraphOptimizationLevel::Level3)?
            .with_intra_threads(threads.max(1))?
            .with_inter_threads(1)?
            // A spinning thread takes processor time from the user's applications.
            .with_intra_op_spinning(false)?
            // Lines have many widths: a cached memory plan for each would grow for weeks.
            .with_memory_pattern(false)?
            .with_flush_to_zero()?;
        builder.commit_from_file(&path)
    };
    let session = build().map_err(|error| {
        if is_memory(&error.to_string()) {
            let message = format!("There is not enough memory to load the {what} model {}.", path.display());
            return failure(EngineErrorKind::OutOfMemory, message, "Close other programs and try again.");
        }
        failure(
            EngineErrorKind::BadModel,
            format!(
                "The {what} model {} can't be loaded, it is damaged or no ONNX model: {}",
                path.display(),
                first_line(&error)
            ),
            FETCH_AGAIN,
        )
    })?;
    if session.inputs().len() != 1 || session.outputs().is_empty() {
        return Err(wrong_purpose(&path, what, "it does not take one picture"));
    }
    Ok(session)
}

/// Whether ONNX Runtime reports a lack of memory: it reports the same error as for a damaged file, but fetching the file again would not help.
fn is_memory(words: &str) -> bool {
    let words = words.to_lowercase();
    [
        "bad_alloc",
        "bad alloc",
        "failed to allocate",
        "out of memory",
        "cannot allocate",
        "not enough memory",
        "mmap failed",
    ]
    .iter()
    .any(|part| words.contains(part))
}

/// The error of an intact model for another purpose.
pub fn wrong_purpose(path: &Path, what: &str, found: &str) -> EngineError {
    failure(
        EngineErrorKind::BadModel,
        format!("{} is no {what} model: {found}.", path.display()),
        "Check in the configuration that the models of detection, direction and recognition are not mixed up.",
    )
}

/// The error of a failure at run time.
pub fn internal(doing: &str, error: &ort::Error) -> EngineError {
    failure(
        EngineErrorKind::Internal,
        format!("{doing} failed: {}", first_line(error)),
        "Try again; if it happens each time, report it with this message.",
    )
}

/// Declared shape of an input or output; unknown sizes are -1.
pub fn declared(kind: &ValueType) -> Vec<i64> {
    match kind {
        ValueType::Tensor { shape, .. } => shape.to_vec(),
        ValueType::Sequence(_) | ValueType::Map { .. } | ValueType::Optional(_) => Vec::new(),
    }
}

/// Creates a handle that can abort runs.
///
/// # Errors
/// ONNX Runtime is out of memory.
pub fn run_options() -> Result<RunCanceller, EngineError> {
    RunOptions::new().map(Arc::new).map_err(|error| internal("Preparing", &error))
}

/// Runs a session on a batch of planar pictures and passes the shape and values of the first output to `then`.
///
/// # Errors
/// ONNX Runtime's error, also if the run was aborted.
pub fn infer<T>(
    session: &mut Session,
    run: &RunCanceller,
    shape: [usize; 4],
    data: &[f32],
    then: impl FnOnce(&[i64], &[f32]) -> T,
) -> ort::Result<T> {
    let input = TensorRef::from_array_view((shape, data))?;
    let outputs = session.run_with_options(ort::inputs![input], run)?;
    let (shape, values) = outputs[0].try_extract_tensor::<f32>()?;
    Ok(then(shape, values))
}

fn first_line(error: &ort::Error) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or("no reason given").trim_end_matches('.');
    format!("{line}.")
}

#[cfg(test)]
mod tests {
    use super::is_memory;

    // ENG-4
    #[test]
    fn short_memory_is_no_damaged_model_eng_4() {
        for (words, expect) in [
            ("std::bad_alloc", true),
            ("Exception during initialization: bad allocation", true),
            ("BFCArena: Failed to allocate memory for requested buffer of size 8388608", true),
            ("[ShapeInferenceError] mismatch", false),
            ("Protobuf parsing failed.", false),
            ("mmap failed: Cannot allocate memory", true),
        ] {
            assert_eq!(is_memory(words), expect, "{words}");
        }
    }
}
