//! Tells of every key that goes down, without its name: a low-level keyboard hook, which passes each key on to the application (ATT-6).
//!
//! The hook delays typing until it returns, so it only compares a few numbers. Buttons of the pointer have no hook, which would run at every move:
//! they are looked at when a Ctrl key goes down and up.

use std::cell::RefCell;
use std::sync::mpsc::sync_channel;

use luna_messages::keyboard::{CtrlSide, KeyChange, KeyEvent};
use windows::Win32::Foundation::{LPARAM, LRESULT, WPARAM};
use windows::Win32::System::Threading::GetCurrentThreadId;
use windows::Win32::UI::Input::KeyboardAndMouse::{
    GetAsyncKeyState, VIRTUAL_KEY, VK_CAPITAL, VK_CONTROL, VK_LBUTTON, VK_LCONTROL, VK_LMENU, VK_LSHIFT, VK_LWIN,
    VK_MBUTTON, VK_MENU, VK_NUMLOCK, VK_RBUTTON, VK_RCONTROL, VK_RMENU, VK_RSHIFT, VK_RWIN, VK_SCROLL, VK_SHIFT,
    VK_XBUTTON1, VK_XBUTTON2,
};
use windows::Win32::UI::WindowsAndMessaging::{
    CallNextHookEx, GetMessageW, HC_ACTION, KBDLLHOOKSTRUCT, LLKHF_UP, MSG, PM_NOREMOVE, PeekMessageW,
    PostThreadMessageW, SetWindowsHookExW, UnhookWindowsHookEx, WH_KEYBOARD_LL, WM_QUIT, WM_USER,
};

use super::{THREAD_TIMEOUT, virtual_key};
use crate::PlatformError;
use crate::hot_key::{HotKey, Watch};
use crate::win32::no_thread;

const MODIFIERS: [VIRTUAL_KEY; 11] = [
    VK_LCONTROL,
    VK_RCONTROL,
    VK_LMENU,
    VK_RMENU,
    VK_LSHIFT,
    VK_RSHIFT,
    VK_LWIN,
    VK_RWIN,
    VK_CAPITAL,
    VK_NUMLOCK,
    VK_SCROLL,
];
const BUTTONS: [VIRTUAL_KEY; 5] = [VK_LBUTTON, VK_RBUTTON, VK_MBUTTON, VK_XBUTTON1, VK_XBUTTON2];

thread_local! {
    /// What the hook of this thread calls. Windows passes no pointer of ours to a hook.
    static HOOK: RefCell<Option<KeyHook>> = const { RefCell::new(None) };
}

/// Starts the thread with the hook.
pub(super) fn start(own: &[HotKey], changed: Box<dyn FnMut(KeyEvent) + Send>) -> Result<Watch, PlatformError> {
    let own = own.to_vec();
    let (tell_ready, ready) = sync_channel(1);
    let listen = move || {
        let mut message = MSG::default();
        // A thread gets its message queue at the first peek; before that it could not be told to quit.
        // SAFETY: `message` lives until the call returns, and may be written.
        let _ = unsafe { PeekMessageW(&raw mut message, None, WM_USER, WM_USER, PM_NOREMOVE) };
        HOOK.with_borrow_mut(|hook| *hook = Some(KeyHook { own, changed }));
        // SAFETY: `on_key` has the signature of a keyboard hook and lives as long as the program.
        let hook = unsafe { SetWindowsHookExW(WH_KEYBOARD_LL, Some(on_key), None, 0) };
        // SAFETY: takes no arguments.
        let thread = unsafe { GetCurrentThreadId() };
        let told = tell_ready.send(hook.as_ref().map(|_| thread).map_err(windows::core::Error::message));
        if let (Ok(hook), Ok(())) = (hook, told) {
            // Windows calls the hook while this thread waits for messages. 0 means quit, -1 an error.
            // SAFETY: as above.
            while unsafe { GetMessageW(&raw mut message, None, 0, 0) }.0 > 0 {}
            // SAFETY: the hook was set by this thread.
            let _ = unsafe { UnhookWindowsHookEx(hook) };
        }
    };
    std::thread::Builder::new()
        .name("luna-key-events".into())
        .spawn(listen)
        .map_err(|error| no_thread("watch the keyboard", &error))?;
    let ready = ready.recv_timeout(THREAD_TIMEOUT).map_err(|_| "it took too long".to_owned());
    let thread = ready.and_then(|ready| ready).map_err(|why| {
        PlatformError::unavailable(
            format!("Windows does not tell of keys that other programs get: {}.", why.trim_end_matches('.')),
            "Use `luna ctl` or a hot key instead.",
        )
    })?;
    Ok(Watch::new(move || {
        // SAFETY: takes only numbers; if the thread has ended already, the call fails harmlessly.
        let _ = unsafe { PostThreadMessageW(thread, WM_QUIT, WPARAM(0), LPARAM(0)) };
    }))
}

