//! Maps control types to Luna's roles, and keeps the roles that the user blocked.

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

/// Luna's role. `heading`: the element reports that it is a heading.
pub(super) fn luna_role(control: ControlType, heading: bool) -> Role {
    match control {
        ControlType::Text if heading => Role::Heading,
        ControlType::Text | ControlType::ToolTip | ControlType::StatusBar | ControlType::ProgressBar => Role::Text,
        ControlType::Edit => Role::Edit,
        ControlType::Document => Role::Document,
        ControlType::Hyperlink => Role::Hyperlink,
        ControlType::Button | ControlType::SplitButton => Role::Button,
        ControlType::MenuItem => Role::MenuItem,
        ControlType::ListItem | ControlType::TreeItem => Role::ListItem,
        ControlType::TabItem => Role::Tab,
        ControlType::CheckBox => Role::CheckBox,
        ControlType::RadioButton => Role::RadioButton,
        ControlType::ComboBox => Role::ComboBox,
        ControlType::Slider | ControlType::Spinner => Role::Slider,
        ControlType::DataItem | ControlType::HeaderItem => Role::Cell,
        ControlType::Table | ControlType::DataGrid | ControlType::Calendar => Role::Table,
        ControlType::List | ControlType::Tree => Role::List,
        ControlType::Image => Role::Image,
        ControlType::Window => Role::Window,
        ControlType::Group if heading => Role::Heading,
        ControlType::Group
        | ControlType::Pane
        | ControlType::Header
        | ControlType::Menu
        | ControlType::MenuBar
        | ControlType::Tab
        | ControlType::TitleBar
        | ControlType::ToolBar
        | ControlType::AppBar
        | ControlType::SemanticZoom => Role::Group,
        ControlType::Custom | ControlType::ScrollBar | ControlType::Separator | ControlType::Thumb => Role::Other,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    // PIC-1
    #[test]
    fn kin_of_the_readable_roles_are_readable_pic_1() {
        for (control, role) in [
            (ControlType::Text, Role::Text),
            (ControlType::Edit, Role::Edit),
            (ControlType::Hyperlink, Role::Hyperlink),
            (ControlType::Button, Role::Button),
            (ControlType::MenuItem, Role::MenuItem),
            (ControlType::Document, Role::Document),
            (ControlType::DataItem, Role::Cell),
            (ControlType::TreeItem, Role::ListItem),
        ] {
            assert_eq!(luna_role(control, false), role);
            assert!(role.is_readable(), "{role:?}");
        }
        assert_eq!(luna_role(ControlType::Text, true), Role::Heading);
        assert_eq!(luna_role(ControlType::Pane, false), Role::Group);
        assert!(is_boundary(ControlType::List) && !is_boundary(ControlType::Group));
    }
}
