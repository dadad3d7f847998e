//! The tasks around an engine program: one writes, one reads, one reads its standard error, one waits for its end and fails all pending requests.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use luna_engine_protocol::{Backend, FromEngine, PROTOCOL, ToEngine};
use luna_messages::RequestId;
use luna_messages::engine::EngineKind;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::sync::{Notify, mpsc, oneshot, watch};

use super::child::{Process, SpawnedProgram};
use super::failure::EngineFailure;
use super::frame::{self, Frames, OutgoingFrame};
use super::launch::{Input, Output};
use super::pending::{AfterReply, MAX_PENDING, Pending, PendingReply};
use super::program::EngineProgram;
use super::spawn::spawn;
use super::stderr_signs::StderrSigns;
use super::{Health, ProcessTimes};
use luna_actor_runtime::metric_names::{ENGINE_ENDS, ENGINE_STARTS, ended};
use luna_mailbox::sync::lock;

/// Capacity in frames to write: a request for each pending reply, as many cancels, and some to spare.
const MAX_OUTGOING: usize = 2 * MAX_PENDING + 16;
/// Longest time for a program that closed its output to end, and for reading the remaining output of a program that ended.
const DRAIN_TIMEOUT: Duration = Duration::from_millis(500);

/// State that handles and tasks share.
#[derive(Debug)]
pub(super) struct EngineShared {
    pub settings: ProcessTimes,
    pub pid: u32,
    kind: EngineKind,
    pending: Mutex<Pending>,
    /// `None` once the program was asked to end.
    outgoing: Mutex<Option<mpsc::Sender<OutgoingFrame>>>,
    kill: Notify,
    killed: AtomicBool,
    closed: AtomicBool,
    ended: watch::Sender<bool>,
}

impl EngineShared {
    /// Registers the pending reply, then sends.
    pub fn send(
        &self,
        id: RequestId,
        reply: PendingReply,
        message: &ToEngine,
        payload: Bytes,
    ) -> Result<(), EngineFailure> {
        let frame = frame::encode(message, payload)?;
        lock(&self.pending).insert(id, reply)?;
        self.write(frame).inspect_err(|_| lock(&self.pending).remove(id))
    }

    pub fn cancel(&self, id: RequestId) {
        if let Ok(frame) = frame::encode(&ToEngine::Cancel { id }, Bytes::new())
            && self.write(frame).is_err()
        {
            // The program is gone, or so stuck that it will be ended: its callers get the error then.
            tracing::debug!(engine = self.kind.name(), "A cancel could not be sent to the engine.");
        }
    }

    pub async fn health(&self, deadline: Duration) -> Result<Health, EngineFailure> {
        let id = RequestId::next();
        let (sender, answer) = oneshot::channel();
        self.send(id, PendingReply::Health(sender), &ToEngine::Health { id }, Bytes::new())?;
        match tokio::time::timeout(deadline, answer).await {
            Ok(answer) => answer.unwrap_or_else(|_| Err(self.why_ended())),
            Err(_) => {
                lock(&self.pending).remove(id);
                Err(EngineFailure::TimedOut { what: "a sign of life", after: deadline })
            }
        }
    }

    pub fn is_alive(&self) -> bool {
        lock(&self.pending).closed().is_none()
    }

    pub fn kill(&self) {
        self.killed.store(true, Ordering::Release);
        self.kill.notify_one();
    }

    /// Closes its input; an engine then ends by itself.
    pub fn close(&self) {
        self.closed.store(true, Ordering::Release);
        *lock(&self.outgoing) = None;
    }

    pub async fn ended(&self) {
        // The sender lives in `self`, so this can't fail.
        let _ = self.ended.subscribe().wait_for(|ended| *ended).await;
    }

    pub fn why_ended(&self) -> EngineFailure {
        let why = lock(&self.pending).closed();
        why.unwrap_or_else(|| EngineFailure::Ended { reason: "it was ended".into() })
    }

    fn write(&self, frame: OutgoingFrame) -> Result<(), EngineFailure> {
        let outgoing = lock(&self.outgoing);
        let Some(sender) = &*outgoing else {
            return Err(EngineFailure::Ended { reason: "it was closed".into() });
        };
        sender.try_send(frame).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => EngineFailure::Busy { waiting: MAX_OUTGOING },
            mpsc::error::TrySendError::Closed(_) => {
                EngineFailure::Ended { reason: "it takes no requests any more".into() }
            }
        })
    }
}

/// A program that was started and has not greeted yet. If its start is abandoned, dropping this counts its end; the program is killed when its
/// process is dropped.
struct StartingProgram {
    kind: EngineKind,
    counts: bool,
}

impl Drop for StartingProgram {
    fn drop(&mut self) {
        if self.counts {
            count_end(self.kind, ended::KILLED);
        }
    }
}

/// What a program says in its greeting.
#[derive(Debug)]
pub(super) struct Greeting {
    pub version: String,
    pub backends: Vec<Backend>,
}

