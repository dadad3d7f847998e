//! A high-pass filter, so that the rumble of a room and the hum of a cable do not count as loudness.

use std::f32::consts::{PI, SQRT_2};

use luna_messages::engine::STT_SAMPLE_RATE;

/// Below most of what makes a voice loud, above the hum of the mains.
const CUT_HZ: f32 = 120.0;

/// A Butterworth high-pass of second order at 16 kHz.
pub(super) struct HighPass {
    b: f32,
    a1: f32,
    a2: f32,
    state: [f32; 2],
}

impl HighPass {
    pub fn new() -> Self {
        let k = (PI * CUT_HZ / STT_SAMPLE_RATE as f32).tan();
        let norm = 1.0 / (1.0 + SQRT_2 * k + k * k);
        Self { b: norm, a1: 2.0 * (k * k - 1.0) * norm, a2: (1.0 - SQRT_2 * k + k * k) * norm, state: [0.0; 2] }
    }

    /// Mean square of the filtered samples.
    pub fn power(&mut self, samples: &[f32]) -> f32 {
        let sum: f32 = samples.iter().map(|sample| self.filter(*sample).powi(2)).sum();
        sum / samples.len().max(1) as f32
    }

    /// The next sample.
    pub fn filter(&mut self, sample: f32) -> f32 {
        let out = self.b * sample + self.state[0];
        self.state[0] = -2.0 * self.b * sample - self.a1 * out + self.state[1];
        self.state[1] = self.b * sample - self.a2 * out;
        out
    }

    pub fn wipe(&mut self) {
        self.state = [0.0; 2];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(hz: f32, expect: std::ops::Range<f32>) {
        let tone: Vec<f32> = (0..16_000).map(|i| (i as f32 * hz / 16_000.0 * 2.0 * PI).sin()).collect();
        let db = 10.0 * (2.0 * HighPass::new().power(&tone)).log10();
        assert!(expect.contains(&db), "{hz} Hz: {db} dB");
    }

    #[test]
    fn rumble_is_no_loudness() {
        check(20.0, -40.0..-25.0);
        check(50.0, -20.0..-12.0);
        check(120.0, -4.0..-2.0);
        check(300.0, -0.5..0.1);
        check(3000.0, -0.1..0.1);
    }
}
