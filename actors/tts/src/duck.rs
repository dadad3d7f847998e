//! Ducking: while somebody speaks, Luna is quiet, then waits; afterwards it goes on where it was (BRG-1, BRG-3).

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

/// Gain of ducked sound, −15 dB: clearly quieter than the person, and still audible, so that a cough doesn't sound like a failure.
pub const DUCK_GAIN: f32 = 0.178;
/// Duration of the change between full and ducked sound, in milliseconds. With the device's buffer about 20 pass until it is quiet; a shorter fade
/// would be heard as a step.
pub const DUCK_FADE_MS: u32 = 15;
/// Longest time of ducked sound, after which it is held: what is spoken against a longer utterance is not understood. A noise that is taken for
/// speech is over before.
pub const DUCK_HOLD: Duration = Duration::from_millis(600);

const DUCKED: u32 = 1;
const RETURNING: u32 = 2;
const EPOCH_SHIFT: u32 = 8;
/// Samples that a mark counts by: a third of a millisecond is enough, and 24 bits then hold 93 minutes at 48,000 samples a second.
const MARK_SAMPLES: u32 = 16;
const MARK_BITS: u32 = 24;

/// What the output is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DuckState {
    /// Somebody speaks: quiet, then held.
    pub ducked: bool,
    /// The audio thread is asked to go back to the word of the duck; until then nothing is played.
    pub returning: bool,
    /// Number of the duck, modulo 256.
    pub epoch: u8,
}

impl DuckState {
    const fn bits(self) -> u32 {
        (self.ducked as u32 * DUCKED) | (self.returning as u32 * RETURNING) | ((self.epoch as u32) << EPOCH_SHIFT)
    }

    const fn from_bits(bits: u32) -> Self {
        Self {
            ducked: bits & DUCKED != 0,
            returning: bits & RETURNING != 0,
            epoch: ((bits >> EPOCH_SHIFT) & 0xFF) as u8,
        }
    }
}

/// What was played when a duck took effect: the first quiet sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DuckMark {
    /// The order, never 0.
    pub order: u32,
    /// The duck.
    pub epoch: u8,
    /// Samples of the order that had been played, to within 16.
    pub played: u32,
}

impl DuckMark {
    fn bits(self) -> u64 {
        let played = (self.played / MARK_SAMPLES).min((1 << MARK_BITS) - 1);
        u64::from(self.order) << 32 | u64::from(self.epoch) << MARK_BITS | u64::from(played)
    }

    fn from_bits(bits: u64) -> Option<Self> {
        let (order, low) = ((bits >> 32) as u32, bits as u32);
        let played = (low & ((1 << MARK_BITS) - 1)) * MARK_SAMPLES;
        (order != 0).then_some(Self { order, epoch: (low >> MARK_BITS) as u8, played })
    }
}

/// The duck as shared by those who order it, the audio thread and the device's thread: two atomic words, no lock.
#[derive(Debug, Default)]
pub struct Ducking {
    state: AtomicU32,
    /// Written by the device's thread.
    mark: AtomicU64,
}

impl Ducking {
    #[must_use]
    pub fn state(&self) -> DuckState {
        DuckState::from_bits(self.state.load(Ordering::Acquire))
    }

    fn update(&self, change: impl Fn(DuckState) -> Option<DuckState>) -> bool {
        let change = |bits| change(DuckState::from_bits(bits)).map(DuckState::bits);
        self.state.fetch_update(Ordering::AcqRel, Ordering::Acquire, change).is_ok()
    }

    /// Begins a duck; false if there is one, whose place is kept. A return that is not done yet is still done.
    pub fn begin(&self) -> bool {
        self.update(|now| {
            let epoch = if now.returning { now.epoch } else { now.epoch.wrapping_add(1) };
            (!now.ducked).then_some(DuckState { ducked: true, epoch, ..now })
        })
    }

    /// Ends a duck, and with `from_word` asks for a return to its word; false if there is none.
    pub fn end(&self, from_word: bool) -> bool {
        self.update(|now| {
            now.ducked.then_some(DuckState { ducked: false, returning: now.returning || from_word, ..now })
        })
    }

    /// Ends a duck and forgets its place, because what sounded was stopped.
    pub fn clear(&self) {
        self.update(|now| Some(DuckState { ducked: false, returning: false, epoch: now.epoch.wrapping_add(1) }));
    }

    /// Withdraws the request for a return: it is done, or something else is to be played. A duck that began meanwhile takes a new place.
    pub fn end_return(&self) {
        self.update(|now| {
            let epoch = if now.ducked { now.epoch.wrapping_add(1) } else { now.epoch };
            now.returning.then_some(DuckState { returning: false, epoch, ..now })
        });
    }

    /// From the device's thread: the place of the duck.
    pub fn set_mark(&self, mark: DuckMark) {
        self.mark.store(mark.bits(), Ordering::Release);
    }

    /// The place of the latest duck that took effect.
    #[must_use]
    pub fn mark(&self) -> Option<DuckMark> {
        DuckMark::from_bits(self.mark.load(Ordering::Acquire))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(steps: &[fn(&Ducking)], expect: (bool, bool, u8)) {
        let ducking = Ducking::default();
        steps.iter().for_each(|step| step(&ducking));
        let DuckState { ducked, returning, epoch } = ducking.state();
        assert_eq!((ducked, returning, epoch), expect);
    }

    // BRG-1
    #[test]
    fn a_duck_ends_in_place_at_its_word_or_by_a_stop_brg_1() {
        let duck = |d: &Ducking| _ = d.begin();
        let unduck = |d: &Ducking| _ = d.end(false);
        let back = |d: &Ducking| _ = d.end(true);
        check(&[], (false, false, 0));
        check(&[duck], (true, false, 1));
        check(&[duck, duck], (true, false, 1));
        check(&[duck, unduck, unduck], (false, false, 1));
        check(&[duck, unduck, back], (false, false, 1));
        check(&[duck, unduck, duck], (true, false, 2));
        check(&[duck, back], (false, true, 1));
        check(&[duck, back, Ducking::end_return], (false, false, 1));
        // A duck before the return is done: the return is still done, then a new place is taken.
        check(&[duck, back, duck], (true, true, 1));
        check(&[duck, back, duck, unduck], (false, true, 1));
        check(&[duck, back, duck, Ducking::end_return], (true, false, 2));
        check(&[duck, Ducking::end_return], (true, false, 1));
        check(&[duck, back, Ducking::clear], (false, false, 2));
        check(&[duck, Ducking::clear, duck], (true, false, 3));
    }

    // BRG-1
    #[test]
    fn a_mark_is_one_word_brg_1() {
        let ducking = Ducking::default();
        assert_eq!(ducking.mark(), None);
        for (order, epoch, played, kept) in
            [(1, 0, 0, 0), (7, 255, 48_007, 48_000), (u32::MAX, 3, u32::MAX, ((1 << 24) - 1) * 16)]
        {
            ducking.set_mark(DuckMark { order, epoch, played });
            assert_eq!(ducking.mark(), Some(DuckMark { order, epoch, played: kept }));
        }
    }
}
