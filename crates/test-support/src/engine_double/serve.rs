//! One run of an engine double, from its start to its end.

use std::collections::BTreeSet;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use futures_util::StreamExt;
use luna_engine_protocol::frame::{encode, split};
use luna_engine_protocol::{EngineJob, FromEngine, LoadedModel, PROTOCOL, ToEngine};
use luna_messages::RequestId;
use luna_messages::engine::{EngineError, EngineErrorKind, EngineKind};
use tokio::io::{AsyncWriteExt, DuplexStream};
use tokio::sync::{Notify, mpsc};
use tokio_util::codec::{FramedRead, LengthDelimitedCodec};

use super::super::engines::{EngineEnd, EnginePipes};
use super::{EngineAction, EngineDoubles, EngineFault, jobs};
use luna_mailbox::sync::lock;

const KILLED: EngineEnd = EngineEnd::Signal(9);
const ABORTED: EngineEnd = EngineEnd::Signal(6);

/// State shared by the reader of requests and the worker.
struct DoubleContext {
    doubles: EngineDoubles,
    kind: EngineKind,
    output: tokio::sync::Mutex<DuplexStream>,
    cancelled: Mutex<BTreeSet<RequestId>>,
    cancel_came: Notify,
    running: Mutex<Option<RequestId>>,
    /// Whether the engine answers nothing, not even health checks.
    frozen: AtomicBool,
}

/// Counts a running engine until it is dropped.
struct RunningEngine<'a>(&'a DoubleContext);

impl Drop for RunningEngine<'_> {
    fn drop(&mut self) {
        self.0.doubles.count(self.0.kind, |running| *running -= 1);
    }
}

pub(super) async fn serve(doubles: EngineDoubles, kind: EngineKind, pipes: EnginePipes) -> EngineEnd {
    let context = DoubleContext {
        doubles,
        kind,
        output: tokio::sync::Mutex::new(pipes.output),
        cancelled: Mutex::default(),
        cancel_came: Notify::new(),
        running: Mutex::default(),
        frozen: AtomicBool::new(false),
    };
    context.doubles.count(kind, |running| *running += 1);
    let _counted = RunningEngine(&context);
    context.did(EngineAction::Start);
    tokio::time::sleep(context.doubles.timing().hello).await;
    let at_start =
        |fault| matches!(fault, EngineFault::DieAtStart | EngineFault::SilentAtStart | EngineFault::GarbageAtStart);
    let fault = context.doubles.take(kind, at_start);
    match fault {
        Some(EngineFault::DieAtStart) => return EngineEnd::Code(7),
        Some(EngineFault::SilentAtStart) => std::future::pending().await,
        Some(_) => drop(context.raw(b"Hello, I am not an engine.\n").await),
        None => {}
    }
    let hello = FromEngine::Hello {
        engine: kind.of_program(),
        protocol: PROTOCOL,
        version: "double".into(),
        backends: context.doubles.backends(),
    };
    if context.say(&hello, &[]).await.is_err() {
        return KILLED;
    }
    let (jobs, mut to_do) = mpsc::channel(1024);
    tokio::select! {
        biased;
        end = context.read(pipes.input, jobs) => end,
        end = context.work(&mut to_do) => end,
    }
}

impl DoubleContext {
    fn did(&self, did: EngineAction) {
        self.doubles.tell(self.kind, did);
    }

    fn fault(&self, fits: impl Fn(EngineFault) -> bool) -> Option<EngineFault> {
        self.doubles.take(self.kind, fits)
    }

    async fn raw(&self, bytes: &[u8]) -> io::Result<()> {
        let mut output = self.output.lock().await;
        output.write_all(bytes).await?;
        output.flush().await
    }

    async fn say(&self, message: &FromEngine, payload: &[u8]) -> io::Result<()> {
        self.raw(&encode(message, payload).map_err(io::Error::other)?).await
    }

