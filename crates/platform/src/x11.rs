//! Shared by the X11 modules: opening the display, telling a lost display from a refused request, and waiting for
//! events in a thread that can be woken.

pub(crate) mod overlay_places;
pub(crate) mod stacking;

use std::io::ErrorKind;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
use rustix::io::Errno;
use x11rb::connection::Connection as _;
use x11rb::errors::{ConnectError, ConnectionError, ReplyError, ReplyOrIdError};
use x11rb::protocol::xproto::{ConnectionExt as _, Screen, Window};
use x11rb::x11_utils::X11Error;

use crate::PlatformError;

mod raw_events;
mod stream;

pub(crate) use raw_events::select_raw_events;
pub(crate) use stream::XConnection;

/// An open display.
pub(crate) struct XDisplay {
    /// The connection. Several threads may send requests.
    pub(crate) connection: XConnection,
    /// Index of the default screen in the setup.
    screen: usize,
    /// The screen's root window, cached because nearly every request names it.
    pub(crate) root: Window,
}

impl XDisplay {
    /// Opens the display named by `DISPLAY`.
    pub(crate) fn open() -> Result<Self, PlatformError> {
        let (connection, screen) = stream::connect().map_err(|error| unreachable_display(&error))?;
        let root = connection.setup().roots.get(screen).map(|screen| screen.root);
        let root = root.ok_or_else(|| unreachable_display(&ConnectError::InvalidScreen))?;
        Ok(Self { connection, screen, root })
    }

    /// The default screen as of when the display was opened; its size may have changed since.
    pub(crate) fn screen(&self) -> Option<&Screen> {
        self.connection.setup().roots.get(self.screen)
    }

    /// Number of the default screen.
    pub(crate) const fn number(&self) -> usize {
        self.screen
    }

    /// Current width and height of the screen.
    pub(crate) fn size(&self) -> Result<(u16, u16), Failure> {
        let geometry = self.connection.get_geometry(self.root)?.reply()?;
        Ok((geometry.width, geometry.height))
    }
}

/// Why an X request failed, which determines whether to retry.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The connection is unusable; a new connection may work.
    Lost,
    /// The server did not answer in time. A partly sent request makes the connection unusable, and a new connection
    /// would wait as long.
    Silent,
    /// The server refused this request; the connection still works.
    Refused(X11Error),
    /// Not caused by the connection.
    Final(PlatformError),
}

/// `None` if the request was refused: a window may disappear between two requests.
pub(crate) fn unless_gone<T>(result: Result<T, Failure>) -> Result<Option<T>, Failure> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Failure::Refused(_)) => Ok(None),
        Err(error @ (Failure::Lost | Failure::Silent | Failure::Final(_))) => Err(error),
    }
}

impl From<ConnectionError> for Failure {
    fn from(error: ConnectionError) -> Self {
        match error {
            ConnectionError::UnsupportedExtension => Self::Final(PlatformError::unavailable(
                "The X display lacks an extension that Luna needs.",
                "Use an X server with the extensions MIT-SHM, RANDR and XInputExtension, such as Xorg, Xwayland or Xvfb.",
            )),
            ConnectionError::IoError(error) if error.kind() == ErrorKind::TimedOut => Self::Silent,
            _ => Self::Lost,
        }
    }
}

impl From<ReplyError> for Failure {
    fn from(error: ReplyError) -> Self {
        match error {
            ReplyError::ConnectionError(error) => error.into(),
            ReplyError::X11Error(error) => Self::Refused(error),
        }
    }
}

impl From<ReplyOrIdError> for Failure {
    fn from(error: ReplyOrIdError) -> Self {
        match error {
            // A connection without free ids counts as lost, because a new connection has new ids.
            ReplyOrIdError::IdsExhausted => Self::Lost,
            ReplyOrIdError::ConnectionError(error) => error.into(),
            ReplyOrIdError::X11Error(error) => Self::Refused(error),
        }
    }
}

impl From<PlatformError> for Failure {
    fn from(error: PlatformError) -> Self {
        Self::Final(error)
    }
}

impl From<Failure> for PlatformError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Lost => lost_display(),
            Failure::Silent => PlatformError::silent_display(),
            // Only the kind is reported, because an error's values could identify a window.
            Failure::Refused(error) => Self::unavailable(
                format!("The X display refused a request: {:?}.", error.error_kind),
                "Try again; if it stays so, restart the desktop session.",
            ),
            Failure::Final(error) => error,
        }
    }
}

