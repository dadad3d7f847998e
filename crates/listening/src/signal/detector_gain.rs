//! Amplifies what the detector of voices gets: it knows voices of usual loudness, and many microphones are set so low that a voice has -50 dB.

/// Power that the noise of the room is raised to, -60 dB.
const NOISE: f32 = 1e-6;
/// Root mean square above which nothing is raised, -20 dB.
const LOUD: f32 = 0.1;
/// Most gain, 24 dB: more would raise the noise of the converter.
const MOST: f32 = 16.0;
/// What remains of the loudness from one block of 16 ms to the next: it falls by 6 dB in half a second.
const DECAY: f32 = 0.957;

pub(super) struct DetectorGain {
    /// The power of the sound, which rises at once.
    power: f32,
}

impl DetectorGain {
    pub const fn new() -> Self {
        Self { power: 0.0 }
    }

    /// Amplifies a block of which the power is known.
    pub fn amplify(&mut self, block: &mut [f32], power: f32, noise: f32) {
        self.power = power.max(self.power * DECAY);
        let wanted = (NOISE / noise.max(f32::MIN_POSITIVE)).sqrt();
        let gain = wanted.min(LOUD / self.power.sqrt().max(f32::MIN_POSITIVE)).clamp(1.0, MOST);
        for sample in block {
            *sample = (*sample * gain).clamp(-1.0, 1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(power: f32, noise: f32, expect: f32) {
        let mut block = [power.sqrt(); 4];
        DetectorGain::new().amplify(&mut block, power, noise);
        assert!((block[0] / power.sqrt() - expect).abs() < 0.01 * expect, "{power} in {noise}: {}", block[0]);
    }

    #[test]
    fn quiet_sound_is_raised_and_loud_sound_is_not() {
        check(1e-5, 1e-6, 1.0);
        check(1e-5, 1e-8, 10.0);
        check(1e-5, 1e-12, 16.0);
        check(1e-2, 1e-8, 1.0);
        check(1e-3, 1e-8, 0.1 / 1e-3_f32.sqrt());
    }
}
