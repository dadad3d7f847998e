//! The windows of the display, the active one first.

use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _, Window};

use super::{DisplayLink, TopLevelWindow, WindowLookup};
use crate::PlatformError;
use crate::x11::Failure;

/// Maximum number of windows to consider.
const MAX_WINDOWS: usize = 32;

impl WindowLookup {
    /// The active window, then the others, topmost first.
    pub(in super::super) fn active_first(&self) -> Result<Vec<TopLevelWindow>, PlatformError> {
        self.with(|link| link.active_first())
    }
}

impl DisplayLink {
    fn active_first(&self) -> Result<Vec<TopLevelWindow>, Failure> {
        let connection = &self.display.connection;
        let property = connection.intern_atom(false, b"_NET_ACTIVE_WINDOW")?.reply()?.atom;
        let active = self.ask(self.display.root, property, AtomEnum::WINDOW.into(), 1)?.reply()?;
        let active: Option<Window> = active.value32().and_then(|mut windows| windows.next()).filter(|&one| one != 0);
        let others = self.clients()?.into_iter().rev().filter(|&window| Some(window) != active);
        let mut windows = Vec::new();
        for window in active.into_iter().chain(others).take(MAX_WINDOWS) {
            windows.extend(self.top(window)?);
        }
        Ok(windows)
    }
}
