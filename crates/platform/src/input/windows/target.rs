//! Which window would get a click or a key.

use luna_messages::Rect;
use luna_messages::input::{ClickPoint, InputRefusal, OtherWindow};
use windows::Win32::Foundation::{HWND, POINT, RECT};
use windows::Win32::Graphics::Gdi::ClientToScreen;
use windows::Win32::UI::WindowsAndMessaging::{
    GA_ROOT, GetAncestor, GetClientRect, GetForegroundWindow, GetWindowTextW, IsIconic, IsWindowVisible,
    WindowFromPoint,
};

fn handle_of(window: HWND) -> u64 {
    window.0.addr() as u64
}

/// The window of a handle.
fn window_of(handle: u64) -> HWND {
    HWND(std::ptr::without_provenance_mut(usize::try_from(handle).unwrap_or(0)))
}

/// The top-level window around a window; the window itself if it is one.
fn top_level(window: HWND) -> HWND {
    // SAFETY: the handle of a closed window yields null.
    let top = unsafe { GetAncestor(window, GA_ROOT) };
    if top.is_invalid() { window } else { top }
}

/// The client area on the desktop; `None` if the window is closed or not shown.
fn bounds(window: HWND) -> Option<Rect> {
    let (mut area, mut origin) = (RECT::default(), POINT::default());
    // SAFETY: the handle of a closed window yields an error or false; `area` and `origin` outlive the calls and may be
    // written.
    let is_shown = unsafe {
        IsWindowVisible(window).as_bool()
            && !IsIconic(window).as_bool()
            && GetClientRect(window, &raw mut area).is_ok()
            && ClientToScreen(window, &raw mut origin).as_bool()
    };
    is_shown.then(|| Rect::new(origin.x, origin.y, area.right - area.left, area.bottom - area.top))
}

fn described(window: HWND) -> Option<OtherWindow> {
    if window.is_invalid() {
        return None;
    }
    let mut title = [0_u16; 256];
    // SAFETY: the buffer outlives the call, which gets its length; the handle of a closed window yields 0.
    let length = unsafe { GetWindowTextW(window, &mut title) };
    let title = title.get(..usize::try_from(length).unwrap_or(0)).unwrap_or_default();
    Some(OtherWindow { window: handle_of(window), title: String::from_utf16_lossy(title) })
}

/// Why a click would not reach the window.
pub(super) fn obstacle(at: &ClickPoint) -> Option<InputRefusal> {
    let intended = window_of(at.window);
    let Some(bounds) = bounds(intended) else { return Some(InputRefusal::Gone) };
    if bounds != at.bounds {
        return Some(InputRefusal::Moved);
    }
    // SAFETY: takes only numbers.
    let hit = unsafe { WindowFromPoint(POINT { x: at.point.x, y: at.point.y }) };
    let is_it = hit == intended || top_level(hit) == top_level(intended);
    (!is_it || hit.is_invalid()).then(|| InputRefusal::Covered { by: described(top_level(hit)) })
}

/// The window in front, if it is not this one; `Some(None)` if none is.
pub(super) fn other_in_front(window: u64) -> Option<Option<OtherWindow>> {
    // SAFETY: takes nothing; null while no window is in front.
    let front = unsafe { GetForegroundWindow() };
    let is_it = !front.is_invalid() && top_level(front) == top_level(window_of(window));
    (!is_it).then(|| described(front))
}
