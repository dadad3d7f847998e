//! Thinning of histograms (MET-3): a share of the observations is recorded, counters are never thinned.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The configured rate as the bits of an `f64`. One for the process, because `metrics.sample_rate` is one.
static RATE: AtomicU64 = AtomicU64::new(0x3FF0_0000_0000_0000);

/// Sets `metrics.sample_rate`: 0.0 records no histogram, 1.0 all of it. Values outside are brought inside; NaN is 1.
pub fn set_rate(rate: f64) {
    let rate = if rate.is_nan() { 1.0 } else { rate.clamp(0.0, 1.0) };
    RATE.store(rate.to_bits(), Ordering::Relaxed);
}

/// The configured rate, 0.0 to 1.0.
#[must_use]
pub fn rate() -> f64 {
    f64::from_bits(RATE.load(Ordering::Relaxed))
}

/// Decides by chance whether an observation is recorded, so that no rhythm of the observed can bias the quantiles.
#[derive(Debug)]
pub struct Sampler {
    state: AtomicU64,
    /// Own share, 0.0 to 1.0, for what happens too often to record all of it; multiplied by [`rate`].
    share: f64,
}

impl Sampler {
    /// A sampler that records `share` of what the configured rate leaves.
    #[must_use]
    pub const fn new(share: f64) -> Self {
        Self { state: AtomicU64::new(0x9E37_79B9_7F4A_7C15), share }
    }

    /// Whether to record this one.
    pub fn take(&self) -> bool {
        let share = self.share * rate();
        if share >= 1.0 {
            return true;
        }
        // SplitMix64. Two threads that draw the same number at once do no harm, so the state needs no read-modify-write.
        let state = self.state.load(Ordering::Relaxed).wrapping_add(0x9E37_79B9_7F4A_7C15);
        self.state.store(state, Ordering::Relaxed);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        ((mixed >> 11) as f64) < share * (1u64 << 53) as f64
    }

    /// Records `took` into `histogram`, if this one is to be recorded.
    pub fn record(&self, histogram: &metrics::Histogram, took: Duration) {
        if self.take() {
            histogram.record(took.as_secs_f64());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // MET-3
    #[test]
    fn the_share_is_kept_and_has_no_rhythm_met_3() {
        for (share, least, most) in [(0.0, 0, 0), (0.1, 900, 1100), (0.5, 4800, 5200), (1.0, 10_000, 10_000)] {
            let sampler = Sampler::new(share);
            let taken: Vec<bool> = (0..10_000).map(|_| sampler.take()).collect();
            let count = taken.iter().filter(|t| **t).count();
            assert!((least..=most).contains(&count), "{share}: {count}");
            let even = taken.iter().step_by(2).filter(|t| **t).count();
            assert!(even.abs_diff(count - even) <= 250, "{share}: {even} of {count}");
        }
    }
}
