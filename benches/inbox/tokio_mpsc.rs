//! Contestant: a task with tokio's mpsc channel.

use tokio::sync::mpsc;

use super::*;

impl InboxContestant for mpsc::UnboundedSender<BenchMessage> {
    fn post(&self, message: BenchMessage) {
        self.send(message).unwrap();
    }
}

pub fn start(handler: Arc<InboxHandler>) -> Box<dyn InboxContestant> {
    let (sender, mut notes) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Some(message) = notes.recv().await {
            handler.handle(message).await;
        }
    });
    Box::new(sender)
}
