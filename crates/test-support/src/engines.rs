//! Engines without programs: a future connected by in-memory pipes replaces the process.

use std::io;
use std::rc::Rc;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use luna_engine_host::EngineProgram;
use luna_engine_host::process::launch::{self, LaunchedSubstitute, Substitute};
use tokio::io::{DuplexStream, duplex};
use tokio::task::JoinHandle;

pub use luna_engine_host::process::launch::EngineEnd;

/// Capacity of a pipe, as on Linux.
const PIPE: usize = 64 * 1024;

/// An engine's ends of its standard input, output and error.
#[derive(Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct EnginePipes {
    pub input: DuplexStream,
    pub output: DuplexStream,
    pub complaints: DuplexStream,
}

/// Creates the engine for a program; `None`: no such program.
pub type Serve = Arc<dyn Fn(&EngineProgram, EnginePipes) -> Option<BoxFuture<'static, EngineEnd>>>;

/// While it exists, engine hosts of this thread start no programs. For single-threaded runtimes.
#[must_use = "dropping it brings the programs back"]
pub struct InProcessEngines(());

impl InProcessEngines {
    /// Replaces every program by `serve`.
    pub fn here(serve: Serve) -> Self {
        launch::set(Some(Rc::new(move |program| launch(&serve, program))));
        Self(())
    }
}

impl Drop for InProcessEngines {
    fn drop(&mut self) {
        launch::set(None);
    }
}

/// An engine that runs as a task. Dropping it kills the engine.
#[derive(Debug)]
struct InProcess {
    task: JoinHandle<EngineEnd>,
    ended: Option<EngineEnd>,
}

impl Substitute for InProcess {
    fn wait(&mut self) -> BoxFuture<'_, EngineEnd> {
        Box::pin(async {
            if let Some(end) = self.ended {
                return end;
            }
            let end = match (&mut self.task).await {
                Ok(end) => end,
                Err(error) if error.is_panic() => EngineEnd::Signal(6),
                Err(_) => EngineEnd::Signal(9),
            };
            *self.ended.insert(end)
        })
    }

    fn kill(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            self.task.abort();
            self.wait().await;
        })
    }
}

impl Drop for InProcess {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Starts the substitute of a program.
///
/// # Errors
/// `serve` has no such program.
pub fn launch(serve: &Serve, program: &EngineProgram) -> io::Result<LaunchedSubstitute> {
    let ((stdin, input), (output, stdout), (complaints, stderr)) = (duplex(PIPE), duplex(PIPE), duplex(PIPE));
    let Some(engine) = serve(program, EnginePipes { input, output, complaints }) else {
        return Err(io::Error::new(io::ErrorKind::NotFound, "there is no such program here"));
    };
    let substitute = Box::new(InProcess { task: tokio::spawn(engine), ended: None });
    Ok(LaunchedSubstitute { substitute, stdin: Box::new(stdin), stdout: Box::new(stdout), stderr: Box::new(stderr) })
}
