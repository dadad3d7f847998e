//! Contestant: an xtra actor.

use xtra::prelude::*;

use super::{Arc, BenchMessage, FLOOD, FutureExt, InboxHandler};

struct XtraWorker(Arc<InboxHandler>);

impl Actor for XtraWorker {
    type Stop = ();
    async fn stopped(self) {}
}

impl Handler<BenchMessage> for XtraWorker {
    type Return = ();
    async fn handle(&mut self, message: BenchMessage, _: &mut Context<Self>) {
        self.0.handle(message).await;
    }
}

struct Xtra(Address<XtraWorker>);

impl super::InboxContestant for Xtra {
    fn post(&self, message: BenchMessage) {
        let priority = u32::from(matches!(message, BenchMessage::Urgent(_)));
        let sending = self.0.send(message).priority(priority).detach();
        assert!(sending.now_or_never().is_some(), "the bound is above the flood");
    }
}

pub fn start(handler: Arc<InboxHandler>) -> Box<dyn super::InboxContestant> {
    Box::new(Xtra(xtra::spawn_tokio(XtraWorker(handler), Mailbox::bounded(FLOOD + 2))))
}
