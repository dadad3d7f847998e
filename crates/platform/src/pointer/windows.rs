//! The pointer on Windows.

use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use luna_messages::Point;
use windows::Win32::Foundation::POINT;
use windows::Win32::UI::WindowsAndMessaging::GetCursorPos;

use super::{Pointer, Watch};
use crate::PlatformError;
use crate::win32::{become_dpi_aware, failed, no_thread};

/// Polling interval: 60 queries a second.
///
/// A low-level mouse hook would report each move, but it delays every mouse event of the whole system: whenever this
/// process is late, the user's pointer stutters, and Windows removes slow hooks silently. A query only reads shared
/// memory.
const POLL_INTERVAL: Duration = Duration::from_millis(16);

/// How long the position may be refused before the display counts as lost: the lock screen and administrator prompts
/// refuse it.
const REFUSAL_LIMIT: Duration = Duration::from_secs(5);

/// The pointer of the session, polled.
#[derive(Debug, Default, Clone, Copy)]
pub struct WindowsPointer;

impl WindowsPointer {
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl Pointer for WindowsPointer {
    fn position(&self) -> Result<Point, PlatformError> {
        position()
    }

    fn watch(
        &self,
        moved: Box<dyn Fn(Point) + Send>,
        lost: Box<dyn FnOnce(PlatformError) + Send>,
    ) -> Result<Watch, PlatformError> {
        let at = position()?;
        let (stop, stopped) = sync_channel::<()>(0);
        std::thread::Builder::new()
            .name("luna-pointer".into())
            .spawn(move || {
                if let Err(error) = follow(at, &*moved, &stopped) {
                    lost(error);
                }
            })
            .map_err(|error| no_thread("follow the pointer", &error))?;
        // The thread waits on the channel, so closing it ends the thread at once.
        Ok(Watch::new(move || drop(stop)))
    }
}

/// The current position in physical pixels (PIC-7).
fn position() -> Result<Point, PlatformError> {
    become_dpi_aware();
    let mut point = POINT::default();
    // SAFETY: `point` outlives the call and may be written.
    let result = unsafe { GetCursorPos(&raw mut point) };
    result.map_err(|error| {
        failed(
            "Windows does not tell where the pointer is",
            &error,
            "It works again when the lock screen or an administrator's question is gone.",
        )
    })?;
    Ok(Point::new(point.x, point.y))
}

/// Reports moves until the watch is dropped.
///
/// # Errors
/// If the position was refused for longer than [`REFUSAL_LIMIT`].
fn follow(mut at: Point, moved: &dyn Fn(Point), stopped: &Receiver<()>) -> Result<(), PlatformError> {
    let mut refused_since = None;
    loop {
        match stopped.recv_timeout(POLL_INTERVAL) {
            Err(RecvTimeoutError::Timeout) => {}
            Ok(()) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        match position() {
            Ok(now) => {
                refused_since = None;
                if now != at {
                    at = now;
                    moved(at);
                }
            }
            Err(error) => {
                let since = *refused_since.get_or_insert_with(Instant::now);
                if since.elapsed() > REFUSAL_LIMIT {
                    return Err(error);
                }
            }
        }
    }
}
