//! The contestant plain_ractor.

use ractor::{Actor, ActorProcessingErr, ActorRef, ActorRuntime};

use super::*;

struct Worker;

impl Actor for Worker {
    type Msg = Note;
    type State = Arc<Desk>;
    type Arguments = Arc<Desk>;
    async fn pre_start(&self, _: ActorRef<Note>, desk: Arc<Desk>) -> Result<Arc<Desk>, ActorProcessingErr> {
        Ok(desk)
    }
    async fn handle(&self, _: ActorRef<Note>, note: Note, desk: &mut Arc<Desk>) -> Result<(), ActorProcessingErr> {
        desk.handle(note).await;
        Ok(())
    }
}

struct Ractor(ActorRef<Note>);

impl Contestant for Ractor {
    fn post(&self, note: Note) {
        self.0.send_message(note).unwrap();
    }
}

pub fn start(desk: Arc<Desk>) -> Box<dyn Contestant> {
    Box::new(Ractor(ActorRuntime::spawn_instant(None, Worker, desk).unwrap().0))
}
