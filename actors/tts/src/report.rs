//! Reports of the audio thread to the actor: a short queue, and a wake-up through the actor's inbox.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use luna_actor_runtime::Inbox;
use luna_messages::tts::TtsMessage;
use luna_speech::player::PlayRequest;
use tokio::time::Instant;

/// Progress of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaybackReport {
    /// The device took the order's first sample.
    Started(PlayRequest, Instant),
    /// The device took the order's last sample.
    Ended(PlayRequest),
    /// The engine crashed or hung while it synthesised the sentence.
    Broken(PlayRequest),
    /// The order waits for a sound device.
    Unheard(PlayRequest),
    /// The order can't be spoken.
    Unspoken(PlayRequest),
}

/// The queue of reports. There is one order at a time with a few reports, so the queue stays short.
#[derive(Debug, Clone)]
pub struct Reports {
    queue: Arc<Mutex<VecDeque<PlaybackReport>>>,
    inbox: Inbox<TtsMessage>,
}

/// Maximum reports in the queue. It fills only if the actor no longer reads it; further reports are then dropped.
const CAPACITY: usize = 256;

impl Reports {
    /// A queue for the actor that reads `inbox`.
    #[must_use]
    pub fn new(inbox: Inbox<TtsMessage>) -> Self {
        Self { queue: Arc::default(), inbox }
    }

    /// Queues a report and wakes the actor.
    pub fn send(&self, report: PlaybackReport) {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        if queue.len() < CAPACITY {
            queue.push_back(report);
        }
        drop(queue);
        // A closed inbox means that Luna is ending; wake-ups coalesce, so they never fill it.
        let _ = self.inbox.post(TtsMessage::Wake);
    }

    /// The next report.
    #[must_use]
    pub fn take(&self) -> Option<PlaybackReport> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }
}
