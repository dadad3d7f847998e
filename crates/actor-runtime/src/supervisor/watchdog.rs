//! Whether an actor makes progress (KER-8). Pure: observations and times are arguments.

use std::time::Duration;

/// The last progress seen of an incarnation.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LastProgress {
    seen: Option<(u64, Duration)>,
}

impl LastProgress {
    /// Observes `(steps, busy)`; true if it is busy and has made no step for `deadline`.
    pub fn is_stuck(&mut self, (steps, busy): (u64, bool), deadline: Duration, now: Duration) -> bool {
        match self.seen {
            Some((last, since)) if busy && last == steps => now.saturating_sub(since) >= deadline,
            _ => {
                self.seen = busy.then_some((steps, now));
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Observes every 100 ms; returns at which observation it is found stuck.
    fn check(looks: &[(u64, bool)], expect: Option<usize>) {
        let mut last_progress = LastProgress::default();
        let found = looks.iter().enumerate().position(|(index, &look)| {
            last_progress.is_stuck(look, Duration::from_millis(300), Duration::from_millis(100 * index as u64))
        });
        assert_eq!(found, expect, "{looks:?}");
    }

    // KER-8
    #[test]
    fn only_who_is_busy_without_a_step_is_stuck_ker_8() {
        check(&[(1, true), (1, true), (1, true), (1, true)], Some(3));
        check(&[(1, true), (1, true), (2, true), (2, true), (2, true)], None);
        check(&[(1, false); 9], None);
        check(&[(1, true), (1, true), (1, false), (1, false), (2, true), (2, true), (2, true), (2, true)], Some(7));
        check(&[(1, true), (2, true), (3, true), (4, true), (5, true), (6, true)], None);
    }
}
