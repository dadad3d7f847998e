//! Whether and when a failed actor restarts (KER-7). Pure: times are durations since any common start.

use std::time::Duration;

/// How an actor is restarted and watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RestartPolicy {
    /// Maximum number of restarts within `within`; a further failure restarts the actor's group or gives the actor up.
    pub max_restarts: u32,
    /// The window in which `max_restarts` counts.
    pub within: Duration,
    /// Wait before the first restart; doubles with each further failure within `within`.
    pub backoff_first: Duration,
    /// Longest wait before a restart.
    pub backoff_max: Duration,
    /// Longest time that a handler may make no progress (KER-8).
    pub handler_deadline: Duration,
}

impl Default for RestartPolicy {
    fn default() -> Self {
        Self {
            max_restarts: 5,
            within: Duration::from_secs(10),
            backoff_first: Duration::from_millis(20),
            backoff_max: Duration::from_secs(2),
            handler_deadline: Duration::from_secs(5),
        }
    }
}

/// Limit of a group's restarts as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupPolicy {
    /// Maximum number of restarts of the group within `within`; after that, the failing actor is given up instead.
    pub max_restarts: u32,
    /// The window in which `max_restarts` counts.
    pub within: Duration,
}

impl Default for GroupPolicy {
    fn default() -> Self {
        Self { max_restarts: 2, within: Duration::from_secs(60) }
    }
}

/// The response to a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestartDecision {
    /// Restart after a wait.
    Restart { after: Duration },
    /// The actor fails too often.
    GiveUp,
}

/// Decides about a failure at `now`; `history` holds the failures before it, in any order.
#[must_use]
pub fn decide(policy: &RestartPolicy, history: &[Duration], now: Duration) -> RestartDecision {
    let before = recent(history, policy.within, now);
    if before >= policy.max_restarts {
        return RestartDecision::GiveUp;
    }
    let after = policy.backoff_first.saturating_mul(2u32.saturating_pow(before)).min(policy.backoff_max);
    RestartDecision::Restart { after }
}

/// Whether the group may restart as a whole at `now`; `history` holds its restarts before.
#[must_use]
pub fn may_restart_group(policy: &GroupPolicy, history: &[Duration], now: Duration) -> bool {
    recent(history, policy.within, now) < policy.max_restarts
}

/// Removes the times outside the window.
pub(crate) fn forget_old(history: &mut Vec<Duration>, within: Duration, now: Duration) {
    history.retain(|&then| now.saturating_sub(then) <= within);
}

fn recent(history: &[Duration], within: Duration, now: Duration) -> u32 {
    let count = history.iter().filter(|&&then| now.saturating_sub(then) <= within).count();
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    fn check(history: &[u64], now: u64, expect: Option<u64>) {
        let history: Vec<_> = history.iter().copied().map(MS).collect();
        let expect = expect.map_or(RestartDecision::GiveUp, |after| RestartDecision::Restart { after: MS(after) });
        assert_eq!(decide(&RestartPolicy::default(), &history, MS(now)), expect, "{history:?} at {now} ms");
    }

    // KER-7
    #[test]
    fn back_off_doubles_and_intensity_ends_it_ker_7() {
        check(&[], 0, Some(20));
        check(&[0], 100, Some(40));
        check(&[0, 100, 200], 300, Some(160));
        check(&[0, 100, 200, 300], 400, Some(320));
        check(&[0, 100, 200, 300, 400], 500, None);
        // Failures outside the window no longer count.
        check(&[0, 100, 200, 300, 400], 10_350, Some(40));
        check(&[0, 100, 200, 300, 400], 20_000, Some(20));
        // Exactly at the edge of the window still counts.
        check(&[0], 10_000, Some(40));
        check(&[0], 10_001, Some(20));
    }

    #[test]
    fn a_policy_without_restarts_gives_up_at_once_and_no_value_overflows() {
        let never = RestartPolicy { max_restarts: 0, ..RestartPolicy::default() };
        assert_eq!(decide(&never, &[], MS(0)), RestartDecision::GiveUp);
        let forever = RestartPolicy { max_restarts: u32::MAX, ..RestartPolicy::default() };
        assert_eq!(decide(&forever, &[MS(0); 400], MS(1)), RestartDecision::Restart { after: forever.backoff_max });
    }

    // KER-7
    #[test]
    fn a_group_has_its_own_intensity_ker_7() {
        let policy = GroupPolicy { max_restarts: 2, within: MS(1000) };
        for (history, now, expect) in
            [(vec![], 0, true), (vec![0], 500, true), (vec![0, 400], 900, false), (vec![0, 400], 1200, true)]
        {
            let history: Vec<_> = history.into_iter().map(MS).collect();
            assert_eq!(may_restart_group(&policy, &history, MS(now)), expect, "{history:?} at {now}");
        }
    }

    // KER-7
    #[test]
    fn what_is_too_old_is_forgotten_and_nothing_else_ker_7() {
        let mut history = vec![MS(0), MS(999), MS(1000), MS(2000)];
        forget_old(&mut history, MS(1000), MS(2000));
        assert_eq!(history, [MS(1000), MS(2000)]);
    }

    proptest! {
        #[test]
        fn waits_grow_within_bounds_and_forgetting_changes_nothing(
            mut history in prop::collection::vec(0u64..30_000, 0..12), now in 0u64..40_000, max in 0u32..8,
        ) {
            history.retain(|then| *then <= now);
            let policy = RestartPolicy { max_restarts: max, ..RestartPolicy::default() };
            let mut history: Vec<_> = history.into_iter().map(MS).collect();
            let decision = decide(&policy, &history, MS(now));
            if let RestartDecision::Restart { after } = decision {
                prop_assert!(after >= policy.backoff_first && after <= policy.backoff_max);
                history.push(MS(now));
                if let RestartDecision::Restart { after: next } = decide(&policy, &history, MS(now)) {
                    prop_assert!(next >= after);
                }
                history.pop();
            }
            forget_old(&mut history, policy.within, MS(now));
            prop_assert_eq!(decide(&policy, &history, MS(now)), decision);
        }
    }
}