    /// Reads requests until its input ends.
    async fn read(&self, input: DuplexStream, jobs: mpsc::Sender<(ToEngine, Bytes)>) -> EngineEnd {
        let codec = LengthDelimitedCodec::builder().length_field_length(4).max_frame_length(1 << 28).new_codec();
        let mut frames = FramedRead::new(input, codec);
        while let Some(Ok(frame)) = frames.next().await {
            let frame = frame.freeze();
            let Ok((message, payload)) = split::<ToEngine>(&frame) else {
                return EngineEnd::Code(2);
            };
            if self.frozen.load(Ordering::Acquire) {
                continue;
            }
            match message {
                ToEngine::Health { id } => {
                    let healthy = FromEngine::Healthy { id, running: *lock(&self.running), resident_bytes: 1 };
                    let _ = self.say(&healthy, &[]).await;
                }
                ToEngine::Cancel { id } => {
                    self.did(EngineAction::Cancel);
                    lock(&self.cancelled).insert(id);
                    self.cancel_came.notify_one();
                }
                ToEngine::Load { .. } | ToEngine::Run { .. } | ToEngine::Unload { .. } => {
                    if jobs.try_send((message, frame.slice(payload..))).is_err() {
                        return EngineEnd::Code(3);
                    }
                }
            }
        }
        EngineEnd::Code(0)
    }

    /// Performs requests in order.
    async fn work(&self, to_do: &mut mpsc::Receiver<(ToEngine, Bytes)>) -> EngineEnd {
        let mut idle = None;
        loop {
            let next = match idle {
                None => to_do.recv().await,
                Some(time) => match tokio::time::timeout(time, to_do.recv()).await {
                    Ok(next) => next,
                    Err(_) => return ABORTED,
                },
            };
            let Some((message, payload)) = next else { return EngineEnd::Code(0) };
            let outcome = match message {
                ToEngine::Load { id, .. } => {
                    let outcome = self.load(id).await;
                    idle = match self.fault(|fault| matches!(fault, EngineFault::DieIdle(_))) {
                        Some(EngineFault::DieIdle(time)) => Some(time),
                        _ => None,
                    };
                    outcome
                }
                ToEngine::Unload { id } => self.unload(id).await,
                ToEngine::Run { id, job } => {
                    *lock(&self.running) = Some(id);
                    let outcome = self.run(id, &job, &payload).await;
                    *lock(&self.running) = None;
                    outcome
                }
                ToEngine::Cancel { .. } | ToEngine::Health { .. } => Ok(()),
            };
            if let Err(end) = outcome {
                return end;
            }
        }
    }

    async fn answer(&self, message: FromEngine, payload: &[u8]) -> Result<(), EngineEnd> {
        // A write fails only if the host is gone.
        self.say(&message, payload).await.map_err(|_| KILLED)
    }

    async fn load(&self, id: RequestId) -> Result<(), EngineEnd> {
        self.did(EngineAction::Load);
        let _loads = self.doubles.begin_load(self.kind);
        tokio::time::sleep(self.doubles.timing().load).await;
        let at_load =
            |fault| matches!(fault, EngineFault::DieAtLoad | EngineFault::HangAtLoad | EngineFault::RefuseLoad(_));
        match self.fault(at_load) {
            Some(EngineFault::DieAtLoad) => return Err(ABORTED),
            Some(EngineFault::RefuseLoad(kind)) => return self.answer(failed(id, kind), &[]).await,
            Some(_) => std::future::pending().await,
            None => {}
        }
        let models = vec![LoadedModel { name: "double".into(), bytes: 1 }];
        let card_bytes = u64::from(self.doubles.backends().iter().any(|backend| backend.is_card()));
        let loaded = FromEngine::Loaded { id, models, notes: Vec::new(), resident_bytes: 1000, card_bytes };
        self.answer(loaded, &[]).await
    }

    async fn unload(&self, id: RequestId) -> Result<(), EngineEnd> {
        self.did(EngineAction::Unload);
        match self.fault(|fault| matches!(fault, EngineFault::DieAtUnload | EngineFault::HangAtUnload)) {
            Some(EngineFault::DieAtUnload) => return Err(KILLED),
            Some(_) => std::future::pending().await,
            None => {}
        }
        self.answer(FromEngine::Unloaded { id, resident_bytes: 10 }, &[]).await
    }

