//! Removes what Luna plays from what the microphone took (BRG-4).

use std::collections::VecDeque;

use luna_messages::engine::STT_SAMPLE_RATE;
use zeroize::Zeroize;

use super::FRAME;
use super::canceller::{self, CancelledFrame, EchoCanceller};
use super::echo_bound::{self, EchoBound};

/// Samples by which the microphone is delayed before the canceller, 5 ms: it finds no echo that comes with its cause, and the reference may come a
/// little late.
const MARGIN: usize = 80;
/// Samples by which the whole stage delays sound: the margin and the canceller's own delay. Sound that bypasses the canceller is delayed as much, so
/// that positions stay the same when it starts and ends.
const DELAY: usize = MARGIN + canceller::DELAY;
/// Frames for which the echo of a played sound may still arrive: 300 ms of delay and the sound of a room that fades.
const ECHO_FRAMES: u32 = 50;
/// Peak from which played samples count as sound, -70 dB.
const AUDIBLE: f32 = 0.000_3;
/// Most played samples that wait for their part of the microphone's sound. More means that the microphone stopped meanwhile.
const WAITING: usize = STT_SAMPLE_RATE as usize;
/// Frames over which the least number of waiting samples is measured: 1 s is longer than devices and threads are late.
const WINDOW: u32 = 100;
/// Waiting samples that no lateness explains, 10 ms, and those below which a reserve runs out: between them, nothing is corrected.
const SURPLUS: usize = 160;
const SCARCE: usize = 40;
/// Frames after which playback that goes on is a new sound, not a late one.
const LATE: u32 = 5;
/// Waiting samples that are dropped at once, 40 ms: the microphone stopped for a moment.
const JUMP: usize = 640;
/// Frames between corrections of one sample: 1,250 parts per million, more than the clocks of two devices differ, and too little to disturb the
/// canceller.
const CORRECTION: u32 = 5;

/// Frames of playback after a hole or a jump of the reference in which the linear filter may not fit: it adapts within half a second or so.
const UNSTEADY: u32 = 60;

/// A frame after the echo stage.
pub(super) struct HeardFrame<'a> {
    /// The sound without echo, for the detector of voices; what people say while Luna plays has holes in it.
    pub clean: &'a [f32],
    /// The sound without what a linear filter knows as echo, for the recogniser: what people say is whole.
    pub linear: &'a [f32],
    /// The sound at the same place as the microphone took it.
    pub raw: &'a [f32],
    /// Whether echo may be in it.
    pub playing: bool,
    /// Whether the reference has been whole and in step for a while, so that the linear filter fits.
    pub is_steady: bool,
    /// Whether it is no louder than an echo can be.
    pub may_be_echo: bool,
}

/// Echo cancellation while there is playback, else the same delay.
pub(super) struct EchoStage {
    enabled: bool,
    /// Created with the first sound that is played.
    canceller: Option<Box<EchoCanceller>>,
    waiting: VecDeque<f32>,
    /// Frames since the last audible one was played.
    quiet: u32,
    /// Least number of waiting samples, and frames left in the window.
    least: (usize, u32),
    /// Whether playback ran out: just now; and ever in the middle of a sound, so that there is a reserve since.
    starved: bool,
    reserve: bool,
    /// Frames for which the linear filter may not fit.
    unsteady: u32,
    bound: EchoBound,
    /// Samples to take more (or fewer) than a frame has, one at a time, and frames until the next time.
    correction: (i32, u32),
    /// The last three frames of the microphone, and the last of playback.
    past: [f32; 3 * FRAME],
    last_played: [f32; FRAME],
    raw: [f32; FRAME],
    left: CancelledFrame,
    /// Leading samples of the delay that belong to no position.
    unborn: usize,
}

impl EchoStage {
    pub fn new(enabled: bool) -> Self {
        Self {
            enabled,
            canceller: None,
            waiting: VecDeque::new(),
            quiet: ECHO_FRAMES,
            least: (usize::MAX, WINDOW),
            starved: false,
            reserve: false,
            unsteady: UNSTEADY,
            bound: EchoBound::default(),
            correction: (0, CORRECTION),
            past: [0.0; 3 * FRAME],
            last_played: [0.0; FRAME],
            raw: [0.0; FRAME],
            left: CancelledFrame { linear: [0.0; FRAME], clean: [0.0; FRAME] },
            unborn: DELAY,
        }
    }

    /// Takes what was played, 16 kHz.
    pub fn play(&mut self, sound: &[f32]) {
        if !self.enabled {
            return;
        }
        self.waiting.extend(sound);
        if self.waiting.len() > WAITING {
            self.drop_played(self.waiting.len() - WAITING);
        }
    }

