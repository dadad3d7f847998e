//! Keys that are down, and released whatever happens.

use luna_messages::Point;
use x11rb::protocol::xproto::{KEY_PRESS_EVENT, KEY_RELEASE_EVENT, Keycode};

use super::link::{InputLink, fake, sync};
use crate::x11::{Failure, XDisplay};

/// Keys that are held until this is dropped, also by a panic.
pub(super) struct PressedKeys<'a> {
    link: &'a InputLink,
    down: Vec<Keycode>,
}

impl<'a> PressedKeys<'a> {
    pub(super) const fn new(link: &'a InputLink) -> Self {
        Self { link, down: Vec::new() }
    }

    pub(super) fn press(&mut self, key: Keycode) -> Result<(), Failure> {
        // First, so that it is released even if it is not known whether it went down.
        self.down.push(key);
        self.link.fake(KEY_PRESS_EVENT, key, Point::default())
    }

    /// Releases the key that was pressed last.
    pub(super) fn release_last(&mut self) -> Result<(), Failure> {
        match self.down.last() {
            Some(&key) => self.link.fake(KEY_RELEASE_EVENT, key, Point::default())?,
            None => return Ok(()),
        }
        self.down.pop();
        Ok(())
    }
}

impl Drop for PressedKeys<'_> {
    fn drop(&mut self) {
        if self.down.is_empty() {
            return;
        }
        let release = |display: &XDisplay| {
            self.down.iter().rev().try_for_each(|&key| fake(display, KEY_RELEASE_EVENT, key, Point::default()))?;
            sync(display)
        };
        if release(&self.link.display).is_err() {
            // Keys stay down when a connection ends: another one releases them.
            let again = XDisplay::open().map(|display| release(&display));
            if !matches!(again, Ok(Ok(()))) {
                tracing::warn!("The display is gone while Luna held keys.");
            }
        }
    }
}
