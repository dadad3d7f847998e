//! The key that is held to speak (VOI-1 `hold`, ATT-6): a Ctrl key of its own side, which the application gets all the same.
//!
//! A Ctrl key alone does nothing in any application, however long it is held, and both sides are told apart everywhere. An Alt key would not do: alone it
//! opens menus, and on Korean keyboards the right one switches between Hangul and Latin letters.

use luna_messages::keyboard::{CtrlSide, KeyChange, KeyEvent};

use crate::silence::TAP_LIMIT_MS;

/// The person speaks from then on, in milliseconds after the key went down: what is shorter is a tap, which silences (ATT-6).
pub const HOLD_AFTER_MS: u32 = TAP_LIMIT_MS;

/// A step of holding the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HoldStep {
    /// The key went down alone: the person speaks if nothing ends it for [`HOLD_AFTER_MS`].
    Begins,
    /// It was let go, or it is meant for another key or a click.
    Ends,
}

/// Recognises the holding of one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HoldKeys {
    key: CtrlSide,
    /// Whether the key is down: another `CtrlDown` of it is a repetition.
    is_down: bool,
    /// Whether it went down alone, and nothing else was pressed since.
    is_held: bool,
}

impl HoldKeys {
    #[must_use]
    pub const fn new(key: CtrlSide) -> Self {
        Self { key, is_down: false, is_held: false }
    }

    /// The reaction to a change of the keyboard.
    pub fn decide(&mut self, event: KeyEvent) -> Option<HoldStep> {
        match event.change {
            KeyChange::CtrlDown { side, alone } if side == self.key => {
                let repeats = std::mem::replace(&mut self.is_down, true);
                self.is_held |= alone && !repeats;
                (alone && !repeats).then_some(HoldStep::Begins)
            }
            KeyChange::CtrlUp { side } if side == self.key => {
                self.is_down = false;
                self.end()
            }
            // The other Ctrl key that goes up was not held alone with this one, so nothing is to be ended.
            KeyChange::CtrlUp { .. } => None,
            KeyChange::CtrlDown { .. } | KeyChange::Typed | KeyChange::Combined => self.end(),
        }
    }

    fn end(&mut self) -> Option<HoldStep> {
        std::mem::take(&mut self.is_held).then_some(HoldStep::Ends)
    }
}

#[cfg(test)]
mod tests;
