//! The sound source of the device's thread. It never waits: an empty ring is silence.

use std::sync::Arc;

use luna_platform::audio::SoundSource;

use crate::control::PlaybackControl;
use crate::ring::{Ring, RingSlot};

/// Fade at cuts and beginnings, in milliseconds: enough to avoid a click, too short to be heard as sound.
const FADE_MS: u32 = 1;

/// Plays the samples of the ring. Called on the device's thread, so it never blocks or allocates.
pub struct RingSource {
    ring: Arc<Ring>,
    control: Arc<PlaybackControl>,
    /// The order played last.
    order: u32,
    /// Change of the gain per sample.
    step: f32,
    /// Gain of the samples from the ring: rises from 0 after silence.
    gain: f32,
    /// The last sample played.
    last: f32,
    /// Last sample of a cut sound, which fades to 0.
    residue: f32,
    residue_gain: f32,
}

impl RingSource {
    /// Plays `ring` at `sample_rate` samples a second.
    #[must_use]
    pub fn new(ring: Arc<Ring>, control: Arc<PlaybackControl>, sample_rate: u32) -> Self {
        let step = 1000.0 / (sample_rate.max(1000) * FADE_MS) as f32;
        let order = control.order();
        Self { ring, control, order, step, gain: 0.0, last: 0.0, residue: 0.0, residue_gain: 0.0 }
    }

    /// Cuts the current sound, which fades out.
    fn cut(&mut self) {
        if self.last != 0.0 {
            (self.residue, self.residue_gain) = (self.last, 1.0);
        }
        self.gain = 0.0;
    }

    /// Switches to `order` if it is the newest, and returns whether it is. An order may begin while the device's buffer is being filled; if its slots
    /// were dropped as leftovers, the sentence would lose its beginning, and its start would not be reported.
    fn switch_to(&mut self, order: u32) -> bool {
        let newest = order == self.control.order() && !self.control.is_disabled();
        if newest {
            self.order = order;
            self.cut();
        }
        newest
    }

    /// The next sample of the current order, if there is one.
    fn next(&mut self) -> Option<f32> {
        loop {
            match self.ring.pop()? {
                (order, _) if order != self.order && !self.switch_to(order) => {}
                (_, RingSlot::Sample(sample)) => return Some(sample),
                (order, RingSlot::Start) => self.control.note_started(order),
                (order, RingSlot::End) => self.control.note_ended(order),
            }
        }
    }
}

impl SoundSource for RingSource {
    fn fill(&mut self, out: &mut [f32]) -> usize {
        let order = self.control.order();
        if order != self.order {
            self.order = order;
            self.cut();
            self.control.note_silent();
        }
        let (paused, disabled) = (self.control.is_paused(), self.control.is_disabled());
        for sample in out.iter_mut() {
            let next = if paused || disabled { None } else { self.next() };
            let mut value = match next {
                Some(next) => {
                    self.gain = (self.gain + self.step).min(1.0);
                    next * self.gain
                }
                None => {
                    if self.gain > 0.0 {
                        self.cut();
                    }
                    0.0
                }
            };
            if self.residue_gain > 0.0 {
                self.residue_gain -= self.step;
                value += self.residue * self.residue_gain.max(0.0);
            }
            self.last = value;
            *sample = value;
        }
        out.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(slots: usize) -> (Arc<Ring>, Arc<PlaybackControl>, RingSource) {
        let (ring, control) = (Arc::new(Ring::new(slots)), Arc::new(PlaybackControl::new()));
        let source = RingSource::new(ring.clone(), control.clone(), 48_000);
        (ring, control, source)
    }

    fn fill(source: &mut RingSource) -> Vec<f32> {
        let mut out = vec![9.0; 64];
        assert_eq!(source.fill(&mut out), 64);
        out
    }

    // TTS-4
    #[test]
    fn after_a_stop_nothing_of_the_old_order_comes_out_tts_4() {
        let (ring, control, mut source) = source(1000);
        let order = control.next_order();
        ring.push(order, RingSlot::Start);
        (0..400).for_each(|_| assert!(ring.push(order, RingSlot::Sample(0.8))));
        assert!(fill(&mut source).last().is_some_and(|s| *s == 0.8) && control.has_started(order));
        control.silence();
        // The audio thread has not noticed yet, and keeps pushing.
        (0..100).for_each(|_| assert!(ring.push(order, RingSlot::Sample(0.8))));
        let out = fill(&mut source);
        assert!(out[48..].iter().all(|s| *s == 0.0), "only a millisecond of fading is left");
        assert!(out.windows(2).all(|w| (w[0] - w[1]).abs() < 0.05), "and it does not click");
        assert!(ring.is_empty() && control.take_stop().is_some());
        assert!(fill(&mut source).iter().all(|s| *s == 0.0) && !control.has_ended(order));
    }

    // TTS-1
    #[test]
    fn an_order_that_begins_while_the_device_is_filled_loses_nothing_tts_1() {
        let (ring, control, mut source) = source(1000);
        fill(&mut source);
        // A new order begins between two samples of one fill.
        let order = control.next_order();
        ring.push(order, RingSlot::Start);
        (0..10).for_each(|_| assert!(ring.push(order, RingSlot::Sample(0.5))));
        assert_eq!(source.next(), Some(0.5));
        assert!(control.has_started(order));
        // Leftovers of an ended order are still dropped.
        control.next_order();
        fill(&mut source);
        assert!(ring.is_empty() && !control.has_ended(order));
    }

    // TTS-2
    #[test]
    fn halted_sound_waits_and_goes_on_tts_2() {
        let (ring, control, mut source) = source(1000);
        let order = control.next_order();
        (0..128).for_each(|_| assert!(ring.push(order, RingSlot::Sample(0.5))));
        ring.push(order, RingSlot::End);
        fill(&mut source);
        control.set_paused(true);
        assert!(fill(&mut source)[60..].iter().all(|s| *s == 0.0) && ring.popped() == 64);
        control.set_paused(false);
        assert!(fill(&mut source)[60..].iter().all(|s| *s == 0.5) && !control.has_ended(order));
        fill(&mut source);
        assert!(control.has_ended(order));
    }
}