    fn is_cancelled(&self, id: RequestId) -> bool {
        lock(&self.cancelled).contains(&id)
    }

    async fn run(&self, id: RequestId, job: &EngineJob, payload: &[u8]) -> Result<(), EngineEnd> {
        self.did(EngineAction::Run);
        if self.is_cancelled(id) {
            return self.answer(FromEngine::Cancelled { id }, &[]).await;
        }
        let timing = self.doubles.timing();
        let fault = self.fault(EngineFault::is_in_run);
        let deaf = matches!(fault, Some(EngineFault::IgnoreCancel));
        for (count, (chunk, payload)) in (0u32..).zip(jobs::parts(job, payload, &timing)) {
            match fault {
                Some(EngineFault::RefuseRun) => {
                    return self.answer(failed(id, EngineErrorKind::BadInput), &[]).await;
                }
                Some(EngineFault::DieInRun { after }) if count >= after => return Err(KILLED),
                Some(EngineFault::AbortInRun { after }) if count >= after => return Err(ABORTED),
                Some(EngineFault::GarbageInRun) => drop(self.raw(b"What is this?\n").await),
                Some(EngineFault::HangInRun | EngineFault::Freeze) if count > 0 => {
                    self.frozen.store(fault == Some(EngineFault::Freeze), Ordering::Release);
                    std::future::pending::<()>().await;
                }
                Some(_) | None => {}
            }
            let part = if deaf { timing.part * 10 } else { timing.part };
            self.simulate_work(part, deaf).await;
            if !deaf && self.is_cancelled(id) {
                return self.answer(FromEngine::Cancelled { id }, &[]).await;
            }
            self.answer(FromEngine::Chunk { id, chunk }, &payload).await?;
        }
        match fault {
            Some(EngineFault::DieInRun { .. }) => return Err(KILLED),
            Some(EngineFault::AbortInRun { .. }) => return Err(ABORTED),
            Some(EngineFault::LoseAnswer | EngineFault::HangInRun | EngineFault::Freeze) => {
                std::future::pending::<()>().await;
            }
            Some(EngineFault::LateAnswer(by)) => tokio::time::sleep(by).await,
            Some(_) | None => {}
        }
        self.did(EngineAction::Done);
        let resident_bytes = match fault {
            Some(EngineFault::Leak { bytes }) => bytes,
            Some(_) | None => 1000,
        };
        self.answer(FromEngine::Done { id, elapsed_us: 1, resident_bytes }, &[]).await
    }

    /// Simulates work for `time`, or until a cancel arrives unless `deaf`.
    async fn simulate_work(&self, time: std::time::Duration, deaf: bool) {
        if deaf {
            return tokio::time::sleep(time).await;
        }
        let _ = tokio::time::timeout(time, self.cancel_came.notified()).await;
    }
}

impl EngineFault {
    const fn is_in_run(self) -> bool {
        match self {
            Self::DieInRun { .. }
            | Self::AbortInRun { .. }
            | Self::RefuseRun
            | Self::HangInRun
            | Self::Freeze
            | Self::LoseAnswer
            | Self::LateAnswer(_)
            | Self::IgnoreCancel
            | Self::Leak { .. }
            | Self::GarbageInRun => true,
            Self::NotThere
            | Self::DieAtStart
            | Self::SilentAtStart
            | Self::GarbageAtStart
            | Self::DieAtLoad
            | Self::HangAtLoad
            | Self::RefuseLoad(_)
            | Self::DieAtUnload
            | Self::HangAtUnload
            | Self::DieIdle(_) => false,
        }
    }
}

fn failed(id: RequestId, kind: EngineErrorKind) -> FromEngine {
    let error = EngineError { kind, message: "The double refuses.".into(), remedy: "Order it to work.".into() };
    FromEngine::Failed { id, error }
}
