//! What is known of the echo of what Luna plays while the canceller does not fit: how loud it can be at most, and that it rises and falls with what
//! is played.

use super::FRAME;

/// Frames of which the loudness is compared, 240 ms: a syllable and the dip beside it.
const COMPARED: usize = 24;
/// Frames by which echo may come later than what was played, 150 ms.
const LATEST: usize = 15;
/// Correlation of the loudness from which a sound is an echo; a voice besides it moves by itself.
const FOLLOWS: f32 = 0.85;
/// Loudness of silence, -60 dB.
const SILENT: f32 = 1e-6;

/// Frames for which a played sound counts, 200 ms: the delay of the devices, and holes of the reference.
const LASTS: usize = 20;
/// How much louder than any echo a person must be, 3 dB.
const MARGIN: f32 = 2.0;
/// What remains of the known loudness of the echo from one frame to the next, so that it follows a volume that was turned down: half in 7 s.
const FORGETS: f32 = 0.999;
/// Share of a sound that the canceller leaves of echo alone, -10 dB.
const ECHO_ALONE: f32 = 0.1;

/// Mean square of the samples, 1 at full scale.
pub(super) fn power(frame: &[f32; FRAME]) -> f32 {
    frame.iter().map(|sample| sample * sample).sum::<f32>() / FRAME as f32
}

pub(super) struct EchoBound {
    /// Power of the last played frames.
    played: [f32; LASTS],
    at: usize,
    /// Power of the echo by the power of what is played; as loud as it was played, before it is known.
    gain: f32,
    /// Loudness in dB of what was played and heard, the newest last. A hole of the reference is no loudness: each frame counts with the one before.
    played_levels: [f32; COMPARED + LATEST],
    heard_levels: [f32; COMPARED],
}

impl Default for EchoBound {
    fn default() -> Self {
        let silent = level(SILENT);
        Self {
            played: [0.0; LASTS],
            at: 0,
            gain: 1.0,
            played_levels: [silent; COMPARED + LATEST],
            heard_levels: [silent; COMPARED],
        }
    }
}

impl EchoBound {
    /// Takes the power of a frame that is played, and of the microphone's at the same time.
    pub fn push(&mut self, played: f32, heard: f32) {
        let before = self.played[(self.at + LASTS - 1) % LASTS];
        self.played[self.at] = played;
        self.at = (self.at + 1) % LASTS;
        append(&mut self.played_levels, level(played.max(before)));
        append(&mut self.heard_levels, level(heard));
    }

    fn loudest(&self) -> f32 {
        self.played.iter().copied().fold(0.0, f32::max)
    }

    /// Takes the power of a frame of the microphone, and of what the canceller left of it while the reference was in step.
    pub fn learn(&mut self, heard: f32, left: f32) {
        let loudest = self.loudest();
        if loudest > 0.0 && left < ECHO_ALONE * heard {
            self.gain = (FORGETS * self.gain).max(heard / loudest);
        }
    }

    /// Whether a frame of this power, the last one that was taken, may be nothing but echo.
    pub fn explains(&self, heard: f32) -> bool {
        heard <= MARGIN * self.gain * self.loudest() && self.follows()
    }

    /// Whether the loudness of the last frames rose and fell as that of what was played.
    fn follows(&self) -> bool {
        (0..=LATEST)
            .any(|late| correlation(&self.heard_levels, &self.played_levels[LATEST - late..][..COMPARED]) >= FOLLOWS)
    }
}

fn level(power: f32) -> f32 {
    10.0 * power.max(SILENT).log10()
}

fn append(levels: &mut [f32], level: f32) {
    levels.rotate_left(1);
    if let Some(last) = levels.last_mut() {
        *last = level;
    }
}

/// From -1 to 1; 1 if neither moves.
fn correlation(one: &[f32], other: &[f32]) -> f32 {
    let count = one.len() as f32;
    let (mean_one, mean_other) = (one.iter().sum::<f32>() / count, other.iter().sum::<f32>() / count);
    let (mut product, mut square_one, mut square_other) = (0.0, 0.0, 0.0);
    for (a, b) in one.iter().zip(other) {
        let (a, b) = (a - mean_one, b - mean_other);
        product += a * b;
        square_one += a * a;
        square_other += b * b;
    }
    let scale = (square_one * square_other).sqrt();
    if scale > f32::EPSILON { product / scale } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    // BRG-4, BRG-6
    #[test]
    fn echo_is_never_louder_than_what_was_played_lets_it_be_brg_4_brg_6() {
        let mut bound = EchoBound::default();
        assert!(!bound.explains(1e-4), "nothing was played");
        bound.push(1e-2, 1e-2);
        assert!(bound.explains(1e-2) && !bound.explains(1e-1), "the loudness of the room is not known");
        for _ in 0..5000 {
            bound.push(1e-2, 1e-4);
            bound.learn(1e-4, 1e-6);
        }
        assert!(bound.explains(1.5e-4) && !bound.explains(1e-3), "a person who is louder than the loudspeaker");
        bound.learn(1e-2, 9e-3);
        assert!(!bound.explains(1e-3), "people teach nothing");
        bound.learn(1e-3, 1e-6);
        assert!(bound.explains(1e-3), "the volume was turned up");
        (0..LASTS).for_each(|_| bound.push(0.0, 0.0));
        assert!(!bound.explains(1e-6), "what was played is over");
    }

    // BRG-4, BRG-6
    #[test]
    fn echo_rises_and_falls_with_what_is_played_brg_4_brg_6() {
        let syllables = |frame: usize| 1e-3 * (1.1 + (frame as f32 * 0.6).sin());
        let mut bound = EchoBound::default();
        for frame in 0..200 {
            // A hole of the reference now and then, and an echo that comes 30 ms late.
            let played = if frame % 13 == 0 { 0.0 } else { syllables(frame) };
            let heard = if frame < 3 { 0.0 } else { 0.3 * syllables(frame - 3) };
            bound.push(played, heard);
            assert!(frame < 3 || bound.explains(heard), "{frame}");
        }
        // A voice of its own.
        for frame in 200..212 {
            bound.push(syllables(frame), 9e-4 + 0.3 * syllables(frame - 3));
        }
        assert!(!bound.follows());
    }
}
