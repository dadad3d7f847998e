//! Contestant: ractor's Factory with its PriorityQueue.

use ractor::factory::queues::{PriorityManager, PriorityQueue, StandardPriority};
use ractor::factory::routing::QueuerRouting;
use ractor::factory::{Factory, FactoryArguments, FactoryMessage, Job, JobOptions, Worker, WorkerBuilder, WorkerId};
use ractor::{ActorProcessingErr, ActorRef, ActorRuntime};

use super::*;

/// The key is the priority.
type Key = usize;

struct ByKey;

impl PriorityManager<Key, StandardPriority> for ByKey {
    fn is_discardable(&self, _: &Key) -> bool {
        false
    }
    fn get_priority(&self, key: &Key) -> Option<StandardPriority> {
        Some((*key).into())
    }
}

struct FactoryWorker(Arc<InboxHandler>);

impl Worker for FactoryWorker {
    type Key = Key;
    type Message = BenchMessage;
    type State = ();
    type Arguments = ();
    async fn pre_start(
        &self,
        _: WorkerId,
        _: &ActorRef<FactoryMessage<Key, BenchMessage>>,
        (): (),
    ) -> Result<(), ActorProcessingErr> {
        Ok(())
    }
    async fn handle(
        &self,
        _: WorkerId,
        _: &ActorRef<FactoryMessage<Key, BenchMessage>>,
        job: Job<Key, BenchMessage>,
        (): &mut (),
    ) -> Result<Key, ActorProcessingErr> {
        self.0.handle(job.msg).await;
        Ok(job.key)
    }
}

struct Builder(Arc<InboxHandler>);

impl WorkerBuilder<FactoryWorker, ()> for Builder {
    fn build(&mut self, _: WorkerId) -> (FactoryWorker, ()) {
        (FactoryWorker(self.0.clone()), ())
    }
}

type FactoryQueue = PriorityQueue<Key, BenchMessage, StandardPriority, ByKey, 5>;

struct Pool(ActorRef<FactoryMessage<Key, BenchMessage>>);

impl InboxContestant for Pool {
    fn post(&self, message: BenchMessage) {
        let key = if matches!(message, BenchMessage::Urgent(_)) { 0 } else { 4 };
        let job = Job { key, msg: message, options: JobOptions::default(), accepted: None };
        assert!(self.0.send_message(FactoryMessage::Dispatch(job)).is_ok());
    }
}

pub fn start(handler: Arc<InboxHandler>) -> Box<dyn InboxContestant> {
    let arguments = FactoryArguments::builder()
        .worker_builder(Box::new(Builder(handler)))
        .queue(FactoryQueue::new(ByKey))
        .router(QueuerRouting::default())
        .num_initial_workers(1)
        .build();
    let factory =
        Factory::<Key, BenchMessage, (), FactoryWorker, QueuerRouting<Key, BenchMessage>, FactoryQueue>::default();
    Box::new(Pool(ActorRuntime::spawn_instant(None, factory, arguments).unwrap().0))
}
