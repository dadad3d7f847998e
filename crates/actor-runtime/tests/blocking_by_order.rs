//! Calls that hang by order of a test harness (KER-11).
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::time::Duration;

use luna_actor_runtime::BlockingThread;
use luna_test_support::one_thread::{OneThread, hang};
use tokio::time::Instant;

// KER-11
#[tokio::test(start_paused = true)]
async fn what_hangs_by_order_does_so_under_a_paused_clock_ker_11() {
    let _one_thread = OneThread::here();
    let thread = BlockingThread::new("display", Duration::from_secs(1));
    assert_eq!(thread.run(|| 1).await, Ok(1));
    hang("display", true);
    let begin = Instant::now();
    assert!(thread.run(|| 1).await.is_err());
    assert_eq!(begin.elapsed(), Duration::from_secs(1));
    assert!(thread.run(|| 1).await.is_err());
    assert_eq!(begin.elapsed(), Duration::from_secs(1), "the second one waits for nothing");
    hang("display", false);
    assert_eq!(thread.run(|| 1).await, Ok(1));
}
