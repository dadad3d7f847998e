//! The states of an element: AT-SPI's bits, and what they mean for an element of a role (ANN-2). Pure.

use atspi::Role as Native;
use luna_messages::element::{State, StateSet};
use luna_messages::pick::Role;

use super::attributes::Attributes;

/// The state bits of AT-SPI.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct States(u64);

impl States {
    const ACTIVE: u32 = 1;
    const BUSY: u32 = 3;
    const CHECKED: u32 = 4;
    const DEFUNCT: u32 = 6;
    const EDITABLE: u32 = 7;
    const ENABLED: u32 = 8;
    const EXPANDABLE: u32 = 9;
    const EXPANDED: u32 = 10;
    const FOCUSABLE: u32 = 11;
    const FOCUSED: u32 = 12;
    const MULTI_LINE: u32 = 17;
    const PRESSED: u32 = 20;
    const SELECTABLE: u32 = 22;
    const SELECTED: u32 = 23;
    const SENSITIVE: u32 = 24;
    const SHOWING: u32 = 25;
    const SINGLE_LINE: u32 = 26;
    const VISIBLE: u32 = 30;
    const MANAGES_DESCENDANTS: u32 = 31;
    const INDETERMINATE: u32 = 32;
    const REQUIRED: u32 = 33;
    const INVALID_ENTRY: u32 = 36;
    const VISITED: u32 = 40;
    const CHECKABLE: u32 = 41;
    const HAS_POPUP: u32 = 42;
    const READ_ONLY: u32 = 43;

    pub(super) fn from_words(words: &[u32]) -> Self {
        let word = |index: usize| u64::from(words.get(index).copied().unwrap_or(0));
        Self(word(0) | word(1) << 32)
    }

    const fn has(self, bit: u32) -> bool {
        self.0 >> bit & 1 == 1
    }

    /// Whether it is the active window.
    pub(super) const fn is_active(self) -> bool {
        self.has(Self::ACTIVE)
    }

    pub(super) const fn is_focused(self) -> bool {
        self.has(Self::FOCUSED)
    }

    pub(super) const fn is_focusable(self) -> bool {
        self.has(Self::FOCUSABLE)
    }

    /// Whether the element is gone, though its application still answers for it.
    pub(super) const fn is_defunct(self) -> bool {
        self.has(Self::DEFUNCT)
    }

    /// Whether it shows or hides what belongs to it.
    pub(super) const fn is_expandable(self) -> bool {
        self.has(Self::EXPANDABLE) || self.has(Self::EXPANDED)
    }

    /// Whether it is one of several that can be selected.
    pub(super) const fn is_selectable(self) -> bool {
        self.has(Self::SELECTABLE)
    }

    pub(super) const fn is_read_only(self) -> bool {
        self.has(Self::READ_ONLY)
    }

    pub(super) const fn is_editable(self) -> bool {
        self.has(Self::EDITABLE)
    }

    pub(super) const fn is_multi_line(self) -> bool {
        self.has(Self::MULTI_LINE)
    }

    pub(super) const fn is_single_line(self) -> bool {
        self.has(Self::SINGLE_LINE)
    }

    /// GTK 3 and 4 set "sensitive", other toolkits "enabled", some both.
    pub(super) const fn is_enabled(self) -> bool {
        self.has(Self::ENABLED) || self.has(Self::SENSITIVE)
    }

    /// Whether it can be used. Chromium clears "enabled" of what is only read-only.
    pub(super) const fn is_usable(self) -> bool {
        self.is_enabled() || self.has(Self::READ_ONLY)
    }

    pub(super) const fn is_selected(self) -> bool {
        self.has(Self::SELECTED)
    }

    /// Whether the element creates its children on request and finds them without enumerating all, as tables and lists
    /// of any length do.
    pub(super) const fn manages_descendants(self) -> bool {
        self.has(Self::MANAGES_DESCENDANTS)
    }

