//! Work in rounds on a thread of its own, for calls that may block or must not wait for the runtime, such as a sound device's.

use std::io;
use std::sync::Arc;
use std::thread::Thread;
use std::time::Duration;

use tokio::sync::Notify;

use crate::hooks;

/// Wakes the thread before its pause is over. Cheap enough for a device's callback: it takes no lock and allocates nothing.
#[derive(Debug, Clone)]
pub struct PeriodicTaskWaker(Sleeper);

#[derive(Debug, Clone)]
enum Sleeper {
    Thread(Thread),
    /// Under a paused clock, see [`hooks`].
    Task(Arc<Notify>),
}

impl PeriodicTaskWaker {
    /// Starts the next round at once; if a round is running, another follows it.
    pub fn wake(&self) {
        match &self.0 {
            Sleeper::Thread(thread) => thread.unpark(),
            Sleeper::Task(notify) => notify.notify_one(),
        }
    }
}

/// Calls `round` repeatedly on a new thread. `round` returns how long to sleep until the next round; `None` ends the thread.
///
/// # Errors
/// The system can't start a thread.
pub fn start(
    name: &str,
    mut round: impl FnMut() -> Option<Duration> + Send + 'static,
) -> io::Result<PeriodicTaskWaker> {
    if hooks::is_one_thread() {
        let notify = Arc::new(Notify::new());
        let sleeper = PeriodicTaskWaker(Sleeper::Task(notify.clone()));
        tokio::spawn(async move {
            while let Some(pause) = round() {
                // Whether woken or timed out, the next round checks for itself.
                let _ = tokio::time::timeout(pause, notify.notified()).await;
            }
        });
        return Ok(sleeper);
    }
    let rounds = move || {
        while let Some(pause) = round() {
            std::thread::park_timeout(pause);
        }
    };
    let thread = std::thread::Builder::new().name(name.to_owned()).spawn(rounds)?;
    Ok(PeriodicTaskWaker(Sleeper::Thread(thread.thread().clone())))
}
