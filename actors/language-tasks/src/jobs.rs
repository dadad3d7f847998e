//! What is under way, and how it is cancelled.

use std::collections::{BTreeMap, VecDeque};
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use luna_actor_runtime::actor::ActorContext;
use luna_actor_runtime::task::Task;
use luna_messages::language_tasks::LanguageTaskMessage;
use luna_messages::work::WorkFailure;
use luna_messages::{Reply, RequestId};

/// Cancels that came before their request; the oldest are forgotten. Lanes overtake one another by a few messages, not by more.
const EARLY: usize = 64;

/// A reply that the work and a cancel both may take, and only one of them does.
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
    /// Tells the asker that it was cancelled.
    fail: Box<dyn Fn(WorkFailure) + Send>,
}

/// All work under way.
#[derive(Default)]
pub struct RunningJobs {
    running: BTreeMap<RequestId, LanguageJob>,
    early: VecDeque<RequestId>,
}

impl RunningJobs {
    /// Begins work; its outcome goes to `reply`.
    pub fn start<T: Send + 'static>(
        &mut self,
        id: RequestId,
        reply: Reply<Result<T, WorkFailure>>,
        work: impl Future<Output = Result<T, WorkFailure>> + Send + 'static,
        context: &ActorContext<LanguageTaskMessage>,
    ) {
        self.running.retain(|_, job| !job.task.is_finished());
        if let Some(at) = self.early.iter().position(|early| *early == id) {
            self.early.remove(at);
            return reply.answer(Err(WorkFailure::Cancelled));
        }
        let slot = Arc::new(ReplySlot(Mutex::new(Some(reply))));
        let answers = slot.clone();
        let task = context.spawn(async move { answers.answer(work.await) });
        self.running.insert(id, LanguageJob { task, fail: Box::new(move |why| slot.answer(Err(why))) });
    }

    /// Ends work: its generation is cancelled with it, since nobody reads its text any more (KER-6).
    pub fn cancel(&mut self, id: RequestId) {
        match self.running.remove(&id) {
            Some(job) => {
                drop(job.task);
                (job.fail)(WorkFailure::Cancelled);
            }
            None => {
                if self.early.len() >= EARLY {
                    self.early.pop_front();
                }
                self.early.push_back(id);
            }
        }
    }

    /// Ends all work.
    pub fn end(&mut self) {
        for (_, job) in std::mem::take(&mut self.running) {
            drop(job.task);
            (job.fail)(WorkFailure::Cancelled);
        }
    }
}
