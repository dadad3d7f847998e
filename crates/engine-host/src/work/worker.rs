//! The worker loop of every engine under a lease: dequeues requests one after another, performs them, and answers.
//!
//! **Invariant:** each piece of work is counted once, before its caller gets the answer (MET-1).
//! **Invariant:** while a ticket lives, no other work is dequeued; a load that goes on in the background after a cancel keeps its ticket.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use luna_messages::capability::Unavailable;
use luna_messages::engine::EngineKind;
use luna_messages::gpu::{GpuRefusal, ResidencyOrder};
use luna_messages::work::WorkFailure;
use luna_messages::{Message, RequestId};
use tokio::time::Instant;

use super::error::WorkError;
use super::order::handle_order;
use super::queue::{DequeuedWork, WorkQueue, WorkTicket};
use crate::acquire::{EngineDemand, acquire};
use crate::availability::Availability;
use crate::lease::EngineLease;
use crate::managed::ManagedEngine;
use crate::plan::ModelPlan;
use crate::policy::EnginePolicy;
use crate::process::EngineProgram;
use luna_actor_runtime::actor::ActorContext;
use luna_actor_runtime::capabilities::Capabilities;
use luna_actor_runtime::metric_names::{WORK, work_end};
use luna_actor_runtime::task::Task;

/// Interval at which the actor checks whether a probe for what is missing is due.
const TICK_INTERVAL: Duration = Duration::from_secs(2);

/// Finds the model for a task, or tells what is missing. Called for each request, so that a changed configuration and a file placed meanwhile take
/// effect (CFG-4, KER-9). May take as long as computing a checksum.
pub type FindModel<T> = Arc<dyn Fn(T) -> Result<ModelPlan, Unavailable> + Send + Sync>;

/// Sends the answer of completed work.
pub type SendAnswer = Box<dyn FnOnce() + Send>;

/// A request for an engine that works under a lease.
pub trait EngineWork: Send + Sized + 'static {
    /// Determines the model.
    type Task: Clone + Send + 'static;

    /// Performs the work. Returns it with the reason if it is not done.
    fn perform(
        self,
        engine: &EngineAccess<Self>,
        ticket: &WorkTicket<Self>,
    ) -> impl Future<Output = Result<SendAnswer, (Self, WorkError)>> + Send;

    /// Answers the caller with the failure.
    fn refuse(self, why: WorkFailure);

    /// Runs after a cancel that left no load in the background.
    fn after_cancel(_: &EngineAccess<Self>, _: WorkTicket<Self>) -> impl Future<Output = ()> + Send {
        async {}
    }
}

/// An actor's access to its engine. Clones share queue and engine, which therefore outlive the actor (KER-7).
pub struct EngineAccess<W: EngineWork> {
    program: Arc<dyn Fn() -> EngineProgram + Send + Sync>,
    find: FindModel<W::Task>,
    engine: Arc<ManagedEngine>,
    queue: Arc<WorkQueue<W>>,
    availability: Arc<Availability<W::Task>>,
}

impl<W: EngineWork> Clone for EngineAccess<W> {
    fn clone(&self) -> Self {
        Self {
            program: self.program.clone(),
            find: self.find.clone(),
            engine: self.engine.clone(),
            queue: self.queue.clone(),
            availability: self.availability.clone(),
        }
    }
}

impl<W: EngineWork> fmt::Debug for EngineAccess<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EngineAccess").field("engine", &self.engine).finish_non_exhaustive()
    }
}

impl<W: EngineWork> EngineAccess<W> {
    /// Access for an actor and its later incarnations. At most `waiting` requests wait (KER-4).
    #[must_use]
    pub fn new(
        program: Arc<dyn Fn() -> EngineProgram + Send + Sync>,
        find: FindModel<W::Task>,
        engine: Arc<ManagedEngine>,
        capabilities: Capabilities,
        waiting: usize,
    ) -> Self {
        let availability = Arc::new(Availability::new(capabilities, EnginePolicy::of(engine.kind()).capability));
        Self { program, find, engine, queue: WorkQueue::new(waiting), availability }
    }

    /// The program by the current configuration.
    #[must_use]
    pub fn program(&self) -> EngineProgram {
        (self.program)()
    }

    /// The model for a task, or what is missing. May take as long as computing a checksum.
    ///
    /// # Errors
    /// [`Unavailable`]: what is missing, and what to do about it.
    pub fn find(&self, task: W::Task) -> Result<ModelPlan, Unavailable> {
        (self.find)(task)
    }

    /// The managed engine, whether or not its program runs.
    #[must_use]
    pub const fn engine(&self) -> &Arc<ManagedEngine> {
        &self.engine
    }

    /// The queue of requests.
    #[must_use]
    pub const fn queue(&self) -> &Arc<WorkQueue<W>> {
        &self.queue
    }

    /// The engine with the model for a task, under a lease. `unwanted` returns when the result is no longer wanted.
    ///
    /// # Errors
    /// As [`acquire`].
    pub async fn acquire(
        &self,
        task: W::Task,
        ticket: &WorkTicket<W>,
        unwanted: impl Future<Output = ()>,
    ) -> Result<EngineLease, WorkError> {
        let demand = EngineDemand { program: self.program(), lane: EnginePolicy::of(self.engine.kind()).lane };
        let (access, of) = (self.clone(), task.clone());
        acquire(&self.engine, &self.availability, &demand, task, move || access.find(of), ticket, unwanted).await
    }
}

