//! Observes a key that the focused application receives, by polling its state often enough to catch a quick press.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use windows::Win32::UI::Input::KeyboardAndMouse::{
    GetAsyncKeyState, VIRTUAL_KEY, VK_CONTROL, VK_LWIN, VK_MENU, VK_RWIN, VK_SHIFT,
};

use super::virtual_key;
use crate::PlatformError;
use crate::hot_key::{HotKeyCode, Watch};
use crate::win32::no_thread;

/// Polling interval. A quick press takes some 50 ms.
const POLL_INTERVAL: Duration = Duration::from_millis(15);

pub(super) fn start(key: HotKeyCode, pressed: Box<dyn Fn() + Send>) -> Result<Watch, PlatformError> {
    let (end, ended) = sync_channel::<()>(0);
    let key = virtual_key(key);
    let poll = move || {
        let mut was_down = is_down(key);
        while ended.recv_timeout(POLL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
            let down = is_down(key);
            let alone = || ![VK_CONTROL, VK_MENU, VK_SHIFT, VK_LWIN, VK_RWIN].into_iter().any(is_down);
            if down && !was_down && alone() {
                pressed();
            }
            was_down = down;
        }
    };
    let spawned = std::thread::Builder::new().name("luna-key".into()).spawn(poll);
    spawned.map_err(|error| no_thread("watch a key", &error))?;
    Ok(Watch::new(move || drop(end)))
}

fn is_down(key: VIRTUAL_KEY) -> bool {
    // SAFETY: takes only a number.
    let state = unsafe { GetAsyncKeyState(key.0.into()) };
    // The highest bit is set while the key is down.
    state < 0
}
