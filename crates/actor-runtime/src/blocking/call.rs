//! A call whose answer is polled: for code that works in rounds on a thread of its own and can't await, such as a sound device's.

use std::panic::AssertUnwindSafe;

use tokio::sync::oneshot;
use tokio::sync::oneshot::error::TryRecvError;
use tokio::time::Instant;

use super::{BlockingThread, NoAnswer};
use crate::cause::Cause;
use crate::hooks;

/// A started call. Dropping it skips a call that has not run yet; the result of a running one is dropped on its thread.
#[derive(Debug)]
pub struct PendingCall<T> {
    thread: BlockingThread,
    answer: CallOutcome<T>,
    /// The caller's deadline.
    due: Instant,
    late_reported: bool,
}

enum CallOutcome<T> {
    OnThread(oneshot::Receiver<Option<T>>),
    /// The test harness runs everything on one thread: the work runs at the first poll at which no hang is ordered.
    OnCallerThread(Option<Box<dyn FnOnce() -> T + Send>>),
}

impl<T> std::fmt::Debug for CallOutcome<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CallOutcome")
    }
}

/// The result of polling a [`PendingCall`].
#[derive(Debug)]
pub enum CallPoll<T> {
    /// No answer yet.
    Waiting,
    /// The deadline passed; reported once. The answer may still come, and a caller that keeps polling gets it without starting another call.
    Late(NoAnswer),
    /// The result. The call must not be polled again.
    Done(Result<T, NoAnswer>),
}

impl BlockingThread {
    /// Starts a call. `answered` runs on the thread as soon as there is an answer to poll for.
    ///
    /// # Errors
    /// [`NoAnswer::Late`] if an earlier call hangs or too many wait, [`NoAnswer::Failed`] if the thread has ended, [`NoAnswer::NoThread`] if the
    /// system can't start it. Later failures come from [`PendingCall::poll`].
    pub fn begin<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
        answered: impl FnOnce() + Send + 'static,
    ) -> Result<PendingCall<T>, NoAnswer> {
        let call = |answer| PendingCall {
            thread: self.clone(),
            answer,
            due: Instant::now() + self.0.deadline,
            late_reported: false,
        };
        let cause = Cause::current();
        if hooks::is_one_thread() {
            return Ok(call(CallOutcome::OnCallerThread(Some(Box::new(move || cause.scope(work))))));
        }
        if self.is_late() {
            return Err(self.late());
        }
        let (answer, receiver) = oneshot::channel();
        self.post(Box::new(move || {
            if !answer.is_closed() {
                let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| cause.scope(work)));
                drop(answer.send(outcome.ok()));
                cause.scope(answered);
            }
        }))?;
        Ok(call(CallOutcome::OnThread(receiver)))
    }
}

impl<T> PendingCall<T> {
    /// Polls for the answer. Never waits.
    pub fn poll(&mut self) -> CallPoll<T> {
        let failed = NoAnswer::Failed { what: self.thread.0.what };
        match &mut self.answer {
            CallOutcome::OnThread(receiver) => match receiver.try_recv() {
                Ok(Some(answer)) => return CallPoll::Done(Ok(answer)),
                Ok(None) | Err(TryRecvError::Closed) => return CallPoll::Done(Err(failed)),
                Err(TryRecvError::Empty) => {}
            },
            CallOutcome::OnCallerThread(work) => {
                if !hooks::hangs(self.thread.0.what) {
                    return CallPoll::Done(work.take().map(|work| work()).ok_or(failed));
                }
            }
        }
        if self.late_reported || Instant::now() < self.due {
            return CallPoll::Waiting;
        }
        self.late_reported = true;
        self.thread.0.progress.note_late();
        CallPoll::Late(self.thread.late())
    }
}
