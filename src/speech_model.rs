//! Whether speech recognition has a model: Luna listens by itself only where it could understand (`voice.listen: auto`).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use luna_actor_runtime::periodic_task;
use luna_actor_stt::FindSpeechModel;

/// Interval at which a model is looked for: a person who just fetched one need not restart Luna (KER-9).
const INTERVAL: Duration = Duration::from_secs(5);

/// Whether a model is there. Clones share the state.
#[derive(Clone, Default)]
pub struct SpeechModelPresence(Arc<AtomicBool>);

impl SpeechModelPresence {
    /// Whether a model was there when it was last looked for.
    #[must_use]
    pub fn is_there(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Looks for a model now and then, on a thread of its own, because this reads the disk (KER-11). The thread ends when the last clone is dropped.
    pub fn follow(&self, find: FindSpeechModel) {
        let presence = Arc::downgrade(&self.0);
        let look = move || Weak::upgrade(&presence).map(|presence| presence.store(find().is_ok(), Ordering::Relaxed));
        let started = periodic_task::start("luna-speech-model", move || look().map(|()| INTERVAL));
        if let Err(error) = started {
            tracing::warn!(%error, "The model of speech recognition is not looked for, so Luna does not listen by itself.");
        }
    }
}
