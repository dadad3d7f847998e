//! Watches an open microphone for failures that it does not report: it gives no sound, or nothing but silence (STT-3, KER-9). Without a clock: times are
//! since any beginning.

use std::time::Duration;

/// Time without a sample after which the device counts as lost: devices deliver silence, too.
pub const STALL: Duration = Duration::from_secs(3);
/// How long a device gives nothing but silence before it counts as muted.
pub const MUTED: Duration = Duration::from_secs(10);
/// Time before a failed opening is retried: each try may block.
pub const REOPEN_DELAY: Duration = Duration::from_secs(2);

/// What an open device has delivered so far.
#[derive(Debug)]
pub struct MicrophoneWatch {
    /// When samples came last, or when it was opened.
    progress_at: Duration,
    /// Whether any came.
    is_heard: bool,
    /// Since when it gives nothing but silence.
    silent_since: Option<Duration>,
    /// Whether this was reported.
    muted: bool,
    /// Whether it was silent and sounded again: some devices give silence whenever nobody speaks, and it tells nothing.
    gates: bool,
}

impl MicrophoneWatch {
    /// A device that was opened at `now`.
    #[must_use]
    pub const fn new(now: Duration) -> Self {
        Self { progress_at: now, is_heard: false, silent_since: None, muted: false, gates: false }
    }

    /// Samples came; true for the first ones.
    pub const fn samples_came(&mut self, now: Duration) -> bool {
        self.progress_at = now;
        !std::mem::replace(&mut self.is_heard, true)
    }

    /// Time since the last sample.
    #[must_use]
    pub const fn unheard(&self, now: Duration) -> Duration {
        now.saturating_sub(self.progress_at)
    }

    /// Whether it gave nothing for so long that it must be opened again.
    #[must_use]
    pub fn is_stalled(&self, now: Duration) -> bool {
        self.unheard(now) > STALL
    }

    /// Follows whether it gives nothing but silence now. Returns once that it is muted (true), and once that it sounds again (false).
    pub fn silence(&mut self, silent: bool, now: Duration) -> Option<bool> {
        match (silent, self.silent_since) {
            (true, None) => self.silent_since = Some(now),
            (true, Some(since)) if !self.muted && !self.gates && now.saturating_sub(since) >= MUTED => {
                self.muted = true;
                return Some(true);
            }
            (false, Some(_)) => {
                self.silent_since = None;
                // A switch is off for longer.
                self.gates |= !self.muted;
                return std::mem::take(&mut self.muted).then_some(false);
            }
            (true, Some(_)) | (false, None) => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // STT-3, KER-9
    #[test]
    fn a_device_without_samples_is_stalled_stt_3_ker_9() {
        let second = Duration::from_secs;
        let mut watch = MicrophoneWatch::new(second(100));
        assert!(!watch.is_stalled(second(103)) && watch.is_stalled(second(104)));
        assert!(watch.samples_came(second(104)) && !watch.samples_came(second(105)));
        assert!(!watch.is_stalled(second(108)) && watch.is_stalled(second(109)));
        assert_eq!(watch.unheard(second(109)), second(4));
    }

    // KER-9
    #[test]
    fn a_muted_device_is_reported_once_ker_9() {
        /// Runs seconds: "s" silent, "l" loud; what was reported.
        #[track_caller]
        fn check(seconds: &str, expect: &[(usize, bool)]) {
            let mut watch = MicrophoneWatch::new(Duration::ZERO);
            let told = seconds.chars().enumerate();
            let told =
                told.filter_map(|(at, is)| Some((at, watch.silence(is == 's', Duration::from_secs(at as u64))?)));
            assert_eq!(told.collect::<Vec<_>>(), expect, "{seconds}");
        }
        check("ssssssssss", &[]);
        check("ssssssssssssss", &[(10, true)]);
        check("sssssssssssslls", &[(10, true), (12, false)]);
        // It gives silence whenever nobody speaks.
        check("sslsssssssssssssssl", &[]);
    }
}
