//! Converts the voice's sample rate to the device's by windowed sinc: linear interpolation would be audible as hiss above the voice.

use zeroize::Zeroize;

/// Input samples that each output sample is computed from.
const TAPS: usize = 24;
/// Precomputed positions between two input samples.
const PHASES: usize = 256;

/// Changes the sample rate of mono sound. Equal rates copy.
#[derive(Debug)]
pub struct Resampler {
    from: u64,
    to: u64,
    /// Weights, one row per phase; empty if the rates are equal.
    weights: Vec<[f32; TAPS]>,
    /// Recent input; the next output lies between the middle two of the first `TAPS`.
    history: Vec<f32>,
    /// Position of the next output after the middle, in units of 1/`to` of an input sample.
    place: u64,
}

impl Resampler {
    /// Rates in samples per second; zero counts as one.
    #[must_use]
    pub fn new(from: u32, to: u32) -> Self {
        let (from, to) = (from.max(1), to.max(1));
        let weights = if from == to { Vec::new() } else { (0..PHASES).map(|phase| row(phase, from, to)).collect() };
        Self { from: from.into(), to: to.into(), weights, history: vec![0.0; TAPS / 2 - 1], place: 0 }
    }

    /// Resamples `sound` and appends the result to `out`; half a millisecond is held back.
    pub fn push(&mut self, sound: &[f32], out: &mut Vec<f32>) {
        if self.weights.is_empty() {
            out.extend_from_slice(sound);
            return;
        }
        self.history.extend_from_slice(sound);
        let mut at = 0;
        loop {
            at += (self.place / self.to) as usize;
            self.place %= self.to;
            let Some(window) = self.history.get(at..at + TAPS) else {
                break;
            };
            let phase = (self.place * PHASES as u64 / self.to) as usize;
            let weights = &self.weights[phase.min(PHASES - 1)];
            out.push(window.iter().zip(weights).map(|(a, b)| a * b).sum());
            self.place += self.from;
        }
        let used = at.min(self.history.len());
        self.history.drain(..used);
        // A large step may have skipped past all input.
        self.place += (at - used) as u64 * self.to;
    }

    /// Flushes the rest and resets.
    pub fn finish(&mut self, out: &mut Vec<f32>) {
        if !self.weights.is_empty() {
            self.push(&[0.0; TAPS / 2], out);
            self.clear();
        }
    }

    /// Wipes all input.
    pub fn clear(&mut self) {
        self.history.zeroize();
        self.history.clear();
        self.history.resize(TAPS / 2 - 1, 0.0);
        self.place = 0;
    }
}

impl Drop for Resampler {
    fn drop(&mut self) {
        self.history.zeroize();
    }
}

fn row(phase: usize, from: u32, to: u32) -> [f32; TAPS] {
    use std::f64::consts::PI;
    // Downsampling removes the frequencies that the lower rate can't represent.
    let cut = (f64::from(to) / f64::from(from)).min(1.0) * 0.95;
    let middle = (TAPS / 2 - 1) as f64 + phase as f64 / PHASES as f64;
    let mut weights = [0.0; TAPS];
    let mut sum = 0.0;
    for (i, weight) in weights.iter_mut().enumerate() {
        let x = i as f64 - middle;
        let sinc = if x.abs() < 1e-9 { cut } else { (PI * x * cut).sin() / (PI * x) };
        let window = 0.5 + 0.5 * (PI * x / (TAPS as f64 / 2.0)).clamp(-PI, PI).cos();
        *weight = (sinc * window) as f32;
        sum += f64::from(*weight);
    }
    for weight in &mut weights {
        *weight /= sum as f32;
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(hz: f32, rate: u32, n: usize) -> Vec<f32> {
        (0..n).map(|i| (i as f32 * hz / rate as f32 * std::f32::consts::TAU).sin()).collect()
    }

    fn check(from: u32, to: u32, chunk: usize) {
        let sound = tone(500.0, from, from as usize / 2);
        let mut resampler = Resampler::new(from, to);
        let mut out = Vec::new();
        for part in sound.chunks(chunk) {
            resampler.push(part, &mut out);
        }
        resampler.finish(&mut out);
        assert!(out.len().abs_diff(to as usize / 2) <= 2 + (to / from) as usize, "{from} to {to}: {}", out.len());
        let expect = tone(500.0, to, out.len());
        let worst =
            out.iter().zip(&expect).skip(100).take(out.len() - 300).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(worst < 0.02, "{from} to {to} in {chunk}: off by {worst}");
    }

    #[test]
    fn a_tone_stays_itself() {
        for chunk in [1, 100, 100_000] {
            check(22_050, 48_000, chunk);
            check(22_050, 44_100, chunk);
            check(48_000, 22_050, chunk);
            check(16_000, 16_000, chunk);
        }
    }
}