struct KeyHook {
    /// Luna's hot keys.
    own: Vec<HotKey>,
    changed: Box<dyn FnMut(KeyEvent) + Send>,
}

unsafe extern "system" fn on_key(code: i32, kind: WPARAM, key: LPARAM) -> LRESULT {
    if code == HC_ACTION as i32 {
        let key = key.0 as *const KBDLLHOOKSTRUCT;
        // SAFETY: with this code, Windows passes a valid structure that lives until the hook returns.
        let key = unsafe { *key };
        HOOK.with_borrow_mut(|hook| {
            if let Some(hook) = hook {
                hook.note(&key);
            }
        });
    }
    // SAFETY: passes on what Windows passed.
    unsafe { CallNextHookEx(None, code, kind, key) }
}

impl KeyHook {
    fn note(&mut self, key: &KBDLLHOOKSTRUCT) {
        let (goes_up, at_ms) = (key.flags.contains(LLKHF_UP), key.time);
        let pressed = VIRTUAL_KEY(u16::try_from(key.vkCode).unwrap_or_default());
        let side = match pressed {
            VK_LCONTROL => Some(CtrlSide::Left),
            VK_RCONTROL => Some(CtrlSide::Right),
            _ => None,
        };
        let mut tell = |change| (self.changed)(KeyEvent { change, at_ms });
        match (side, goes_up) {
            (Some(side), false) => {
                // Asks about every button, so that the answers on release concern only the time since now.
                let held_buttons = BUTTONS.into_iter().filter(|button| is_down(*button)).count();
                tell(KeyChange::CtrlDown { side, alone: held_buttons == 0 && is_alone(pressed) });
            }
            (Some(side), true) => {
                if BUTTONS.into_iter().any(was_pressed) {
                    tell(KeyChange::Combined);
                }
                tell(KeyChange::CtrlUp { side });
            }
            (None, false) if MODIFIERS.contains(&pressed) || is_own(&self.own, pressed) => tell(KeyChange::Combined),
            (None, false) => tell(KeyChange::Typed),
            (None, true) => {}
        }
    }
}

/// Whether no key but `ctrl` is held. Codes below 8 are buttons; Windows also reports the left and right key under the code of either.
fn is_alone(ctrl: VIRTUAL_KEY) -> bool {
    (8..=0xfe).map(VIRTUAL_KEY).filter(|key| ![ctrl, VK_CONTROL].contains(key)).all(|key| !is_down(key))
}

fn is_own(own: &[HotKey], pressed: VIRTUAL_KEY) -> bool {
    let held = || {
        let win = is_down(VK_LWIN) || is_down(VK_RWIN);
        (is_down(VK_CONTROL), is_down(VK_MENU), is_down(VK_SHIFT), win)
    };
    let same = |key: &&HotKey| virtual_key(key.key) == pressed;
    own.iter().filter(same).any(|key| (key.ctrl, key.alt, key.shift, key.meta) == held())
}

fn is_down(key: VIRTUAL_KEY) -> bool {
    state(key) < 0
}

/// Whether the button is held, or was pressed since this was asked before. Another program that asks hides a press, which is rare.
fn was_pressed(button: VIRTUAL_KEY) -> bool {
    state(button) != 0
}

/// The highest bit is set while the key is down, the lowest if it was pressed since the last call.
fn state(key: VIRTUAL_KEY) -> i16 {
    // SAFETY: takes only a number.
    unsafe { GetAsyncKeyState(key.0.into()) }
}
