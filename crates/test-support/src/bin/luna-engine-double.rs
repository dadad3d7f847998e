//! A double of an engine program, for tests of the engine host: it follows the protocol, or breaks it on demand.
//!
//! The first argument names a fault outside jobs; the text of a `speak` job says what that job does.

#![forbid(unsafe_code)]
#![expect(clippy::disallowed_methods, reason = "dying on order is what it is for")]

use std::collections::HashSet;
use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

use luna_engine_protocol::frame;
use luna_engine_protocol::{Backend, EngineChunk, EngineJob, FromEngine, LoadedModel, PROTOCOL, ToEngine};
use luna_messages::RequestId;
use luna_messages::engine::{EngineError, EngineErrorKind, EngineKind};

fn bytes_of(message: &FromEngine, payload: &[u8]) -> io::Result<Vec<u8>> {
    frame::encode(message, payload).map_err(io::Error::other)
}

fn raw(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

fn say(message: &FromEngine, payload: &[u8]) -> io::Result<()> {
    raw(&bytes_of(message, payload)?)
}

fn complain(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

fn forever() -> ! {
    loop {
        thread::sleep(Duration::from_secs(3600));
    }
}

fn read_frame(input: &mut impl Read) -> io::Result<(ToEngine, Vec<u8>)> {
    let frame = frame::read(input).map_err(io::Error::other)?;
    frame.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}

type Cancelled = Arc<Mutex<HashSet<RequestId>>>;

fn is_cancelled(cancelled: &Cancelled, id: RequestId) -> bool {
    cancelled.lock().is_ok_and(|set| set.contains(&id))
}

fn work(id: RequestId, order: &str, payload: &[u8], cancelled: &Cancelled) -> io::Result<()> {
    let chunk = FromEngine::Chunk { id, chunk: EngineChunk::Sound { sample_rate: 16_000, words: Vec::new() } };
    // With this variable, every job quotes its text on standard error and aborts.
    let spills = std::env::var_os("LUNA_DOUBLE_SPILLS").is_some();
    let (word, number) = if spills { ("spill", "0") } else { order.split_once(' ').unwrap_or((order, "0")) };
    let number: u64 = number.parse().unwrap_or(0);
    match word {
        "stream" => (0..number).try_for_each(|n| say(&chunk, &n.to_be_bytes()))?,
        "slow" | "deaf" => {
            for _ in 0..number {
                if word == "slow" && is_cancelled(cancelled, id) {
                    return say(&FromEngine::Cancelled { id }, &[]);
                }
                say(&chunk, payload)?;
                thread::sleep(Duration::from_millis(10));
            }
        }
        "refuse" => {
            let error = EngineError {
                kind: EngineErrorKind::BadInput,
                message: "It can't be spoken.".into(),
                remedy: "Say something else.".into(),
            };
            return say(&FromEngine::Failed { id, error }, &[]);
        }
        "abort" => {
            complain("assertion failed: double\n");
            std::process::abort();
        }
        // Native libraries and panics quote their input.
        "spill" => {
            complain(&format!("thread 'main' panicked at src/x.rs:1:2:\ncould not say \"{order}\"\n{order}"));
            std::process::abort();
        }
        "exit" => std::process::exit(number as i32),
        "hang" => forever(),
        "garbage" => raw(b"What is this?\n")?,
        "bad-header" => raw(&[0, 0, 0, 8, 0, 0, 0, 4, b'n', b'o', b'p', b'e'])?,
        "long" => raw(&u32::MAX.to_be_bytes())?,
        "half" => {
            let whole = bytes_of(&chunk, payload)?;
            raw(&whole[..whole.len() / 2])?;
            std::process::exit(0);
        }
        "wrong-answer" => say(&FromEngine::Unloaded { id, resident_bytes: 0 }, &[])?,
        "noise" => complain(&"complaint ".repeat(100_000)),
        _ => say(&chunk, payload)?,
    }
    let resident_bytes = if word == "leak" { number << 20 } else { 1000 };
    say(&FromEngine::Done { id, elapsed_us: 1, resident_bytes }, &[])
}

fn main() -> io::Result<()> {
    let mode = std::env::args().nth(1).unwrap_or_default();
    let engine = if mode == "other-engine" { EngineKind::Ocr } else { EngineKind::Speech };
    let protocol = if mode == "other-version" { PROTOCOL + 1 } else { PROTOCOL };
    match mode.as_str() {
        "die-at-start" => {
            complain("no library\n");
            std::process::exit(7);
        }
        "silent" => forever(),
        "garbage-first" => raw(b"Hello, I am not an engine.\n")?,
        _ => say(&FromEngine::Hello { engine, protocol, version: "double".into(), backends: vec![Backend::Cpu] }, &[])?,
    }
    let cancelled = Cancelled::default();
    let (jobs, to_do) = mpsc::sync_channel::<(ToEngine, Vec<u8>)>(1024);
    let (worker_mode, known) = (mode.clone(), cancelled.clone());
    let running: Arc<Mutex<Option<RequestId>>> = Arc::default();
    let busy = running.clone();
    let note = move |id: Option<RequestId>| {
        if let Ok(mut running) = busy.lock() {
            *running = id;
        }
    };
    thread::spawn(move || -> io::Result<()> {
        for (message, payload) in to_do {
            match message {
                ToEngine::Run { id, .. } if is_cancelled(&known, id) => say(&FromEngine::Cancelled { id }, &[])?,
                ToEngine::Run { id, job: EngineJob::Speak(job) } => {
                    note(Some(id));
                    work(id, &job.text, &payload, &known)?;
                    note(None);
                }
                ToEngine::Run { .. } | ToEngine::Cancel { .. } | ToEngine::Health { .. } => {}
                ToEngine::Load { .. } if worker_mode == "die-at-load" => std::process::abort(),
                ToEngine::Load { .. } if worker_mode == "hang-at-load" => forever(),
                ToEngine::Load { id, .. } => {
                    let models = vec![LoadedModel { name: "voice:en".into(), bytes: 1 }];
                    say(
                        &FromEngine::Loaded { id, models, notes: Vec::new(), resident_bytes: 1000, card_bytes: 0 },
                        &[],
                    )?;
                }
                ToEngine::Unload { .. } if worker_mode == "die-at-unload" => std::process::abort(),
                ToEngine::Unload { .. } if worker_mode == "hang-at-unload" => forever(),
                ToEngine::Unload { id } => say(&FromEngine::Unloaded { id, resident_bytes: 10 }, &[])?,
            }
        }
        Ok(())
    });
    let mut input = io::stdin().lock();
    while let Ok((message, payload)) = read_frame(&mut input) {
        match message {
            ToEngine::Health { id } if mode != "no-health" => {
                let running = running.lock().ok().and_then(|running| *running);
                say(&FromEngine::Healthy { id, running, resident_bytes: 1 }, &[])?;
            }
            ToEngine::Health { .. } => {}
            ToEngine::Cancel { id } => {
                if let Ok(mut set) = cancelled.lock() {
                    set.insert(id);
                }
            }
            ToEngine::Run { job: EngineJob::Speak(ref job), .. } if job.text == "freeze" => forever(),
            ToEngine::Load { .. } | ToEngine::Run { .. } | ToEngine::Unload { .. } => {
                let _ = jobs.send((message, payload));
            }
        }
    }
    if mode == "stays" {
        forever();
    }
    Ok(())
}
