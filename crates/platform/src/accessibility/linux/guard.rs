//! What must not be read, known before anything is asked for its text (PIC-5).

use std::sync::atomic::{AtomicU32, Ordering};

use luna_messages::Rect;
use luna_messages::pick::{Role, RoleSet};

use super::super::masked;
use crate::capture::Capture as _;
use crate::capture::linux::X11Capture;

/// Fields are no higher; what is higher is not looked at.
const TALLEST: i32 = 120;

/// What all questions to the tree must keep to.
#[derive(Default)]
pub(super) struct Guard {
    /// Roles that the person blocked, beside protected ones. Changes while Luna runs.
    blocked: AtomicU32,
    /// Shows what a field shows.
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

    /// The role as it counts: blocked ones are protected.
    pub(super) fn role(&self, role: Role) -> Role {
        if self.blocked().contains(role) { Role::Protected } else { role }
    }

    /// Whether the field at `place` is seen to show marks in the place of its text. If no picture can be had, it is not seen.
    pub(super) fn sees_marks(&self, place: Rect) -> bool {
        if place.is_empty() || place.height > TALLEST {
            return false;
        }
        self.screen.region(place).is_ok_and(|shot| masked::shows_marks(&shot.picture))
    }
}
