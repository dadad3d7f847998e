//! Top-level windows, as Windows itself knows them: no program is asked.

use luna_messages::pick::WindowInfo;
use luna_messages::{Point, Rect};
use windows::Win32::Foundation::{HWND, POINT, RECT};
use windows::Win32::Graphics::Gdi::ClientToScreen;
use windows::Win32::UI::WindowsAndMessaging::{
    GA_ROOT, GetAncestor, GetClientRect, GetDesktopWindow, GetWindowTextW, GetWindowThreadProcessId, WindowFromPoint,
};

use crate::win32::become_dpi_aware;

/// The top-level window at `point`; `None` if only the desktop is.
pub(super) fn at(point: Point) -> Option<WindowInfo> {
    become_dpi_aware();
    // SAFETY: it takes numbers and gives a handle, which may belong to a window that is just closing: all that use it check.
    let inner = unsafe { WindowFromPoint(POINT { x: point.x, y: point.y }) };
    // SAFETY: a handle of a window that is gone gives a null handle.
    let window = unsafe { GetAncestor(inner, GA_ROOT) };
    // SAFETY: it takes nothing.
    let desktop = unsafe { GetDesktopWindow() };
    if window.is_invalid() || window == desktop {
        return None;
    }
    Some(WindowInfo {
        handle: window.0.addr() as u64,
        process: process(window),
        title: title(window),
        bounds: bounds(window).unwrap_or_default(),
    })
}

/// 0 if the window is gone.
fn process(window: HWND) -> u32 {
    let mut process = 0;
    // SAFETY: `process` lives until the call returns, and may be written.
    unsafe { GetWindowThreadProcessId(window, Some(&raw mut process)) };
    process
}

/// The title that Windows keeps: for windows of other processes no message is sent.
fn title(window: HWND) -> String {
    let mut title = [0; 512];
    // SAFETY: the buffer is a slice, whose length goes with it.
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
