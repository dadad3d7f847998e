//! From the element under the pointer to the element that the user means (PIC-1). Pure, and the same for every
//! platform.

use luna_messages::pick::Role;

/// One element on the path from the hit up to the window.
#[derive(Debug, Clone, Copy)]
pub(super) struct AncestorStep {
    /// In Luna's vocabulary of roles.
    pub(super) role: Role,
    /// The walk stops below this element, because it contains many things that the user points at individually.
    pub(super) boundary: bool,
    /// A block of running text: elements in it are parts of a sentence.
    pub(super) block: bool,
    /// Its box contains the point. A notebook's tab does not, although it is the ancestor of its whole page.
    pub(super) contains_point: bool,
}

/// Maximum number of ancestors to search for the element that a label belongs to.
const MAX_ANCESTORS: usize = 6;

/// The index of the element to read: for a label in a button the button, for part of a sentence the paragraph.
pub(super) fn target(steps: &[AncestorStep]) -> usize {
    let Some(hit) = steps.first() else { return 0 };
    // Firefox's combo boxes lie below the closed list in them.
    if matches!(hit.role.general(), Role::MenuItem | Role::List)
        && let Some(combo) = steps.iter().take(3).position(|step| step.role == Role::ComboBox && step.contains_point)
    {
        return combo;
    }
    if takes_hits(hit.role) {
        return 0;
    }
    let mut unit = None;
    for (index, step) in steps.iter().enumerate().take(MAX_ANCESTORS + 1).skip(1) {
        if step.boundary {
            break;
        }
        if !step.contains_point {
            continue;
        }
        if takes_hits(step.role) {
            return index;
        }
        if unit.is_none() && is_unit(step) {
            unit = Some(index);
        }
    }
    // A cell or paragraph that was hit directly is the target.
    if is_unit(hit) { 0 } else { unit.unwrap_or(0) }
}

/// Whether the user can act on an element with this role.
pub(super) const fn is_actionable(role: Role) -> bool {
    matches!(
        role.general(),
        Role::Button
            | Role::Hyperlink
            | Role::MenuItem
            | Role::Tab
            | Role::CheckBox
            | Role::RadioButton
            | Role::ComboBox
            | Role::Edit
            | Role::Slider
    )
}

/// Whether a hit inside such an element selects the element: a field consists of its text, a button of its label. What a
/// bar shows is no part of the sentence that it stands in.
const fn takes_hits(role: Role) -> bool {
    is_actionable(role) || matches!(role, Role::Protected | Role::ProgressBar)
}

/// Whether a hit inside such an element selects it, unless a smaller element takes the hit.
const fn is_unit(step: &AncestorStep) -> bool {
    step.block
        || matches!(step.role, Role::Alert | Role::ToolTip)
        || matches!(step.role.general(), Role::Cell | Role::ListItem | Role::Heading)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Roles from the hit upwards. As on every platform, a `Window`, `Table` or `List` is a boundary and a `Document` a
    /// block.
    fn check(steps: &[Role], expect: usize) {
        let step = |&role: &Role| AncestorStep {
            role,
            boundary: matches!(role.general(), Role::Window | Role::Table | Role::List),
            block: role == Role::Document,
            contains_point: true,
        };
        assert_eq!(target(&steps.iter().map(step).collect::<Vec<_>>()), expect, "{steps:?}");
    }

    // PIC-1
    #[test]
    fn labels_climb_to_what_they_belong_to_pic_1() {
        check(&[], 0);
        check(&[Role::Text], 0);
        check(&[Role::Text, Role::Group, Role::Window], 0);
        check(&[Role::Text, Role::Button, Role::Group, Role::Window], 1);
        check(&[Role::Image, Role::Group, Role::Other, Role::Button], 3);
        check(&[Role::Text, Role::ListItem, Role::List], 1);
        check(&[Role::Text, Role::Hyperlink, Role::ListItem], 1);
        check(&[Role::Text, Role::Cell, Role::Group, Role::Table], 1);
        check(&[Role::Text, Role::Edit, Role::Group], 1);
        check(&[Role::Text, Role::Protected], 1);
        check(&[Role::Text, Role::Document, Role::Hyperlink], 2);
        check(&[Role::Text, Role::Document, Role::ListItem, Role::List], 1);
        check(&[Role::Cell, Role::Cell], 0);
        check(&[Role::Edit, Role::ComboBox], 0);
        check(&[Role::Text, Role::ToggleButton, Role::Group], 1);
        check(&[Role::Text, Role::Group, Role::TreeItem, Role::Tree], 2);
        // Day, month and year are fields of their own.
        check(&[Role::SpinButton, Role::Group, Role::DateField, Role::Group], 0);
        check(&[Role::Button, Role::Group, Role::DateField, Role::Group], 0);
        check(&[Role::SpinButton, Role::Group], 0);
        check(&[Role::Menu, Role::ComboBox, Role::Group], 1);
        check(&[Role::MenuItem, Role::Menu, Role::Group], 0);
        check(&[Role::Text, Role::ToolTip, Role::Window], 1);
        check(&[Role::ProgressBar, Role::Document, Role::Group], 0);
        // The list is a boundary: nothing around it is the target.
        check(&[Role::Text, Role::List, Role::MenuItem], 0);
        // The button is too far up for the label to belong to it.
        check(&[[Role::Text].as_slice(), &[Role::Group; 6], &[Role::Button]].concat(), 0);
    }

    // PIC-1
    #[test]
    fn a_page_does_not_climb_to_its_tab_pic_1() {
        let step = |role, contains_point| AncestorStep { role, boundary: false, block: false, contains_point };
        assert_eq!(target(&[step(Role::Text, true), step(Role::Tab, false)]), 0);
        assert_eq!(target(&[step(Role::Text, true), step(Role::Tab, true)]), 1);
    }
}
