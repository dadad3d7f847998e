//! The thread that queries UI Automation.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;

use super::budget::{Budget, LIMIT};
use super::tree::WindowsTree;
use crate::PlatformError;
use crate::win32::no_thread;

/// Most threads that may be alive, including those stuck in programs that don't answer; beyond that, queries fail.
const MAX_THREADS: usize = 4;

/// Most queries that may wait behind the current one. A caller has one query at a time, so more means that a program
/// hangs.
const MAX_WAITING: usize = 8;

type WorkerJob = Box<dyn FnOnce(&Result<WindowsTree, PlatformError>) + Send>;

/// The thread that answers queries; stuck threads are only counted.
#[derive(Default)]
pub(super) struct Workers {
    /// The queue of the current thread; `None` before the first query and after a thread got stuck.
    current: Mutex<Option<SyncSender<WorkerJob>>>,
    /// Number of live threads.
    alive: Arc<AtomicUsize>,
}

impl Workers {
    /// Answers `question` on the thread.
    ///
    /// # Errors
    /// The error of the query, [`PlatformError::NoAnswer`] after [`LIMIT`], or the reason why UI Automation can't be
    /// reached.
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
        match tokio::time::timeout(LIMIT, answer).await {
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
                // It ended because UI Automation couldn't be reached; try again with a new thread.
                Err(TrySendError::Disconnected(job)) => job,
            },
            None => job,
        };
        let jobs = self.start()?;
        // The queue is empty. If the thread has ended already, the reply is dropped, which answers the query.
        let _ = jobs.try_send(job);
        *current = Some(jobs);
        Ok(())
    }

    fn start(&self) -> Result<SyncSender<WorkerJob>, PlatformError> {
        if self.alive.load(Ordering::Acquire) >= MAX_THREADS {
            return Err(PlatformError::NoAnswer);
        }
        let alive = Alive::new(&self.alive);
        let (jobs, waiting) = sync_channel(MAX_WAITING);
        std::thread::Builder::new()
            .name("luna-uia".into())
            .spawn(move || work(&waiting, alive))
            .map_err(|error| no_thread("ask the accessibility tree", &error))?;
        Ok(jobs)
    }
}

/// Counts a thread while it lives.
struct Alive(Arc<AtomicUsize>);

impl Alive {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::AcqRel);
        Self(Arc::clone(count))
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Answers queries until all senders are gone, or until UI Automation can't be reached.
fn work(waiting: &Receiver<WorkerJob>, alive: Alive) {
    let tree = WindowsTree::connect();
    for job in waiting {
        job(&tree);
        if tree.is_err() {
            break;
        }
    }
    drop(alive);
}