    /// Takes a frame of the microphone and returns the sound [`DELAY`] earlier.
    pub fn process(&mut self, frame: &[f32; FRAME]) -> HeardFrame<'_> {
        self.past.copy_within(FRAME.., 0);
        self.past[2 * FRAME..].copy_from_slice(frame);
        self.raw.copy_from_slice(&self.past[2 * FRAME - DELAY..3 * FRAME - DELAY]);
        let played = self.next_played();
        let was_active = self.quiet < ECHO_FRAMES;
        let audible = played.iter().any(|sample| sample.abs() > AUDIBLE);
        self.quiet = if audible { 0 } else { (self.quiet + 1).min(ECHO_FRAMES) };
        let playing = self.quiet < ECHO_FRAMES;
        if playing {
            self.cancel(&played, was_active);
        } else {
            self.left = CancelledFrame { linear: self.raw, clean: self.raw };
        }
        self.last_played = played;
        let heard = echo_bound::power(&self.raw);
        self.bound.push(echo_bound::power(&played), heard);
        if playing && self.unsteady == 0 {
            self.bound.learn(heard, echo_bound::power(&self.left.clean));
        }
        let may_be_echo = playing && self.bound.explains(heard);
        let skipped = self.unborn.min(FRAME);
        self.unborn -= skipped;
        let CancelledFrame { linear, clean } = &self.left;
        HeardFrame {
            clean: &clean[skipped..],
            linear: &linear[skipped..],
            raw: &self.raw[skipped..],
            playing,
            is_steady: self.unsteady == 0,
            may_be_echo,
        }
    }

    fn cancel(&mut self, played: &[f32; FRAME], was_active: bool) {
        let canceller = self.canceller.get_or_insert_with(|| Box::new(EchoCanceller::new()));
        if !was_active {
            // The canceller still holds the end of what it heard last, which would come out now.
            let before = &self.past[FRAME - MARGIN..2 * FRAME - MARGIN];
            let _ = canceller.process(before, &self.last_played);
        }
        let frame = &self.past[2 * FRAME - MARGIN..3 * FRAME - MARGIN];
        self.left = canceller.process(frame, played);
    }

    /// The next frame of playback; silence if there is none.
    fn next_played(&mut self) -> [f32; FRAME] {
        let mut frame = [0.0; FRAME];
        let count = self.waiting.len();
        if count < FRAME && self.quiet == 0 && !self.starved {
            // The sound ends, or the rest comes late. A whole frame of silence is a reserve for the next times; a few samples would tear a hole each
            // time.
            self.starved = true;
            self.unsteady = UNSTEADY;
        } else if count >= FRAME {
            self.reserve |= self.starved && self.quiet < LATE;
            self.starved = false;
            self.unsteady = self.unsteady.saturating_sub(1);
            let taken = FRAME.saturating_add_signed(self.next_correction()).min(count);
            stretch(&mut self.waiting, taken, &mut frame);
        } else {
            // A sound begins or has ended: what there is.
            for (sample, next) in frame[FRAME - count..].iter_mut().zip(self.waiting.drain(..)) {
                *sample = next;
            }
        }
        self.measure_waiting();
        frame
    }

    /// How many samples more to take for this frame: 1, 0 or -1.
    fn next_correction(&mut self) -> isize {
        let (rest, wait) = self.correction;
        if rest == 0 || wait > 1 {
            self.correction.1 = wait.saturating_sub(1).max(1);
            return 0;
        }
        self.correction = (rest - rest.signum(), CORRECTION);
        rest.signum() as isize
    }

    /// Keeps the reference in step with the microphone, if the clocks of the devices differ or the microphone stopped for a moment.
    fn measure_waiting(&mut self) {
        let (least, left) = self.least;
        let least = least.min(self.waiting.len());
        self.least = (least, left - 1);
        if left > 1 {
            return;
        }
        self.least = (usize::MAX, WINDOW);
        self.correction.0 = 0;
        if least > JUMP {
            self.drop_played(least - SURPLUS);
        } else if least > SURPLUS {
            self.correction.0 = (least - SURPLUS) as i32;
        } else if self.reserve && least < SCARCE && self.quiet == 0 {
            self.correction.0 = least as i32 - SCARCE as i32;
        }
    }

    fn drop_played(&mut self, count: usize) {
        self.unsteady = UNSTEADY;
        self.waiting.drain(..count);
    }

    pub fn wipe(&mut self) {
        self.reset_played();
        self.past.zeroize();
        self.raw.zeroize();
        self.left.clean.zeroize();
        self.left.linear.zeroize();
    }

    /// Drops what was played. The microphone's sound goes on without a gap.
    pub fn reset_played(&mut self) {
        self.waiting.make_contiguous().zeroize();
        self.waiting.clear();
        self.canceller = None;
        self.last_played.zeroize();
        self.quiet = ECHO_FRAMES;
        self.least = (usize::MAX, WINDOW);
        (self.starved, self.reserve, self.correction) = (false, false, (0, CORRECTION));
        (self.unsteady, self.bound) = (UNSTEADY, EchoBound::default());
    }
}

/// Fills a frame with the first `taken` waiting samples, a few more or fewer than it has.
fn stretch(waiting: &mut VecDeque<f32>, taken: usize, frame: &mut [f32; FRAME]) {
    let step = taken as f32 / FRAME as f32;
    for (i, sample) in frame.iter_mut().enumerate() {
        let place = i as f32 * step;
        let (at, part) = (place as usize, place.fract());
        let first = waiting.get(at).copied().unwrap_or(0.0);
        let second = waiting.get(at + 1).copied().unwrap_or(first);
        *sample = first + part * (second - first);
    }
    waiting.drain(..taken.min(waiting.len()));
}
