//! Contestant: a kameo actor.

use kameo::actor::{ActorRef, Spawn};
use kameo::error::Infallible;
use kameo::mailbox;
use kameo::message::{Context, Message};

use super::{Arc, BenchNote, InboxContestant, InboxDesk};

struct KameoWorker(Arc<InboxDesk>);

impl kameo::Actor for KameoWorker {
    type Args = Self;
    type Error = Infallible;
    async fn on_start(worker: Self, _: ActorRef<Self>) -> Result<Self, Infallible> {
        Ok(worker)
    }
}

impl Message<BenchNote> for KameoWorker {
    type Reply = ();
    async fn handle(&mut self, note: BenchNote, _: &mut Context<Self, ()>) {
        self.0.handle(note).await;
    }
}

struct Kameo(ActorRef<KameoWorker>);

impl InboxContestant for Kameo {
    fn post(&self, note: BenchNote) {
        assert!(self.0.tell(note).try_send().is_ok());
    }
}

pub fn start(desk: Arc<InboxDesk>) -> Box<dyn InboxContestant> {
    Box::new(Kameo(KameoWorker::spawn_with_mailbox(KameoWorker(desk), mailbox::unbounded())))
}
