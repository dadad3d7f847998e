//! The single path of observations to the recorder: it samples histograms (MET-3) and drops families that are switched off.
//!
//! **Invariant:** [`install`] is the only place that installs a recorder, so that no histogram bypasses `metrics.sample_rate`, whichever code records
//! it. Counters and gauges are never sampled.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use metrics::{Counter, Gauge, Histogram, HistogramFn, Key, KeyName, Metadata, Recorder, SharedString, Unit};

use crate::metric_names::Family;

/// The configured rate as the bits of an `f64`. One per process, because `metrics.sample_rate` is.
static RATE: AtomicU64 = AtomicU64::new(0x3FF0_0000_0000_0000);

/// Which families are recorded, a bit each. One per process, like the rate.
static FAMILIES: AtomicU8 = AtomicU8::new(u8::MAX);

/// Sets `metrics.sample_rate`: 0.0 records no histogram, 1.0 all of it. Values outside are clamped; NaN counts as 1. Takes effect at once.
pub fn set_rate(rate: f64) {
    let rate = if rate.is_nan() { 1.0 } else { rate.clamp(0.0, 1.0) };
    RATE.store(rate.to_bits(), Ordering::Relaxed);
}

/// The configured rate, 0.0 to 1.0.
#[must_use]
pub fn rate() -> f64 {
    f64::from_bits(RATE.load(Ordering::Relaxed))
}

/// Sets `metrics.counters`: the families that are recorded. Does not affect handles that were registered before.
pub fn set_families(families: &[Family]) {
    FAMILIES.store(families.iter().fold(0, |set, family| set | family.bit()), Ordering::Relaxed);
}

/// The families that are recorded.
#[must_use]
pub fn families() -> Vec<Family> {
    Family::ALL.into_iter().filter(|family| is_recorded(*family)).collect()
}

fn is_recorded(family: Family) -> bool {
    FAMILIES.load(Ordering::Relaxed) & family.bit() != 0
}

/// Decides at random whether an observation is taken, so that a rhythm of the observed events can't bias the quantiles.
#[derive(Debug)]
pub struct Sampler {
    state: AtomicU64,
    /// Share that is taken, 0.0 to 1.0.
    share: f64,
}

impl Sampler {
    /// A sampler that takes `share`. Its sequence is always the same.
    #[must_use]
    pub const fn new(share: f64) -> Self {
        Self { state: AtomicU64::new(0x9E37_79B9_7F4A_7C15), share }
    }

    /// Whether to take this observation.
    pub fn take(&self) -> bool {
        self.take_share(self.share)
    }

    fn take_share(&self, share: f64) -> bool {
        if share >= 1.0 {
            return true;
        }
        // SplitMix64. Two threads that draw the same number simultaneously do no harm, so the state needs no read-modify-write.
        let state = self.state.load(Ordering::Relaxed).wrapping_add(0x9E37_79B9_7F4A_7C15);
        self.state.store(state, Ordering::Relaxed);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        ((mixed >> 11) as f64) < share * (1u64 << 53) as f64
    }
}

/// The process has a recorder already.
#[derive(Debug, thiserror::Error)]
#[error("a recorder of metrics is installed already; a process has one")]
pub struct AlreadyInstalled;

/// Installs `recorder` for the process, behind the sampling.
///
/// # Errors
/// A recorder is installed already.
pub fn install<R: Recorder + Send + Sync + 'static>(recorder: R) -> Result<(), AlreadyInstalled> {
    metrics::set_global_recorder(SamplingRecorder::new(recorder)).map_err(|_| AlreadyInstalled)
}

/// A recorder that forwards all counters and gauges, a share of the observations of histograms, and nothing of families that are switched off.
pub struct SamplingRecorder<R> {
    inner: R,
    sampler: Arc<Sampler>,
}

impl<R: Recorder> SamplingRecorder<R> {
    /// Wraps `inner`.
    #[must_use]
    pub fn new(inner: R) -> Self {
        Self { inner, sampler: Arc::new(Sampler::new(1.0)) }
    }
}

/// A histogram whose observations are sampled. It reads the rate each time, so that a change also affects stored handles.
struct SampledHistogram {
    inner: Histogram,
    sampler: Arc<Sampler>,
}

impl HistogramFn for SampledHistogram {
    fn record(&self, value: f64) {
        if self.sampler.take_share(rate()) {
            self.inner.record(value);
        }
    }
}

fn is_wanted(key: &Key) -> bool {
    Family::of(key).is_none_or(is_recorded)
}

impl<R: Recorder> Recorder for SamplingRecorder<R> {
    fn describe_counter(&self, key: KeyName, unit: Option<Unit>, description: SharedString) {
        self.inner.describe_counter(key, unit, description);
    }

    fn describe_gauge(&self, key: KeyName, unit: Option<Unit>, description: SharedString) {
        self.inner.describe_gauge(key, unit, description);
    }

    fn describe_histogram(&self, key: KeyName, unit: Option<Unit>, description: SharedString) {
        self.inner.describe_histogram(key, unit, description);
    }

    fn register_counter(&self, key: &Key, metadata: &Metadata<'_>) -> Counter {
        if is_wanted(key) { self.inner.register_counter(key, metadata) } else { Counter::noop() }
    }

    fn register_gauge(&self, key: &Key, metadata: &Metadata<'_>) -> Gauge {
        self.inner.register_gauge(key, metadata)
    }

    fn register_histogram(&self, key: &Key, metadata: &Metadata<'_>) -> Histogram {
        if !is_wanted(key) {
            return Histogram::noop();
        }
        let inner = self.inner.register_histogram(key, metadata);
        Histogram::from_arc(Arc::new(SampledHistogram { inner, sampler: self.sampler.clone() }))
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
