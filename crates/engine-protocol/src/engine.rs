//! The interface of an engine program.

use crate::{Backend, EngineJob, EngineNote, LoadSpec, LoadedModel};
use luna_messages::engine::{EngineError, EngineErrorKind, EngineKind};

use crate::{CancelFlag, Output};

/// The result of [`Engine::load`]: the loaded models, and limitations that don't keep the engine from working.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoadReport {
    pub models: Vec<LoadedModel>,
    /// What is missing, and what to do about it.
    pub notes: Vec<EngineNote>,
    /// Memory of the graphics card that the models took, bytes; 0: none (GPU-6).
    pub card_bytes: u64,
}

/// A native runtime behind the pipe. Methods are called on one thread, one after another; a panic in any of them is answered by `Failed` and the
/// program goes on.
pub trait Engine {
    /// Sent in the first frame.
    const KIND: EngineKind;

    /// The backends that this program was built with (GPU-6); sent in the first frame.
    const BACKENDS: &'static [Backend] = &[Backend::Cpu];

    /// Loads models. A second load replaces the first.
    ///
    /// # Errors
    /// A file or library is missing or invalid. Models that were loaded before may be gone then.
    fn load(&mut self, spec: LoadSpec) -> Result<LoadReport, EngineError>;

    /// Works on a job and sends results to `output` as they come. Returns early, with `Ok`, once `cancel` is set: the answer is then `Cancelled`,
    /// whatever is returned.
    ///
    /// # Errors
    /// The job can't be done as given, or nothing is loaded.
    fn run(
        &mut self,
        job: EngineJob,
        payload: Vec<u8>,
        output: &mut Output,
        cancel: &CancelFlag,
    ) -> Result<(), EngineError>;

    /// Called once after a job if no request comes for a moment: time to overwrite what a library keeps of it (BUF-2).
    fn on_idle(&mut self) {}

    /// Unloads all models and frees their memory. Also called if nothing is loaded.
    fn unload(&mut self);
}

/// An [`EngineError`] of that kind: what is wrong and what to do, each a full sentence.
#[must_use]
pub fn failure(kind: EngineErrorKind, message: impl Into<String>, remedy: impl Into<String>) -> EngineError {
    EngineError { kind, message: message.into(), remedy: remedy.into() }
}
