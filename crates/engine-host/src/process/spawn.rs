//! Starts an engine program at its priority, without core files, with its streams connected.

use std::collections::HashMap;
use std::process::Stdio;
use std::sync::{LazyLock, Mutex};
use std::time::Duration;

use luna_messages::engine::EngineKind;
use tokio::process::Command;
use tokio::runtime::Handle;

use super::child::{Process, SpawnedProgram};
use super::failure::EngineFailure;
use super::launch;
use super::program::EngineProgram;
use crate::policy::EnginePolicy;
use luna_actor_runtime::blocking::{BlockingThread, NoAnswer};
use luna_mailbox::sync::lock;

/// Longest time for the system to read the beginning of a program from its disk. It takes some milliseconds, on a sleeping disk some seconds.
const PROGRAM_READ_TIMEOUT: Duration = Duration::from_secs(15);

/// The thread that starts programs of a kind: the system returns only once it has read the beginning of the file, and a disk may hang (KER-11).
fn starter(kind: EngineKind) -> BlockingThread {
    static STARTERS: LazyLock<Mutex<HashMap<EngineKind, BlockingThread>>> = LazyLock::new(Mutex::default);
    let what = EnginePolicy::of(kind).start_thread;
    lock(&STARTERS).entry(kind).or_insert_with(|| BlockingThread::new(what, PROGRAM_READ_TIMEOUT)).clone()
}

/// Starts the program at its priority, with its three streams connected. The program ends when its [`Process`] is dropped, also if the start is
/// abandoned.
pub(super) async fn spawn(program: &EngineProgram) -> Result<SpawnedProgram, EngineFailure> {
    let not_started = |reason: String| EngineFailure::NotStarted { path: program.path.clone(), reason };
    if let Some(launched) = launch::start(program) {
        let launched = launched.map_err(|error| not_started(error.to_string()))?;
        return Ok(SpawnedProgram {
            process: Process::Substitute(launched.substitute),
            stdin: launched.stdin,
            stdout: launched.stdout,
            stderr: launched.stderr,
        });
    }
    let (what, runtime, starter) = (program.clone(), Handle::current(), starter(program.kind));
    let started = starter.run(move || {
        // Its streams belong to the runtime.
        let _inside = runtime.enter();
        spawn_here(&what)
    });
    started.await.unwrap_or_else(|error| {
        Err(not_started(match error {
            NoAnswer::Late { .. } => "the disk that it lies on does not answer".into(),
            NoAnswer::Failed { .. } | NoAnswer::NoThread { .. } => error.to_string(),
        }))
    })
}

/// Like [`spawn`]; blocks.
fn spawn_here(program: &EngineProgram) -> Result<SpawnedProgram, EngineFailure> {
    let not_started = |reason: String| EngineFailure::NotStarted { path: program.path.clone(), reason };
    let mut command = Command::new(&program.path);
    command
        .args(&program.arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // Otherwise ggml forks a debugger into an aborting process.
        .env("GGML_NO_BACKTRACE", "1")
        .kill_on_drop(true);
    #[cfg(target_os = "linux")]
    if EnginePolicy::of(program.kind).wipes_heap {
        command.env(HEAP_TUNABLES, heap_tunables(std::env::var(HEAP_TUNABLES).ok().as_deref()));
    }
    #[cfg(windows)]
    {
        const CREATE_NO_WINDOW: u32 = 0x0800_0000;
        const BELOW_NORMAL_PRIORITY_CLASS: u32 = 0x0000_4000;
        let priority = if program.nice > 0 { BELOW_NORMAL_PRIORITY_CLASS } else { 0 };
        command.creation_flags(CREATE_NO_WINDOW | priority);
    }
    #[cfg(unix)]
    // A signal from the keyboard that ends Luna must reach the engines through Luna, in order.
    command.process_group(0);
    let mut child = command.spawn().map_err(|error| not_started(error.to_string()))?;
    #[cfg(unix)]
    lower_priority(&child, program.nice);
    let (Some(stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err(not_started("its streams are not connected".into()));
    };
    Ok(SpawnedProgram {
        process: Process::Program(Box::new(child)),
        stdin: Box::new(stdin),
        stdout: Box::new(stdout),
        stderr: Box::new(stderr),
    })
}

/// The environment variable that configures the C library's heap.
#[cfg(target_os = "linux")]
const HEAP_TUNABLES: &str = "GLIBC_TUNABLES";

/// Configures the heap of an engine's native libraries to overwrite all freed memory (BUF-2). Per-thread caches would skip that, so they are off.
/// Settings of the person come later, so they take precedence.
#[cfg(target_os = "linux")]
fn heap_tunables(set: Option<&str>) -> String {
    let wiping = "glibc.malloc.perturb=170:glibc.malloc.tcache_count=0";
    match set.filter(|set| !set.is_empty()) {
        Some(set) => format!("{wiping}:{set}"),
        None => wiping.to_owned(),
    }
}

/// Lowers the priority and forbids core files, which would contain what is on the screen (BUF-3).
#[cfg(unix)]
fn lower_priority(child: &tokio::process::Child, nice: i32) {
    use rustix::process::{Pid, setpriority_process};
    let Some(pid) = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw) else {
        return;
    };
    // The threads that the program starts later inherit both.
    if nice != 0
        && let Err(error) = setpriority_process(Some(pid), nice)
    {
        tracing::debug!(%error, nice, "The priority of an engine could not be set.");
    }
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, Rlimit, prlimit};
        if let Err(error) = prlimit(Some(pid), Resource::Core, Rlimit { current: Some(0), maximum: Some(0) }) {
            tracing::debug!(%error, "Core files of an engine could not be forbidden.");
        }
    }
}
