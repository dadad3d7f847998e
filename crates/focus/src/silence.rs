//! Which keys silence speech (ATT-6): a tap of Ctrl alone, and any key if so configured. The application gets every key all the same.

use luna_messages::keyboard::{CtrlSide, KeyChange, KeyEvent};

/// A Ctrl key that is held this long or longer is held for another purpose, such as Ctrl with a click that never came. In milliseconds.
pub const TAP_LIMIT_MS: u32 = 250;

/// Which keys silence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SilenceSettings {
    /// A tap of Ctrl alone.
    pub ctrl_tap: bool,
    /// Any key that is no modifier and no hot key of Luna.
    pub any_key: bool,
}

impl SilenceSettings {
    /// Whether the keyboard has to be observed at all.
    #[must_use]
    pub const fn needs_keys(self) -> bool {
        self.ctrl_tap || self.any_key
    }
}

/// Why speech is silenced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum SilenceCause {
    CtrlTap,
    AnyKey,
}

/// Recognises keys that silence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SilenceKeys {
    /// Whether the left and the right Ctrl key are held: another `CtrlDown` of a held key is a repetition.
    held: [bool; 2],
    /// The Ctrl key that may become a tap, and when it went down.
    tap: Option<(CtrlSide, u32)>,
}

impl SilenceKeys {
    /// The reaction to a change of the keyboard.
    pub fn decide(&mut self, event: KeyEvent, settings: SilenceSettings) -> Option<SilenceCause> {
        let KeyEvent { change, at_ms } = event;
        match change {
            KeyChange::CtrlDown { side, alone } => {
                let repeats = std::mem::replace(&mut self.held[side as usize], true);
                if !repeats {
                    let with_other_ctrl = self.tap.is_some();
                    self.tap = (alone && !with_other_ctrl).then_some((side, at_ms));
                }
                None
            }
            KeyChange::CtrlUp { side } => {
                self.held[side as usize] = false;
                let tap = self.tap.take();
                let is_tap = tap.is_some_and(|(of, since)| of == side && at_ms.wrapping_sub(since) < TAP_LIMIT_MS);
                (is_tap && settings.ctrl_tap).then_some(SilenceCause::CtrlTap)
            }
            KeyChange::Typed => {
                self.tap = None;
                settings.any_key.then_some(SilenceCause::AnyKey)
            }
            KeyChange::Combined => {
                self.tap = None;
                None
            }
        }
    }
}

#[cfg(test)]
mod tests;
