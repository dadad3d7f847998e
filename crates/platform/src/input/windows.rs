//! Input on Windows: `SendInput`, after the last look at which window would get it.

mod keys;
mod target;

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use luna_messages::element_action::EnteredText;
use luna_messages::input::{ClickPoint, ClickRequest, InputInterruption, InputRefusal, InputResult, MouseButton};
use luna_messages::keyboard::KeyChord;
use windows::Win32::Foundation::POINT;
use windows::Win32::UI::Input::KeyboardAndMouse::{
    GetAsyncKeyState, INPUT, INPUT_0, INPUT_KEYBOARD, INPUT_MOUSE, KEYBD_EVENT_FLAGS, KEYBDINPUT, KEYEVENTF_KEYUP,
    KEYEVENTF_UNICODE, MOUSE_EVENT_FLAGS, MOUSEEVENTF_LEFTDOWN, MOUSEEVENTF_LEFTUP, MOUSEEVENTF_RIGHTDOWN,
    MOUSEEVENTF_RIGHTUP, MOUSEEVENTF_WHEEL, MOUSEINPUT, SendInput, VIRTUAL_KEY, VK_CONTROL, VK_LBUTTON, VK_LWIN,
    VK_MBUTTON, VK_MENU, VK_RBUTTON, VK_RETURN, VK_RWIN, VK_SHIFT, VK_TAB,
};
use windows::Win32::UI::WindowsAndMessaging::{GetCursorPos, SetCursorPos};

use self::keys::{extended, virtual_key};
use super::{Input, typed_characters};
use crate::PlatformError;
use crate::accessibility::actions::ActBarrier;
use crate::win32::become_dpi_aware;

/// How long the person may take to let go of the keys.
const HELD_LIMIT: Duration = Duration::from_millis(100);
const HELD_INTERVAL: Duration = Duration::from_millis(10);
/// How long the pointer stays: programs ask for its place when they take the click.
const SETTLE: Duration = Duration::from_millis(60);
/// One notch of the wheel.
const WHEEL_NOTCH: i32 = 120;
/// What a person may hold.
const HOLDABLE: [VIRTUAL_KEY; 8] =
    [VK_CONTROL, VK_MENU, VK_SHIFT, VK_LWIN, VK_RWIN, VK_LBUTTON, VK_RBUTTON, VK_MBUTTON];

/// Input of the session.
#[derive(Debug, Default)]
pub struct WindowsInput {
    /// Held during an order, so that the keys of two orders don't mix.
    turn: Mutex<()>,
}

impl WindowsInput {
    #[must_use]
    pub fn new() -> Self {
        become_dpi_aware();
        Self::default()
    }

    /// Sends input of the mouse at a point, if the window is what lies there; `undo`: what is sent if Windows took only a part.
    fn send_at(
        &self,
        request: &ClickPoint,
        inputs: &[INPUT],
        undo: &[INPUT],
        barrier: &ActBarrier,
    ) -> Result<InputResult, PlatformError> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(refusal) = wait_until_free(barrier) {
            return Ok(InputResult::NotDone(refusal));
        }
        let (at, mut before) = (request.point, POINT::default());
        // SAFETY: `before` outlives the call and may be written.
        let has_place = unsafe { GetCursorPos(&raw mut before) }.is_ok();
        if let Some(refusal) = target::obstacle(request) {
            return Ok(InputResult::NotDone(refusal));
        }
        // SAFETY: takes only numbers.
        if unsafe { SetCursorPos(at.x, at.y) }.is_err() {
            return Ok(InputResult::NotDone(InputRefusal::Unreachable));
        }
        // Last, as nothing but what is sent comes after it.
        let refusal = target::obstacle(request).or_else(|| is_held(&[]).then_some(InputRefusal::Held));
        let refusal = refusal.or_else(|| barrier.is_raised().then_some(InputRefusal::Stopped));
        let taken = if refusal.is_none() { send(inputs) } else { 0 };
        if taken > 0 {
            std::thread::sleep(SETTLE);
        }
        let mut now = POINT::default();
        // SAFETY: as above.
        unsafe {
            if has_place && GetCursorPos(&raw mut now).is_ok() && (now.x, now.y) == (at.x, at.y) {
                let _ = SetCursorPos(before.x, before.y);
            }
        }
        match refusal {
            Some(refusal) => Ok(InputResult::NotDone(refusal)),
            None if taken == inputs.len() => Ok(InputResult::Done),
            None if taken == 0 => Err(is_not_taken()),
            None => {
                send(undo);
                Ok(InputResult::Partly { sent: taken / 2, why: InputInterruption::Display })
            }
        }
    }
}

