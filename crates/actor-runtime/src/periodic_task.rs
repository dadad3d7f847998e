//! Work in rounds on a thread of its own, for what may block or must not wait for the runtime, such as a sound device.

use std::io;
use std::sync::Arc;
use std::thread::Thread;
use std::time::Duration;

use tokio::sync::Notify;

use crate::hooks;

/// Wakes a paced thread before its time. Cheap enough for a device's callback: it takes no lock and allocates nothing.
#[derive(Debug, Clone)]
pub struct PeriodicTaskWaker(Sleeper);

#[derive(Debug, Clone)]
enum Sleeper {
    Thread(Thread),
    /// Under a paused clock, see [`hooks`].
    Task(Arc<Notify>),
}

impl PeriodicTaskWaker {
    /// The next round begins at once; if one runs, another follows it.
    pub fn wake(&self) {
        match &self.0 {
            Sleeper::Thread(thread) => thread.unpark(),
            Sleeper::Task(notify) => notify.notify_one(),
        }
    }
}

/// Calls `round` again and again on a new thread. It says how long to sleep until the next one; `None` ends the thread.
///
/// # Errors
/// The system gives no thread.
pub fn start(
    name: &str,
    mut round: impl FnMut() -> Option<Duration> + Send + 'static,
) -> io::Result<PeriodicTaskWaker> {
    if hooks::is_one_thread() {
        let notify = Arc::new(Notify::new());
        let sleeper = PeriodicTaskWaker(Sleeper::Task(notify.clone()));
        tokio::spawn(async move {
            while let Some(pause) = round() {
                // Woken or not, the next round looks for itself.
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
