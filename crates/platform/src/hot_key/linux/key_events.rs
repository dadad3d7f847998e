//! Tells of every key that goes down, without its name: raw events of XInput2, so that applications get the keys all the same (ATT-6).

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use luna_messages::keyboard::{CtrlSide, KeyChange, KeyEvent};
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xinput::XIEventMask;
use x11rb::protocol::xproto::{ConnectionExt as _, KeyButMask, Keycode};

use super::keyboard::Keyboard;
use super::observe::{ObserverHandle, no_raw_events, no_thread};
use crate::PlatformError;
use crate::hot_key::{HotKey, Watch};
use crate::x11::{Failure, WakeReason, Waker, XDisplay, select_raw_events, wait};

/// Connects and starts the thread.
pub(super) fn start(
    own: &[HotKey],
    changed: Box<dyn FnMut(KeyEvent) + Send>,
    lost: Box<dyn FnOnce() + Send>,
) -> Result<Watch, PlatformError> {
    let display = XDisplay::open()?;
    let events = XIEventMask::RAW_KEY_PRESS | XIEventMask::RAW_KEY_RELEASE | XIEventMask::RAW_BUTTON_PRESS;
    if !select_raw_events(&display, events)? {
        return Err(no_raw_events());
    }
    let control = Arc::new(ObserverHandle { waker: Waker::new()?, stopped: AtomicBool::new(false) });
    let table = KeyTable::new(&Keyboard::read(&display)?, own);
    let held = table.held_modifiers(&display)?;
    let own = own.to_vec();
    let observer = KeyEventObserver { display, control: Arc::clone(&control), own, table, held, changed };
    let spawned = std::thread::Builder::new().name("luna-key-events".into()).spawn(move || observer.run(lost));
    spawned.map_err(|error| no_thread(&error))?;
    Ok(Watch::new(move || {
        control.stopped.store(true, Ordering::Release);
        control.waker.wake();
    }))
}

/// What each key means here.
struct KeyTable {
    /// The Ctrl keys.
    ctrl: Vec<(Keycode, CtrlSide)>,
    /// All modifier keys, each with its bit.
    modifiers: Vec<(Keycode, u16)>,
    /// The bits that make a difference for a hot key.
    relevant_modifiers: u16,
    /// Luna's hot keys: key and modifiers.
    own: Vec<(Keycode, u16)>,
}

impl KeyTable {
    fn new(keyboard: &Keyboard, own: &[HotKey]) -> Self {
        let combination = |key: &HotKey| {
            let modifiers = keyboard.modifiers(key);
            keyboard.keycodes(key.key).into_iter().map(move |keycode| (keycode, modifiers))
        };
        Self {
            ctrl: keyboard.ctrl_keys(),
            modifiers: keyboard.modifier_keys(),
            relevant_modifiers: keyboard.relevant_modifiers(),
            own: own.iter().flat_map(combination).collect(),
        }
    }

    fn side(&self, code: Keycode) -> Option<CtrlSide> {
        self.ctrl.iter().find(|(ctrl, _)| *ctrl == code).map(|(_, side)| *side)
    }

    fn is_modifier(&self, code: Keycode) -> bool {
        self.modifiers.iter().any(|(modifier, _)| *modifier == code)
    }

    /// What the press of a key means that is no Ctrl key, while the modifiers `held` are down.
    fn press(&self, code: Keycode, held: &HashSet<Keycode>) -> KeyChange {
        let bits = self.modifiers.iter().filter(|(modifier, _)| held.contains(modifier));
        let state = bits.fold(0, |all, (_, bit)| all | bit) & self.relevant_modifiers;
        if self.is_modifier(code) || self.own.contains(&(code, state)) { KeyChange::Combined } else { KeyChange::Typed }
    }

    fn held_modifiers(&self, display: &XDisplay) -> Result<HashSet<Keycode>, Failure> {
        let down = display.connection.query_keymap()?.reply()?.keys;
        Ok(self.modifiers.iter().map(|(code, _)| *code).filter(|code| is_down(&down, *code)).collect())
    }
}

fn is_down(keys: &[u8; 32], code: Keycode) -> bool {
    keys[usize::from(code) / 8] >> (code % 8) & 1 == 1
}

