//! Engines without programs: a future at the other end of two pipes in memory takes the place of the process.

use std::cell::RefCell;
use std::io;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use tokio::io::{DuplexStream, duplex};
use tokio::task::JoinHandle;

use crate::engine::EngineProgram;

/// What fits into a pipe before its writer waits, as on Linux.
const PIPE: usize = 64 * 1024;

/// The ends that an engine holds: its standard input, output and error.
#[derive(Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct EnginePipes {
    pub input: DuplexStream,
    pub output: DuplexStream,
    pub complaints: DuplexStream,
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineEnd {
    /// It returned this code.
    Code(i32),
    /// This signal ended it: 6 as by `abort()`, 9 as killed.
    Signal(i32),
}

/// Makes the engine that a host asks for; `None`: there is no such program.
pub type Serve = Arc<dyn Fn(&EngineProgram, EnginePipes) -> Option<BoxFuture<'static, EngineEnd>>>;

thread_local! {
    static HERE: RefCell<Option<Serve>> = const { RefCell::new(None) };
}

/// While it lives, engine hosts that are started from this thread start no programs. For runtimes of one thread.
#[must_use = "dropping it brings the programs back"]
pub struct InProcessEngines(());

impl InProcessEngines {
    /// From now on `serve` takes the place of every program.
    pub fn here(serve: Serve) -> Self {
        HERE.set(Some(serve));
        Self(())
    }
}

impl Drop for InProcessEngines {
    fn drop(&mut self) {
        HERE.set(None);
    }
}

/// An engine that runs as a task. Dropping it kills it.
#[derive(Debug)]
pub(crate) struct InProcess {
    task: JoinHandle<EngineEnd>,
    ended: Option<EngineEnd>,
}

impl InProcess {
    /// Waits for its end. May be dropped and called again.
    pub async fn wait(&mut self) -> EngineEnd {
        if let Some(end) = self.ended {
            return end;
        }
        let end = match (&mut self.task).await {
            Ok(end) => end,
            Err(error) if error.is_panic() => EngineEnd::Signal(6),
            Err(_) => EngineEnd::Signal(9),
        };
        *self.ended.insert(end)
    }

    pub async fn kill(&mut self) {
        self.task.abort();
        self.wait().await;
    }
}

impl Drop for InProcess {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The host's ends of the pipes, and the engine.
pub(crate) struct Started {
    pub engine: InProcess,
    pub stdin: DuplexStream,
    pub stdout: DuplexStream,
    pub stderr: DuplexStream,
}

/// Starts `program` here, where that was ordered.
pub(crate) fn start(program: &EngineProgram) -> Option<io::Result<Started>> {
    let serve = HERE.with_borrow(Clone::clone)?;
    let ((stdin, input), (output, stdout), (complaints, stderr)) = (duplex(PIPE), duplex(PIPE), duplex(PIPE));
    let Some(engine) = serve(program, EnginePipes { input, output, complaints }) else {
        return Some(Err(io::Error::new(io::ErrorKind::NotFound, "there is no such program here")));
    };
    let engine = InProcess { task: tokio::spawn(engine), ended: None };
    Some(Ok(Started { engine, stdin, stdout, stderr }))
}
