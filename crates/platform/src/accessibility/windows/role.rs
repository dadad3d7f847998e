//! The roles that the user blocked, and where an ancestor walk stops.

use std::sync::atomic::{AtomicU64, Ordering};

use luna_messages::pick::{Role, RoleSet};
use uiautomation::types::ControlType;

/// Roles that the user blocked. A static, because elements are examined on threads that come and go.
static BLOCKED: AtomicU64 = AtomicU64::new(0);

/// Blocks these roles from now on.
pub(super) fn block(roles: RoleSet) {
    BLOCKED.store(roles.bits(), Ordering::Relaxed);
}

pub(super) fn blocked() -> RoleSet {
    RoleSet::from_bits(BLOCKED.load(Ordering::Relaxed))
}

/// The effective role: blocked roles become protected.
pub(super) fn unless_blocked(role: Role) -> Role {
    if blocked().contains(role) { Role::Protected } else { role }
}

/// Whether an ancestor walk stops below such an element.
pub(super) const fn is_boundary(control: ControlType) -> bool {
    matches!(
        control,
        ControlType::Window
            | ControlType::Document
            | ControlType::Table
            | ControlType::DataGrid
            | ControlType::List
            | ControlType::Tree
            | ControlType::Tab
            | ControlType::Menu
            | ControlType::MenuBar
            | ControlType::ToolBar
    )
}