    /// Whether the element is on the screen, according to the toolkit. GTK 4 never sets "showing".
    pub(super) const fn is_shown(self, local: bool) -> bool {
        self.has(Self::SHOWING) || local && self.has(Self::VISIBLE)
    }

    /// What is said of an element with these bits.
    pub(super) fn said(self, native: Native, role: Role, attributes: &Attributes) -> StateSet {
        let is_toggle = role == Role::ToggleButton;
        let is_checkable = matches!(role, Role::CheckBox | Role::RadioButton | Role::Switch)
            || matches!(native, Native::CheckMenuItem | Native::RadioMenuItem)
            || self.has(Self::CHECKABLE) && !is_toggle
            // Some toolkits tell only that an item is checked.
            || self.has(Self::CHECKED) && matches!(role, Role::ListItem | Role::TreeItem | Role::Cell);
        let is_half = self.has(Self::INDETERMINATE);
        // GTK 3 tells a pressed toggle button as "checked", GTK 4 and browsers as "pressed".
        let is_pressed = self.has(Self::PRESSED) || self.has(Self::CHECKED);
        let is_selectable = matches!(role.general(), Role::ListItem | Role::Cell | Role::Tab) || role == Role::Row;
        let is_field = role.has_content() && role != Role::ProgressBar || role.general() == Role::CheckBox;
        // What only shows something is neither enabled nor disabled.
        let can_be_disabled = is_field
            || matches!(
                role.general(),
                Role::Button | Role::Hyperlink | Role::MenuItem | Role::RadioButton | Role::Tab | Role::ListItem
            );
        let opens = self.has(Self::HAS_POPUP) || native == Native::PushButtonMenu || attributes.has_popup();
        let opens_by_role = matches!(role, Role::ComboBox | Role::Menu);
        StateSet::default()
            .with_if(State::Checked, is_checkable && self.has(Self::CHECKED) && !is_half)
            .with_if(State::Unchecked, is_checkable && !self.has(Self::CHECKED) && !is_half)
            .with_if(State::HalfChecked, is_checkable && is_half)
            .with_if(State::Pressed, is_toggle && is_pressed)
            .with_if(State::Unpressed, is_toggle && !is_pressed)
            .with_if(State::Selected, is_selectable && self.has(Self::SELECTED))
            .with_if(State::Unselected, is_selectable && self.has(Self::SELECTABLE) && !self.has(Self::SELECTED))
            .with_if(State::Expanded, self.has(Self::EXPANDED))
            .with_if(State::Collapsed, self.has(Self::EXPANDABLE) && !self.has(Self::EXPANDED))
            .with_if(State::Disabled, can_be_disabled && !self.is_usable())
            .with_if(State::Required, self.has(Self::REQUIRED))
            .with_if(State::Invalid, self.has(Self::INVALID_ENTRY))
            .with_if(State::ReadOnly, is_field && self.has(Self::READ_ONLY) || is_fixed_entry(native, self))
            .with_if(State::Busy, self.has(Self::BUSY))
            .with_if(State::Visited, self.has(Self::VISITED) && role == Role::Hyperlink)
            .with_if(State::HasPopup, opens && !opens_by_role)
            .with_if(State::Current, attributes.is_current())
            .with_if(State::Protected, role == Role::Protected)
    }
}

/// Whether a native entry takes no text now. A disabled one is told as disabled.
fn is_fixed_entry(native: Native, states: States) -> bool {
    native == Native::Entry && !states.is_editable() && states.is_enabled()
}

