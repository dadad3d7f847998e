//! The contestant ractor_factory.

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

struct Hand(Arc<Desk>);

impl Worker for Hand {
    type Key = Key;
    type Message = Note;
    type State = ();
    type Arguments = ();
    async fn pre_start(
        &self,
        _: WorkerId,
        _: &ActorRef<FactoryMessage<Key, Note>>,
        (): (),
    ) -> Result<(), ActorProcessingErr> {
        Ok(())
    }
    async fn handle(
        &self,
        _: WorkerId,
        _: &ActorRef<FactoryMessage<Key, Note>>,
        job: Job<Key, Note>,
        (): &mut (),
    ) -> Result<Key, ActorProcessingErr> {
        self.0.handle(job.msg).await;
        Ok(job.key)
    }
}

struct Builder(Arc<Desk>);

impl WorkerBuilder<Hand, ()> for Builder {
    fn build(&mut self, _: WorkerId) -> (Hand, ()) {
        (Hand(self.0.clone()), ())
    }
}

type Queue = PriorityQueue<Key, Note, StandardPriority, ByKey, 5>;

struct Pool(ActorRef<FactoryMessage<Key, Note>>);

impl Contestant for Pool {
    fn post(&self, note: Note) {
        let key = if matches!(note, Note::Urgent(_)) { 0 } else { 4 };
        let job = Job { key, msg: note, options: JobOptions::default(), accepted: None };
        assert!(self.0.send_message(FactoryMessage::Dispatch(job)).is_ok());
    }
}

pub fn start(desk: Arc<Desk>) -> Box<dyn Contestant> {
    let arguments = FactoryArguments::builder()
        .worker_builder(Box::new(Builder(desk)))
        .queue(Queue::new(ByKey))
        .router(QueuerRouting::default())
        .num_initial_workers(1)
        .build();
    let factory = Factory::<Key, Note, (), Hand, QueuerRouting<Key, Note>, Queue>::default();
    Box::new(Pool(ActorRuntime::spawn_instant(None, factory, arguments).unwrap().0))
}
