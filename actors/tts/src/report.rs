//! How the engine's task and the audio thread tell the actor something: a short queue, and a wake-up through its inbox.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use luna_actor_runtime::Inbox;
use luna_messages::tts::TtsMessage;
use luna_speech::player::PlayRequest;
use tokio::time::Instant;

/// What came of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaybackReport {
    /// Its first sample went to the device.
    Started(PlayRequest, Instant),
    /// All of it did.
    Ended(PlayRequest),
    /// The engine crashed on it.
    Broken(PlayRequest),
    /// It waits for a sound device.
    Unheard(PlayRequest),
    /// It can't be spoken.
    Unspoken(PlayRequest),
}

/// The queue. There is one order at a time and each has at most two reports, so it stays short.
#[derive(Debug, Clone)]
pub struct Reports {
    queue: Arc<Mutex<VecDeque<PlaybackReport>>>,
    inbox: Inbox<TtsMessage>,
}

/// More reports than this mean that the actor is gone.
const BOUND: usize = 256;

impl Reports {
    /// A queue for the actor of `inbox`.
    #[must_use]
    pub fn new(inbox: Inbox<TtsMessage>) -> Self {
        Self { queue: Arc::default(), inbox }
    }

    /// Tells the actor.
    pub fn send(&self, report: PlaybackReport) {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        if queue.len() < BOUND {
            queue.push_back(report);
        }
        drop(queue);
        // A closed inbox means that Luna ends; wake-ups coalesce, so it is never full of them.
        let _ = self.inbox.post(TtsMessage::Wake);
    }

    /// The next report.
    #[must_use]
    pub fn take(&self) -> Option<PlaybackReport> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }
}
