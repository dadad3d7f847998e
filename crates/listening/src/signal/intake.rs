//! From samples of any rate to samples of 16 kHz.

use luna_messages::engine::STT_SAMPLE_RATE;
use luna_speech::resample::Resampler;
use zeroize::Zeroize;

/// How long a device returns one constant value until it counts as muted: longer than any driver needs to start.
const CONSTANT_SECONDS: u64 = 3;
/// Rates that devices have, in samples per second.
const RATES: std::ops::RangeInclusive<u32> = 4_000..=768_000;

/// One stream of samples whose rate may change.
#[derive(Default)]
pub(super) struct Intake {
    rate: u32,
    resampler: Option<Resampler>,
    /// The samples of one call, without what isn't a number.
    finite: Vec<f32>,
    last: f32,
    /// How many samples have been the same.
    constant: u64,
}

impl Intake {
    /// Appends `samples` to `out` at 16 kHz.
    pub fn take(&mut self, samples: &[f32], rate: u32, out: &mut Vec<f32>) {
        if samples.is_empty() || !RATES.contains(&rate) {
            return;
        }
        if rate != self.rate {
            self.rate = rate;
            self.constant = 0;
            self.resampler = Some(Resampler::new(rate, STT_SAMPLE_RATE));
        }
        self.finite.extend(samples.iter().map(|s| if s.is_finite() { s.clamp(-1.0, 1.0) } else { 0.0 }));
        self.measure();
        if let Some(resampler) = &mut self.resampler {
            resampler.push(&self.finite, out);
        }
        self.finite.zeroize();
    }

    fn measure(&mut self) {
        let last = self.finite.last().copied().unwrap_or(self.last);
        let same = self.finite.iter().rev().take_while(|sample| **sample == last).count();
        if same < self.finite.len() || last != self.last {
            self.constant = 0;
        }
        self.constant += same as u64;
        self.last = last;
    }

    pub fn is_constant(&self) -> bool {
        self.rate > 0 && self.constant >= CONSTANT_SECONDS * u64::from(self.rate)
    }

    pub fn wipe(&mut self) {
        if let Some(resampler) = &mut self.resampler {
            resampler.clear();
        }
        self.finite.zeroize();
    }
}
