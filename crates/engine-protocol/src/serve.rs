//! The serving loop of an engine program.

use std::io::{Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::{EngineJob, FromEngine, LoadSpec, PROTOCOL, ToEngine};
use luna_messages::RequestId;
use luna_messages::engine::{EngineError, EngineErrorKind};

use crate::frame::{self, FrameError};
use crate::output::{Pipe, write_stderr};
use crate::{CancelFlag, Engine, Output, failure, memory, panics, resident_bytes, streams};

/// Serves the protocol on stdin and stdout until stdin ends or violates the protocol; then the process ends at once, whatever it is doing.
pub fn serve(engine: impl Engine) -> ExitCode {
    panics::install_panic_hook();
    memory::raise_oom_score();
    if let Err(error) = memory::keep_private() {
        write_stderr(&format!("The engine's memory could not be kept out of core files: {error}."));
    }
    let (input, output) = match streams::unbuffered_stdio() {
        Ok(streams) => streams,
        Err(error) => {
            write_stderr(&format!("The engine has no pipes to speak on: {}.", error.kind()));
            return ExitCode::FAILURE;
        }
    };
    serve_on(engine, input, output, |code| std::process::exit(code))
}

/// Idle time after which an engine overwrites what its library keeps of the last job. Shorter than `privacy.ttl_purge_ms`, longer than the pause
/// between two sentences that are read one after another.
const IDLE_AFTER: Duration = Duration::from_millis(120);

/// A request that waits for the worker.
enum QueuedJob {
    Load { id: RequestId, spec: LoadSpec },
    Run { id: RequestId, job: EngineJob, payload: Vec<u8>, cancel: CancelFlag },
    Unload { id: RequestId },
}

/// State that reader and worker share.
#[derive(Default)]
struct JobQueue {
    /// Reported in `Healthy`.
    running: Option<RequestId>,
    /// Flags of jobs that wait or run, so that a cancel reaches both.
    flags: Vec<(RequestId, CancelFlag)>,
}

type SharedJobs = Arc<Mutex<JobQueue>>;

fn lock(jobs: &SharedJobs) -> MutexGuard<'_, JobQueue> {
    // A panic can't leave the value inconsistent.
    jobs.lock().unwrap_or_else(PoisonError::into_inner)
}

/// [`serve`] on any pipe. `gone` is called on the reader thread with an exit code when the input ended (0) or violated the protocol (2); if it
/// returns, the waiting work is still done before this function returns.
fn serve_on<E: Engine>(
    mut engine: E,
    mut input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    gone: impl FnOnce(i32) + Send + 'static,
) -> ExitCode {
    let pipe = Pipe::new(output);
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let backends = E::BACKENDS.to_vec();
    pipe.send(&FromEngine::Hello { engine: E::KIND, protocol: PROTOCOL, version, backends }, &[]);
    let jobs = SharedJobs::default();
    let (sender, receiver) = channel();
    let reader = {
        let (pipe, jobs) = (pipe.clone(), Arc::clone(&jobs));
        thread::Builder::new().name("frames".to_owned()).spawn(move || {
            let code = match read_frames(&mut input, &sender, &pipe, &jobs) {
                Ok(()) => 0,
                Err(error) => {
                    write_stderr(&format!("The engine ends because {error}."));
                    2
                }
            };
            gone(code);
        })
    };
    if let Err(error) = reader {
        write_stderr(&format!("The engine could not start a thread: {error}."));
        return ExitCode::FAILURE;
    }
    work(&mut engine, &receiver, &pipe, &jobs);
    ExitCode::SUCCESS
}

