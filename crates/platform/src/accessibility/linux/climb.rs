//! From the element that was hit to the one that a person means (PIC-1). Pure.

use atspi::Role as Native;
use luna_messages::pick::Role;

use super::role;

/// One element of the way from the hit up to the window.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    /// Its role in AT-SPI.
    pub(super) native: Native,
    /// Its role by Luna's words.
    pub(super) role: Role,
    /// Whether its box holds the point: a notebook's tab is the ancestor of its whole page.
    pub(super) holds_point: bool,
}

/// How far up a label may look for what it belongs to.
const REACH: usize = 6;

/// Which element of the way to read: a label in a button means the button, a piece of a sentence the paragraph.
pub(super) fn target(way: &[Step]) -> usize {
    let Some(hit) = way.first() else { return 0 };
    if role::acts(hit.role) || matches!(hit.role, Role::Edit | Role::Slider | Role::Protected) {
        return 0;
    }
    let mut block = None;
    for (index, step) in way.iter().enumerate().take(REACH + 1).skip(1) {
        if role::is_boundary(step.native) {
            break;
        }
        if !step.holds_point {
            continue;
        }
        // A field is made of its text, a button of its label.
        if role::acts(step.role) || matches!(step.role, Role::Edit | Role::Protected) {
            return index;
        }
        if block.is_none() && (role::is_block(step.native) || role::holds_text(step.role)) {
            block = Some(index);
        }
    }
    // A cell or paragraph that was hit itself is meant itself.
    if role::is_block(hit.native) || role::holds_text(hit.role) { 0 } else { block.unwrap_or(0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(way: &[Native], expect: usize) {
        let way: Vec<Step> = way
            .iter()
            .map(|&native| Step { native, role: role::meaning(native, native == Native::Entry), holds_point: true })
            .collect();
        assert_eq!(target(&way), expect, "{way:?}");
    }

    // PIC-1
    #[test]
    fn labels_climb_to_what_they_belong_to_pic_1() {
        check(&[], 0);
        check(&[Native::Label], 0);
        check(&[Native::Label, Native::Button, Native::Panel, Native::Frame], 1);
        check(&[Native::Label, Native::Filler, Native::Filler, Native::Button], 3);
        check(&[Native::Label, Native::ListItem, Native::ListBox, Native::Frame], 1);
        check(&[Native::Static, Native::TableCell, Native::TableRow, Native::Table], 1);
        check(&[Native::Static, Native::Paragraph, Native::Section, Native::DocumentWeb], 1);
        check(&[Native::Static, Native::Paragraph, Native::Link], 2);
        check(&[Native::Static, Native::Link, Native::Paragraph], 1);
        check(&[Native::Static, Native::Paragraph, Native::ListItem, Native::List], 1);
        check(&[Native::Static, Native::Entry, Native::Section], 1);
        check(&[Native::Static, Native::PasswordText], 1);
        check(&[Native::Label, Native::Panel, Native::Frame], 0);
        // The list is a boundary: the menu around it is not meant.
        check(&[Native::Label, Native::List, Native::MenuItem], 0);
        check(&[Native::TableCell, Native::TableCell], 0);
        check(&[Native::Entry, Native::Button], 0);
    }

    #[test]
    fn a_page_does_not_climb_to_its_tab() {
        let step = |native, holds_point| Step { native, role: role::meaning(native, false), holds_point };
        assert_eq!(
            target(&[step(Native::Label, true), step(Native::PageTab, false), step(Native::PageTabList, true)]),
            0
        );
        assert_eq!(
            target(&[step(Native::Label, true), step(Native::PageTab, true), step(Native::PageTabList, true)]),
            1
        );
    }
}
