//! Global hot keys on Windows: `RegisterHotKey` on a thread with a message queue.

mod key_events;
mod observe;

use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::Duration;

use luna_messages::keyboard::KeyEvent;
use windows::Win32::Foundation::{ERROR_HOTKEY_ALREADY_REGISTERED, LPARAM, WPARAM};
use windows::Win32::System::Threading::GetCurrentThreadId;
use windows::Win32::UI::Input::KeyboardAndMouse::{
    HOT_KEY_MODIFIERS, MOD_ALT, MOD_CONTROL, MOD_NOREPEAT, MOD_SHIFT, MOD_WIN, RegisterHotKey, UnregisterHotKey,
    VIRTUAL_KEY, VK_DOWN, VK_END, VK_ESCAPE, VK_F1, VK_HOME, VK_LEFT, VK_NEXT, VK_PRIOR, VK_RETURN, VK_RIGHT, VK_SPACE,
    VK_UP,
};
use windows::Win32::UI::WindowsAndMessaging::{
    GetMessageW, MSG, PM_NOREMOVE, PeekMessageW, PostThreadMessageW, WM_HOTKEY, WM_QUIT, WM_USER,
};

use super::{HotKey, HotKeyCode, HotKeys, Watch};
use crate::PlatformError;
use crate::win32::no_thread;

/// Time limit for starting and ending the thread; each normally takes a millisecond.
const THREAD_TIMEOUT: Duration = Duration::from_secs(2);

/// The hot keys of Windows.
#[derive(Debug, Default, Clone, Copy)]
pub struct WindowsHotKeys;

impl WindowsHotKeys {
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

/// What the thread reports when it is ready: its id, and the refused keys.
struct ThreadReady {
    thread: u32,
    refused: Vec<(usize, String)>,
}

impl HotKeys for WindowsHotKeys {
    fn watch(
        &self,
        keys: &[HotKey],
        pressed: Box<dyn Fn(usize) + Send>,
    ) -> Result<(Watch, Vec<(usize, String)>), PlatformError> {
        let keys = keys.to_vec();
        let (tell_ready, ready) = sync_channel(1);
        let (tell_end, ended) = sync_channel::<()>(0);
        // Hot keys belong to the thread that registered them, so everything happens there.
        std::thread::Builder::new()
            .name("luna-hot-key".into())
            .spawn(move || {
                listen(&keys, &*pressed, &tell_ready);
                drop(tell_end);
            })
            .map_err(|error| no_thread("wait for hot keys", &error))?;
        let ThreadReady { thread, refused } = ready.recv_timeout(THREAD_TIMEOUT).map_err(|_| {
            PlatformError::unavailable(
                "Windows did not register the hot keys in time.",
                "Use `luna ctl` instead, or start Luna again.",
            )
        })?;
        let watch = Watch::new(move || {
            // SAFETY: takes only numbers; if the thread has ended already, the call fails harmlessly.
            let posted = unsafe { PostThreadMessageW(thread, WM_QUIT, WPARAM(0), LPARAM(0)) };
            // SAFETY: takes no arguments.
            let this = unsafe { GetCurrentThreadId() };
            if posted.is_ok() && this != thread {
                // Wait until the keys are free, so that the caller can watch them again immediately.
                let _ = ended.recv_timeout(THREAD_TIMEOUT);
            }
        });
        Ok((watch, refused))
    }

    fn observe(&self, key: HotKeyCode, pressed: Box<dyn Fn() + Send>) -> Result<Watch, PlatformError> {
        observe::start(key, pressed)
    }

