//! Positions in what was heard, as times.

use std::time::Duration;

use luna_messages::engine::STT_SAMPLE_RATE;

/// How many samples sound for so long.
pub fn samples(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX).saturating_mul(u64::from(STT_SAMPLE_RATE)) / 1000
}

/// How long so many samples sound; exact to a millisecond.
pub fn duration(samples: u64) -> Duration {
    Duration::from_millis(samples.saturating_mul(1000) / u64::from(STT_SAMPLE_RATE))
}
