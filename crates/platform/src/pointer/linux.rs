//! The pointer of an X11 display. Moves arrive as raw events of XInput2, whichever window the pointer is over.

mod watch;

use std::sync::{Mutex, PoisonError};

use luna_messages::Point;
use x11rb::protocol::xproto::ConnectionExt as _;

use super::{Pointer, Watch};
use crate::PlatformError;
use crate::x11::{Failure, XDisplay, with_reconnect};

/// The pointer of an X11 display.
#[derive(Default)]
pub struct X11Pointer {
    /// Kept between calls, because connecting takes longer than a query.
    display: Mutex<Option<XDisplay>>,
}

impl X11Pointer {
    /// Connects at the first query.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl Pointer for X11Pointer {
    fn position(&self) -> Result<Point, PlatformError> {
        let mut display = self.display.lock().unwrap_or_else(PoisonError::into_inner);
        with_reconnect(&mut display, XDisplay::open, |display| position(display))
    }

    fn watch(
        &self,
        moved: Box<dyn Fn(Point) + Send>,
        lost: Box<dyn FnOnce(PlatformError) + Send>,
    ) -> Result<Watch, PlatformError> {
        watch::start(moved, lost)
    }
}

/// The position on the root window: physical pixels of the whole desktop (PIC-7).
fn position(display: &XDisplay) -> Result<Point, Failure> {
    let answer = display.connection.query_pointer(display.root)?.reply()?;
    Ok(Point::new(answer.root_x.into(), answer.root_y.into()))
}
