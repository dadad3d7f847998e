//! The contestant with_kameo.

use kameo::actor::{ActorRef, Spawn};
use kameo::error::Infallible;
use kameo::mailbox;
use kameo::message::{Context, Message};

use super::{Arc, Contestant, Desk, Note};

struct Worker(Arc<Desk>);

impl kameo::Actor for Worker {
    type Args = Self;
    type Error = Infallible;
    async fn on_start(worker: Self, _: ActorRef<Self>) -> Result<Self, Infallible> {
        Ok(worker)
    }
}

impl Message<Note> for Worker {
    type Reply = ();
    async fn handle(&mut self, note: Note, _: &mut Context<Self, ()>) {
        self.0.handle(note).await;
    }
}

struct Kameo(ActorRef<Worker>);

impl Contestant for Kameo {
    fn post(&self, note: Note) {
        assert!(self.0.tell(note).try_send().is_ok());
    }
}

pub fn start(desk: Arc<Desk>) -> Box<dyn Contestant> {
    Box::new(Kameo(Worker::spawn_with_mailbox(Worker(desk), mailbox::unbounded())))
}
