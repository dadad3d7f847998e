//! Global hot keys: keys that reach Luna whichever window has the focus.

use std::sync::Arc;

use luna_messages::keyboard::KeyEvent;

use crate::PlatformError;
pub use crate::pointer::Watch;

/// A key with modifiers, parsed from a name such as `ctrl+alt+l` or `escape`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct HotKey {
    pub ctrl: bool,
    pub alt: bool,
    pub shift: bool,
    /// The Windows or Super key.
    pub meta: bool,
    pub key: HotKeyCode,
}

/// Keys that can be hot keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum HotKeyCode {
    /// A letter `a` to `z` or a digit.
    Character(char),
    /// F1 to F24.
    Function(u8),
    Escape,
    Space,
    Enter,
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    Home,
    End,
}

/// Global hot keys of a platform.
pub trait HotKeys: Send + Sync {
    /// Calls `pressed` with the index in `keys` on a separate thread each time one of them is pressed, until the watch
    /// is dropped. Also returns the index of each key that could not be grabbed, with the reason; the other keys work.
    ///
    /// # Errors
    /// [`PlatformError::Unavailable`] if the platform has no global hot keys, or if no key can be watched now.
    fn watch(
        &self,
        keys: &[HotKey],
        pressed: Box<dyn Fn(usize) + Send>,
    ) -> Result<(Watch, Vec<(usize, String)>), PlatformError>;

    /// Like [`HotKeys::watch`], but also calls `lost` once, on a separate thread, if a key is lost meanwhile: with the
    /// display, or because it can't be grabbed in the keyboard's new layout. The caller then drops the watch and
    /// watches the keys again (KER-9). `lost` must return at once.
    ///
    /// The default implementation never calls `lost`, which is right if the system itself keeps the keys, as Windows
    /// does.
    ///
    /// # Errors
    /// As [`HotKeys::watch`].
    fn watch_until_lost(
        &self,
        keys: &[HotKey],
        pressed: Box<dyn Fn(usize) + Send>,
        lost: Box<dyn FnOnce() + Send>,
    ) -> Result<(Watch, Vec<(usize, String)>), PlatformError> {
        drop(lost);
        self.watch(keys, pressed)
    }

    /// Calls `pressed` on a separate thread each time `key` is pressed without modifiers, until the watch is dropped.
    /// Unlike with [`HotKeys::watch`], the focused application still receives the key (FOC-5).
    ///
    /// # Errors
    /// [`PlatformError::Unavailable`] if keys that other programs receive can't be observed.
    fn observe(&self, key: HotKeyCode, pressed: Box<dyn Fn() + Send>) -> Result<Watch, PlatformError> {
        let _ = (key, pressed);
        Err(no_foreign_keys())
    }

    /// Calls `changed` on a separate thread for each key that goes down and each Ctrl key that goes up, until the watch
    /// is dropped; the focused application receives every key (ATT-6). `own` are Luna's hot keys. `lost` is called once
    /// if the display is lost meanwhile. Both must return at once.
    ///
    /// # Errors
    /// [`PlatformError::Unavailable`] if keys that other programs receive can't be observed.
    fn observe_keyboard(
        &self,
        own: &[HotKey],
        changed: Box<dyn FnMut(KeyEvent) + Send>,
        lost: Box<dyn FnOnce() + Send>,
    ) -> Result<Watch, PlatformError> {
        let _ = (own, changed, lost);
        Err(no_foreign_keys())
    }
}

fn no_foreign_keys() -> PlatformError {
    PlatformError::unavailable(
        "This system does not tell of keys that other programs get.",
        "Use `luna ctl` or a hot key instead.",
    )
}

/// The hot keys of this platform.
#[must_use]
pub fn system() -> Arc<dyn HotKeys> {
    #[cfg(target_os = "linux")]
    return Arc::new(linux::X11HotKeys::new());
    #[cfg(windows)]
    return Arc::new(windows::WindowsHotKeys::new());
    #[cfg(not(any(target_os = "linux", windows)))]
    return Arc::new(null::NoHotKeys);
}

#[cfg(target_os = "linux")]
pub mod linux;
pub mod null;
mod parse;
mod taken;
#[cfg(windows)]
pub mod windows;

pub use parse::HotKeyParseError;
pub use taken::{KeyUse, known_uses};
