//! Replaces the engine programs that a thread starts, so that tests need no processes. Never set in a product.

use std::cell::RefCell;
use std::fmt::Debug;
use std::io;
use std::rc::Rc;

use futures_util::future::BoxFuture;
use tokio::io::{AsyncRead, AsyncWrite};

use super::program::EngineProgram;

/// The stream that the host writes requests to.
pub type Input = Box<dyn AsyncWrite + Send + Unpin>;
/// The stream that the host reads from.
pub type Output = Box<dyn AsyncRead + Send + Unpin>;

/// What runs instead of a process. It ends when dropped.
pub trait Substitute: Debug + Send {
    /// Waits for its end. Cancel-safe.
    fn wait(&mut self) -> BoxFuture<'_, EngineEnd>;

    /// Ends it and waits until it is gone.
    fn kill(&mut self) -> BoxFuture<'_, ()>;
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineEnd {
    /// It exited with this code.
    Code(i32),
    /// This signal ended it: 6 is `abort()`, 9 a kill.
    Signal(i32),
}

/// A running substitute, and the host's ends of its three streams.
#[allow(missing_docs, reason = "the names say it")]
pub struct LaunchedSubstitute {
    pub substitute: Box<dyn Substitute>,
    pub stdin: Input,
    pub stdout: Output,
    pub stderr: Output,
}

/// Starts a substitute.
pub type Launcher = Rc<dyn Fn(&EngineProgram) -> io::Result<LaunchedSubstitute>>;

thread_local! {
    static LAUNCHER: RefCell<Option<Launcher>> = const { RefCell::new(None) };
}

/// Replaces every program that this thread starts by a substitute of `launcher`; `None` starts real programs again. For runtimes of one thread.
pub fn set(launcher: Option<Launcher>) {
    LAUNCHER.set(launcher);
}

/// Starts a substitute for `program` if this thread has a launcher.
pub(super) fn start(program: &EngineProgram) -> Option<io::Result<LaunchedSubstitute>> {
    let launcher = LAUNCHER.with_borrow(Clone::clone)?;
    Some(launcher(program))
}
