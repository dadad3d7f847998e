//! Which states of an element are said (ANN-2).

use luna_messages::element::{State, StateSet};
use luna_messages::pick::Role;
use luna_messages::reading::Verbosity;

use super::{AnnouncedElement, AnnouncementStyle};

/// The states that are said, in the order in which they are said.
pub(super) fn said(element: &AnnouncedElement<'_>, style: AnnouncementStyle) -> impl Iterator<Item = State> {
    let (role, states) = (element.role, told(element));
    states.iter().filter(move |state| match style.verbosity {
        Verbosity::Full => true,
        Verbosity::Normal => !is_usual(*state, role, style.focused),
        Verbosity::Brief => !is_usual(*state, role, style.focused) && !is_minor(*state),
    })
}

/// The states that tell something about an element with its role. Toolkits report more.
pub(super) fn told(element: &AnnouncedElement<'_>) -> StateSet {
    let states = element.properties.states.with_if(State::Disabled, !element.enabled);
    let checkable = [State::Checked, State::Unchecked, State::HalfChecked].into_iter().any(|one| states.contains(one));
    states.iter().filter(|state| tells(*state, element.role, checkable)).collect()
}

fn tells(state: State, role: Role, checkable: bool) -> bool {
    let general = role.general();
    match state {
        State::Pressed | State::Unpressed => general == Role::Button && !checkable,
        State::Selected | State::Unselected => {
            // Of what is switched on and off, only that is meant.
            let is_switched =
                matches!(general, Role::CheckBox | Role::Button | Role::Edit | Role::ComboBox | Role::Slider);
            !is_switched && (role != Role::RadioButton || !checkable)
        }
        State::Disabled => is_operated(role),
        State::ReadOnly => {
            matches!(general, Role::Edit | Role::ComboBox | Role::Slider | Role::CheckBox) && role != Role::Terminal
                || role == Role::Protected
        }
        State::Visited => role == Role::Hyperlink,
        State::HasPopup => !matches!(role, Role::ComboBox | Role::Menu),
        // The role says it.
        State::Protected => false,
        State::Checked
        | State::Unchecked
        | State::HalfChecked
        | State::Expanded
        | State::Collapsed
        | State::Required
        | State::Invalid
        | State::Busy
        | State::Current
        | State::Withheld => true,
    }
}

/// Whether a person operates elements of this role, so that it matters if they can't.
const fn is_operated(role: Role) -> bool {
    matches!(
        role.general(),
        Role::Edit
            | Role::Hyperlink
            | Role::Button
            | Role::MenuItem
            | Role::ListItem
            | Role::Tab
            | Role::CheckBox
            | Role::RadioButton
            | Role::ComboBox
            | Role::Slider
            | Role::Protected
    )
}

/// Whether a state is what a person expects.
const fn is_usual(state: State, role: Role, focused: bool) -> bool {
    let item = matches!(role.general(), Role::ListItem | Role::Cell) || matches!(role, Role::Row);
    match state {
        // Menus select what is pointed at or focused.
        State::Selected => matches!(role.general(), Role::MenuItem) || focused && item,
        State::Unselected => !(matches!(role, Role::RadioButton) || focused && item),
        State::Collapsed => matches!(role.general(), Role::ComboBox | Role::MenuItem),
        _ => false,
    }
}

/// Whether a state can be left out in brief announcements.
const fn is_minor(state: State) -> bool {
    matches!(state, State::Collapsed | State::Visited | State::HasPopup)
}
