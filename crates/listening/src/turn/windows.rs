//! When a voice is transcribed, and which part of it. Windows are what a person waits for, so they are short and follow each other at once while Luna
//! speaks; otherwise they only look for the wake word and are rare.

use std::time::Duration;

use luna_messages::listening::SamplePosition;

use super::positions::{duration, samples};
use super::settings::TurnSettings;
use super::voice::{HeardVoice, PAUSE, VoiceState};

/// Sound before the first window: less is no word. A short command such as "멈춰" takes some 400 ms.
const FIRST: Duration = Duration::from_millis(350);
/// New sound for the next window while Luna speaks: the time of a syllable.
const NEXT_INTERRUPTING: Duration = Duration::from_millis(150);
/// New sound for the next window otherwise: nobody waits for a partial transcript, and each costs a pass of the recogniser.
const NEXT: Duration = Duration::from_millis(600);
/// The window that is due now, if one is. `heard`: where the sound ends that was taken so far.
pub fn due(
    voice: &HeardVoice,
    heard: SamplePosition,
    settings: &TurnSettings,
) -> Option<(SamplePosition, SamplePosition)> {
    if voice.state != VoiceState::Open || voice.window.is_some() || voice.obeyed.is_some() {
        return None;
    }
    let to = match voice.end {
        Some(_) if is_covered(voice) => return None,
        Some(end) => end.to,
        None => {
            // The speaker pauses: what was said is heard at once.
            let pause = voice.voiced + samples(PAUSE);
            if voice.voiced > voice.from && heard >= pause && voice.covered < pause && voice.interrupts {
                return Some((voice.from.max(heard.saturating_sub(samples(settings.hot))), heard));
            }
            // Words that are not for Luna are followed from afar.
            let waits = voice.interrupts && !voice.is_talk;
            let new = duration(heard.saturating_sub(voice.covered));
            let least = if voice.covered == voice.from {
                FIRST
            } else if waits {
                NEXT_INTERRUPTING
            } else {
                NEXT
            };
            if new < least || heard >= pause && voice.covered >= pause {
                return None;
            }
            heard
        }
    };
    // The wake word comes first: while it is looked for, the beginning stays in the window.
    let begins = voice.from.max(to.saturating_sub(samples(settings.hot)));
    Some((if seeks_call(voice) { voice.from } else { begins }, to))
}

/// Whether it is not known yet whether this voice calls Luna: nobody was spoken over, so it is short.
fn seeks_call(voice: &HeardVoice) -> bool {
    !voice.interrupts && !voice.called && !voice.expected
}

/// Whether the last answered window has the whole end of the voice.
pub fn is_covered(voice: &HeardVoice) -> bool {
    voice.end.is_some_and(|end| voice.covered >= end.to)
}
