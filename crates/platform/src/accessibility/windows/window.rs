//! Top-level windows as known to Windows; no program is queried.

use luna_messages::pick::WindowInfo;
use luna_messages::{Point, Rect};
use windows::Win32::Foundation::{HWND, POINT, RECT};
use windows::Win32::Graphics::Gdi::ClientToScreen;
use windows::Win32::UI::WindowsAndMessaging::{
    GA_ROOT, GetAncestor, GetClientRect, GetDesktopWindow, GetForegroundWindow, GetWindowTextW,
    GetWindowThreadProcessId, WindowFromPoint,
};

use crate::win32::become_dpi_aware;

/// The window that takes the keys; `None` while it changes.
pub(super) fn active() -> Option<WindowInfo> {
    become_dpi_aware();
    // SAFETY: takes no arguments, and returns a handle or null.
    let window = unsafe { GetForegroundWindow() };
    (!window.is_invalid()).then(|| info(window))
}

/// The top-level window at `point`; `None` if there is only the desktop.
pub(super) fn at(point: Point) -> Option<WindowInfo> {
    become_dpi_aware();
    // SAFETY: takes numbers and returns a handle, which may belong to a closing window; every use checks for that.
    let inner = unsafe { WindowFromPoint(POINT { x: point.x, y: point.y }) };
    // SAFETY: the handle of a closed window yields a null handle.
    let window = unsafe { GetAncestor(inner, GA_ROOT) };
    // SAFETY: takes no arguments.
    let desktop = unsafe { GetDesktopWindow() };
    if window.is_invalid() || window == desktop {
        return None;
    }
    Some(info(window))
}

/// The window with this handle; `None` if it is gone.
pub(super) fn of(handle: u64) -> Option<WindowInfo> {
    become_dpi_aware();
    let window = HWND(std::ptr::with_exposed_provenance_mut(usize::try_from(handle).ok()?));
    Some(info(window)).filter(|info| info.process != 0)
}

fn info(window: HWND) -> WindowInfo {
    WindowInfo {
        handle: window.0.addr() as u64,
        process: process(window),
        title: title(window),
        bounds: bounds(window).unwrap_or_default(),
    }
}

/// The id of the window's process; 0 if the window is gone.
fn process(window: HWND) -> u32 {
    let mut process = 0;
    // SAFETY: `process` lives until the call returns, and may be written.
    unsafe { GetWindowThreadProcessId(window, Some(&raw mut process)) };
    process
}

/// The title that Windows stores: windows of other processes are sent no message.
fn title(window: HWND) -> String {
    let mut title = [0; 512];
    // SAFETY: the buffer is a slice, which carries its length.
    let length = unsafe { GetWindowTextW(window, &mut title) };
    let length = usize::try_from(length).unwrap_or_default();
    String::from_utf16_lossy(title.get(..length).unwrap_or_default())
}

/// The client area on the desktop; `None` if the window is gone.
fn bounds(window: HWND) -> Option<Rect> {
    let (mut area, mut corner) = (RECT::default(), POINT::default());
    // SAFETY: `area` lives until the call returns, and may be written.
    unsafe { GetClientRect(window, &raw mut area) }.ok()?;
    // SAFETY: `corner` likewise.
    unsafe { ClientToScreen(window, &raw mut corner) }.as_bool().then_some(())?;
    Some(Rect::new(corner.x, corner.y, area.right, area.bottom))
}
