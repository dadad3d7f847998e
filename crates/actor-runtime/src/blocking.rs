//! Blocking calls to something outside of Luna: a display, a driver, a disk (KER-11).
//!
//! They run one after another on a thread of their own, and a caller waits no longer than a deadline. No calls pile up behind a call that hangs: once
//! a deadline has passed during it, every further call fails at once until it returns. So a target that hangs costs one thread and never a worker of
//! the runtime, and works again as soon as the call returns.

mod call;

use std::fmt;
use std::mem::ManuallyDrop;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;

pub use call::{CallPoll, PendingCall};

use crate::cause::Cause;
use crate::hooks;
use crate::metric_names::OUTSIDE_LATE;
use luna_mailbox::sync::lock;

/// Maximum number of calls that wait for their turn; further calls fail at once.
const MAX_QUEUED_CALLS: usize = 32;

/// Why a blocking call gave no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    /// The call exceeded its deadline, an earlier call still hangs, or too many calls wait.
    #[error("{what} does not answer")]
    Late {
        /// The thing that was called.
        what: &'static str,
    },
    /// The call panicked, or its thread has ended: a defect of Luna.
    #[error("asking {what} failed")]
    Failed {
        /// The thing that was called.
        what: &'static str,
    },
    /// The system can't start the thread.
    #[error("the system has no thread left to ask {what}; close programs")]
    NoThread {
        /// The thing that was called.
        what: &'static str,
    },
}

type BlockingJob = Box<dyn FnOnce() + Send>;

/// A thread for calls that may block. Clones share it; it ends with the last of them.
#[derive(Clone)]
pub struct BlockingThread(Arc<Inner>);

struct Inner {
    /// The thing that is called, for messages, the thread's name and the metric.
    what: &'static str,
    deadline: Duration,
    /// Sends to the thread, which starts with the first call.
    jobs: Mutex<Option<SyncSender<BlockingJob>>>,
    progress: Arc<CallProgress>,
}

/// Which call runs, and which call is late. Calls are numbered from 1.
#[derive(Default)]
struct CallProgress {
    /// Number of the running call; 0: none.
    running: AtomicU64,
    /// Number of the call that was running when a caller's deadline passed. It counts as hanging for as long as it runs.
    late: AtomicU64,
}

impl CallProgress {
    fn note_late(&self) {
        self.late.store(self.running.load(Ordering::Acquire), Ordering::Release);
    }

    fn is_late(&self) -> bool {
        let late = self.late.load(Ordering::Acquire);
        late != 0 && late == self.running.load(Ordering::Acquire)
    }
}

impl fmt::Debug for BlockingThread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockingThread").field("what", &self.0.what).finish_non_exhaustive()
    }
}

impl BlockingThread {
    /// For calls to `what`; no caller waits longer than `deadline`. The thread starts with the first call.
    #[must_use]
    pub fn new(what: &'static str, deadline: Duration) -> Self {
        Self(Arc::new(Inner { what, deadline, jobs: Mutex::new(None), progress: Arc::default() }))
    }

    /// Whether a call hangs.
    #[must_use]
    pub fn is_late(&self) -> bool {
        self.0.progress.is_late()
    }

