//! Contestant: a plain ractor actor.

use ractor::{Actor, ActorProcessingErr, ActorRef, ActorRuntime};

use super::*;

struct RactorWorker;

impl Actor for RactorWorker {
    type Msg = BenchNote;
    type State = Arc<InboxDesk>;
    type Arguments = Arc<InboxDesk>;
    async fn pre_start(
        &self,
        _: ActorRef<BenchNote>,
        desk: Arc<InboxDesk>,
    ) -> Result<Arc<InboxDesk>, ActorProcessingErr> {
        Ok(desk)
    }
    async fn handle(
        &self,
        _: ActorRef<BenchNote>,
        note: BenchNote,
        desk: &mut Arc<InboxDesk>,
    ) -> Result<(), ActorProcessingErr> {
        desk.handle(note).await;
        Ok(())
    }
}

struct Ractor(ActorRef<BenchNote>);

impl InboxContestant for Ractor {
    fn post(&self, note: BenchNote) {
        self.0.send_message(note).unwrap();
    }
}

pub fn start(desk: Arc<InboxDesk>) -> Box<dyn InboxContestant> {
    Box::new(Ractor(ActorRuntime::spawn_instant(None, RactorWorker, desk).unwrap().0))
}
