//! What control types mean to Luna, and which element of the way up from a hit a person means (PIC-1). Pure.

use luna_messages::pick::Role;
use uiautomation::types::ControlType;

/// One element of the way from the hit up to the window.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    /// Its control type.
    pub(super) control: ControlType,
    /// Its role by Luna's words.
    pub(super) role: Role,
    /// Whether its box holds the point: a tab is sometimes the ancestor of its whole page.
    pub(super) holds_point: bool,
}

/// How far up a label may look for what it belongs to.
const REACH: usize = 6;

/// The role by Luna's words. `heading`: the element says that it is one.
pub(super) fn meaning(control: ControlType, heading: bool) -> Role {
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

/// Which element of `way` to read: a label in a button means the button.
pub(super) fn target(way: &[Step]) -> usize {
    let Some(hit) = way.first() else { return 0 };
    if takes_hits(hit.role) {
        return 0;
    }
    let mut block = None;
    for (index, step) in way.iter().enumerate().take(REACH + 1).skip(1) {
        if is_boundary(step.control) {
            break;
        }
        if !step.holds_point {
            continue;
        }
        if takes_hits(step.role) {
            return index;
        }
        if block.is_none() && holds_text(step.role) {
            block = Some(index);
        }
    }
    if holds_text(hit.role) { 0 } else { block.unwrap_or(0) }
}

/// Whether a hit inside such an element means the element: it does something, or it is made of its text.
pub(super) const fn takes_hits(role: Role) -> bool {
    matches!(
        role,
        Role::Button
            | Role::Hyperlink
            | Role::MenuItem
            | Role::Tab
            | Role::CheckBox
            | Role::RadioButton
            | Role::ComboBox
            | Role::Edit
            | Role::Slider
            | Role::Protected
    )
}

/// Whether a hit inside such an element means the element unless something smaller does.
const fn holds_text(role: Role) -> bool {
    matches!(role, Role::Cell | Role::ListItem | Role::Heading)
}

/// Whether climbing ends below such an element.
const fn is_boundary(control: ControlType) -> bool {
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

    fn check(way: &[ControlType], expect: usize) {
        let way: Vec<Step> =
            way.iter().map(|&control| Step { control, role: meaning(control, false), holds_point: true }).collect();
        assert_eq!(target(&way), expect, "{way:?}");
    }

    // PIC-1
    #[test]
    fn labels_climb_to_what_they_belong_to_pic_1() {
        check(&[], 0);
        check(&[ControlType::Text, ControlType::Pane, ControlType::Window], 0);
        check(&[ControlType::Text, ControlType::Button, ControlType::Window], 1);
        check(&[ControlType::Image, ControlType::Group, ControlType::Button], 2);
        check(&[ControlType::Text, ControlType::ListItem, ControlType::List], 1);
        check(&[ControlType::Text, ControlType::Hyperlink, ControlType::ListItem], 1);
        check(&[ControlType::Text, ControlType::DataItem, ControlType::DataGrid], 1);
        check(&[ControlType::Text, ControlType::Edit, ControlType::Group], 1);
        // The list is a boundary: the button around it is not meant.
        check(&[ControlType::Text, ControlType::List, ControlType::Button], 0);
        check(&[ControlType::Edit, ControlType::ComboBox], 0);
    }

    #[test]
    fn a_page_does_not_climb_to_its_tab() {
        let step = |control, holds_point| Step { control, role: meaning(control, false), holds_point };
        assert_eq!(target(&[step(ControlType::Text, true), step(ControlType::TabItem, false)]), 0);
        assert_eq!(target(&[step(ControlType::Text, true), step(ControlType::TabItem, true)]), 1);
    }

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
            assert_eq!(meaning(control, false), role);
            assert!(role.is_readable(), "{role:?}");
        }
        assert_eq!(meaning(ControlType::Text, true), Role::Heading);
    }
}