struct KeyEventObserver {
    display: XDisplay,
    control: Arc<ObserverHandle>,
    /// Kept to find their keys again when the keyboard layout changes.
    own: Vec<HotKey>,
    table: KeyTable,
    /// The modifier keys that are held. Raw events don't include modifiers. Of other keys nothing is kept.
    held: HashSet<Keycode>,
    changed: Box<dyn FnMut(KeyEvent) + Send>,
}

impl KeyEventObserver {
    fn run(mut self, lost: Box<dyn FnOnce() + Send>) {
        if let Err(failure) = self.watch() {
            tracing::debug!(error = %PlatformError::from(failure), "The keyboard is not observed any more.");
            if !self.control.stopped.load(Ordering::Acquire) {
                lost();
            }
        }
    }

    /// Returns when the watch is dropped.
    fn watch(&mut self) -> Result<(), Failure> {
        loop {
            while let Some(event) = self.display.connection.poll_for_event()? {
                let (at_ms, change) = match event {
                    Event::XinputRawKeyPress(event) => (event.time, self.press(event.detail)?),
                    Event::XinputRawKeyRelease(event) => (event.time, self.release(event.detail)),
                    Event::XinputRawButtonPress(event) => (event.time, Some(KeyChange::Combined)),
                    Event::MappingNotify(_) => {
                        self.table = KeyTable::new(&Keyboard::read(&self.display)?, &self.own);
                        self.held = self.table.held_modifiers(&self.display)?;
                        continue;
                    }
                    _ => continue,
                };
                if let Some(change) = change
                    && !self.control.stopped.load(Ordering::Acquire)
                {
                    (self.changed)(KeyEvent { change, at_ms });
                }
            }
            if wait(&self.display.connection, &self.control.waker, None) == WakeReason::Stop {
                return Ok(());
            }
        }
    }

    fn press(&mut self, code: u32) -> Result<Option<KeyChange>, Failure> {
        let Ok(code) = Keycode::try_from(code) else { return Ok(None) };
        if self.table.is_modifier(code) {
            self.held.insert(code);
        }
        Ok(Some(match self.table.side(code) {
            Some(side) => KeyChange::CtrlDown { side, alone: self.is_alone(code)? },
            None => self.table.press(code, &self.held),
        }))
    }

    fn release(&mut self, code: u32) -> Option<KeyChange> {
        let code = Keycode::try_from(code).ok()?;
        self.held.remove(&code);
        self.table.side(code).map(|side| KeyChange::CtrlUp { side })
    }

    /// Whether no other key and no button is held: asked only for Ctrl keys, so that no record of other keys is needed.
    fn is_alone(&self, code: Keycode) -> Result<bool, Failure> {
        let keys = self.display.connection.query_keymap()?;
        let pointer = self.display.connection.query_pointer(self.display.root)?;
        let mut down = keys.reply()?.keys;
        down[usize::from(code) / 8] &= !(1 << (code % 8));
        let buttons = [KeyButMask::BUTTON1, KeyButMask::BUTTON2, KeyButMask::BUTTON3];
        let state = pointer.reply()?.mask;
        Ok(down.iter().all(|keys| *keys == 0) && !buttons.into_iter().any(|button| state.contains(button)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // ATT-6
    #[test]
    fn hot_keys_and_modifiers_are_told_from_typed_keys_att_6() {
        // Keys 37 and 105: Ctrl; 50: Shift; 64: Alt; 77: Num Lock; 38 with Ctrl and Alt is a hot key of Luna.
        let table = KeyTable {
            ctrl: vec![(37, CtrlSide::Left), (105, CtrlSide::Right)],
            modifiers: vec![(37, 4), (105, 4), (50, 1), (64, 8), (77, 16)],
            relevant_modifiers: 1 | 4 | 8,
            own: vec![(38, 4 | 8)],
        };
        for (code, held, expect) in [
            (38, vec![], KeyChange::Typed),
            (38, vec![50], KeyChange::Typed),
            (38, vec![37, 64], KeyChange::Combined),
            (38, vec![105, 64, 77], KeyChange::Combined),
            (38, vec![37, 64, 50], KeyChange::Typed),
            (39, vec![37, 64], KeyChange::Typed),
            (50, vec![50], KeyChange::Combined),
            (77, vec![77], KeyChange::Combined),
        ] {
            assert_eq!(table.press(code, &held.iter().copied().collect()), expect, "{code} with {held:?}");
        }
        assert_eq!((table.side(105), table.side(50)), (Some(CtrlSide::Right), None));
    }
}