/// The tasks of one incarnation of an engine's actor. They end with it, and the running request with them; its successor takes over the waiting ones.
pub struct EngineWorker<W: EngineWork> {
    access: EngineAccess<W>,
    /// Performs one request after another.
    worker: Option<Task>,
    /// Probes for what is missing.
    probe: Option<Task>,
    timer: Option<Task>,
}

impl<W: EngineWork> fmt::Debug for EngineWorker<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EngineWorker").field("access", &self.access).finish_non_exhaustive()
    }
}

impl<W: EngineWork> EngineWorker<W> {
    /// A worker without running tasks.
    #[must_use]
    pub const fn new(access: EngineAccess<W>) -> Self {
        Self { access, worker: None, probe: None, timer: None }
    }

    /// Starts the worker, and posts `tick` to the actor periodically, which must then call [`Self::probe_missing`].
    pub fn started<M: Message>(&mut self, context: &ActorContext<M>, tick: fn() -> M) {
        self.timer = Some(context.every(TICK_INTERVAL, tick));
        self.keep_working(context);
    }

    /// Restarts the loop if a request made it panic, which costs only that request. Call it before each message is handled.
    pub fn keep_working<M: Message>(&mut self, context: &ActorContext<M>) {
        if self.worker.as_ref().is_none_or(Task::is_finished) {
            self.worker = Some(context.spawn_service(serve(self.access.clone())));
        }
    }

    /// Queues a request, or refuses it if too much waits or its cancel came first.
    pub fn accept(&self, id: RequestId, work: W) {
        if let Err((work, why)) = self.access.queue.push(id, work) {
            refuse(self.access.engine.kind(), work, why);
        }
    }

    /// Cancels a request (KER-6).
    pub fn cancel(&self, id: RequestId) {
        if let Some(work) = self.access.queue.cancel(id) {
            refuse(self.access.engine.kind(), work, WorkFailure::Cancelled);
        }
    }

    /// Handles an order of the token without waiting for its completion (GPU-2).
    pub fn order<M: Message>(&self, order: ResidencyOrder, context: &ActorContext<M>) {
        handle_order(order, &self.access.queue, &self.access.engine, context);
    }

    /// Starts a probe for what is missing, if one is due (KER-9).
    pub fn probe_missing<M: Message>(&mut self, context: &ActorContext<M>) {
        if let Some(missing) = self.access.availability.due_probe(Instant::now()) {
            let access = self.access.clone();
            let disk = access.availability.disk().clone();
            self.probe = Some(context.spawn_service(async move {
                // A failure is reported when the model is needed.
                let probe = move || access.availability.probe(&missing, |task| access.find(task.clone()).is_ok());
                let _ = disk.run(probe).await;
            }));
        }
    }

    /// Ends work and engine at Luna's shutdown.
    pub async fn stopping(&mut self) {
        (self.worker, self.probe, self.timer) = (None, None, None);
        // Dropped tasks end a moment later: waiting work must be removed before the engine ends, or the worker would still start it.
        for work in self.access.queue.clear() {
            refuse(self.access.engine.kind(), work, WorkFailure::OutOfMemory(GpuRefusal::Ending));
        }
        self.access.engine.close().await;
    }
}

fn count_end(kind: EngineKind, end: &'static str) {
    metrics::counter!(WORK, "engine" => kind.name(), "end" => end).increment(1);
}

fn refuse<W: EngineWork>(kind: EngineKind, work: W, why: WorkFailure) {
    count_end(kind, work_end::of(&why));
    work.refuse(why);
}

async fn serve<W: EngineWork>(access: EngineAccess<W>) {
    loop {
        let dequeued = access.queue.take().await;
        dequeued.ticket.cause().follow(Box::pin(work_on(&access, dequeued))).await;
    }
}

async fn work_on<W: EngineWork>(access: &EngineAccess<W>, DequeuedWork { work, ticket }: DequeuedWork<W>) {
    match work.perform(access, &ticket).await {
        Ok(answer) => {
            count_end(access.engine.kind(), work_end::DONE);
            answer();
        }
        Err((work, error)) => give_up(access, work, error, ticket).await,
    }
}

/// Requeues preempted work once if it has no partial result; else answers its caller.
async fn give_up<W: EngineWork>(access: &EngineAccess<W>, work: W, error: WorkError, ticket: WorkTicket<W>) {
    let kind = access.engine.kind();
    match error {
        WorkError::Preempted { begun: false } if !ticket.is_retried() => {
            count_end(kind, work_end::REQUEUED);
            ticket.requeue(work);
        }
        WorkError::Preempted { .. } => refuse(kind, work, WorkFailure::Interrupted),
        WorkError::Failed(why) => refuse(kind, work, why),
        WorkError::Cancelled(rest) => {
            refuse(kind, work, WorkFailure::Cancelled);
            match rest {
                Some(rest) => rest.await,
                None => W::after_cancel(access, ticket).await,
            }
        }
    }
}
