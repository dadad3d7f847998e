//! The connection of one order, and what it asks the server for before anything is sent.

use std::time::{Duration, Instant};

use luna_messages::Point;
use luna_messages::input::InputRefusal;
use x11rb::connection::{Connection as _, RequestConnection as _};
use x11rb::protocol::xproto::{ConnectionExt as _, Window};
use x11rb::protocol::xtest::{self, ConnectionExt as _};

use crate::PlatformError;
use crate::accessibility::actions::ActBarrier;
use crate::hot_key::linux::keyboard::Keyboard;
use crate::x11::{Failure, XDisplay};

/// How long the person may take to let go of the keys.
const HELD_LIMIT: Duration = Duration::from_millis(100);
const HELD_INTERVAL: Duration = Duration::from_millis(10);

/// The bits of the pointer's state that are modifiers, and those that are buttons of the mouse.
const MODIFIERS: u16 = 0xff;
const BUTTONS: u16 = 0x1f00;
/// The bits that number the active group of the layout.
const GROUP_SHIFT: u16 = 13;

/// The connection of one order.
pub(super) struct InputLink {
    pub(super) display: XDisplay,
    pub(super) keyboard: Keyboard,
}

/// The pointer, and what is held.
pub(super) struct HeldState {
    pub(super) at: Point,
    mask: u16,
}

impl HeldState {
    /// Whether a state of the modifiers is set, also by a lock.
    pub(super) const fn has(&self, bit: u16) -> bool {
        self.mask & bit != 0
    }

    /// Whether the layout's first group is not the active one.
    pub(super) const fn is_other_group(&self) -> bool {
        self.mask >> GROUP_SHIFT & 3 != 0
    }
}

impl InputLink {
    pub(super) fn open() -> Result<Self, PlatformError> {
        let display = XDisplay::open()?;
        if display.connection.extension_information(xtest::X11_EXTENSION_NAME).map_err(Failure::from)?.is_none() {
            return Err(PlatformError::unavailable(
                "The X display lacks the extension XTEST, by which Luna clicks and types.",
                "Use an X server that has it, such as Xorg, Xwayland or Xvfb.",
            ));
        }
        Ok(Self { keyboard: Keyboard::read(&display)?, display })
    }

    pub(super) fn state(&self) -> Result<HeldState, Failure> {
        let answer = self.display.connection.query_pointer(self.display.root)?.reply()?;
        Ok(HeldState { at: Point::new(answer.root_x.into(), answer.root_y.into()), mask: answer.mask.into() })
    }

    /// What the person holds, as bits: buttons, and modifiers but for locks and those in `own`, which Luna holds.
    pub(super) fn foreign(&self, state: &HeldState, own: u16) -> u16 {
        let ignored = self.keyboard.locks().into_iter().fold(own, |all, bit| all | bit);
        state.mask & (MODIFIERS | BUTTONS) & !ignored
    }

    /// Waits a moment until the person holds nothing. Returns the state then; the refusal if it takes longer.
    pub(super) fn wait_until_free(&self, barrier: &ActBarrier) -> Result<Result<HeldState, InputRefusal>, Failure> {
        let until = Instant::now() + HELD_LIMIT;
        loop {
            let state = self.state()?;
            if barrier.is_raised() {
                return Ok(Err(InputRefusal::Stopped));
            }
            if self.foreign(&state, 0) == 0 {
                return Ok(Ok(state));
            }
            if Instant::now() >= until {
                return Ok(Err(InputRefusal::Held));
            }
            std::thread::sleep(HELD_INTERVAL);
        }
    }

    /// Nobody else changes anything on the display until the result is dropped.
    pub(super) fn grab_server(&self) -> Result<ServerGrab<'_>, Failure> {
        self.display.connection.grab_server()?;
        Ok(ServerGrab(&self.display))
    }

    /// Sends an event of XTest, such as a key that goes down.
    pub(super) fn fake(&self, kind: u8, detail: u8, at: Point) -> Result<(), Failure> {
        fake(&self.display, kind, detail, at)
    }

    /// Waits until the server has carried out all that was sent.
    pub(super) fn sync(&self) -> Result<(), Failure> {
        sync(&self.display)
    }
}

pub(super) fn fake(display: &XDisplay, kind: u8, detail: u8, at: Point) -> Result<(), Failure> {
    let [x, y] = [at.x, at.y].map(|one| i16::try_from(one).unwrap_or(i16::MAX));
    let sent = display.connection.xtest_fake_input(kind, detail, x11rb::CURRENT_TIME, display.root, x, y, 0)?;
    sent.ignore_error();
    Ok(())
}

pub(super) fn sync(display: &XDisplay) -> Result<(), Failure> {
    display.connection.get_input_focus()?.reply()?;
    Ok(())
}

/// Ends the grab of the server when it is dropped.
#[must_use = "dropping it ends the grab"]
pub(super) struct ServerGrab<'a>(&'a XDisplay);

impl Drop for ServerGrab<'_> {
    fn drop(&mut self) {
        // If the display is lost, the grab is gone as well.
        let _ = self.0.connection.ungrab_server().map(x11rb::cookie::VoidCookie::ignore_error);
        let _ = self.0.connection.flush();
    }
}

/// The X window of a handle; no window has the number 0.
pub(super) fn window_of(handle: u64) -> Window {
    Window::try_from(handle).unwrap_or(x11rb::NONE)
}
