//! The engine host (ENG-1, ENG-2): native runtimes run as programs of their own and are spoken to over pipes. One that aborts, hangs or talks
//! nonsense ends only itself; every request gets an answer or a clear error.

mod child;
mod drive;
mod failure;
mod frame;
mod last_words;
pub mod launch;
mod pending;
mod program;
mod run;
mod spawn;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use luna_engine_protocol::{Backend, EngineJob, EngineNote, LoadSpec, LoadedModel, ToEngine};
use luna_messages::RequestId;
use tokio::sync::oneshot;

pub use failure::EngineFailure;
pub use program::{EngineProgram, engine_path};
pub use run::RunningJob;

use drive::{EngineShared, Greeting};
use pending::PendingReply;

/// Times that the host keeps to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProcessTimes {
    /// How long a program may take to say hello.
    pub hello: Duration,
    /// How often the host asks an engine that works on something whether it lives.
    pub liveness_period: Duration,
    /// How long the answer to that may take before the engine is taken for hung and ended.
    pub liveness_deadline: Duration,
    /// How long a cancelled job may go on before its asker is told that it does not stop.
    pub cancel: Duration,
}

impl Default for ProcessTimes {
    fn default() -> Self {
        Self {
            hello: Duration::from_secs(10),
            liveness_period: Duration::from_secs(5),
            liveness_deadline: Duration::from_secs(10),
            cancel: Duration::from_secs(5),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadedEngine {
    pub models: Vec<LoadedModel>,
    /// Limitations, such as a model that isn't there.
    pub notes: Vec<EngineNote>,
    /// Memory of the program, bytes.
    pub resident_bytes: u64,
    /// Memory of the graphics card that the models took, bytes; 0: none of it (GPU-6).
    pub card_bytes: u64,
}

/// Starts a program and has it load, for one use: it ends with the last clone, and nobody starts it again.
///
/// # Errors
/// Why it did not start, or did not load.
pub async fn once(program: &EngineProgram, spec: LoadSpec) -> Result<(EngineProcess, LoadedEngine), EngineFailure> {
    let process = EngineProcess::start(program).await?;
    let loaded = process.load(spec).await?;
    Ok((process, loaded))
}

/// A sign of life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Health {
    /// The job that it works on.
    pub running: Option<RequestId>,
    /// Memory of the program, bytes.
    pub resident_bytes: u64,
}

/// A running engine program. Clones are handles of the same program; it ends with the last of them.
#[derive(Debug, Clone)]
pub struct EngineProcess {
    handle: Arc<HandleGuard>,
}

#[derive(Debug)]
struct HandleGuard {
    shared: Arc<EngineShared>,
    greeting: Greeting,
}

impl Drop for HandleGuard {
    fn drop(&mut self) {
        self.shared.kill();
    }
}

impl EngineProcess {
    /// Starts a program and waits for its hello.
    ///
    /// # Errors
    /// [`EngineFailure::NotStarted`] where the program is not there or ends at once, [`EngineFailure::Protocol`] where it is another engine, of
    /// another protocol version, or none at all, [`EngineFailure::TimedOut`] if it says nothing.
    pub async fn start(program: &EngineProgram) -> Result<Self, EngineFailure> {
        Self::start_with(program, ProcessTimes::default()).await
    }

    /// Like [`EngineProcess::start`], with times of its own.
    ///
    /// # Errors
    /// As [`EngineProcess::start`].
    pub async fn start_with(program: &EngineProgram, settings: ProcessTimes) -> Result<Self, EngineFailure> {
        let (shared, greeting) = drive::start(program, settings).await?;
        Ok(Self { handle: Arc::new(HandleGuard { shared, greeting }) })
    }

    /// The version that the program told.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.handle.greeting.version
    }

    /// What the program was built to compute with (GPU-6).
    #[must_use]
    pub fn backends(&self) -> &[Backend] {
        &self.handle.greeting.backends
    }

    /// Process id of the program; of no use once it has ended.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.shared().pid
    }

    /// Loads models. An engine that holds others already gives them up.
    ///
    /// # Errors
    /// [`EngineFailure::Refused`] if the engine can't (ENG-4), others if it did not live to say so.
    pub async fn load(&self, spec: LoadSpec) -> Result<LoadedEngine, EngineFailure> {
        self.ask(|id| ToEngine::Load { id, spec }, PendingReply::Load).await
    }

    /// Hands over a job. Several may wait; the engine works on one after another.
    ///
    /// # Errors
    /// [`EngineFailure::Ended`] if the program is gone, [`EngineFailure::Busy`] where too many requests wait.
    pub fn run(&self, job: EngineJob, payload: Bytes) -> Result<RunningJob, EngineFailure> {
        let id = RequestId::next();
        let (asked, ends) = pending::run();
        self.shared().send(id, asked, &ToEngine::Run { id, job }, payload)?;
        Ok(RunningJob::new(id, self.shared().clone(), ends))
    }

    /// Gives models and memory back. Returns the bytes that the program still holds.
    ///
    /// # Errors
    /// If the engine refuses or did not live to answer.
    pub async fn unload(&self) -> Result<u64, EngineFailure> {
        self.ask(|id| ToEngine::Unload { id }, PendingReply::Unload).await
    }

    /// Asks for a sign of life; an engine answers at once, also while it works.
    ///
    /// # Errors
    /// [`EngineFailure::TimedOut`] after `deadline`. The program is left alone; [`EngineProcess::kill`] ends it.
    pub async fn health(&self, deadline: Duration) -> Result<Health, EngineFailure> {
        self.shared().health(deadline).await
    }

    /// Whether the program runs.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.shared().is_alive()
    }

    /// Ends the program at once. All its requests get [`EngineFailure::Ended`].
    pub fn kill(&self) {
        self.shared().kill();
    }

    /// Waits until the program has ended.
    pub async fn ended(&self) {
        self.shared().ended().await;
    }

    /// Asks the program to end, and ends it if it does not within `budget`. When this returns, it is gone.
    pub async fn close(self, budget: Duration) {
        self.shared().close();
        if tokio::time::timeout(budget, self.shared().ended()).await.is_err() {
            self.kill();
            self.shared().ended().await;
        }
    }

    fn shared(&self) -> &Arc<EngineShared> {
        &self.handle.shared
    }

    async fn ask<T>(
        &self,
        question: impl FnOnce(RequestId) -> ToEngine,
        asked: impl FnOnce(oneshot::Sender<Result<T, EngineFailure>>) -> PendingReply,
    ) -> Result<T, EngineFailure> {
        let id = RequestId::next();
        let (sender, answer) = oneshot::channel();
        self.shared().send(id, asked(sender), &question(id), Bytes::new())?;
        answer.await.unwrap_or_else(|_| Err(self.shared().why_ended()))
    }
}
