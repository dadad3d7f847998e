//! The limits of one query: time, calls and bytes, shared by all functions that take part in it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use super::call_error::CallError;

/// Maximum number of calls per query. A full window needs some thousand.
const MAX_CALLS: usize = 12_000;
/// Maximum number of bytes in all answers to a query.
const MAX_BYTES: usize = 8 << 20;
/// Time reserved for returning an answer once it is found.
const ANSWER_RESERVE: Duration = Duration::from_millis(200);

tokio::task_local! {
    /// The allowance of the current query.
    static ALLOWANCE: Allowance;
}

struct Allowance {
    calls: AtomicUsize,
    bytes: AtomicUsize,
    /// Number of calls that got no answer in time, or were not made because the allowance was used up.
    late: AtomicUsize,
    /// Whether an application has answered.
    has_answered: AtomicBool,
    /// When the query ends without an answer.
    until: Instant,
}

/// Runs a query within its own allowance; `None` if `limit` passes first. Calls beyond the allowance are refused as if
/// they timed out. Also returns whether an application answered any call.
pub(super) async fn within<T>(limit: Duration, question: impl Future<Output = T>) -> (Option<T>, bool) {
    let until = Instant::now() + limit;
    let (calls, bytes) = (AtomicUsize::new(MAX_CALLS), AtomicUsize::new(MAX_BYTES));
    let (late, has_answered) = (AtomicUsize::new(0), AtomicBool::new(false));
    let left = Allowance { calls, bytes, late, has_answered, until };
    ALLOWANCE
        .scope(left, async {
            let answer = timeout_at(until, question).await.ok();
            let spent = |left: &Allowance| {
                let calls = MAX_CALLS - left.calls.load(Ordering::Relaxed);
                tracing::trace!(calls, in_time = answer.is_some(), "A query of the accessibility tree ended.");
                left.has_answered.load(Ordering::Relaxed)
            };
            let has_answered = ALLOWANCE.try_with(spent).unwrap_or(false);
            (answer, has_answered)
        })
        .await
}

/// Notes that an application has answered a call.
pub(super) fn note_answer() {
    let _ = ALLOWANCE.try_with(|left| left.has_answered.store(true, Ordering::Relaxed));
}

/// Notes that a call got no answer in time.
pub(super) fn note_late() {
    let _ = ALLOWANCE.try_with(|left| left.late.fetch_add(1, Ordering::Relaxed));
}

/// How many calls of the current query got no answer in time. Whoever has to know everything compares this before and
/// after: most functions leave out what is late.
pub(super) fn late_calls() -> usize {
    ALLOWANCE.try_with(|left| left.late.load(Ordering::Relaxed)).unwrap_or(0)
}

/// When optional work has to end, so that time remains to return the answer. `None` outside of a query.
pub(super) fn until() -> Option<Instant> {
    ALLOWANCE.try_with(|left| left.until.checked_sub(ANSWER_RESERVE)).ok().flatten()
}

/// Takes a call from the allowance; needed before each bus call.
pub(super) fn take_call() -> Result<(), CallError> {
    take(|left| &left.calls, 1)
}

/// Takes the bytes of an answer from the allowance. If they exceed it, no more calls are allowed, because the next
/// answers would be as long.
pub(super) fn take_bytes(bytes: usize) -> Result<(), CallError> {
    take(|left| &left.bytes, bytes).inspect_err(|_| {
        let _ = ALLOWANCE.try_with(|left| left.calls.store(0, Ordering::Relaxed));
    })
}

/// How many calls the current query made.
pub(super) fn used_calls() -> usize {
    ALLOWANCE.try_with(|left| MAX_CALLS - left.calls.load(Ordering::Relaxed)).unwrap_or(0)
}

fn take(counter: impl Fn(&Allowance) -> &AtomicUsize, count: usize) -> Result<(), CallError> {
    let taken = ALLOWANCE.try_with(|left| {
        counter(left).fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(count)).is_ok()
    });
    // Outside of a query, only connecting and checking the bus make calls; nothing limits their number.
    if taken.unwrap_or(true) {
        return Ok(());
    }
    note_late();
    Err(CallError::Late)
}

#[cfg(test)]
mod tests {
    use super::*;

    // PIC-5
    #[tokio::test]
    async fn calls_without_an_answer_are_counted_pic_5() {
        let ask = async {
            let first = (take_call(), late_calls());
            note_late();
            let second = (take_bytes(MAX_BYTES + 1), late_calls());
            (first, second, take_call(), late_calls())
        };
        let expect = ((Ok(()), 0), (Err(CallError::Late), 2), Err(CallError::Late), 3);
        assert_eq!(within(Duration::from_secs(60), ask).await, (Some(expect), false));
    }

    #[tokio::test]
    async fn a_question_has_an_end_of_its_own_ker_11() {
        assert_eq!(take_call(), Ok(()));
        let ask = || async {
            let calls = (0..).take_while(|_| take_call().is_ok()).count();
            (calls, take_bytes(MAX_BYTES - 1), take_bytes(1), take_bytes(1))
        };
        for _ in 0..2 {
            let outcome = within(Duration::from_secs(60), ask()).await;
            assert_eq!(outcome, (Some((MAX_CALLS, Ok(()), Ok(()), Err(CallError::Late))), false));
        }
        // An answer that is too long ends the query's calls as well.
        let ask = async { (take_call(), take_bytes(MAX_BYTES + 1), take_call(), take_bytes(1)) };
        let outcome = within(Duration::from_secs(60), ask).await;
        assert_eq!(outcome, (Some((Ok(()), Err(CallError::Late), Err(CallError::Late), Ok(()))), false));
        let silent = std::future::pending::<()>();
        assert_eq!(within(Duration::from_millis(1), silent).await, (None, false));
        let slow = async {
            note_answer();
            std::future::pending::<()>().await;
        };
        assert_eq!(within(Duration::from_millis(1), slow).await, (None, true));
    }
}
