//! Contestant: an xtra actor.

use xtra::prelude::*;

use super::{Arc, BenchNote, FLOOD, FutureExt, InboxDesk};

struct XtraWorker(Arc<InboxDesk>);

impl Actor for XtraWorker {
    type Stop = ();
    async fn stopped(self) {}
}

impl Handler<BenchNote> for XtraWorker {
    type Return = ();
    async fn handle(&mut self, note: BenchNote, _: &mut Context<Self>) {
        self.0.handle(note).await;
    }
}

struct Xtra(Address<XtraWorker>);

impl super::InboxContestant for Xtra {
    fn post(&self, note: BenchNote) {
        let priority = u32::from(matches!(note, BenchNote::Urgent(_)));
        let sending = self.0.send(note).priority(priority).detach();
        assert!(sending.now_or_never().is_some(), "the bound is above the flood");
    }
}

pub fn start(desk: Arc<InboxDesk>) -> Box<dyn super::InboxContestant> {
    Box::new(Xtra(xtra::spawn_tokio(XtraWorker(desk), Mailbox::bounded(FLOOD + 2))))
}
