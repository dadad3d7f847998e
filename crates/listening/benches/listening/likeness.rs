//! How much of a sound is left in another one.

use std::sync::OnceLock;

use crate::sounds::RATE;

/// Samples per frame, 32 ms, and between frames.
const FRAME: usize = 512;
const HOP: usize = 128;
/// Frequencies that carry speech: 94 Hz to 4 kHz.
const BINS: std::ops::Range<usize> = 3..4_000 * FRAME / RATE as usize;

/// The spectrum of a frame, real and imaginary.
fn spectrum(frame: &[f32], bin: usize) -> [f32; 2] {
    static TURN: OnceLock<Vec<[f32; 2]>> = OnceLock::new();
    let angle = |i: usize| (i as f32 * std::f32::consts::TAU / FRAME as f32).sin_cos();
    let turn = TURN.get_or_init(|| (0..FRAME).map(angle).map(|(sin, cos)| [cos, sin]).collect());
    let mut sum = [0.0; 2];
    for (i, sample) in frame.iter().enumerate() {
        let window = 0.5 - 0.5 * turn[i][0];
        let [cos, sin] = turn[i * bin % FRAME];
        sum[0] += sample * window * cos;
        sum[1] -= sample * window * sin;
    }
    sum
}

/// Share of the energy of `clean` that `mixed` still has: in each frequency, the part of `mixed` that goes with `clean` from frame to frame. A constant
/// shift of the phase, as of a high-pass filter, does not matter.
pub fn share_left(clean: &[f32], mixed: &[f32]) -> f32 {
    let (mut left, mut all) = (0.0, 0.0);
    for bin in BINS {
        let (mut cross, mut energy) = ([0.0_f32; 2], 0.0_f32);
        for (clean, mixed) in clean.windows(FRAME).step_by(HOP).zip(mixed.windows(FRAME).step_by(HOP)) {
            let (a, b) = (spectrum(clean, bin), spectrum(mixed, bin));
            cross[0] += a[0] * b[0] + a[1] * b[1];
            cross[1] += a[0] * b[1] - a[1] * b[0];
            energy += a[0] * a[0] + a[1] * a[1];
        }
        if energy > 0.0 {
            left += (cross[0] * cross[0] + cross[1] * cross[1]) / energy;
            all += energy;
        }
    }
    if all > 0.0 { left / all } else { 0.0 }
}
