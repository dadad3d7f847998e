//! The contestant tokio_mpsc.

use tokio::sync::mpsc;

use super::*;

impl Contestant for mpsc::UnboundedSender<Note> {
    fn post(&self, note: Note) {
        self.send(note).unwrap();
    }
}

pub fn start(desk: Arc<Desk>) -> Box<dyn Contestant> {
    let (sender, mut notes) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Some(note) = notes.recv().await {
            desk.handle(note).await;
        }
    });
    Box::new(sender)
}
