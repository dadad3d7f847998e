//! The thread that queries UI Automation.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;

use super::budget::{Budget, QUERY_DEADLINE};
use super::tree::WindowsTree;
use crate::PlatformError;
use crate::win32::no_thread;

/// Maximum number of live threads, including those stuck in programs that don't answer; beyond it, queries fail.
const MAX_THREADS: usize = 4;

/// Maximum number of queries that wait behind the current query. A caller makes one query at a time, so a full queue
/// means that a program hangs.
const MAX_WAITING: usize = 8;

type WorkerJob = Box<dyn FnOnce(&Result<WindowsTree, PlatformError>) + Send>;

/// Runs queries on one thread, and counts the threads that are still alive because they are stuck.
#[derive(Default)]
pub(super) struct Workers {
    /// The queue of the current thread; `None` before the first query and after a thread got stuck.
    current: Mutex<Option<SyncSender<WorkerJob>>>,
    /// Number of live threads.
    alive: Arc<AtomicUsize>,
}

impl Workers {
    /// Runs `question` on the thread.
    ///
    /// # Errors
    /// The error of the query; [`PlatformError::NoAnswer`] after [`QUERY_DEADLINE`], or if too many queries wait or
    /// threads are stuck; [`PlatformError::Unavailable`] if UI Automation can't be reached or no thread can be started.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&WindowsTree, &Budget) -> Result<T, PlatformError> + Send + 'static,
    ) -> Result<T, PlatformError> {
        let budget = Budget::new();
        let _cancel = budget.cancel_on_drop();
        let (reply, answer) = oneshot::channel();
        let job: WorkerJob = Box::new(move |tree| {
            let result = match tree {
                Ok(tree) => budget.check().and_then(|()| question(tree, &budget)),
                Err(error) => Err(error.clone()),
            };
            // The receiver is gone if the query was dropped.
            let _ = reply.send(result);
        });
        self.hand_over(job)?;
        match tokio::time::timeout(QUERY_DEADLINE, answer).await {
            Ok(Ok(result)) => result,
            // The thread ended without an answer.
            Ok(Err(_)) => Err(PlatformError::NoAnswer),
            Err(_) => {
                // The thread may be stuck in a program: the next query gets a new thread, and this one ends after its
                // call.
                *self.current.lock().unwrap_or_else(PoisonError::into_inner) = None;
                Err(PlatformError::NoAnswer)
            }
        }
    }

    fn hand_over(&self, job: WorkerJob) -> Result<(), PlatformError> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let job = match current.as_ref() {
            Some(jobs) => match jobs.try_send(job) {
                Ok(()) => return Ok(()),
                Err(TrySendError::Full(_)) => return Err(PlatformError::NoAnswer),
                // The thread ended because UI Automation couldn't be reached; try again with a new thread.
                Err(TrySendError::Disconnected(job)) => job,
            },
            None => job,
        };
        let jobs = self.start()?;
        // The queue is empty, so it has space. If the thread has ended already, dropping the job ends the query with an
        // error.
        let _ = jobs.try_send(job);
        *current = Some(jobs);
        Ok(())
    }

    fn start(&self) -> Result<SyncSender<WorkerJob>, PlatformError> {
        if self.alive.load(Ordering::Acquire) >= MAX_THREADS {
            return Err(PlatformError::NoAnswer);
        }
        let alive = LiveThreadGuard::new(&self.alive);
        let (jobs, waiting) = sync_channel(MAX_WAITING);
        std::thread::Builder::new()
            .name("luna-uia".into())
            .spawn(move || work(&waiting, alive))
            .map_err(|error| no_thread("ask the accessibility tree", &error))?;
        Ok(jobs)
    }
}

/// Counts a thread while it lives.
struct LiveThreadGuard(Arc<AtomicUsize>);

impl LiveThreadGuard {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::AcqRel);
        Self(Arc::clone(count))
    }
}

impl Drop for LiveThreadGuard {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Answers queries until all senders are gone, or until UI Automation can't be reached.
fn work(waiting: &Receiver<WorkerJob>, alive: LiveThreadGuard) {
    let tree = WindowsTree::connect();
    for job in waiting {
        job(&tree);
        if tree.is_err() {
            break;
        }
    }
    drop(alive);
}
