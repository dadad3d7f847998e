//! Global hot keys: keys that reach Luna whatever window has the focus.

use std::sync::Arc;

use crate::PlatformError;
pub use crate::pointer::Watch;

/// A key with modifiers, parsed from a name such as `ctrl+alt+l` or `escape`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct HotKey {
    /// Control is held.
    pub ctrl: bool,
    /// Alt is held.
    pub alt: bool,
    /// Shift is held.
    pub shift: bool,
    /// The Windows or Super key is held.
    pub meta: bool,
    /// The key itself.
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

/// Global hot keys.
pub trait HotKeys: Send + Sync {
    /// Calls `pressed` with the position in `keys` from a thread of its own each time one of them is pressed, until the watch is dropped.
    /// Keys that another program holds already are given back with the reason; the others work.
    ///
    /// # Errors
    /// [`PlatformError`] if the platform has no global hot keys at all.
    fn watch(
        &self,
        keys: &[HotKey],
        pressed: Box<dyn Fn(usize) + Send>,
    ) -> Result<(Watch, Vec<(usize, String)>), PlatformError>;

    /// The same, and calls `lost` once, from a thread of its own, if a key goes away meanwhile: with the display, or because the keyboard's new layout has
    /// none that is free. Then the watch is to be dropped and the keys watched anew (KER-9). `lost` must return at once.
    ///
    /// By default nothing is ever lost: true if the system itself keeps the keys, as Windows does.
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

    /// Calls `pressed` from a thread of its own each time `key` is pressed without modifiers, until the watch is dropped. Unlike with
    /// [`HotKeys::watch`], the application that has the keyboard gets the key as ever (FOC-5).
    ///
    /// # Errors
    /// [`PlatformError`] if the platform does not tell of keys that others get.
    fn observe(&self, key: HotKeyCode, pressed: Box<dyn Fn() + Send>) -> Result<Watch, PlatformError> {
        let _ = (key, pressed);
        Err(PlatformError::unavailable(
            "This system does not tell of keys that other programs get.",
            "Use `luna ctl` or a hot key instead.",
        ))
    }
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
#[cfg(windows)]
pub mod windows;

pub use parse::HotKeyParseError;
