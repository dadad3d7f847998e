//! From the element that was hit to the one that a person means (PIC-1). Pure, and the same for every platform.

use luna_messages::pick::Role;

/// One element of the way from the hit up to the window.
#[derive(Debug, Clone, Copy)]
pub(super) struct AncestorStep {
    /// Its role by Luna's words.
    pub(super) role: Role,
    /// Whether climbing ends below it: what contains many things that are meant one by one.
    pub(super) boundary: bool,
    /// Whether it is a block of running text: what lies in one is a piece of a sentence.
    pub(super) block: bool,
    /// Whether its box holds the point: a notebook's tab is the ancestor of its whole page.
    pub(super) holds_point: bool,
}

/// How far up a label may look for what it belongs to.
const REACH: usize = 6;

/// Which element of the way to read: a label in a button means the button, a piece of a sentence the paragraph.
pub(super) fn target(way: &[AncestorStep]) -> usize {
    let Some(hit) = way.first() else { return 0 };
    if takes_hits(hit.role) {
        return 0;
    }
    let mut unit = None;
    for (index, step) in way.iter().enumerate().take(REACH + 1).skip(1) {
        if step.boundary {
            break;
        }
        if !step.holds_point {
            continue;
        }
        if takes_hits(step.role) {
            return index;
        }
        if unit.is_none() && is_unit(step) {
            unit = Some(index);
        }
    }
    // A cell or paragraph that was hit itself is meant itself.
    if is_unit(hit) { 0 } else { unit.unwrap_or(0) }
}

/// Whether a person can do something with such an element.
pub(super) const fn acts(role: Role) -> bool {
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
    )
}

/// Whether a hit inside such an element means the element: a field is made of its text, a button of its label.
const fn takes_hits(role: Role) -> bool {
    acts(role) || matches!(role, Role::Protected)
}

/// Whether a hit inside such an element means the element unless something smaller takes the hit.
const fn is_unit(step: &AncestorStep) -> bool {
    step.block || matches!(step.role, Role::Cell | Role::ListItem | Role::Heading)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Roles from the hit upwards; a `Window`, `Table` or `List` is a boundary, as on every platform, a `Document` a block.
    fn check(way: &[Role], expect: usize) {
        let step = |&role: &Role| AncestorStep {
            role,
            boundary: matches!(role, Role::Window | Role::Table | Role::List),
            block: role == Role::Document,
            holds_point: true,
        };
        assert_eq!(target(&way.iter().map(step).collect::<Vec<_>>()), expect, "{way:?}");
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
        // The list is a boundary: what is around it is not meant.
        check(&[Role::Text, Role::List, Role::MenuItem], 0);
        // Too far away to be its label.
        check(&[[Role::Text].as_slice(), &[Role::Group; 6], &[Role::Button]].concat(), 0);
    }

    // PIC-1
    #[test]
    fn a_page_does_not_climb_to_its_tab_pic_1() {
        let step = |role, holds_point| AncestorStep { role, boundary: false, block: false, holds_point };
        assert_eq!(target(&[step(Role::Text, true), step(Role::Tab, false)]), 0);
        assert_eq!(target(&[step(Role::Text, true), step(Role::Tab, true)]), 1);
    }
}
