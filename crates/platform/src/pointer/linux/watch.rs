//! The thread that watches the pointer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use luna_messages::Point;
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xinput::XIEventMask;

use crate::PlatformError;
use crate::pointer::Watch;
use crate::pointer::linux::position;
use crate::x11::{Failure, WakeReason, Waker, XDisplay, select_raw_events, wait};

/// Minimum interval between reports: about 120 a second, as fast as a screen refreshes.
const REPORT_INTERVAL: Duration = Duration::from_millis(8);

/// Polling interval at rest. Programs that set the pointer (`XWarpPointer`: screen magnifiers, programs that move the
/// pointer for the person) cause no raw event, so the position is also queried after each period of rest. The interval
/// delays everything that is read after such a move.
const REST_POLL_INTERVAL: Duration = Duration::from_millis(80);

/// Polling interval if the server sends no raw events.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Connects and starts the thread.
pub(super) fn start(
    moved: Box<dyn Fn(Point) + Send>,
    lost: Box<dyn FnOnce(PlatformError) + Send>,
) -> Result<Watch, PlatformError> {
    let display = XDisplay::open()?;
    let has_events = select_moves(&display)?;
    let at = position(&display)?;
    let control = Arc::new(WatchHandle { waker: Waker::new()?, stopped: AtomicBool::new(false) });
    let follower =
        Follower { display, control: Arc::clone(&control), has_events, moved, schedule: PollSchedule::new(at) };
    let spawned = std::thread::Builder::new().name("luna-pointer".into()).spawn(move || {
        if let Err(failure) = follower.run() {
            lost(failure.into());
        }
    });
    spawned.map_err(|error| {
        PlatformError::unavailable(
            format!("The system gives no thread to follow the pointer with: {error}."),
            "Close programs, or raise the limit of processes (ulimit -u).",
        )
    })?;
    Ok(Watch::new(move || {
        control.stopped.store(true, Ordering::Release);
        control.waker.wake();
    }))
}

/// Selects raw motion events of all pointers. `false` if the server doesn't support them.
fn select_moves(display: &XDisplay) -> Result<bool, PlatformError> {
    match select_raw_events(display, XIEventMask::RAW_MOTION) {
        Ok(selected) => Ok(selected),
        Err(failure @ (Failure::Lost | Failure::Silent)) => Err(failure.into()),
        Err(Failure::Refused(error)) => {
            tracing::debug!(kind = ?error.error_kind, "The display has no XInput2; the pointer is polled.");
            Ok(false)
        }
        Err(Failure::Final(_)) => Ok(false),
    }
}

/// The part of the watch that its owner keeps, to end the thread.
struct WatchHandle {
    waker: Waker,
    /// Checked before each report: after the watch is dropped nothing is reported, except by a call that is already
    /// running.
    stopped: AtomicBool,
}

struct Follower {
    display: XDisplay,
    control: Arc<WatchHandle>,
    has_events: bool,
    moved: Box<dyn Fn(Point) + Send>,
    schedule: PollSchedule,
}

impl Follower {
    /// Runs until the watch is dropped.
    ///
    /// # Errors
    /// If the display is lost.
    fn run(mut self) -> Result<(), Failure> {
        loop {
            self.take_events()?;
            if self.schedule.is_due(Instant::now()) {
                let at = position(&self.display)?;
                if self.schedule.record(at, Instant::now()) && !self.control.stopped.load(Ordering::Acquire) {
                    (self.moved)(at);
                }
                // The reply may have been read together with events, which no longer wake the thread.
                self.take_events()?;
            }
            let rest = if self.has_events { REST_POLL_INTERVAL } else { POLL_INTERVAL };
            let timeout = self.schedule.sleep_time(Instant::now(), rest);
            match wait(&self.display.connection, &self.control.waker, Some(timeout)) {
                WakeReason::Stop => return Ok(()),
                WakeReason::Timeout => self.schedule.note_motion(),
                WakeReason::Display => {}
            }
        }
    }

    fn take_events(&mut self) -> Result<(), Failure> {
        while let Some(event) = self.display.connection.poll_for_event()? {
            if matches!(event, Event::XinputRawMotion(_)) {
                self.schedule.note_motion();
            }
        }
        Ok(())
    }
}

/// Decides when to query the position, and whether it is worth a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PollSchedule {
    /// The last position that was queried.
    at: Point,
    /// When the position was last queried.
    last: Option<Instant>,
    /// Whether the pointer may have moved since then.
    moved_since: bool,
}

impl PollSchedule {
    fn new(at: Point) -> Self {
        Self { at, last: None, moved_since: false }
    }

    /// Notes that the pointer may have moved.
    fn note_motion(&mut self) {
        self.moved_since = true;
    }

    fn is_due(&self, now: Instant) -> bool {
        self.moved_since && self.last.is_none_or(|last| now.saturating_duration_since(last) >= REPORT_INTERVAL)
    }

    /// Records the queried position. Returns whether it changed.
    fn record(&mut self, at: Point, now: Instant) -> bool {
        let moved = at != self.at;
        *self = Self { at, last: Some(now), moved_since: false };
        moved
    }

    /// The longest sleep: the rest of the interval between reports, else `rest`.
    fn sleep_time(&self, now: Instant, rest: Duration) -> Duration {
        match self.last {
            Some(last) if self.moved_since => REPORT_INTERVAL.saturating_sub(now.saturating_duration_since(last)),
            _ => rest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_put_together_and_the_last_one_is_never_lost() {
        let start = Instant::now();
        let after = |milliseconds| start + Duration::from_millis(milliseconds);
        let mut schedule = PollSchedule::new(Point::new(0, 0));
        assert!(!schedule.is_due(start), "nothing moved");
        schedule.note_motion();
        assert!(schedule.is_due(start));
        assert!(schedule.record(Point::new(5, 0), start));
        schedule.note_motion();
        assert!(!schedule.is_due(after(3)), "too early");
        assert_eq!(schedule.sleep_time(after(3), REST_POLL_INTERVAL), Duration::from_millis(5));
        assert!(schedule.is_due(after(8)));
        assert!(!schedule.record(Point::new(5, 0), after(8)), "the same place isn't news");
        assert_eq!(schedule.sleep_time(after(9), REST_POLL_INTERVAL), REST_POLL_INTERVAL);
    }
}