/// The reader thread: answers what can be answered at once, passes the rest to the worker.
fn read_frames(
    input: &mut impl Read,
    work: &Sender<QueuedJob>,
    pipe: &Pipe,
    jobs: &SharedJobs,
) -> Result<(), FrameError> {
    while let Some((message, payload)) = frame::read::<ToEngine>(input)? {
        let item = match message {
            ToEngine::Health { id } => {
                let running = lock(jobs).running;
                pipe.send(&FromEngine::Healthy { id, running, resident_bytes: resident_bytes() }, &[]);
                continue;
            }
            ToEngine::Cancel { id } => {
                lock(jobs).flags.iter().filter(|(job, _)| *job == id).for_each(|(_, flag)| flag.set());
                continue;
            }
            ToEngine::Load { id, spec } => QueuedJob::Load { id, spec },
            ToEngine::Unload { id } => QueuedJob::Unload { id },
            ToEngine::Run { id, job } => {
                let cancel = CancelFlag::new();
                lock(jobs).flags.push((id, cancel.clone()));
                QueuedJob::Run { id, job, payload, cancel }
            }
        };
        if work.send(item).is_err() {
            // The worker has ended; no request can be answered any more.
            break;
        }
    }
    Ok(())
}

/// The main thread: one request after another.
fn work(engine: &mut impl Engine, receiver: &Receiver<QueuedJob>, pipe: &Pipe, jobs: &SharedJobs) {
    let mut worked = false;
    loop {
        let next = if worked { receiver.recv_timeout(IDLE_AFTER) } else { receiver.recv().map_err(Into::into) };
        let item = match next {
            Ok(item) => item,
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {
                worked = false;
                // The panic hook has reported it already; the next job shows whether the engine still works.
                let _ = guarded(|| {
                    engine.on_idle();
                    Ok(())
                });
                continue;
            }
        };
        worked = matches!(item, QueuedJob::Run { .. });
        let answer = match item {
            QueuedJob::Load { id, spec } => {
                lock(jobs).running = Some(id);
                match guarded(|| engine.load(spec)) {
                    Ok(loaded) => FromEngine::Loaded {
                        id,
                        models: loaded.models,
                        notes: loaded.notes,
                        resident_bytes: resident_bytes(),
                        card_bytes: loaded.card_bytes,
                    },
                    Err(error) => {
                        // No models are better than a part of them. The panic hook has reported a panic already.
                        let _ = guarded(|| {
                            engine.unload();
                            Ok(())
                        });
                        FromEngine::Failed { id, error }
                    }
                }
            }
            QueuedJob::Run { id, job, payload, cancel } => run(engine, id, job, payload, &cancel, pipe, jobs),
            QueuedJob::Unload { id } => {
                let unloaded = guarded(|| {
                    engine.unload();
                    Ok(())
                });
                match unloaded {
                    Ok(()) => FromEngine::Unloaded { id, resident_bytes: resident_bytes() },
                    Err(error) => FromEngine::Failed { id, error },
                }
            }
        };
        lock(jobs).running = None;
        if !pipe.send(&answer, &[]) {
            return;
        }
    }
}

fn run(
    engine: &mut impl Engine,
    id: RequestId,
    job: EngineJob,
    payload: Vec<u8>,
    cancel: &CancelFlag,
    pipe: &Pipe,
    jobs: &SharedJobs,
) -> FromEngine {
    let start = Instant::now();
    let result = if cancel.is_set() {
        Ok(())
    } else {
        lock(jobs).running = Some(id);
        let mut output = Output::new(pipe.clone(), id);
        guarded(|| engine.run(job, payload, &mut output, cancel))
    };
    lock(jobs).flags.retain(|(job, _)| *job != id);
    match result {
        _ if cancel.is_set() => FromEngine::Cancelled { id },
        Ok(()) => {
            let elapsed_us = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
            FromEngine::Done { id, elapsed_us, resident_bytes: resident_bytes() }
        }
        Err(error) => FromEngine::Failed { id, error },
    }
}

/// Runs a piece of engine code; a panic becomes an error.
fn guarded<T>(call: impl FnOnce() -> Result<T, EngineError>) -> Result<T, EngineError> {
    // The engine may be left in any state that its own code allows; `Unload` and `Load` reset it.
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| {
        // The panic's message may quote what was being read (PRV-2).
        let place = panics::take_place().map(|place| format!(", at {place}")).unwrap_or_default();
        Err(failure(
            EngineErrorKind::Internal,
            format!("The engine failed inside{place}."),
            "Try again; if it happens each time, report it with this message.",
        ))
    })
}

#[cfg(test)]
mod tests;