    fn observe_keyboard(
        &self,
        own: &[HotKey],
        changed: Box<dyn FnMut(KeyEvent) + Send>,
        lost: Box<dyn FnOnce() + Send>,
    ) -> Result<Watch, PlatformError> {
        // Windows keeps the hook as long as its thread lives.
        drop(lost);
        key_events::start(own, changed)
    }
}

/// Registers the keys, reports presses until the thread is told to quit, and unregisters the keys.
fn listen(keys: &[HotKey], pressed: &dyn Fn(usize), tell_ready: &SyncSender<ThreadReady>) {
    let mut message = MSG::default();
    // A thread gets its message queue at the first peek; before that it could not be told to quit.
    // SAFETY: `message` lives until the call returns, and may be written.
    let _ = unsafe { PeekMessageW(&raw mut message, None, WM_USER, WM_USER, PM_NOREMOVE) };
    let refused = register(keys);
    let registered: Vec<usize> =
        (0..keys.len()).filter(|index| refused.iter().all(|(place, _)| place != index)).collect();
    // SAFETY: takes no arguments.
    let thread = unsafe { GetCurrentThreadId() };
    if tell_ready.send(ThreadReady { thread, refused }).is_ok() {
        // 0 means quit, -1 an error that repeating would not fix.
        // SAFETY: as above.
        while unsafe { GetMessageW(&raw mut message, None, 0, 0) }.0 > 0 {
            if message.message == WM_HOTKEY && message.wParam.0 < keys.len() {
                pressed(message.wParam.0);
            }
        }
    }
    for index in registered {
        // SAFETY: takes a number that this thread registered.
        let _ = unsafe { UnregisterHotKey(None, id(index)) };
    }
}

/// Registers the keys and returns those that Windows refuses, with the reason.
fn register(keys: &[HotKey]) -> Vec<(usize, String)> {
    let mut refused = Vec::new();
    for (index, key) in keys.iter().enumerate() {
        // SAFETY: takes only numbers; without a window, presses go to the queue of this thread.
        let result = unsafe { RegisterHotKey(None, id(index), modifiers(key), virtual_key(key.key).0.into()) };
        let Err(error) = result else { continue };
        let reason = if error.code() == ERROR_HOTKEY_ALREADY_REGISTERED.to_hresult() {
            format!("Another program holds {key} already. Choose another hot key or change it there.")
        } else {
            format!("Windows refuses {key}: {}. Choose another hot key.", error.message().trim_end_matches('.'))
        };
        refused.push((index, reason));
    }
    refused
}

/// The number by which Windows reports a press. Applications may use 0 to 0xBFFF.
fn id(index: usize) -> i32 {
    i32::try_from(index).unwrap_or(i32::MAX)
}

fn modifiers(key: &HotKey) -> HOT_KEY_MODIFIERS {
    let held = [(key.ctrl, MOD_CONTROL), (key.alt, MOD_ALT), (key.shift, MOD_SHIFT), (key.meta, MOD_WIN)];
    // `MOD_NOREPEAT`: a held key counts as a single press.
    held.into_iter().filter(|(held, _)| *held).fold(MOD_NOREPEAT, |all, (_, modifier)| all | modifier)
}

fn virtual_key(key: HotKeyCode) -> VIRTUAL_KEY {
    match key {
        // The codes of letters and digits are their upper-case ASCII codes, whatever the layout.
        HotKeyCode::Character(character) => {
            VIRTUAL_KEY(u16::try_from(u32::from(character.to_ascii_uppercase())).unwrap_or_default())
        }
        HotKeyCode::Function(number) => VIRTUAL_KEY(VK_F1.0 + u16::from(number.saturating_sub(1))),
        HotKeyCode::Escape => VK_ESCAPE,
        HotKeyCode::Space => VK_SPACE,
        HotKeyCode::Enter => VK_RETURN,
        HotKeyCode::Up => VK_UP,
        HotKeyCode::Down => VK_DOWN,
        HotKeyCode::Left => VK_LEFT,
        HotKeyCode::Right => VK_RIGHT,
        HotKeyCode::PageUp => VK_PRIOR,
        HotKeyCode::PageDown => VK_NEXT,
        HotKeyCode::Home => VK_HOME,
        HotKeyCode::End => VK_END,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_the_codes_of_windows() {
        for (name, code) in
            [("a", 0x41), ("9", 0x39), ("f1", 0x70), ("f24", 0x87), ("escape", 0x1b), ("page_up", 0x21), ("end", 0x23)]
        {
            assert_eq!(virtual_key(name.parse::<HotKey>().unwrap().key).0, code, "{name}");
        }
        assert_eq!(modifiers(&"ctrl+alt+l".parse().unwrap()), MOD_NOREPEAT | MOD_CONTROL | MOD_ALT);
    }
}
