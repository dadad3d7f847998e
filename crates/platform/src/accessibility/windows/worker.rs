//! The thread that asks UI Automation.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;

use super::budget::{Budget, LIMIT};
use super::tree::WindowsTree;
use crate::PlatformError;
use crate::win32::no_thread;

/// How many threads may be stuck in programs that don't answer before nobody is asked any more.
const MOST_THREADS: usize = 4;

/// How many questions may wait behind the one that is being answered. Who asks has one at a time, so more is a program that hangs.
const MOST_WAITING: usize = 8;

type WorkerJob = Box<dyn FnOnce(&Result<WindowsTree, PlatformError>) + Send>;

/// The thread that takes questions, and those that are stuck.
#[derive(Default)]
pub(super) struct Workers {
    /// The way to the thread that takes questions; `None` before the first one and after a thread got stuck.
    current: Mutex<Option<SyncSender<WorkerJob>>>,
    /// Threads that live.
    alive: Arc<AtomicUsize>,
}

impl Workers {
    /// Lets the thread answer `question`.
    ///
    /// # Errors
    /// That of the question, [`PlatformError::NoAnswer`] after [`LIMIT`], or the reason why UI Automation can't be asked.
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
            // Nobody waits any more where the question was dropped.
            let _ = reply.send(result);
        });
        self.hand_over(job)?;
        match tokio::time::timeout(LIMIT, answer).await {
            Ok(Ok(result)) => result,
            // The thread ended without an answer.
            Ok(Err(_)) => Err(PlatformError::NoAnswer),
            Err(_) => {
                // It may be stuck in a program: the next question gets a thread of its own, this one ends after its call.
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
                // It ended because UI Automation couldn't be reached; that may be better now.
                Err(TrySendError::Disconnected(job)) => job,
            },
            None => job,
        };
        let jobs = self.start()?;
        // Its queue is empty; should the thread have ended already, the reply is dropped, and that is the answer.
        let _ = jobs.try_send(job);
        *current = Some(jobs);
        Ok(())
    }

    fn start(&self) -> Result<SyncSender<WorkerJob>, PlatformError> {
        if self.alive.load(Ordering::Acquire) >= MOST_THREADS {
            return Err(PlatformError::NoAnswer);
        }
        let alive = Alive::new(&self.alive);
        let (jobs, waiting) = sync_channel(MOST_WAITING);
        std::thread::Builder::new()
            .name("luna-uia".into())
            .spawn(move || work(&waiting, alive))
            .map_err(|error| no_thread("ask the accessibility tree", &error))?;
        Ok(jobs)
    }
}

/// Counts a thread as long as it lives.
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

/// Answers questions until nobody can ask any more, or until UI Automation can't be reached.
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