/// The error of a display that was lost during use.
pub(crate) fn lost_display() -> PlatformError {
    PlatformError::unavailable(
        "The X display went away.",
        "Luna connects again by itself once the display is back; otherwise start Luna again in the new session.",
    )
}

fn unreachable_display(error: &ConnectError) -> PlatformError {
    if matches!(error, ConnectError::IoError(error) if error.kind() == ErrorKind::TimedOut) {
        return PlatformError::silent_display();
    }
    match std::env::var("DISPLAY") {
        Ok(name) if !name.is_empty() => PlatformError::unavailable(
            format!("The X display {name} can't be reached: {error}."),
            "Check that the display runs and that this user may use it (XAUTHORITY).",
        ),
        _ => PlatformError::unavailable(
            "There is no X display: DISPLAY is not set.",
            "Start Luna inside a desktop session with X11 or Xwayland, or set DISPLAY.",
        ),
    }
}

/// Runs `work` on a display that is opened on first use, kept, and reopened once if it was lost meanwhile.
pub(crate) fn with_reconnect<D, T>(
    display_slot: &mut Option<D>,
    open: impl Fn() -> Result<D, PlatformError>,
    work: impl Fn(&mut D) -> Result<T, Failure>,
) -> Result<T, PlatformError> {
    for attempt in 0..2 {
        let is_new = display_slot.is_none();
        let display = match display_slot {
            Some(display) => display,
            None => display_slot.insert(open()?),
        };
        match work(display) {
            Err(Failure::Lost) => {
                *display_slot = None;
                if is_new || attempt == 1 {
                    break;
                }
            }
            // No immediate retry: one timeout is long enough.
            Err(Failure::Silent) => {
                *display_slot = None;
                return Err(PlatformError::silent_display());
            }
            result => return result.map_err(PlatformError::from),
        }
    }
    Err(lost_display())
}

/// Wakes a thread that waits in [`wait`].
pub(crate) struct Waker(OwnedFd);

impl Waker {
    pub(crate) fn new() -> Result<Self, PlatformError> {
        eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).map(Self).map_err(|_| {
            PlatformError::unavailable(
                "The system has no file descriptor left to watch the display with.",
                "Close programs, or raise the limit of open files (ulimit -n).",
            )
        })
    }

    /// Wakes the thread, and makes every later [`wait`] return at once.
    pub(crate) fn wake(&self) {
        // Fails only if the counter is full, in which case the thread is awake already.
        let _ = rustix::io::write(&self.0, &1_u64.to_ne_bytes());
    }

    /// Lets later calls of [`wait`] wait again.
    pub(crate) fn clear(&self) {
        let mut count = [0; 8];
        // Fails only if it was not used.
        let _ = rustix::io::read(&self.0, &mut count);
    }
}

/// Why [`wait`] returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WakeReason {
    /// [`Waker::wake`] was called.
    Stop,
    /// The display has data to read, or is gone, which reading reveals.
    Display,
    /// The timeout elapsed, or a signal interrupted the wait.
    Timeout,
}

/// Waits until the display has data, the waker is used, or the timeout elapses. The caller takes all queued events
/// before.
pub(crate) fn wait(connection: &XConnection, waker: &Waker, timeout: Option<Duration>) -> WakeReason {
    wait_readable(connection.stream().as_fd(), waker, timeout)
}

/// As [`wait`], for the socket of any display.
pub(crate) fn wait_readable(display: BorrowedFd<'_>, waker: &Waker, timeout: Option<Duration>) -> WakeReason {
    let timeout = timeout.and_then(|timeout| Timespec::try_from(timeout).ok());
    let mut watched = [PollFd::new(&waker.0, PollFlags::IN), PollFd::from_borrowed_fd(display, PollFlags::IN)];
    match poll(&mut watched, timeout.as_ref()) {
        Ok(0) | Err(Errno::INTR) => WakeReason::Timeout,
        Ok(_) if !watched[0].revents().is_empty() => WakeReason::Stop,
        // After an error, the next read reveals what is wrong.
        Ok(_) | Err(_) => WakeReason::Display,
    }
}
