//! Moves and the end of the windows with marked places, from `SetWinEventHook`.

use std::cell::RefCell;
use std::sync::PoisonError;

use luna_messages::overlay::OverlayChange;
use luna_messages::{Point, Rect};
use windows::Win32::Foundation::{HWND, POINT, RECT};
use windows::Win32::UI::Accessibility::{HWINEVENTHOOK, SetWinEventHook, UnhookWinEvent};
use windows::Win32::UI::WindowsAndMessaging::{
    CHILDID_SELF, EVENT_OBJECT_DESTROY, EVENT_OBJECT_HIDE, EVENT_OBJECT_LOCATIONCHANGE, GA_ROOT, GetAncestor,
    GetWindowRect, OBJID_WINDOW, WINEVENT_OUTOFCONTEXT, WINEVENT_SKIPOWNPROCESS, WindowFromPoint,
};

use super::SharedObserver;

struct MarkedPlace {
    place: Rect,
    window: HWND,
    bounds: Rect,
}

#[derive(Default)]
struct FollowState {
    observer: Option<SharedObserver>,
    places: Vec<MarkedPlace>,
}

thread_local! {
    /// The hook's function gets no argument of its own; Windows calls it on the thread that set the hook.
    static STATE: RefCell<FollowState> = RefCell::default();
}

/// Follows the windows of marked places on this thread, until it is dropped.
pub(super) struct WindowFollower(Vec<HWINEVENTHOOK>);

impl WindowFollower {
    pub(super) fn start(observer: SharedObserver) -> Self {
        STATE.with_borrow_mut(|state| state.observer = Some(observer));
        let ranges =
            [(EVENT_OBJECT_DESTROY, EVENT_OBJECT_HIDE), (EVENT_OBJECT_LOCATIONCHANGE, EVENT_OBJECT_LOCATIONCHANGE)];
        let flags = WINEVENT_OUTOFCONTEXT | WINEVENT_SKIPOWNPROCESS;
        // SAFETY: the function has the type that Windows asks for, and lives as long as the process.
        Self(ranges.map(|(from, to)| unsafe { SetWinEventHook(from, to, None, Some(on_event), 0, 0, flags) }).into())
    }

    pub(super) fn follow(&self, places: &[Rect]) {
        let marked = places.iter().filter_map(|place| {
            let Point { x, y } = place.center();
            // SAFETY: takes numbers; it finds no window that lets clicks through.
            let window = unsafe { GetAncestor(WindowFromPoint(POINT { x, y }), GA_ROOT) };
            Some(MarkedPlace { place: *place, window, bounds: bounds(window)? })
        });
        let marked = marked.collect();
        STATE.with_borrow_mut(|state| state.places = marked);
    }
}

impl Drop for WindowFollower {
    fn drop(&mut self) {
        for hook in self.0.drain(..) {
            // SAFETY: this thread set the hook.
            let _ = unsafe { UnhookWinEvent(hook) };
        }
    }
}

fn bounds(window: HWND) -> Option<Rect> {
    let mut place = RECT::default();
    // SAFETY: `place` outlives the call and may be written; the handle of a closed window yields an error.
    unsafe { GetWindowRect(window, &raw mut place) }.ok()?;
    Some(Rect::new(place.left, place.top, place.right - place.left, place.bottom - place.top))
}

extern "system" fn on_event(
    _hook: HWINEVENTHOOK,
    event: u32,
    window: HWND,
    object: i32,
    child: i32,
    _thread: u32,
    _time: u32,
) {
    if object != OBJID_WINDOW.0 || child != CHILDID_SELF.cast_signed() {
        return;
    }
    let (changes, observer) = STATE.with_borrow_mut(|state| (changes(state, event, window), state.observer.clone()));
    let Some(observer) = observer else { return };
    if let Some(observer) = &*observer.lock().unwrap_or_else(PoisonError::into_inner) {
        changes.into_iter().for_each(observer);
    }
}

fn changes(state: &mut FollowState, event: u32, window: HWND) -> Vec<OverlayChange> {
    let mut changes = Vec::new();
    for one in state.places.iter_mut().filter(|one| one.window == window) {
        if event != EVENT_OBJECT_LOCATIONCHANGE {
            changes.push(OverlayChange::Vanished { at: one.place });
            continue;
        }
        let Some(now) = bounds(window) else { continue };
        let (dx, dy) = (now.x - one.bounds.x, now.y - one.bounds.y);
        one.bounds = now;
        if (dx, dy) != (0, 0) {
            let (from, to) = (one.place, one.place.translated(dx, dy));
            one.place = to;
            changes.push(OverlayChange::Moved { from, to });
        }
    }
    changes
}
