//! Menus whose title says something dangerous: what belongs to them may do what the title says, so it is asked about in the order that opens the menu
//! and in the one after it (DNG-4).

use std::time::Duration;

use luna_messages::dsl::Action;
use luna_messages::element::{Role, State};
use luna_messages::element_action::ElementState;

use super::{Aim, ExecutorMachine};
use crate::rules::CommandRules;
use crate::target::name_of;

/// How long a menu is taken to be still open after the order that opened it: whoever listens to its entries has chosen by then.
const STAYS_OPEN: Duration = Duration::from_secs(60);

impl ExecutorMachine {
    /// Before a step is done to an element: an entry of a menu of danger that was opened before is dangerous, and what belongs to such a menu will be.
    pub(super) fn note_menu(&mut self, aim: &mut Aim, state: &ElementState, now: Duration, rules: &dyn CommandRules) {
        let is_open = self.is_danger_menu_open(now);
        let is_entry = matches!(state.element.role, Role::MenuItem | Role::Menu) && is_open;
        if !opens_menu(aim, state) {
            aim.dangerous |= is_entry;
            return;
        }
        let texts = [aim.name.as_str(), name_of(state), &state.element.label, &state.element.properties.description];
        // A menu in a menu of danger: its entries are that menu's, too.
        let is_dangerous = is_entry || texts.into_iter().any(|text| rules.is_dangerous_title(text));
        self.danger_menu = is_dangerous.then_some(now);
        if let Some(running) = self.running.as_mut() {
            running.dangerous |= is_dangerous;
        }
    }

    pub(super) fn is_danger_menu_open(&self, now: Duration) -> bool {
        self.danger_menu.is_some_and(|opened| now.saturating_sub(opened) < STAYS_OPEN)
    }

    /// Something was done that closes a menu.
    pub(super) fn note_closed_menu(&mut self, aim: &Aim, state: &ElementState) {
        if !opens_menu(aim, state) {
            self.danger_menu = None;
        }
    }
}

/// Whether the step only shows the entries of a menu.
pub(super) fn opens_menu(aim: &Aim, state: &ElementState) -> bool {
    const HOLDS_ENTRIES: [State; 3] = [State::HasPopup, State::Collapsed, State::Expanded];
    let is_menu = match state.element.role {
        Role::Menu => true,
        Role::MenuItem => HOLDS_ENTRIES.into_iter().any(|one| state.is(one)),
        _ => false,
    };
    is_menu && matches!(aim.step.action, Some(Action::Invoke | Action::Expand))
}
