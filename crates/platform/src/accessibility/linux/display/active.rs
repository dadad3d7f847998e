//! The windows of the display, the active one first.

use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _, MapState, Window, WindowClass};

use super::{DisplayLink, TopLevelWindow, WindowLookup};
use crate::PlatformError;
use crate::x11::{Failure, unless_gone};

/// Maximum number of windows to consider.
const MAX_WINDOWS: usize = 32;

impl WindowLookup {
    /// The active window, then the others, topmost first.
    pub(in super::super) fn active_first(&self) -> Result<Vec<TopLevelWindow>, PlatformError> {
        self.with(|link| link.active_first())
    }

    /// The open popups of the active window's program, topmost first, then that window; empty if none is active.
    pub(in super::super) fn active_with_popups(&self) -> Result<Vec<TopLevelWindow>, PlatformError> {
        self.with(|link| link.active_with_popups())
    }
}

impl DisplayLink {
    fn active_first(&self) -> Result<Vec<TopLevelWindow>, Failure> {
        let active = self.active()?;
        let others = self.clients()?.into_iter().rev().filter(|&window| Some(window) != active);
        let mut windows = Vec::new();
        for window in active.into_iter().chain(others).take(MAX_WINDOWS) {
            windows.extend(self.top(window)?);
        }
        Ok(windows)
    }

    fn active(&self) -> Result<Option<Window>, Failure> {
        let connection = &self.display.connection;
        let property = connection.intern_atom(false, b"_NET_ACTIVE_WINDOW")?.reply()?.atom;
        let active = self.ask(self.display.root, property, AtomEnum::WINDOW.into(), 1)?.reply()?;
        Ok(active.value32().and_then(|mut windows| windows.next()).filter(|&one| one != x11rb::NONE))
    }

    fn active_with_popups(&self) -> Result<Vec<TopLevelWindow>, Failure> {
        let Some(window) = self.active()? else { return Ok(Vec::new()) };
        let Some(active) = self.top(window)? else { return Ok(Vec::new()) };
        let connection = &self.display.connection;
        let stack = connection.query_tree(self.display.root)?.reply()?.children;
        let own = stack.into_iter().rev().filter(|&other| self.client_of(other) == active.client);
        let mut windows = Vec::new();
        for other in own.take(MAX_WINDOWS) {
            let attributes = connection.get_window_attributes(other)?.reply().map_err(Failure::from);
            let is_popup = unless_gone(attributes)?.is_some_and(|attributes| {
                attributes.override_redirect
                    && attributes.map_state == MapState::VIEWABLE
                    && attributes.class == WindowClass::INPUT_OUTPUT
            });
            if is_popup {
                windows.extend(self.top(other)?);
            }
        }
        windows.push(active);
        Ok(windows)
    }
}
