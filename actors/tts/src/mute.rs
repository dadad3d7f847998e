//! Silence at once, whatever the actor is busy with (TTS-4, BRG-7).

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use luna_actor_runtime::metric_names::SPEECH_MUTES;

use crate::control::PlaybackControl;

/// Silences or halts what sounds, from any thread, without waiting for the speech actor: it may be in the middle of a message, waiting for a core, or
/// starting anew. Who does so also sends the actor its stop or pause, which brings the actor's own state in line. Clones are the same.
#[derive(Clone, Default)]
pub struct Mute(Arc<Mutex<Weak<PlaybackControl>>>);

impl Mute {
    /// What sounds now is over. What begins after this sounds.
    pub fn now(&self) {
        // The lock is held for moments by everyone; nothing inside can break half-way.
        let control = self.0.lock().unwrap_or_else(PoisonError::into_inner).upgrade();
        if let Some(control) = control {
            control.mute();
            metrics::counter!(SPEECH_MUTES).increment(1);
        }
    }

    /// What sounds now is halted; it goes on by the actor's own word. What begins after this sounds.
    pub fn pause(&self) {
        let control = self.0.lock().unwrap_or_else(PoisonError::into_inner).upgrade();
        if let Some(control) = control {
            control.set_paused(true);
        }
    }

    /// From here on `control` is what sounds. What sounded before belongs to an actor that was replaced, and that may hang in the middle of a
    /// sentence: nothing could stop it any more, so it is over.
    pub(crate) fn belongs_to(&self, control: &Arc<PlaybackControl>) {
        let mut current = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::replace(&mut *current, Arc::downgrade(control)).upgrade();
        if let Some(before) = before.filter(|before| !Arc::ptr_eq(before, control)) {
            before.retire();
        }
    }
}

impl fmt::Debug for Mute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hush")
    }
}

#[cfg(test)]
mod tests {
    use luna_platform::audio::SoundSource as _;

    use super::*;
    use crate::ring::{Ring, RingSlot};
    use crate::source::RingSource;

    // TTS-4, BRG-7
    #[test]
    fn what_sounds_is_over_at_once_and_is_one_stop_tts_4_brg_7() {
        let (mute, control) = (Mute::default(), Arc::new(PlaybackControl::new()));
        mute.now();
        assert_eq!(control.order(), 0, "there is nothing that sounds");
        mute.belongs_to(&control);
        let sentence = control.next_sentence();
        mute.clone().now();
        let muted = control.order();
        assert_ne!(muted, sentence);
        // The actor's own stop, which comes behind, is the same stop.
        control.note_silent();
        assert!(control.take_stop().is_some());
        control.silence();
        control.note_silent();
        assert_eq!((control.order(), control.take_stop()), (muted, None));
        // After the next sentence it is another one.
        control.next_sentence();
        control.silence();
        control.note_silent();
        assert!(control.take_stop().is_some());
        drop(control);
        mute.now();
    }

    // TTS-4, KER-8
    #[test]
    fn what_a_replaced_actor_plays_is_over_for_good_tts_4_ker_8() {
        let (mute, old, new) = (Mute::default(), Arc::new(PlaybackControl::new()), Arc::new(PlaybackControl::new()));
        let ring = Arc::new(Ring::new(1000));
        let mut device = RingSource::new(ring.clone(), old.clone(), 48_000);
        let mut loud = || {
            let mut out = [0.0; 128];
            device.fill(&mut out);
            out[64..].iter().any(|sample| *sample != 0.0)
        };
        let speak = || {
            let order = old.next_sentence();
            (0..400).for_each(|_| assert!(ring.push(order, RingSlot::Sample(0.5))));
        };
        mute.belongs_to(&old);
        speak();
        assert!(loud());
        mute.belongs_to(&new);
        assert!(!loud(), "the old sentence goes on");
        // It hung in the middle of a message, and ends that message after all.
        speak();
        assert!(!loud(), "it begins another one");
        mute.belongs_to(&new);
        assert!(!new.is_retired());
    }

    // BRG-7
    #[test]
    fn a_pause_waits_for_nobody_brg_7() {
        let (mute, control) = (Mute::default(), Arc::new(PlaybackControl::new()));
        mute.pause();
        mute.belongs_to(&control);
        control.next_sentence();
        mute.pause();
        assert!(control.is_paused());
        // What begins after it sounds.
        control.next_sentence();
        assert!(!control.is_paused());
    }
}
