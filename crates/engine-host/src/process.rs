//! The engine host (ENG-1, ENG-2): native runtimes are programs of their own that communicate over pipes. A runtime that aborts, hangs or violates
//! the protocol ends only itself; every request gets an answer or a clear error.

mod child;
mod drive;
mod failure;
mod frame;
pub mod launch;
mod pending;
mod program;
mod run;
mod spawn;
mod stderr_signs;

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

/// Timing of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProcessTimes {
    /// Longest time for a program to send its greeting.
    pub hello: Duration,
    /// Health-check interval of a working engine.
    pub liveness_period: Duration,
    /// Longest time for the answer to a health check before the engine counts as hung and is ended.
    pub liveness_deadline: Duration,
    /// Longest time for a cancelled job to stop before its caller gets an error.
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

/// The answer of an engine that loaded its models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadedEngine {
    pub models: Vec<LoadedModel>,
    /// Limitations, such as a missing model.
    pub notes: Vec<EngineNote>,
    /// Memory of the program, bytes.
    pub resident_bytes: u64,
    /// Memory of the graphics card that the models took, bytes; 0: none (GPU-6).
    pub card_bytes: u64,
}

/// Starts and loads a program for one use: it ends with the last clone and is never restarted.
///
/// # Errors
/// As [`EngineProcess::start`] and [`EngineProcess::load`].
pub async fn start_and_load(
    program: &EngineProgram,
    spec: LoadSpec,
) -> Result<(EngineProcess, LoadedEngine), EngineFailure> {
    let process = EngineProcess::start(program).await?;
    let loaded = process.load(spec).await?;
    Ok((process, loaded))
}

/// The answer to a health check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Health {
    /// The running job.
    pub running: Option<RequestId>,
    /// Memory of the program, bytes.
    pub resident_bytes: u64,
}

/// A running engine program. Clones share it; it ends with the last of them.
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
    /// Starts a program and waits for its greeting.
    ///
    /// # Errors
    /// [`EngineFailure::NotStarted`] if the program can't be started or ends at once, [`EngineFailure::Protocol`] if it is another engine, has
    /// another protocol version, or is no engine, [`EngineFailure::TimedOut`] if it sends no greeting.
    pub async fn start(program: &EngineProgram) -> Result<Self, EngineFailure> {
        Self::start_with(program, ProcessTimes::default()).await
    }

    /// Like [`EngineProcess::start`], with other timing.
    ///
    /// # Errors
    /// As [`EngineProcess::start`].
    pub async fn start_with(program: &EngineProgram, settings: ProcessTimes) -> Result<Self, EngineFailure> {
        let (shared, greeting) = drive::start(program, settings).await?;
        Ok(Self { handle: Arc::new(HandleGuard { shared, greeting }) })
    }

    /// The program's version.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.handle.greeting.version
    }

    /// The backends that the program was built with (GPU-6).
    #[must_use]
    pub fn backends(&self) -> &[Backend] {
        &self.handle.greeting.backends
    }

    /// Process id of the program; invalid once it has ended.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.shared().pid
    }

    /// Loads models. An engine that has others loaded drops them.
    ///
    /// # Errors
    /// [`EngineFailure::Refused`] if the engine can't (ENG-4), [`EngineFailure::Busy`] if too many requests wait, others if the program ended before
    /// it answered.
    pub async fn load(&self, spec: LoadSpec) -> Result<LoadedEngine, EngineFailure> {
        self.ask(|id| ToEngine::Load { id, spec }, PendingReply::Load).await
    }

    /// Submits a job. Several may wait; the engine works on one at a time.
    ///
    /// # Errors
    /// [`EngineFailure::Busy`] if too many requests wait, [`EngineFailure::Protocol`] if the job is too large for a frame, others if the program has
    /// ended.
    pub fn run(&self, job: EngineJob, payload: Bytes) -> Result<RunningJob, EngineFailure> {
        let id = RequestId::next();
        let (reply, ends) = pending::run();
        self.shared().send(id, reply, &ToEngine::Run { id, job }, payload)?;
        Ok(RunningJob::new(id, self.shared().clone(), ends))
    }

    /// Unloads all models. Returns the memory that the program still uses, bytes.
    ///
    /// # Errors
    /// [`EngineFailure::Refused`] if the engine refuses, [`EngineFailure::Busy`] if too many requests wait, others if the program ended before it
    /// answered.
    pub async fn unload(&self) -> Result<u64, EngineFailure> {
        self.ask(|id| ToEngine::Unload { id }, PendingReply::Unload).await
    }

    /// Checks the health of the engine, which answers at once, also while it works.
    ///
    /// # Errors
    /// [`EngineFailure::TimedOut`] after `deadline`: the program goes on, and [`EngineProcess::kill`] ends it. [`EngineFailure::Busy`] if too many
    /// requests wait, others if the program has ended.
    pub async fn health(&self, deadline: Duration) -> Result<Health, EngineFailure> {
        self.shared().health(deadline).await
    }

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

    /// Asks the program to end, and kills it after `budget`. When this returns, it is gone.
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
        reply: impl FnOnce(oneshot::Sender<Result<T, EngineFailure>>) -> PendingReply,
    ) -> Result<T, EngineFailure> {
        let id = RequestId::next();
        let (sender, answer) = oneshot::channel();
        self.shared().send(id, reply(sender), &question(id), Bytes::new())?;
        answer.await.unwrap_or_else(|_| Err(self.shared().why_ended()))
    }
}
