//! Ensures that a cancel takes at most 100 ms (KER-6, ENG-2).

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use luna_engine_protocol::CancelFlag;

/// Time for whisper.cpp to return from a cancelled job before the program exits. The rest of the 100 ms is for the exit and for the host to
/// notice it.
pub const GRACE: Duration = Duration::from_millis(60);

/// Exit code when a cancelled job did not return in time.
pub const ENDED_BY_CANCEL: i32 = 75;

/// Polling interval of the cancel flag.
const POLL_INTERVAL: Duration = Duration::from_millis(4);

/// Runs `work`. If `cancel` is set and `work` does not return within `grace`, calls `late` once on another thread.
pub fn watched<T>(cancel: &CancelFlag, grace: Duration, late: impl Fn() + Sync, work: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let watcher = thread::Builder::new().name("cancel".to_owned()).spawn_scoped(scope, || {
            let over = || done.load(Ordering::Acquire);
            while !over() && !cancel.is_set() {
                thread::park_timeout(POLL_INTERVAL);
            }
            let start = Instant::now();
            while !over() {
                let left = grace.saturating_sub(start.elapsed());
                if left.is_zero() {
                    return late();
                }
                thread::park_timeout(left.min(POLL_INTERVAL));
            }
        });
        // If the watcher can't be started, a cancel takes as long as whisper.cpp does; the host has its own deadline.
        let _done = Done { flag: &done, watcher: watcher.ok().map(|watcher| watcher.thread().clone()) };
        work()
    })
}

/// Tells the watcher that the work is over, even after a panic.
struct Done<'a> {
    flag: &'a AtomicBool,
    watcher: Option<thread::Thread>,
}

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.flag.store(true, Ordering::Release);
        if let Some(watcher) = &self.watcher {
            watcher.unpark();
        }
    }
}

/// Exits immediately while native code runs on another thread.
pub fn end_program() {
    unsafe extern "C" {
        fn _exit(code: i32) -> !;
    }
    // If even stderr is closed, nothing can receive the message.
    let _ = writeln!(std::io::stderr(), "a cancelled job did not stop, so the program did");
    // SAFETY: ends the process without running anything of it; the destructors of libraries, which `exit` would run, must not meet a thread
    // that still computes with what they destroy.
    unsafe { _exit(ENDED_BY_CANCEL) }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    /// Expects `expect` calls of `late` for work of `work` ms, cancelled (or not) before it begins, with a grace of `grace` ms.
    fn check(cancelled: bool, work: u64, grace: u64, expect: usize) {
        let (cancel, calls) = (CancelFlag::new(), AtomicUsize::new(0));
        if cancelled {
            cancel.set();
        }
        let late = || {
            calls.fetch_add(1, Ordering::SeqCst);
        };
        let answer = watched(&cancel, Duration::from_millis(grace), late, || {
            thread::sleep(Duration::from_millis(work));
            7
        });
        assert_eq!(
            (answer, calls.load(Ordering::SeqCst)),
            (7, expect),
            "cancelled {cancelled}, {work} ms, grace {grace} ms"
        );
    }

    // KER-6
    #[test]
    fn only_a_cancelled_job_that_stays_ends_the_program_ker_6() {
        check(false, 0, 0, 0);
        check(false, 50, 0, 0);
        check(true, 0, 10_000, 0);
        check(true, 300, 10, 1);
        check(true, 30, 10_000, 0);
    }

    #[test]
    fn a_panic_does_not_leave_the_watcher_behind() {
        let cancel = CancelFlag::new();
        let caught = std::panic::catch_unwind(|| watched(&cancel, GRACE, || {}, || panic!("on order")));
        assert!(caught.is_err());
    }
}
