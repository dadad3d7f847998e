//! Contestant: a plain ractor actor.

use ractor::{Actor, ActorProcessingErr, ActorRef, ActorRuntime};

use super::*;

struct RactorWorker;

impl Actor for RactorWorker {
    type Msg = BenchMessage;
    type State = Arc<InboxHandler>;
    type Arguments = Arc<InboxHandler>;
    async fn pre_start(
        &self,
        _: ActorRef<BenchMessage>,
        handler: Arc<InboxHandler>,
    ) -> Result<Arc<InboxHandler>, ActorProcessingErr> {
        Ok(handler)
    }
    async fn handle(
        &self,
        _: ActorRef<BenchMessage>,
        message: BenchMessage,
        handler: &mut Arc<InboxHandler>,
    ) -> Result<(), ActorProcessingErr> {
        handler.handle(message).await;
        Ok(())
    }
}

struct Ractor(ActorRef<BenchMessage>);

impl InboxContestant for Ractor {
    fn post(&self, message: BenchMessage) {
        self.0.send_message(message).unwrap();
    }
}

pub fn start(handler: Arc<InboxHandler>) -> Box<dyn InboxContestant> {
    Box::new(Ractor(ActorRuntime::spawn_instant(None, RactorWorker, handler).unwrap().0))
}
