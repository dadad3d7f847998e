//! Contestant: a kameo actor.

use kameo::actor::{ActorRef, Spawn};
use kameo::error::Infallible;
use kameo::mailbox;
use kameo::message::{Context, Message};

use super::{Arc, BenchMessage, InboxContestant, InboxHandler};

struct KameoWorker(Arc<InboxHandler>);

impl kameo::Actor for KameoWorker {
    type Args = Self;
    type Error = Infallible;
    async fn on_start(worker: Self, _: ActorRef<Self>) -> Result<Self, Infallible> {
        Ok(worker)
    }
}

impl Message<BenchMessage> for KameoWorker {
    type Reply = ();
    async fn handle(&mut self, message: BenchMessage, _: &mut Context<Self, ()>) {
        self.0.handle(message).await;
    }
}

struct Kameo(ActorRef<KameoWorker>);

impl InboxContestant for Kameo {
    fn post(&self, message: BenchMessage) {
        assert!(self.0.tell(message).try_send().is_ok());
    }
}

pub fn start(handler: Arc<InboxHandler>) -> Box<dyn InboxContestant> {
    Box::new(Kameo(KameoWorker::spawn_with_mailbox(KameoWorker(handler), mailbox::unbounded())))
}
