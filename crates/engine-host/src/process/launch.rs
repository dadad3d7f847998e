//! What takes the place of engine programs on a thread that says so: tests without processes. Nobody sets it in a product.

use std::cell::RefCell;
use std::fmt::Debug;
use std::io;
use std::rc::Rc;

use futures_util::future::BoxFuture;
use tokio::io::{AsyncRead, AsyncWrite};

use super::program::EngineProgram;

/// What the host writes requests to.
pub type Input = Box<dyn AsyncWrite + Send + Unpin>;
/// What the host reads from.
pub type Output = Box<dyn AsyncRead + Send + Unpin>;

/// What runs instead of a process. It ends with its drop.
pub trait Substitute: Debug + Send {
    /// Waits for its end. May be dropped and called again.
    fn wait(&mut self) -> BoxFuture<'_, EngineEnd>;

    /// Ends it and waits until it is gone.
    fn kill(&mut self) -> BoxFuture<'_, ()>;
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineEnd {
    /// It returned this code.
    Code(i32),
    /// This signal ended it: 6 as by `abort()`, 9 as killed.
    Signal(i32),
}

/// A substitute that runs, and the host's ends of its three streams.
#[allow(missing_docs, reason = "the names say it")]
pub struct Launched {
    pub substitute: Box<dyn Substitute>,
    pub stdin: Input,
    pub stdout: Output,
    pub stderr: Output,
}

/// Starts a substitute.
pub type Launcher = Rc<dyn Fn(&EngineProgram) -> io::Result<Launched>>;

thread_local! {
    static HERE: RefCell<Option<Launcher>> = const { RefCell::new(None) };
}

/// From now on `launcher` takes the place of every program that is started from this thread; `None`: programs are started. For runtimes of one
/// thread.
pub fn set(launcher: Option<Launcher>) {
    HERE.set(launcher);
}

/// Starts a substitute for `program` if this thread has them.
pub(super) fn start(program: &EngineProgram) -> Option<io::Result<Launched>> {
    let launcher = HERE.with_borrow(Clone::clone)?;
    Some(launcher(program))
}
