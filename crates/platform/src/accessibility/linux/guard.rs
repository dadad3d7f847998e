//! Decides what must not be read, before any text is requested (PIC-5).

use std::sync::atomic::{AtomicU64, Ordering};

use luna_messages::Rect;
use luna_messages::pick::{Role, RoleSet};

use super::super::masked;
use crate::capture::Capture as _;
use crate::capture::linux::X11Capture;

/// Maximum height, in pixels, of a field to check for mask characters.
const MAX_FIELD_HEIGHT: i32 = 120;

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

    /// Whether the field at `place` visibly shows mask characters instead of its text. `false` if no picture can be
    /// taken, or if the field is higher than [`MAX_FIELD_HEIGHT`].
    pub(super) fn shows_mask_characters(&self, place: Rect) -> bool {
        if place.is_empty() || place.height > MAX_FIELD_HEIGHT {
            return false;
        }
        self.screen.region(place).is_ok_and(|shot| masked::shows_marks(&shot.picture))
    }
}