/// Starts a program; returns once it has greeted.
pub(super) async fn start(
    program: &EngineProgram,
    settings: ProcessTimes,
) -> Result<(Arc<EngineShared>, Greeting), EngineFailure> {
    let SpawnedProgram { mut process, stdin, stdout, stderr } = spawn(program).await?;
    let not_started = |reason: String| EngineFailure::NotStarted { path: program.path.clone(), reason };
    metrics::counter!(ENGINE_STARTS, "engine" => program.kind.name()).increment(1);
    let mut starting = StartingProgram { kind: program.kind, counts: true };
    let mut frames = Frames::new(stdout);
    let stderr_reader = StderrReader::listen(program.kind, stderr);
    let hello = tokio::time::timeout(settings.hello, hello(&mut frames, program.kind)).await;
    let failure = match hello {
        Ok(Ok(greeting)) => {
            let (outgoing, to_write) = mpsc::channel(MAX_OUTGOING);
            let shared = Arc::new(EngineShared {
                settings,
                pid: process.id(),
                kind: program.kind,
                pending: Mutex::new(Pending::new(program.kind, program.memory_limit)),
                outgoing: Mutex::new(Some(outgoing)),
                kill: Notify::new(),
                killed: AtomicBool::new(false),
                closed: AtomicBool::new(false),
                ended: watch::Sender::new(false),
            });
            starting.counts = false;
            tokio::spawn(write_all(to_write, stdin));
            tokio::spawn(drive(process, frames, stderr_reader, shared.clone()));
            return Ok((shared, greeting));
        }
        Ok(Err(Some(failure))) => failure,
        Ok(Err(None)) => {
            let how = wait_or_kill(&mut process).await;
            not_started(format!("it ended at once, {how}{}", stderr_reader.last().await))
        }
        Err(_) => EngineFailure::TimedOut { what: "its greeting", after: settings.hello },
    };
    reap(&mut process).await;
    starting.counts = false;
    let how = if matches!(failure, EngineFailure::Protocol { .. }) { ended::PROTOCOL } else { ended::CRASHED };
    count_end(program.kind, if matches!(failure, EngineFailure::TimedOut { .. }) { ended::TIMED_OUT } else { how });
    Err(failure)
}

/// Waits for the first frame; `None` if the output ends before.
async fn hello(frames: &mut Frames, kind: EngineKind) -> Result<Greeting, Option<EngineFailure>> {
    let bad = |what: String| Err(Some(EngineFailure::Protocol { what }));
    match next_frame(frames).await.map_err(Some)? {
        None => Err(None),
        Some((FromEngine::Hello { engine, protocol, version, backends }, _)) => {
            match (engine == kind.of_program(), protocol == PROTOCOL) {
                (true, true) => Ok(Greeting { version, backends }),
                (false, _) => bad(format!("it is the engine \"{}\", not \"{}\"", engine.name(), kind.name())),
                (true, false) => bad(format!("it speaks version {protocol}, Luna version {PROTOCOL}")),
            }
        }
        Some(_) => bad("it did not say hello first".into()),
    }
}

async fn next_frame(frames: &mut Frames) -> Result<Option<(FromEngine, Bytes)>, EngineFailure> {
    match frames.next().await {
        Ok(None) => Ok(None),
        Ok(Some(frame)) => frame::decode(frame).map(Some),
        Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
            Err(EngineFailure::Protocol { what: "a frame is longer than allowed".into() })
        }
        // Output that breaks off inside a frame is an end like any other.
        Err(_) => Ok(None),
    }
}

async fn write_all(mut to_write: mpsc::Receiver<OutgoingFrame>, mut stdin: Input) {
    while let Some(OutgoingFrame { head, payload }) = to_write.recv().await {
        // If the pipe is broken, the program has ended, which is noticed elsewhere.
        if stdin.write_all(&head).await.is_err()
            || stdin.write_all(&payload).await.is_err()
            || stdin.flush().await.is_err()
        {
            return;
        }
    }
}

/// Dispatches replies until the output ends.
async fn read_all(frames: &mut Frames, shared: &EngineShared) -> Result<(), EngineFailure> {
    while let Some((message, payload)) = next_frame(frames).await? {
        let id = match &message {
            FromEngine::Chunk { id, .. } => *id,
            _ => RequestId::default(),
        };
        let after = lock(&shared.pending).dispatch(message, payload)?;
        match after {
            AfterReply::Continue => {}
            AfterReply::Cancel => shared.cancel(id),
            AfterReply::End(why) => return Err(why),
        }
    }
    Ok(())
}

