//! Decides what must not be read, before any text is requested (PIC-5).

use std::sync::atomic::{AtomicU64, Ordering};

use luna_messages::Rect;
use luna_messages::pick::{Role, RoleSet, ShownWindow};

use super::field_look::{FieldLook, PictureSource, judge, source};
use crate::capture::Capture as _;
use crate::capture::linux::X11Capture;

/// The restrictions that apply to all queries of the tree.
#[derive(Default)]
pub(super) struct Guard {
    /// Roles that the user blocked, in addition to protected ones. May change while Luna runs.
    blocked: AtomicU64,
    /// Captures what a field shows.
    screen: X11Capture,
}

impl Guard {
    /// Blocks these roles from now on.
    pub(super) fn block(&self, roles: RoleSet) {
        self.blocked.store(roles.bits(), Ordering::Relaxed);
    }

    pub(super) fn blocked(&self) -> RoleSet {
        RoleSet::from_bits(self.blocked.load(Ordering::Relaxed))
    }

    /// The effective role: blocked roles become protected.
    pub(super) fn role(&self, role: Role) -> Role {
        if self.blocked().contains(role) { Role::Protected } else { role }
    }

    /// What the screen shows of `line`, the line of a field in the window with this handle.
    pub(super) fn look_on_screen(&self, window: Option<u64>, line: Rect) -> FieldLook {
        let frame = self.frame_of(window);
        match self.source(line, frame) {
            PictureSource::Screen => judge(self.screen.region(line).ok(), line),
            PictureSource::OwnPicture(_) | PictureSource::Nowhere => FieldLook::Unseen,
        }
    }

    /// What the window's own picture shows of `line`. Without a compositing manager it is drawn for that, which takes up to
    /// 150 ms.
    pub(super) fn look_in_own_picture(&self, window: Option<u64>, line: Rect) -> FieldLook {
        let frame = self.frame_of(window);
        let PictureSource::OwnPicture(shown) = self.source(line, frame) else { return FieldLook::Unseen };
        let line = line.intersection(shown.bounds);
        let shot = self.screen.whole_window(shown, line).ok().flatten();
        // It may have been moved meanwhile.
        if self.frame_of(window) == frame { judge(shot, line) } else { FieldLook::Unseen }
    }

    fn frame_of(&self, window: Option<u64>) -> Option<ShownWindow> {
        self.screen.frame_of(window?).ok().flatten()
    }

    fn source(&self, line: Rect, frame: Option<ShownWindow>) -> PictureSource {
        let topmost = if frame.is_some() { self.screen.shown(line).unwrap_or_default() } else { Vec::new() };
        source(line, frame, topmost.first().copied())
    }
}
