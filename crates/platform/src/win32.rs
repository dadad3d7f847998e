//! Shared by the Windows modules: physical coordinates, and conversion of Windows errors.

use std::sync::Once;

use luna_messages::Rect;
use luna_messages::pick::ShownWindow;
use windows::Win32::Foundation::{HWND, RECT};
use windows::Win32::Graphics::Dwm::{DWMWA_CLOAKED, DwmGetWindowAttribute};
use windows::Win32::UI::HiDpi::{DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2, SetProcessDpiAwarenessContext};
use windows::Win32::UI::WindowsAndMessaging::{
    GW_HWNDNEXT, GWL_EXSTYLE, GetTopWindow, GetWindow, GetWindowLongW, GetWindowRect, IsIconic, IsWindowVisible,
    WS_EX_TRANSPARENT,
};

use crate::PlatformError;

/// Bound on the iteration, because the list of windows may change while it is followed.
const MAX_WINDOWS: usize = 4096;

/// Makes all coordinates of this process physical pixels of the whole desktop, also with monitors of different scale
/// (PIC-7). Everything that requests coordinates from Windows calls it first; only the first call has an effect.
pub(crate) fn become_dpi_aware() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: takes a constant and changes only a setting of this process.
        let result = unsafe { SetProcessDpiAwarenessContext(DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2) };
        if let Err(error) = result {
            // Windows refuses if a manifest or a library set it before; it is then right already, or can't be changed
            // any more.
            tracing::debug!(code = error.code().0, "The scale of coordinates was set before.");
        }
    });
}

/// The top-level windows that intersect `region`, topmost first. Left out are windows that Windows does not show, and
/// those that let the pointer through, which only mark the windows below them.
pub(crate) fn windows_in(region: Rect) -> Vec<ShownWindow> {
    become_dpi_aware();
    let mut shown = Vec::new();
    // SAFETY: takes no pointer and returns a handle, which may belong to a closing window; every use checks for that.
    let mut next = unsafe { GetTopWindow(None) }.ok();
    for _ in 0..MAX_WINDOWS {
        let Some(window) = next else { break };
        // SAFETY: the handle of a closed window yields an error.
        next = unsafe { GetWindow(window, GW_HWNDNEXT) }.ok();
        let mut place = RECT::default();
        // SAFETY: `place` outlives the call and may be written.
        let has_place = unsafe { GetWindowRect(window, &raw mut place) }.is_ok();
        let bounds = Rect::new(place.left, place.top, place.right - place.left, place.bottom - place.top);
        if has_place && is_seen(window) && !bounds.intersection(region).is_empty() {
            shown.push(ShownWindow { handle: window.0.addr() as u64, bounds });
        }
    }
    shown
}

fn is_seen(window: HWND) -> bool {
    let mut cloaked = 0_u32;
    // SAFETY: the handle of a closed window yields false or 0, and `cloaked` outlives the call, which gets its size.
    let (is_visible, is_minimised, style) = unsafe {
        let _ = DwmGetWindowAttribute(window, DWMWA_CLOAKED, (&raw mut cloaked).cast(), 4);
        (IsWindowVisible(window).as_bool(), IsIconic(window).as_bool(), GetWindowLongW(window, GWL_EXSTYLE))
    };
    let lets_through = style.cast_unsigned() & WS_EX_TRANSPARENT.0 != 0;
    is_visible && !is_minimised && cloaked == 0 && !lets_through
}

/// An error that says "`what`: `error`", with the remedy.
pub(crate) fn failed(what: &str, error: &windows::core::Error, remedy: &str) -> PlatformError {
    PlatformError::unavailable(
        format!("{what}: {} (0x{:08X}).", error.message().trim_end_matches('.'), error.code().0),
        remedy,
    )
}

/// An error that says that the system could not start a thread.
pub(crate) fn no_thread(purpose: &str, error: &std::io::Error) -> PlatformError {
    PlatformError::unavailable(
        format!("The system gives no thread to {purpose} with: {error}."),
        "Close programs that use much memory.",
    )
}
