//! Which of several elements that say they have the keyboard focus has it, for dictation (EXE-1). Pure.
//!
//! One element has it, but some toolkits tell more. Measured: LibreOffice 7.4 goes on saying so of each button of a toolbar that the tree has pressed, while
//! keys still go to the document; if a button of a toolbar really has the focus, no text says that it has it. Qt 5 says so of the selected tab, which can't
//! even take the focus.

use luna_messages::element_action::{Capacity, CapacitySet};
use luna_messages::pick::Role;

/// An element that says it has the focus.
#[derive(Debug, Clone, Copy)]
pub(super) struct FocusClaim {
    pub(super) role: Role,
    pub(super) capacities: CapacitySet,
}

impl FocusClaim {
    /// How much the claim is worth against those of others.
    fn strength(self) -> u8 {
        let is_in_menu = matches!(self.role.general(), Role::Menu | Role::MenuItem);
        match self.capacities.contains(Capacity::Focus) {
            // An open menu takes the keys from what had the focus before.
            _ if is_in_menu => 3,
            true if self.capacities.contains(Capacity::Insert) => 2,
            true => 1,
            false => 0,
        }
    }
}

/// The position of the one that has the focus; of claims that are worth as much, the first. `None` if there is no claim.
pub(super) fn holder(claims: impl IntoIterator<Item = FocusClaim>) -> Option<usize> {
    let claims = claims.into_iter().map(FocusClaim::strength).enumerate();
    claims.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(position, _)| position)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(role: Role, capacities: &[Capacity]) -> FocusClaim {
        FocusClaim { role, capacities: capacities.iter().copied().collect() }
    }

    // EXE-1
    #[test]
    fn what_takes_keys_has_the_focus_before_a_pressed_button_and_a_tab_exe_1() {
        let text = claim(Role::Text, &[Capacity::Focus, Capacity::Insert]);
        let button = claim(Role::ToggleButton, &[Capacity::Focus, Capacity::Press]);
        let tab = claim(Role::Tab, &[Capacity::Press, Capacity::Select]);
        let entry = claim(Role::MenuItem, &[Capacity::Press]);
        for (claims, expect) in [
            (&[][..], None),
            (&[button], Some(0)),
            (&[button, button, text], Some(2)),
            (&[tab, text], Some(1)),
            (&[tab, button], Some(1)),
            (&[text, text], Some(0)),
            (&[text, entry, tab], Some(1)),
        ] {
            assert_eq!(holder(claims.iter().copied()), expect, "{claims:?}");
        }
    }
}
