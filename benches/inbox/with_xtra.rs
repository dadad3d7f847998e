//! The contestant with_xtra.

use xtra::prelude::*;

use super::{Arc, Desk, FLOOD, FutureExt, Note};

struct Worker(Arc<Desk>);

impl Actor for Worker {
    type Stop = ();
    async fn stopped(self) {}
}

impl Handler<Note> for Worker {
    type Return = ();
    async fn handle(&mut self, note: Note, _: &mut Context<Self>) {
        self.0.handle(note).await;
    }
}

struct Xtra(Address<Worker>);

impl super::Contestant for Xtra {
    fn post(&self, note: Note) {
        let priority = u32::from(matches!(note, Note::Urgent(_)));
        let sending = self.0.send(note).priority(priority).detach();
        assert!(sending.now_or_never().is_some(), "the bound is above the flood");
    }
}

pub fn start(desk: Arc<Desk>) -> Box<dyn super::Contestant> {
    Box::new(Xtra(xtra::spawn_tokio(Worker(desk), Mailbox::bounded(FLOOD + 2))))
}