/// Whether the person holds a modifier or a button of the mouse; those in `own`, Luna holds.
fn is_held(own: &[VIRTUAL_KEY]) -> bool {
    // SAFETY: takes a number and returns the state of that key; the highest bit tells that it is down.
    HOLDABLE.iter().filter(|key| !own.contains(key)).any(|key| unsafe { GetAsyncKeyState(i32::from(key.0)) } < 0)
}

/// Waits a moment until the person holds nothing.
fn wait_until_free(barrier: &ActBarrier) -> Result<(), InputRefusal> {
    let until = Instant::now() + HELD_LIMIT;
    loop {
        if barrier.is_raised() {
            return Err(InputRefusal::Stopped);
        }
        if !is_held(&[]) {
            return Ok(());
        }
        if Instant::now() >= until {
            return Err(InputRefusal::Held);
        }
        std::thread::sleep(HELD_INTERVAL);
    }
}

fn key_input(key: VIRTUAL_KEY, scan: u16, flags: KEYBD_EVENT_FLAGS) -> INPUT {
    let ki = KEYBDINPUT { wVk: key, wScan: scan, dwFlags: flags, time: 0, dwExtraInfo: 0 };
    INPUT { r#type: INPUT_KEYBOARD, Anonymous: INPUT_0 { ki } }
}

fn key_down(key: VIRTUAL_KEY) -> INPUT {
    key_input(key, 0, extended(key))
}

fn key_up(key: VIRTUAL_KEY) -> INPUT {
    key_input(key, 0, extended(key) | KEYEVENTF_KEYUP)
}

/// `turned`: how far the wheel is turned, else 0.
fn mouse_input(flags: MOUSE_EVENT_FLAGS, turned: i32) -> INPUT {
    let mi = MOUSEINPUT { dx: 0, dy: 0, mouseData: turned.cast_unsigned(), dwFlags: flags, time: 0, dwExtraInfo: 0 };
    INPUT { r#type: INPUT_MOUSE, Anonymous: INPUT_0 { mi } }
}

/// Sends all of it without anything between; returns how much Windows took.
fn send(inputs: &[INPUT]) -> usize {
    let size = i32::try_from(size_of::<INPUT>()).unwrap_or(0);
    // SAFETY: the slice is valid during the call, and the size is that of its elements.
    let taken = unsafe { SendInput(inputs, size) };
    usize::try_from(taken).unwrap_or(0)
}

/// Windows takes no input for a program with more rights than Luna.
fn is_not_taken() -> PlatformError {
    PlatformError::unavailable(
        "Windows does not let Luna click and type there: the program has more rights than Luna, or the screen is locked.",
        "Use that program yourself, or start Luna with the same rights.",
    )
}

/// Keys that are held until this is dropped, also by a panic.
struct DownKeys<'a>(&'a [VIRTUAL_KEY]);

impl Drop for DownKeys<'_> {
    fn drop(&mut self) {
        let up: Vec<INPUT> = self.0.iter().rev().map(|key| key_up(*key)).collect();
        if !up.is_empty() && send(&up) < up.len() {
            tracing::warn!("Windows did not release keys that Luna held.");
        }
    }
}

/// The result of an order that can't go on after so much was sent.
fn refused(sent: usize, refusal: InputRefusal) -> InputResult {
    match sent {
        0 => InputResult::NotDone(refusal),
        sent => InputResult::Partly { sent, why: InputInterruption::Refused(refusal) },
    }
}

fn not_taken(sent: usize) -> Result<InputResult, PlatformError> {
    match sent {
        0 => Err(is_not_taken()),
        sent => Ok(InputResult::Partly { sent, why: InputInterruption::Display }),
    }
}

/// Why keys may not be sent now.
fn key_obstacle(window: u64, own: &[VIRTUAL_KEY], barrier: &ActBarrier) -> Option<InputRefusal> {
    if let Some(focused) = target::other_in_front(window) {
        return Some(InputRefusal::NotFocused { focused });
    }
    if is_held(own) {
        return Some(InputRefusal::Held);
    }
    barrier.is_raised().then_some(InputRefusal::Stopped)
}

