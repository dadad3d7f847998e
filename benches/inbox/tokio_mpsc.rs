//! Contestant: a task with tokio's mpsc channel.

use tokio::sync::mpsc;

use super::*;

impl InboxContestant for mpsc::UnboundedSender<BenchNote> {
    fn post(&self, note: BenchNote) {
        self.send(note).unwrap();
    }
}

pub fn start(desk: Arc<InboxDesk>) -> Box<dyn InboxContestant> {
    let (sender, mut notes) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Some(note) = notes.recv().await {
            desk.handle(note).await;
        }
    });
    Box::new(sender)
}
