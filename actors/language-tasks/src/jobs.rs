//! Running jobs and their cancellation.

use std::collections::{BTreeMap, VecDeque};
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use luna_actor_runtime::actor::ActorContext;
use luna_actor_runtime::task::Task;
use luna_messages::language_tasks::LanguageTaskMessage;
use luna_messages::work::WorkFailure;
use luna_messages::{Reply, RequestId};

/// Cancels kept that arrived before their request; the oldest are forgotten. Lanes reorder only a few messages.
const MAX_EARLY_CANCELS: usize = 64;

/// A reply that both the work and a cancel may answer; the first one does.
struct ReplySlot<T>(Mutex<Option<Reply<Result<T, WorkFailure>>>>);

impl<T> ReplySlot<T> {
    fn answer(&self, outcome: Result<T, WorkFailure>) {
        let reply = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(reply) = reply {
            reply.answer(outcome);
        }
    }
}

struct LanguageJob {
    task: Task,
    /// Answers the caller with the failure.
    fail: Box<dyn Fn(WorkFailure) + Send>,
}

/// Jobs by request, each with the task that a cancellation ends.
#[derive(Default)]
pub struct RunningJobs {
    running: BTreeMap<RequestId, LanguageJob>,
    early_cancels: VecDeque<RequestId>,
}

impl RunningJobs {
    /// Starts work; its outcome goes to `reply`.
    pub fn start<T: Send + 'static>(
        &mut self,
        id: RequestId,
        reply: Reply<Result<T, WorkFailure>>,
        work: impl Future<Output = Result<T, WorkFailure>> + Send + 'static,
        context: &ActorContext<LanguageTaskMessage>,
    ) {
        self.running.retain(|_, job| !job.task.is_finished());
        if let Some(at) = self.early_cancels.iter().position(|early| *early == id) {
            self.early_cancels.remove(at);
            return reply.answer(Err(WorkFailure::Cancelled));
        }
        let slot = Arc::new(ReplySlot(Mutex::new(Some(reply))));
        let answers = slot.clone();
        let task = context.spawn(async move { answers.answer(work.await) });
        self.running.insert(id, LanguageJob { task, fail: Box::new(move |why| slot.answer(Err(why))) });
    }

    /// Cancels a job and with it its generation, since nothing reads the text any more (KER-6). A cancel without a job is remembered, in case it
    /// overtook its request.
    pub fn cancel(&mut self, id: RequestId) {
        match self.running.remove(&id) {
            Some(job) => {
                drop(job.task);
                (job.fail)(WorkFailure::Cancelled);
            }
            None => {
                if self.early_cancels.len() >= MAX_EARLY_CANCELS {
                    self.early_cancels.pop_front();
                }
                self.early_cancels.push_back(id);
            }
        }
    }

    /// Cancels all jobs.
    pub fn end(&mut self) {
        for (_, job) in std::mem::take(&mut self.running) {
            drop(job.task);
            (job.fail)(WorkFailure::Cancelled);
        }
    }
}
