//! What one question may cost an application, and Luna: time, and every call of it, whoever makes it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use super::call_error::CallError;

/// Calls of one question. A full window takes some thousand.
const CALLS: usize = 12_000;
/// Bytes of all its answers.
const BYTES: usize = 8 << 20;
/// How long an answer takes that is already found.
const TELLING: Duration = Duration::from_millis(200);

tokio::task_local! {
    /// Of the question that is being answered.
    static LEFT: Left;
}

struct Left {
    calls: AtomicUsize,
    bytes: AtomicUsize,
    /// When the question ends without an answer.
    until: Instant,
}

/// Answers a question within an allowance of its own. What it asks beyond is refused as if it came too late.
pub(super) async fn within<T>(limit: Duration, question: impl Future<Output = T>) -> Option<T> {
    let until = Instant::now() + limit;
    let left = Left { calls: AtomicUsize::new(CALLS), bytes: AtomicUsize::new(BYTES), until };
    timeout_at(until, LEFT.scope(left, question)).await.ok()
}

/// When whatever is not needed for an answer has to end: while there is still time to tell it.
pub(super) fn until() -> Option<Instant> {
    LEFT.try_with(|left| left.until.checked_sub(TELLING)).ok().flatten()
}

/// Before each call.
pub(super) fn take_call() -> Result<(), CallError> {
    take(|left| &left.calls, 1)
}

/// After each answer. Once an answer does not fit, nothing more is asked: what comes next would be as long.
pub(super) fn take_bytes(bytes: usize) -> Result<(), CallError> {
    take(|left| &left.bytes, bytes).inspect_err(|_| {
        let _ = LEFT.try_with(|left| left.calls.store(0, Ordering::Relaxed));
    })
}

fn take(of: impl Fn(&Left) -> &AtomicUsize, count: usize) -> Result<(), CallError> {
    let taken = LEFT.try_with(|left| {
        of(left).fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(count)).is_ok()
    });
    // Outside of a question there is only connecting.
    if taken.unwrap_or(true) { Ok(()) } else { Err(CallError::Late) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_question_has_an_end_of_its_own_ker_11() {
        assert_eq!(take_call(), Ok(()));
        let ask = || async {
            let calls = (0..).take_while(|_| take_call().is_ok()).count();
            (calls, take_bytes(BYTES - 1), take_bytes(1), take_bytes(1))
        };
        for _ in 0..2 {
            let asked = within(Duration::from_secs(60), ask()).await;
            assert_eq!(asked, Some((CALLS, Ok(()), Ok(()), Err(CallError::Late))));
        }
        // Too long an answer ends the asking as well.
        let ask = async { (take_call(), take_bytes(BYTES + 1), take_call(), take_bytes(1)) };
        let asked = within(Duration::from_secs(60), ask).await;
        assert_eq!(asked, Some((Ok(()), Err(CallError::Late), Err(CallError::Late), Ok(()))));
        assert_eq!(within(Duration::from_millis(1), std::future::pending::<()>()).await, None);
    }
}
