//! Whether another program has the pointer or the keys for itself: then it gets them, whatever lies at the point and
//! whichever window has the focus. The server does not tell, but it refuses a grab.

use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{ConnectionExt as _, EventMask, GrabMode, GrabStatus, MapState, Window};

use super::link::{InputLink, window_of};
use crate::x11::{Failure, unless_gone};

impl InputLink {
    /// Whether a program other than that of `window` has the pointer.
    pub(super) fn is_pointer_taken(&self, window: u64) -> Result<bool, Failure> {
        let (connection, mode) = (&self.display.connection, GrabMode::ASYNC);
        let grab = connection.grab_pointer(
            false,
            self.display.root,
            EventMask::NO_EVENT,
            mode,
            mode,
            x11rb::NONE,
            x11rb::NONE,
            x11rb::CURRENT_TIME,
        )?;
        if grab.reply()?.status == GrabStatus::SUCCESS {
            connection.ungrab_pointer(x11rb::CURRENT_TIME)?.ignore_error();
            return Ok(false);
        }
        Ok(!self.has_popup(window)?)
    }

    /// Whether a program other than that of `window` has the keys.
    pub(super) fn are_keys_taken(&self, window: u64) -> Result<bool, Failure> {
        let (connection, mode) = (&self.display.connection, GrabMode::ASYNC);
        let grab = connection.grab_keyboard(false, self.display.root, x11rb::CURRENT_TIME, mode, mode)?;
        if grab.reply()?.status == GrabStatus::SUCCESS {
            connection.ungrab_keyboard(x11rb::CURRENT_TIME)?.ignore_error();
            return Ok(false);
        }
        Ok(!self.has_popup(window)?)
    }

    /// Whether the program of `window` shows a menu or the like, for which programs take the pointer and the keys.
    fn has_popup(&self, window: u64) -> Result<bool, Failure> {
        let connection = &self.display.connection;
        let window = window_of(window);
        for other in connection.query_tree(self.display.root)?.reply()?.children {
            if !self.is_same_client(window, other) {
                continue;
            }
            let attributes = connection.get_window_attributes(other)?.reply().map_err(Failure::from);
            let is_popup = unless_gone(attributes)?
                .is_some_and(|attributes| attributes.override_redirect && attributes.map_state == MapState::VIEWABLE);
            if is_popup {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether two windows belong to the same program: all its resources share a part of their numbers.
    pub(super) fn is_same_client(&self, one: Window, other: Window) -> bool {
        let own = self.display.connection.setup().resource_id_mask;
        one & !own == other & !own
    }
}