#[cfg(test)]
impl States {
    /// With these states besides "enabled".
    pub(super) fn enabled_with(expandable: bool, selectable: bool, editable: bool, focusable: bool) -> Self {
        let bits = [
            (true, Self::ENABLED),
            (expandable, Self::EXPANDABLE),
            (selectable, Self::SELECTABLE),
            (editable, Self::EDITABLE),
            (focusable, Self::FOCUSABLE),
        ];
        Self(bits.into_iter().filter(|(holds, _)| *holds).fold(0, |all, (_, bit)| all | 1 << bit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(bits: &[u32]) -> States {
        States(bits.iter().fold(0, |all, bit| all | 1 << bit))
    }

    #[test]
    fn states_are_read_from_their_bits() {
        let shown = States::from_words(&[1 << 25 | 1 << 8, 0]);
        assert!(shown.is_shown(false) && shown.is_enabled() && !shown.is_editable());
        let gtk4 = States::from_words(&[1 << 30 | 1 << 7]);
        assert!(!gtk4.is_shown(false) && gtk4.is_shown(true) && gtk4.is_editable() && !gtk4.is_enabled());
        assert_eq!(States::from_words(&[]), States::default());
        assert_eq!(States::from_words(&[0, 1 << 1]), bits(&[States::REQUIRED]));
    }

    // ANN-2
    #[test]
    fn bits_mean_what_the_role_can_be_ann_2() {
        use State as S;
        let on = States::ENABLED;
        let cases: &[(Native, Role, &[u32], &[State])] = &[
            (Native::CheckBox, Role::CheckBox, &[on], &[S::Unchecked]),
            (Native::CheckBox, Role::CheckBox, &[on, States::CHECKED], &[S::Checked]),
            (Native::CheckBox, Role::CheckBox, &[on, States::CHECKED, States::INDETERMINATE], &[S::HalfChecked]),
            (Native::ToggleButton, Role::Switch, &[on, States::CHECKED, States::CHECKABLE], &[S::Checked]),
            (Native::ToggleButton, Role::ToggleButton, &[on, States::CHECKED, States::CHECKABLE], &[S::Pressed]),
            (Native::ToggleButton, Role::ToggleButton, &[on], &[S::Unpressed]),
            (Native::RadioButton, Role::RadioButton, &[on, States::SELECTABLE], &[S::Unchecked]),
            (Native::CheckMenuItem, Role::MenuItem, &[on, States::CHECKED], &[S::Checked]),
            (Native::MenuItem, Role::MenuItem, &[on, States::SELECTABLE, States::SELECTED], &[]),
            (Native::ListItem, Role::ListItem, &[on, States::SELECTABLE], &[S::Unselected]),
            (Native::ListItem, Role::ListItem, &[on, States::SELECTED], &[S::Selected]),
            (Native::ListItem, Role::ListItem, &[on], &[]),
            (Native::TreeItem, Role::TreeItem, &[on, States::EXPANDABLE], &[S::Collapsed]),
            (Native::TreeItem, Role::TreeItem, &[on, States::EXPANDABLE, States::EXPANDED], &[S::Expanded]),
            (Native::Button, Role::Button, &[], &[S::Disabled]),
            (Native::Label, Role::Text, &[], &[]),
            (
                Native::Entry,
                Role::Edit,
                &[on, States::EDITABLE, States::REQUIRED, States::INVALID_ENTRY],
                &[S::Required, S::Invalid],
            ),
            (Native::Entry, Role::Edit, &[on], &[S::ReadOnly]),
            (Native::Entry, Role::Edit, &[], &[S::Disabled]),
            (Native::Entry, Role::Edit, &[States::EDITABLE, States::READ_ONLY], &[S::ReadOnly]),
            (Native::DocumentWeb, Role::Document, &[on, States::READ_ONLY, States::BUSY], &[S::Busy]),
            (Native::Link, Role::Hyperlink, &[on, States::VISITED], &[S::Visited]),
            (Native::Button, Role::Button, &[on, States::HAS_POPUP], &[S::HasPopup]),
            (Native::ComboBox, Role::ComboBox, &[on, States::HAS_POPUP, States::EXPANDABLE], &[S::Collapsed]),
        ];
        for &(native, role, set, expect) in cases {
            let said: Vec<State> = bits(set).said(native, role, &Attributes::default()).iter().collect();
            assert_eq!(said, expect, "{native:?} {role:?} {set:?}");
        }
    }
}
