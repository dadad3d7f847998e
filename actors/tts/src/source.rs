//! The sound source of the device's thread. It never waits: an empty ring is silence.

use std::sync::Arc;
use std::time::Duration;

use luna_platform::audio::SoundSource;
use luna_platform::audio::tap::PlaybackTap;

use crate::control::PlaybackControl;
use crate::duck::{DUCK_FADE_MS, DUCK_GAIN, DUCK_HOLD, DuckMark, DuckState};
use crate::ring::{Ring, RingSlot};

/// Fade at cuts and beginnings, in milliseconds: enough to avoid a click, too short to be heard as sound.
const FADE_MS: u32 = 1;

/// Plays the samples of the ring. Called on the device's thread, so it never blocks or allocates.
pub struct RingSource {
    ring: Arc<Ring>,
    control: Arc<PlaybackControl>,
    tap: PlaybackTap,
    sample_rate: u32,
    /// The order played last.
    order: u32,
    /// Samples of it that were played.
    played: u32,
    /// Whether its end was reached while ducked: it is reported afterwards, so that the sentence can still go back to a word.
    end_waits: bool,
    /// Whether slots of other orders were dropped in this call: the audio thread has space for its own.
    dropped: bool,
    /// Change of the gain per sample.
    step: f32,
    /// Gain of the samples from the ring: rises from 0 after silence.
    gain: f32,
    duck: SourceDuck,
    /// The last sample played.
    last: f32,
    /// Last sample of a cut sound, which fades to 0.
    residue: f32,
    residue_gain: f32,
}

/// The duck as this device plays it.
struct SourceDuck {
    /// As of the beginning of this call.
    state: DuckState,
    /// Samples since it began.
    age: usize,
    /// Age from which the sound is held.
    hold: usize,
    gain: f32,
    /// Change of the gain per sample.
    step: f32,
    /// The duck and the order whose place was noted last.
    marked: Option<(u8, u32)>,
}

impl SourceDuck {
    /// A duck that began `ago`, before the device was opened.
    fn new(state: DuckState, ago: Duration, sample_rate: u32) -> Self {
        let samples = |time: Duration| (time.as_secs_f64() * f64::from(sample_rate)) as usize;
        Self {
            state,
            age: samples(ago),
            hold: samples(DUCK_HOLD),
            gain: 1.0,
            step: (1.0 - DUCK_GAIN) * 1000.0 / (sample_rate.max(1000) * DUCK_FADE_MS) as f32,
            marked: None,
        }
    }

    fn follow(&mut self, state: DuckState) {
        if state.ducked && (!self.state.ducked || state.epoch != self.state.epoch) {
            self.age = 0;
        }
        self.state = state;
    }

    const fn is_held(&self) -> bool {
        self.state.returning || self.state.ducked && self.age >= self.hold
    }

    /// Moves the gain by a sample; at once if the sound rises from silence anyway.
    fn advance(&mut self, from_silence: bool) -> f32 {
        let target = if self.state.ducked { DUCK_GAIN } else { 1.0 };
        self.gain = match target {
            target if from_silence => target,
            target if self.gain > target => (self.gain - self.step).max(target),
            target => (self.gain + self.step).min(target),
        };
        self.gain
    }
}

impl RingSource {
    /// Plays `ring` at `sample_rate` samples a second; `tap` gets all that is played.
    #[must_use]
    pub fn new(ring: Arc<Ring>, control: Arc<PlaybackControl>, sample_rate: u32, tap: PlaybackTap) -> Self {
        let step = 1000.0 / (sample_rate.max(1000) * FADE_MS) as f32;
        Self {
            order: control.order(),
            duck: SourceDuck::new(control.duck_state(), control.ducked_for(), sample_rate),
            ring,
            control,
            tap,
            sample_rate,
            played: 0,
            end_waits: false,
            dropped: false,
            step,
            gain: 0.0,
            last: 0.0,
            residue: 0.0,
            residue_gain: 0.0,
        }
    }

    /// Cuts the current sound, which fades out.
    fn cut(&mut self) {
        if self.last != 0.0 {
            (self.residue, self.residue_gain) = (self.last, 1.0);
        }
        self.gain = 0.0;
    }

    /// Begins another order.
    fn begin(&mut self, order: u32) {
        (self.order, self.played, self.end_waits) = (order, 0, false);
        self.cut();
    }

    /// Switches to `order` if it is the newest, and returns whether it is. An order may begin while the device's buffer is being filled; if its slots
    /// were dropped as leftovers, the sentence would lose its beginning, and its start would not be reported.
    fn switch_to(&mut self, order: u32) -> bool {
        let newest = order == self.control.order() && !self.control.is_disabled();
        if newest {
            self.begin(order);
        } else {
            self.dropped = true;
        }
        newest
    }

    /// The next sample of the current order, if there is one.
    fn next(&mut self) -> Option<f32> {
        if self.duck.is_held() {
            return None;
        }
        if self.end_waits && !self.duck.state.ducked {
            self.end_waits = false;
            self.control.note_ended(self.order);
        }
        loop {
            match self.ring.pop()? {
                (order, _) if order != self.order && !self.switch_to(order) => {}
                (_, RingSlot::Sample(sample)) => {
                    self.note_place();
                    self.played = self.played.saturating_add(1);
                    return Some(sample);
                }
                (order, RingSlot::Start) => self.control.note_started(order),
                (_, RingSlot::End) if self.duck.state.ducked => self.end_waits = true,
                (order, RingSlot::End) => self.control.note_ended(order),
            }
        }
    }