    /// Runs `work` on the thread. Dropping the future skips a call that has not begun; a running one goes on, and its result is dropped on that
    /// thread.
    ///
    /// # Errors
    /// [`NoAnswer::Late`] after the deadline, or at once if an earlier call hangs or too many wait; [`NoAnswer::Failed`] if `work` panics or the
    /// thread has ended; [`NoAnswer::NoThread`] if the system can't start it.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, NoAnswer> {
        let what = self.0.what;
        if hooks::is_one_thread() {
            return self.run_here(work).await;
        }
        if self.is_late() {
            return Err(self.late());
        }
        let (answer, answered) = oneshot::channel();
        let cause = Cause::current();
        self.post(Box::new(move || {
            if !answer.is_closed() {
                let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| cause.scope(work)));
                // A caller whose deadline passed is gone; its result is dropped here and not on a worker.
                drop(answer.send(outcome.ok()));
            }
        }))?;
        match timeout(self.0.deadline, answered).await {
            Ok(Ok(Some(result))) => Ok(result),
            Ok(_) => Err(NoAnswer::Failed { what }),
            Err(_) => {
                self.0.progress.note_late();
                Err(self.late())
            }
        }
    }

    /// Drops `value` on the thread, after the calls that wait there, because its drop may block. If that is impossible, it is leaked.
    pub fn discard<T: Send + 'static>(&self, value: T) {
        if hooks::is_one_thread() {
            return drop(value);
        }
        let value = ManuallyDrop::new(value);
        // A job that is not accepted is dropped, which leaks its value.
        let _ = self.post(Box::new(move || drop(ManuallyDrop::into_inner(value))));
    }

    fn late(&self) -> NoAnswer {
        metrics::counter!(OUTSIDE_LATE, "what" => self.0.what).increment(1);
        NoAnswer::Late { what: self.0.what }
    }

    fn post(&self, job: BlockingJob) -> Result<(), NoAnswer> {
        let what = self.0.what;
        let mut jobs = lock(&self.0.jobs);
        let sender = match jobs.as_ref() {
            Some(sender) => sender,
            None => jobs.insert(start(what, self.0.progress.clone()).map_err(|_| NoAnswer::NoThread { what })?),
        };
        match sender.try_send(job) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_)) => Err(self.late()),
            Err(TrySendError::Disconnected(_)) => Err(NoAnswer::Failed { what }),
        }
    }

    /// Under a paused clock with everything on one thread, a call hangs only if a test orders it, see [`hooks`].
    async fn run_here<T>(&self, work: impl FnOnce() -> T) -> Result<T, NoAnswer> {
        let what = self.0.what;
        if hooks::hangs(what) {
            self.0.progress.running.store(1, Ordering::Release);
            if !self.is_late() {
                tokio::time::sleep(self.0.deadline).await;
                self.0.progress.note_late();
            }
            if hooks::hangs(what) {
                return Err(self.late());
            }
        }
        self.0.progress.running.store(0, Ordering::Release);
        std::panic::catch_unwind(AssertUnwindSafe(work)).map_err(|_| NoAnswer::Failed { what })
    }
}

fn start(what: &'static str, progress: Arc<CallProgress>) -> std::io::Result<SyncSender<BlockingJob>> {
    let (sender, jobs) = sync_channel::<BlockingJob>(MAX_QUEUED_CALLS);
    // Linux limits names of threads to 15 characters.
    let name: String = format!("luna-{what}").chars().take(15).collect();
    std::thread::Builder::new().name(name).spawn(move || {
        for (job, number) in jobs.into_iter().zip(1..) {
            progress.running.store(number, Ordering::Release);
            job();
            progress.running.store(0, Ordering::Release);
        }
    })?;
    Ok(sender)
}

/// A service outside of Luna whose calls block, such as a display. It can be called only off the workers and with a deadline.
pub struct BlockingService<T: ?Sized> {
    target: Arc<T>,
    thread: BlockingThread,
}

impl<T: ?Sized> Clone for BlockingService<T> {
    fn clone(&self) -> Self {
        Self { target: self.target.clone(), thread: self.thread.clone() }
    }
}

impl<T: ?Sized> fmt::Debug for BlockingService<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockingService").field("thread", &self.thread).finish_non_exhaustive()
    }
}

impl<T: ?Sized + Send + Sync + 'static> BlockingService<T> {
    /// `target`, called `what` in messages; no caller waits longer than `deadline`.
    #[must_use]
    pub fn new(what: &'static str, deadline: Duration, target: Arc<T>) -> Self {
        Self { target, thread: BlockingThread::new(what, deadline) }
    }

    /// Runs `question` with the target on its thread.
    ///
    /// # Errors
    /// As [`BlockingThread::run`].
    pub async fn ask<R: Send + 'static>(&self, question: impl FnOnce(&T) -> R + Send + 'static) -> Result<R, NoAnswer> {
        let target = self.target.clone();
        self.thread.run(move || question(&target)).await
    }

    /// Starts a call for a caller that can't await, see [`BlockingThread::begin`].
    ///
    /// # Errors
    /// As [`BlockingThread::begin`].
    pub fn begin<R: Send + 'static>(
        &self,
        question: impl FnOnce(&T) -> R + Send + 'static,
        answered: impl FnOnce() + Send + 'static,
    ) -> Result<PendingCall<R>, NoAnswer> {
        let target = self.target.clone();
        self.thread.begin(move || question(&target), answered)
    }

    /// Drops a result of a call on the target's thread, see [`BlockingThread::discard`].
    pub fn discard<R: Send + 'static>(&self, value: R) {
        self.thread.discard(value);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests;
