//! Immediate silence or quiet, whatever the actor is busy with (TTS-4, BRG-1, BRG-7).

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use luna_actor_runtime::metric_names::SPEECH_MUTES;

use crate::control::PlaybackControl;

/// Silences, pauses or ducks the output from any thread, without waiting for the speech actor, which may be in a handler, waiting for a core, or restarting.
/// The caller also posts a stop or pause to the actor, which updates the actor's own state. Clones share the state.
#[derive(Clone, Default)]
pub struct Mute(Arc<Mutex<MuteState>>);

#[derive(Default)]
struct MuteState {
    control: Weak<PlaybackControl>,
    /// Whether somebody speaks, for an actor that starts meanwhile.
    ducked: bool,
}

impl Mute {
    /// Ends the current sound, and a duck. Later orders are audible, at full volume.
    pub fn now(&self) {
        let control = self.control(|state| state.ducked = false);
        if let Some(control) = control {
            control.mute();
            metrics::counter!(SPEECH_MUTES).increment(1);
        }
    }

    /// Pauses the current sound until the actor resumes it. Later orders are audible.
    pub fn pause(&self) {
        if let Some(control) = self.control(|_| ()) {
            control.set_paused(true);
        }
    }

    /// Somebody begins to speak (BRG-1): what sounds fades within about 20 ms to a quiet level and goes on; after 600 ms, or at the end of the
    /// sentence, it is held, so that nothing is said unheard. What begins meanwhile begins quiet and is held with it. The place is kept for
    /// [`Mute::unduck`]. A second duck changes nothing.
    pub fn duck(&self) {
        if let Some(control) = self.control(|state| state.ducked = true) {
            control.duck();
        }
    }

    /// Ends a duck: full volume within 20 ms. With `from_word` the sentence goes on from the beginning of the word that sounded when [`Mute::duck`] was
    /// called (a sentence that began since then: from its beginning), else from where it is. Does nothing without a duck, which a stop ends, too.
    pub fn unduck(&self, from_word: bool) {
        if let Some(control) = self.control(|state| state.ducked = false) {
            control.unduck(from_word);
        }
    }

    /// The current output, after a change of the state.
    fn control(&self, change: impl FnOnce(&mut MuteState)) -> Option<Arc<PlaybackControl>> {
        // Held only briefly, and no update can be left half-done, so a poisoned lock is safe to use.
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut state);
        state.control.upgrade()
    }

    /// Makes `control` the current output and disables the previous one: its replaced actor may hang in the middle of a sentence that could no longer
    /// be stopped.
    pub(crate) fn attach(&self, control: &Arc<PlaybackControl>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::replace(&mut state.control, Arc::downgrade(control)).upgrade();
        if state.ducked {
            control.duck();
        }
        drop(state);
        if let Some(before) = before.filter(|before| !Arc::ptr_eq(before, control)) {
            before.disable();
        }
    }
}

impl fmt::Debug for Mute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Mute")
    }
}

#[cfg(test)]
mod tests {
    use luna_platform::audio::SoundSource as _;
    use luna_platform::audio::tap::PlaybackTap;

    use super::*;
    use crate::ring::{Ring, RingSlot};
    use crate::source::RingSource;

    // TTS-4, BRG-7
    #[test]
    fn what_sounds_is_over_at_once_and_is_one_stop_tts_4_brg_7() {
        let (mute, control) = (Mute::default(), Arc::new(PlaybackControl::new()));
        mute.now();
        assert_eq!(control.order(), 0, "there is nothing that sounds");
        mute.attach(&control);
        let sentence = control.next_sentence();
        mute.clone().now();
        let muted = control.order();
        assert_ne!(muted, sentence);
        // The actor's own stop that follows counts as the same stop and is not measured again.
        control.note_silent();
        assert!(control.take_stop().is_some());
        control.silence();
        control.note_silent();
        assert_eq!((control.order(), control.take_stop()), (muted, None));
        // A stop after the next sentence is a new one.
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
        let mut device = RingSource::new(ring.clone(), old.clone(), 48_000, PlaybackTap::new());
        let mut loud = || {
            let mut out = [0.0; 128];
            device.fill(&mut out);
            out[64..].iter().any(|sample| *sample != 0.0)
        };
        let speak = || {
            let order = old.next_sentence();
            (0..400).for_each(|_| assert!(ring.push(order, RingSlot::Sample(0.5))));
        };
        mute.attach(&old);
        speak();
        assert!(loud());
        mute.attach(&new);
        assert!(!loud(), "the old sentence goes on");
        // The hung handler resumes and orders another sentence.
        speak();
        assert!(!loud(), "it begins another one");
        mute.attach(&new);
        assert!(!new.is_disabled());
    }

    // BRG-7
    #[test]
    fn a_pause_waits_for_nobody_brg_7() {
        let (mute, control) = (Mute::default(), Arc::new(PlaybackControl::new()));
        mute.pause();
        mute.attach(&control);
        control.next_sentence();
        mute.pause();
        assert!(control.is_paused());
        // A later order is audible.
        control.next_sentence();
        assert!(!control.is_paused());
    }

    // BRG-1, KER-8
    #[test]
    fn an_actor_that_starts_while_somebody_speaks_starts_ducked_brg_1_ker_8() {
        let (mute, old, new) = (Mute::default(), Arc::new(PlaybackControl::new()), Arc::new(PlaybackControl::new()));
        mute.duck();
        mute.attach(&old);
        assert!(old.duck_state().ducked);
        mute.attach(&new);
        assert!(new.duck_state().ducked);
        mute.clone().unduck(true);
        assert!(!new.duck_state().ducked);
        // A stop ends it for those that start later, too.
        mute.duck();
        mute.now();
        let last = Arc::new(PlaybackControl::new());
        mute.attach(&last);
        assert!(!new.duck_state().ducked && !last.duck_state().ducked);
    }
}