    /// Notes the place of a duck: the first sample that is quiet.
    fn note_place(&mut self) {
        let DuckState { ducked, epoch, .. } = self.duck.state;
        if ducked && self.duck.marked != Some((epoch, self.order)) {
            self.duck.marked = Some((epoch, self.order));
            self.control.note_ducked(DuckMark { order: self.order, epoch, played: self.played });
        }
    }
}

impl SoundSource for RingSource {
    fn fill(&mut self, out: &mut [f32]) -> usize {
        // Read before the order: a stop ends a duck after it has ended the order, so what was ducked is never loud again.
        self.duck.follow(self.control.duck_state());
        let order = self.control.order();
        if order != self.order {
            self.begin(order);
            self.control.note_silent();
        }
        let (paused, disabled) = (self.control.is_paused(), self.control.is_disabled());
        for sample in out.iter_mut() {
            let next = if paused || disabled { None } else { self.next() };
            let mut value = match next {
                Some(next) => {
                    let ducked = self.duck.advance(self.gain == 0.0);
                    self.gain = (self.gain + self.step).min(1.0);
                    next * self.gain * ducked
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
            self.duck.age = self.duck.age.saturating_add(1);
            self.last = value;
            *sample = value;
        }
        self.tap.put(out, self.sample_rate);
        if std::mem::take(&mut self.dropped) {
            self.control.wake();
        }
        out.len()
    }
}

impl Drop for RingSource {
    fn drop(&mut self) {
        self.tap.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(slots: usize) -> (Arc<Ring>, Arc<PlaybackControl>, RingSource) {
        let (ring, control) = (Arc::new(Ring::new(slots)), Arc::new(PlaybackControl::new()));
        let source = RingSource::new(ring.clone(), control.clone(), 48_000, PlaybackTap::new());
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

    // BRG-1
    #[test]
    fn a_duck_fades_to_minus_15_db_and_back_without_a_click_brg_1() {
        let (ring, control, mut source) = source(20_000);
        let order = control.next_order();
        (0..20_000).for_each(|_| assert!(ring.push(order, RingSlot::Sample(0.8))));
        fill(&mut source);
        let mut heard = Vec::new();
        let mut hear = |milliseconds: usize| {
            let begin = heard.len();
            (0..milliseconds * 48 / 64).for_each(|_| heard.extend(fill(&mut source)));
            heard[begin..].to_vec()
        };
        control.duck();
        let quiet = hear(100);
        let level = 20.0 * (quiet[20 * 48] / 0.8).log10();
        assert!((-15.5..-14.5).contains(&level), "{level} dB after 20 ms");
        assert!(quiet[20 * 48..].iter().all(|sample| *sample == quiet[20 * 48]));
        control.unduck(false);
        let loud = hear(100);
        assert!(loud[20 * 48..].iter().all(|sample| *sample == 0.8));
        // Gradual in both directions: nothing jumps by more than a hundredth.
        assert!(heard.windows(2).all(|w| (w[0] - w[1]).abs() < 0.01));
    }

    // BRG-1
    #[test]
    fn the_hold_begins_without_a_click_and_counts_from_the_duck_brg_1() {
        let (ring, control, mut source) = source(60_000);
        let order = control.next_order();
        (0..60_000).for_each(|_| assert!(ring.push(order, RingSlot::Sample(0.8))));
        fill(&mut source);
        control.duck();
        let held: Vec<f32> = (0..48 * 1000 / 64).flat_map(|_| fill(&mut source)).collect();
        let last = held.iter().rposition(|sample| *sample != 0.0).unwrap_or(0);
        assert!((600 * 48..602 * 48).contains(&last), "silent after {} ms", last / 48);
        assert!(held.windows(2).all(|w| (w[0] - w[1]).abs() < 0.05));
        // A device that is opened meanwhile doesn't begin to count anew.
        let state = control.duck_state();
        for (ago, held) in [(0, false), (599, false), (600, true), (90_000, true)] {
            assert_eq!(SourceDuck::new(state, Duration::from_millis(ago), 48_000).is_held(), held, "after {ago} ms");
        }
    }

    // BRG-4
    #[test]
    fn the_tap_gets_what_the_device_gets_brg_4() {
        let (ring, control) = (Arc::new(Ring::new(1000)), Arc::new(PlaybackControl::new()));
        let tap = PlaybackTap::new();
        let mut reader = tap.reader();
        let mut source = RingSource::new(ring.clone(), control.clone(), 44_100, tap.clone());
        let mut given = fill(&mut source);
        let order = control.next_order();
        (0..300).for_each(|n| assert!(ring.push(order, RingSlot::Sample((n as f32).sin()))));
        given.extend(fill(&mut source));
        assert!(tap.is_audible());
        control.duck();
        given.extend(fill(&mut source));
        control.silence();
        given.extend(fill(&mut source));
        let mut tapped = Vec::new();
        assert_eq!(reader.take(&mut tapped), 44_100);
        assert_eq!(tapped, given);
        drop(source);
        assert!(!tap.is_audible(), "the device is closed");
    }
}
