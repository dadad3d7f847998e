//! Observes a key that the focused application receives: raw events of XInput2, which reach every client that selects
//! them.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xinput::XIEventMask;
use x11rb::protocol::xproto::{ConnectionExt as _, Keycode};

use super::keyboard::Keyboard;
use crate::PlatformError;
use crate::hot_key::{HotKeyCode, Watch};
use crate::x11::{Failure, WakeReason, Waker, XDisplay, select_raw_events, wait};

/// Connects and starts the thread.
pub(super) fn start(key: HotKeyCode, pressed: Box<dyn Fn() + Send>) -> Result<Watch, PlatformError> {
    let display = XDisplay::open()?;
    if !select_raw_events(&display, XIEventMask::RAW_KEY_PRESS | XIEventMask::RAW_KEY_RELEASE)? {
        return Err(no_raw_events());
    }
    let control = Arc::new(ObserverHandle { waker: Waker::new()?, stopped: AtomicBool::new(false) });
    let keys = Keys::read(&display, key)?;
    let observer = KeyObserver { display, control: Arc::clone(&control), key, keys, pressed };
    let spawned = std::thread::Builder::new().name("luna-key".into()).spawn(move || {
        if let Err(failure) = observer.run() {
            tracing::debug!(error = %PlatformError::from(failure), "A key is not watched any more.");
        }
    });
    spawned.map_err(|error| no_thread(&error))?;
    Ok(Watch::new(move || {
        control.stopped.store(true, Ordering::Release);
        control.waker.wake();
    }))
}

pub(super) fn no_raw_events() -> PlatformError {
    PlatformError::unavailable(
        "The X display does not tell of keys that other programs get: it has no XInput 2.1.",
        "Use `luna ctl` or a hot key instead, or an X server that is newer.",
    )
}

pub(super) fn no_thread(error: &std::io::Error) -> PlatformError {
    PlatformError::unavailable(
        format!("The system gives no thread to watch a key with: {error}."),
        "Close programs, or raise the limit of processes (ulimit -u).",
    )
}

/// The part of the watch that its owner keeps, to end the thread.
pub(super) struct ObserverHandle {
    pub(super) waker: Waker,
    pub(super) stopped: AtomicBool,
}

/// The codes of the observed key on this keyboard, and the modifiers with which a press does not count.
struct Keys {
    codes: Vec<Keycode>,
    /// The keys of the relevant modifiers.
    modifiers: Vec<Keycode>,
    /// The modifier keys that are held now. Raw events don't include modifiers, and a query could come after their
    /// release.
    held: HashSet<Keycode>,
}

impl Keys {
    fn read(display: &XDisplay, key: HotKeyCode) -> Result<Self, Failure> {
        let keyboard = Keyboard::read(display)?;
        let relevant = keyboard.relevant_modifiers();
        let all = keyboard.modifier_keys().into_iter();
        let modifiers: Vec<Keycode> = all.filter(|(_, bit)| relevant & bit != 0).map(|(code, _)| code).collect();
        let down = display.connection.query_keymap()?.reply()?.keys;
        let is_down = |code: &Keycode| down[usize::from(*code) / 8] >> (code % 8) & 1 == 1;
        let held = modifiers.iter().copied().filter(is_down).collect();
        Ok(Self { codes: keyboard.keycodes(key), modifiers, held })
    }

    /// Records a press. Returns whether it is the observed key without modifiers.
    fn press(&mut self, code: Keycode) -> bool {
        if self.modifiers.contains(&code) {
            self.held.insert(code);
        }
        self.codes.contains(&code) && self.held.is_empty()
    }
}

struct KeyObserver {
    display: XDisplay,
    control: Arc<ObserverHandle>,
    key: HotKeyCode,
    keys: Keys,
    pressed: Box<dyn Fn() + Send>,
}

impl KeyObserver {
    /// Runs until the watch is dropped.
    fn run(mut self) -> Result<(), Failure> {
        loop {
            while let Some(event) = self.display.connection.poll_for_event()? {
                match event {
                    Event::XinputRawKeyPress(event) => self.handle_press(event.detail),
                    Event::XinputRawKeyRelease(event) => {
                        self.keys.held.retain(|&held| u32::from(held) != event.detail);
                    }
                    // The layout changed.
                    Event::MappingNotify(_) => self.keys = Keys::read(&self.display, self.key)?,
                    _ => {}
                }
            }
            if wait(&self.display.connection, &self.control.waker, None) == WakeReason::Stop {
                return Ok(());
            }
        }
    }

    fn handle_press(&mut self, code: u32) {
        let is_alone = Keycode::try_from(code).is_ok_and(|code| self.keys.press(code));
        if is_alone && !self.control.stopped.load(Ordering::Acquire) {
            (self.pressed)();
        }
    }
}