/// Periodically checks the health of an engine with pending replies; returns if it does not answer in time or too many requests wait.
async fn until_hung(shared: &EngineShared) -> EngineFailure {
    loop {
        tokio::time::sleep(shared.settings.liveness_period).await;
        if lock(&shared.pending).is_empty() {
            continue;
        }
        match shared.health(shared.settings.liveness_deadline).await {
            Err(failure @ (EngineFailure::TimedOut { .. } | EngineFailure::Busy { .. })) => return failure,
            // The engine is alive, or its end is noticed elsewhere.
            Ok(_)
            | Err(
                EngineFailure::NotStarted { .. }
                | EngineFailure::Ended { .. }
                | EngineFailure::Refused(_)
                | EngineFailure::Cancelled
                | EngineFailure::Protocol { .. }
                | EngineFailure::Outgrew { .. },
            ) => {}
        }
    }
}

/// Waits until the program ends, hangs, violates the protocol or is to be killed; makes sure that it is gone, and fails all pending requests.
async fn drive(mut process: Process, mut frames: Frames, stderr_reader: StderrReader, shared: Arc<EngineShared>) {
    let failure = tokio::select! {
        // The kill first, because an engine may write without end; then all its output before its end.
        biased;
        () = shared.kill.notified() => None,
        read = read_all(&mut frames, &shared) => read.err(),
        _ = process.wait() => None,
        failure = until_hung(&shared) => Some(failure),
    };
    let killed = shared.killed.load(Ordering::Acquire);
    if killed || failure.is_some() {
        reap(&mut process).await;
    }
    let how_it_ended = wait_or_kill(&mut process).await;
    let failure = match failure {
        Some(failure) => failure,
        None => {
            // Output before its end still counts. A grandchild may keep the pipe open, so the wait is bounded.
            let rest = tokio::time::timeout(DRAIN_TIMEOUT, read_all(&mut frames, &shared)).await;
            match rest {
                Ok(Err(failure)) => failure,
                Ok(Ok(())) | Err(_) if killed => EngineFailure::Ended { reason: "Luna ended it".into() },
                Ok(Ok(())) | Err(_) => {
                    EngineFailure::Ended { reason: format!("{how_it_ended}{}", stderr_reader.last().await) }
                }
            }
        }
    };
    let closed = shared.closed.load(Ordering::Acquire);
    let how = match &failure {
        EngineFailure::Protocol { .. } => ended::PROTOCOL,
        EngineFailure::TimedOut { .. } | EngineFailure::Busy { .. } => ended::TIMED_OUT,
        EngineFailure::Outgrew { .. } => ended::OUTGREW,
        _ if killed => ended::KILLED,
        _ if closed => ended::CLOSED,
        _ => ended::CRASHED,
    };
    count_end(shared.kind, how);
    if how == ended::OUTGREW {
        tracing::warn!(engine = shared.kind.name(), %failure, "An engine leaks memory.");
    } else if how != ended::CLOSED && how != ended::KILLED {
        tracing::warn!(engine = shared.kind.name(), %failure, "An engine ended unexpectedly.");
    }
    lock(&shared.pending).close(&failure);
    *lock(&shared.outgoing) = None;
    shared.ended.send_replace(true);
}

fn count_end(kind: EngineKind, how: &'static str) {
    metrics::counter!(ENGINE_ENDS, "engine" => kind.name(), "how" => how).increment(1);
}

/// Kills the program and waits until it is gone.
async fn reap(process: &mut Process) {
    if let Err(error) = process.kill().await {
        tracing::debug!(%error, "An engine could not be ended; it may have ended by itself.");
    }
}

/// Waits for the program to end, kills it after a while, and describes its end.
async fn wait_or_kill(process: &mut Process) -> String {
    match tokio::time::timeout(DRAIN_TIMEOUT, process.wait()).await {
        Ok(Ok(how)) => how,
        Ok(Err(error)) => format!("its end is not known: {error}"),
        Err(_) => {
            reap(process).await;
            "it closed its output and did not end".into()
        }
    }
}

/// Reads the program's standard error. Its text is never kept (PRV-2).
struct StderrReader {
    signs: Arc<Mutex<StderrSigns>>,
    listener: tokio::task::JoinHandle<()>,
}

impl StderrReader {
    fn listen(kind: EngineKind, stderr: Output) -> Self {
        let signs = Arc::new(Mutex::new(StderrSigns::default()));
        let collected = signs.clone();
        let listener = tokio::spawn(async move {
            let mut stderr = BufReader::new(stderr);
            while let Ok(piece) = stderr.fill_buf().await {
                if piece.is_empty() {
                    return;
                }
                let bytes = piece.len();
                tracing::debug!(engine = kind.name(), bytes, "The engine wrote to its standard error.");
                lock(&collected).add(piece);
                stderr.consume(bytes);
            }
        });
        Self { signs, listener }
    }

    /// What standard error reveals of the cause, as the end of a sentence; empty if nothing was written.
    async fn last(self) -> String {
        let mut listener = self.listener;
        // The program is gone, so this takes as long as reading the rest.
        if tokio::time::timeout(DRAIN_TIMEOUT, &mut listener).await.is_err() {
            listener.abort();
        }
        let mut signs = lock(&self.signs);
        signs.end();
        signs.to_string()
    }
}
