//! Opens missing resources again once the cause may have gone (KER-9): one schedule and one loop for all resources that are opened once and kept.
//!
//! Most capabilities are tried at every use (a picture, the tree, an engine) and need no retry loop. The hot keys and the HTTP endpoint need it.

use std::time::Duration;

use async_trait::async_trait;
use tokio::time::{Instant, sleep};

/// How long to wait between tries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Wait after the first failure; doubles with each further one.
    pub first: Duration,
    /// Longest wait. A success that lasted at least as long resets the schedule, so that the next loss is repaired quickly.
    pub longest: Duration,
}

impl Default for RetryPolicy {
    /// Soon enough for a person who waits, seldom enough to cost nothing over weeks.
    fn default() -> Self {
        Self { first: Duration::from_secs(1), longest: Duration::from_secs(30) }
    }
}

/// When to retry. Pure.
#[derive(Debug, Clone)]
pub struct RetrySchedule {
    policy: RetryPolicy,
    /// Failures since the last lasting success.
    failures: u32,
}

impl RetrySchedule {
    #[must_use]
    pub const fn new(policy: RetryPolicy) -> Self {
        Self { policy, failures: 0 }
    }

    /// Records a failure; returns the wait.
    pub fn after_failure(&mut self) -> Duration {
        let wait = self.policy.first.saturating_mul(2_u32.saturating_pow(self.failures)).min(self.policy.longest);
        self.failures = self.failures.saturating_add(1);
        wait
    }

    /// Records a loss after it worked for `lasted`; returns the wait. A resource that is lost soon each time counts as failing.
    pub fn after_loss(&mut self, lasted: Duration) -> Duration {
        if lasted >= self.policy.longest {
            self.failures = 0;
        }
        self.after_failure()
    }
}

/// A resource that is opened once and kept.
#[async_trait]
pub trait Retryable: Send {
    /// Tries to open what is missing, and reports the state to [`crate::Capabilities`]. True if nothing is missing any more.
    async fn try_again(&mut self) -> bool;

    /// Returns when a part of it is lost. May be dropped at any await and called again.
    async fn lost(&mut self);
}

/// Keeps a resource open: tries, waits, tries again. Never returns; drop the future to end it.
pub async fn keep(mut kept: impl Retryable, policy: RetryPolicy) {
    let mut schedule = RetrySchedule::new(policy);
    loop {
        if kept.try_again().await {
            let since = Instant::now();
            kept.lost().await;
            sleep(schedule.after_loss(since.elapsed())).await;
        } else {
            tokio::select! {
                () = sleep(schedule.after_failure()) => {}
                // More is lost: a short wait, so that a resource that comes and goes at once does not cause a busy loop.
                () = kept.lost() => sleep(policy.first).await,
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    const S: fn(u64) -> Duration = Duration::from_secs;

    // KER-9
    #[test]
    fn waits_grow_and_begin_anew_after_it_worked_for_a_while_ker_9() {
        let mut schedule = RetrySchedule::new(RetryPolicy::default());
        let waits: Vec<_> = (0..8).map(|_| schedule.after_failure()).collect();
        assert_eq!(waits, [1, 2, 4, 8, 16, 30, 30, 30].map(S));
        assert_eq!(schedule.after_loss(S(29)), S(30), "lost again at once");
        assert_eq!(schedule.after_loss(S(30)), S(1));
        assert_eq!(schedule.after_failure(), S(2));
        for _ in 0..100 {
            schedule.after_failure();
        }
        assert_eq!(schedule.after_failure(), S(30));
    }

    /// Works from try number `from` on, and then lasts `lasts`.
    struct FlakyResource {
        from: usize,
        lasts: Duration,
        is_open: bool,
        tries: Arc<Mutex<Vec<Duration>>>,
        begin: Instant,
    }

    #[async_trait]
    impl Retryable for FlakyResource {
        async fn try_again(&mut self) -> bool {
            let mut tries = self.tries.lock().unwrap();
            tries.push(self.begin.elapsed());
            self.is_open = tries.len() >= self.from;
            self.is_open
        }

        async fn lost(&mut self) {
            if self.is_open {
                sleep(self.lasts).await;
            } else {
                std::future::pending().await
            }
        }
    }

    async fn tries(from: usize, lasts: u64, within: u64) -> Vec<u64> {
        let tries = Arc::new(Mutex::new(Vec::new()));
        let kept = FlakyResource { from, lasts: S(lasts), is_open: false, tries: tries.clone(), begin: Instant::now() };
        drop(tokio::time::timeout(S(within), keep(kept, RetryPolicy::default())).await);
        let tries = tries.lock().unwrap();
        tries.iter().map(Duration::as_secs).collect()
    }

    // KER-9
    #[tokio::test(start_paused = true)]
    async fn what_is_missing_is_tried_until_it_is_there_and_again_once_it_is_lost_ker_9() {
        assert_eq!(tries(4, 1000, 100).await, [0, 1, 3, 7]);
        // Lost after 100 s: a second later it is open again.
        assert_eq!(tries(1, 100, 250).await, [0, 101, 202]);
        // A resource that is lost at once does not cause a busy loop.
        assert_eq!(tries(1, 0, 70).await, [0, 1, 3, 7, 15, 31, 61]);
    }
}