impl Input for WindowsInput {
    fn click(&self, request: &ClickRequest, barrier: &ActBarrier) -> Result<InputResult, PlatformError> {
        let (down, up) = match request.button {
            MouseButton::Left => (MOUSEEVENTF_LEFTDOWN, MOUSEEVENTF_LEFTUP),
            MouseButton::Right => (MOUSEEVENTF_RIGHTDOWN, MOUSEEVENTF_RIGHTUP),
        };
        let once = [mouse_input(down, 0), mouse_input(up, 0)];
        let inputs = if request.is_double { [once, once].concat() } else { once.to_vec() };
        // A button must not stay down.
        self.send_at(&request.at, &inputs, &once[1..], barrier)
    }

    fn hover(&self, at: &ClickPoint, barrier: &ActBarrier) -> Result<InputResult, PlatformError> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(refusal) = wait_until_free(barrier) {
            return Ok(InputResult::NotDone(refusal));
        }
        if let Some(refusal) = target::obstacle(at) {
            return Ok(InputResult::NotDone(refusal));
        }
        // SAFETY: takes only numbers.
        if unsafe { SetCursorPos(at.point.x, at.point.y) }.is_err() {
            return Ok(InputResult::NotDone(InputRefusal::Unreachable));
        }
        Ok(InputResult::Done)
    }

    fn scroll(&self, at: &ClickPoint, notches: i16, barrier: &ActBarrier) -> Result<InputResult, PlatformError> {
        // Windows counts up as positive.
        let turned = WHEEL_NOTCH * -i32::from(notches.signum());
        let inputs = vec![mouse_input(MOUSEEVENTF_WHEEL, turned); usize::from(notches.unsigned_abs())];
        self.send_at(at, &inputs, &[], barrier)
    }

    fn press(
        &self,
        chord: &KeyChord,
        times: u8,
        window: u64,
        barrier: &ActBarrier,
    ) -> Result<InputResult, PlatformError> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(keys::ChordKeys { held, key }) = virtual_key(chord) else {
            return Ok(InputResult::NotDone(InputRefusal::NoSuchKey));
        };
        if let Err(refusal) = wait_until_free(barrier) {
            return Ok(InputResult::NotDone(refusal));
        }
        let mut down = None;
        for sent in 0..usize::from(times) {
            let own: &[VIRTUAL_KEY] = if down.is_some() { &held } else { &[] };
            if let Some(refusal) = key_obstacle(window, own, barrier) {
                return Ok(refused(sent, refusal));
            }
            if down.is_none() {
                // First, so that all are released even if only some go down.
                down = Some(DownKeys(&held));
                let inputs: Vec<INPUT> = held.iter().map(|key| key_down(*key)).collect();
                if !inputs.is_empty() && send(&inputs) < inputs.len() {
                    return not_taken(sent);
                }
            }
            if send(&[key_down(key), key_up(key)]) < 2 {
                return not_taken(sent);
            }
        }
        Ok(InputResult::Done)
    }

    fn type_text(&self, text: &EnteredText, window: u64, barrier: &ActBarrier) -> Result<InputResult, PlatformError> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let characters = match typed_characters(text) {
            Ok(characters) => characters,
            Err(place) => return Ok(InputResult::NotDone(InputRefusal::NotTypeable { place })),
        };
        if let Err(refusal) = wait_until_free(barrier) {
            return Ok(InputResult::NotDone(refusal));
        }
        for (sent, character) in characters.into_iter().enumerate() {
            let inputs = match character {
                '\n' => vec![key_down(VK_RETURN), key_up(VK_RETURN)],
                '\t' => vec![key_down(VK_TAB), key_up(VK_TAB)],
                other => unicode(other),
            };
            if let Some(refusal) = key_obstacle(window, &[], barrier) {
                return Ok(refused(sent, refusal));
            }
            if send(&inputs) < inputs.len() {
                return not_taken(sent);
            }
        }
        Ok(InputResult::Done)
    }
}

/// A character as such: neither the layout nor an input method changes it.
fn unicode(character: char) -> Vec<INPUT> {
    let mut buffer = [0; 2];
    let units = character.encode_utf16(&mut buffer);
    let nothing = VIRTUAL_KEY(0);
    let down = units.iter().map(|unit| key_input(nothing, *unit, KEYEVENTF_UNICODE));
    let up = units.iter().map(|unit| key_input(nothing, *unit, KEYEVENTF_UNICODE | KEYEVENTF_KEYUP));
    down.chain(up).collect()
}
