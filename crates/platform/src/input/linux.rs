//! Input of an X11 display by the extension XTest.
//!
//! Each order has a connection of its own: nothing is queued for Luna while it has nothing to do, and what is left behind, such
//! as a grab of the server, ends with it. The server is grabbed between the last look and what is sent, so that nothing can
//! come between. The package enigo is not used: its connection waits without limit (KER-11), it does not look where the
//! input goes, and its text can't be stopped.

mod click;
mod focus;
mod grabs;
mod hit;
mod keys;
mod link;
mod press;
mod settle;
mod spare;
pub(super) mod symbols;
mod typing;

use std::sync::{Mutex, PoisonError};

use luna_messages::element_action::EnteredText;
use luna_messages::input::{ClickPoint, ClickRequest, InputInterruption, InputRefusal, InputResult};
use luna_messages::keyboard::KeyChord;

use self::link::InputLink;
use super::{Input, typed_characters};
use crate::PlatformError;
use crate::accessibility::actions::ActBarrier;
use crate::x11::Failure;

/// Input of an X11 display.
#[derive(Debug, Default)]
pub struct X11Input {
    /// Held during an order, so that the keys of two orders don't mix.
    turn: Mutex<()>,
}

/// How far an order got.
#[derive(Debug, Default)]
pub(super) struct SentCount {
    /// Set before anything is sent: from then on, something may have been.
    pub(super) is_begun: bool,
    pub(super) sent: usize,
}

impl X11Input {
    /// Connects at each order.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn order(
        &self,
        work: impl FnOnce(&InputLink, &mut SentCount) -> Result<InputResult, Failure>,
    ) -> Result<InputResult, PlatformError> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let link = InputLink::open()?;
        let mut count = SentCount::default();
        let result = match work(&link, &mut count) {
            Ok(result) => result,
            Err(failure) if !count.is_begun => return Err(failure.into()),
            Err(_) => InputResult::Partly { sent: count.sent, why: InputInterruption::Display },
        };
        tracing::debug!(?result, "Input was sent.");
        Ok(result)
    }
}

impl SentCount {
    /// The result of an order that can't go on.
    pub(super) fn refused(&self, refusal: InputRefusal) -> InputResult {
        match self.sent {
            0 => InputResult::NotDone(refusal),
            sent => InputResult::Partly { sent, why: InputInterruption::Refused(refusal) },
        }
    }
}

impl Input for X11Input {
    fn click(&self, request: &ClickRequest, barrier: &ActBarrier) -> Result<InputResult, PlatformError> {
        self.order(|link, count| click::click(link, request, barrier, count))
    }

    fn hover(&self, at: &ClickPoint, barrier: &ActBarrier) -> Result<InputResult, PlatformError> {
        self.order(|link, count| click::hover(link, at, barrier, count))
    }

    fn scroll(&self, at: &ClickPoint, notches: i16, barrier: &ActBarrier) -> Result<InputResult, PlatformError> {
        self.order(|link, count| click::scroll(link, at, notches, barrier, count))
    }

    fn press(
        &self,
        chord: &KeyChord,
        times: u8,
        window: u64,
        barrier: &ActBarrier,
    ) -> Result<InputResult, PlatformError> {
        self.order(|link, count| press::press(link, chord, times, window, barrier, count))
    }

    fn type_text(&self, text: &EnteredText, window: u64, barrier: &ActBarrier) -> Result<InputResult, PlatformError> {
        match typed_characters(text) {
            Ok(characters) => self.order(|link, count| typing::type_all(link, &characters, window, barrier, count)),
            Err(place) => Ok(InputResult::NotDone(InputRefusal::NotTypeable { place })),
        }
    }
}
