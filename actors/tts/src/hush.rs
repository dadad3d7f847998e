//! Silence at once, whatever the actor is busy with (TTS-4, BRG-7).

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use luna_runtime::metric_names::SPEECH_HUSHES;

use crate::control::Control;

/// Silences what sounds, from any thread, without waiting for the speech actor: it may be in the middle of a message, waiting for a core, or starting
/// anew. Who hushes also sends the actor its stop, which brings the actor's own state in line. Clones are the same.
#[derive(Clone, Default)]
pub struct Hush(Arc<Mutex<Weak<Control>>>);

impl Hush {
    /// What sounds now is over. What begins after this sounds.
    pub fn now(&self) {
        // The lock is held for moments by everyone; nothing inside can break half-way.
        let control = self.0.lock().unwrap_or_else(PoisonError::into_inner).upgrade();
        if let Some(control) = control {
            control.hush();
            metrics::counter!(SPEECH_HUSHES).increment(1);
        }
    }

    /// From here on `control` is what sounds.
    pub(crate) fn belongs_to(&self, control: &Arc<Control>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(control);
    }
}

impl fmt::Debug for Hush {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hush")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // TTS-4, BRG-7
    #[test]
    fn what_sounds_is_over_at_once_and_is_one_stop_tts_4_brg_7() {
        let (hush, control) = (Hush::default(), Arc::new(Control::new()));
        hush.now();
        assert_eq!(control.order(), 0, "there is nothing that sounds");
        hush.belongs_to(&control);
        let sentence = control.next_sentence();
        hush.clone().now();
        let hushed = control.order();
        assert_ne!(hushed, sentence);
        // The actor's own stop, which comes behind, is the same stop.
        control.note_silent();
        assert!(control.take_stop().is_some());
        control.silence();
        control.note_silent();
        assert_eq!((control.order(), control.take_stop()), (hushed, None));
        // After the next sentence it is another one.
        control.next_sentence();
        control.silence();
        control.note_silent();
        assert!(control.take_stop().is_some());
        drop(control);
        hush.now();
    }
}
