//! Keeps the promise that a cancel takes at most 100 ms (KER-6, ENG-2).

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use luna_engine_protocol::CancelFlag;

/// How long whisper.cpp may take to get out of a cancelled job; then the program ends. The rest of the 100 ms is for the end itself and for
/// the host to notice it.
pub const GRACE: Duration = Duration::from_millis(60);

/// The exit code of a program that ended because a cancelled job did not get out in time.
pub const ENDED_BY_CANCEL: i32 = 75;

/// How often the flag is looked at.
const LOOK: Duration = Duration::from_millis(4);

/// Does the work. If `cancel` is set and the work does not return within `grace`, `late` is called on another thread, once.
pub fn watched<T>(cancel: &CancelFlag, grace: Duration, late: impl Fn() + Sync, work: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let watcher = thread::Builder::new().name("cancel".to_owned()).spawn_scoped(scope, || {
            let over = || done.load(Ordering::Acquire);
            while !over() && !cancel.is_set() {
                thread::park_timeout(LOOK);
            }
            let start = Instant::now();
            while !over() {
                let left = grace.saturating_sub(start.elapsed());
                if left.is_zero() {
                    return late();
                }
                thread::park_timeout(left.min(LOOK));
            }
        });
        // Without a watcher a cancel takes as long as whisper.cpp does, and the host has a deadline of its own.
        let _done = Done { flag: &done, watcher: watcher.ok().map(|watcher| watcher.thread().clone()) };
        work()
    })
}

/// Tells the watcher that the work is over, also if it panics.
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

/// Ends the program at once, while native code runs on another thread.
pub fn end_program() {
    unsafe extern "C" {
        fn _exit(code: i32) -> !;
    }
    // If even stderr is closed there is nobody left to tell.
    let _ = writeln!(std::io::stderr(), "a cancelled job did not stop, so the program did");
    // SAFETY: ends the process without running anything of it; the destructors of libraries, which `exit` would run, must not meet a
    // thread that still computes with what they destroy.
    unsafe { _exit(ENDED_BY_CANCEL) }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    /// How often the end was called for work that takes `work` ms, cancelled (or not) before it began, with a grace of `grace` ms.
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
