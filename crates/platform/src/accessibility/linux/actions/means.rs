//! By which means of the accessibility tree something is done to an element. Pure.
//!
//! The names of actions are those of the toolkits' sources, which are not translated: `GetName`, never `GetActions`.

use atspi::Role as Native;
use luna_messages::element_action::{Capacity, CapacitySet};
use luna_messages::pick::Role;

use super::super::node::States;

/// What an element tells of itself that decides what can be done to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct ActionFacts {
    pub(super) role: Role,
    pub(super) native: Native,
    pub(super) states: States,
    pub(super) has_value: bool,
    pub(super) has_editable_text: bool,
    /// Whether it has a place on the screen, and with it can be asked to take the focus.
    pub(super) has_component: bool,
    /// Whether the element around it says which of its children are selected.
    pub(super) is_in_selection: bool,
    /// The names of its actions in small letters, in their order.
    pub(super) actions: Vec<String>,
}

/// By which means something is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ActionMeans {
    /// The action with this index.
    Action(i32),
    /// The number is set.
    Value,
    /// The text is replaced.
    EditableText,
    /// The element around it selects it.
    Selection,
    /// It takes the focus.
    Focus,
}

/// Names of actions that press, the best first. "showmenu" is the only one of what does nothing but open a menu in Qt.
const PRESS: [&str; 13] = [
    "press",
    "click",
    "jump",
    "dojump",
    "open",
    "select",
    "toggle",
    "check",
    "uncheck",
    "activate",
    "dodefault",
    "do default",
    "clickancestor",
];
/// Those of what only opens a menu.
const SHOW_MENU: [&str; 2] = ["showmenu", "show menu"];
/// Those of a text or a picture that only may be pressed: a page's texts have a default action without an effect, and
/// GTK 4's labels have their whole context menu as actions.
const PRESS_TEXT: [&str; 4] = ["click", "press", "jump", "clickancestor"];
/// Those of what is checked.
const CHECK: [&str; 8] = ["toggle", "check", "uncheck", "click", "press", "activate", "dodefault", "do default"];
/// Those that show or hide what belongs to the element.
const EXPAND: [&str; 11] = [
    "expand or contract",
    "expand",
    "collapse",
    "open",
    "press",
    "click",
    "activate",
    "toggle",
    "showmenu",
    "dodefault",
    "do default",
];

impl ActionFacts {
    /// What can be done to the element.
    pub(in super::super) fn capacities(&self) -> CapacitySet {
        let by_tree: CapacitySet =
            Capacity::ALL.into_iter().filter(|capacity| self.means(*capacity).is_some()).collect();
        by_tree.with_if(Capacity::Insert, self.takes_keys())
    }

    /// By which means; `None` if it can't be done.
    pub(super) fn means(&self, capacity: Capacity) -> Option<ActionMeans> {
        match capacity {
            Capacity::Press => self.press(),
            Capacity::Toggle => self.is_toggled().then(|| self.named(&CHECK)).flatten(),
            Capacity::Select => self.select(),
            Capacity::Expand => self.expand(),
            Capacity::SetNumber => self.takes_number().then_some(ActionMeans::Value),
            Capacity::SetText => self.takes_text().then_some(ActionMeans::EditableText),
            Capacity::Focus => (self.has_component && self.states.is_focusable()).then_some(ActionMeans::Focus),
            Capacity::Insert => None,
        }
    }

    /// Whether keys write in it once it has the focus. Terminals do not call themselves editable.
    fn takes_keys(&self) -> bool {
        let is_written = self.states.is_editable() && !self.states.is_read_only() || self.native == Native::Terminal;
        is_written && self.states.is_focusable() && self.role.general() != Role::Slider
    }

    fn press(&self) -> Option<ActionMeans> {
        match self.role.general() {
            // "activate" of a field is the Enter key.
            Role::Edit | Role::Slider | Role::Protected | Role::Window | Role::Document => None,
            Role::CheckBox | Role::RadioButton => self.named(&CHECK),
            Role::Button | Role::Hyperlink | Role::MenuItem | Role::Tab | Role::ComboBox => {
                self.named(&PRESS).or_else(|| self.named(&SHOW_MENU)).or_else(|| self.select())
            }
            Role::ListItem | Role::Cell if self.states.is_focusable() || self.states.is_selectable() => {
                self.named(&PRESS)
            }
            _ if self.states.is_editable() => None,
            _ => self.named(&PRESS_TEXT),
        }
    }

    fn is_toggled(&self) -> bool {
        match self.role.general() {
            Role::CheckBox => true,
            // The header of an expander is told as a button that stays down.
            Role::Button => self.role == Role::ToggleButton && !self.states.is_expandable(),
            _ => self.native == Native::CheckMenuItem,
        }
    }

    fn select(&self) -> Option<ActionMeans> {
        let general = self.role.general();
        if general == Role::RadioButton || self.native == Native::RadioMenuItem {
            return self.named(&CHECK);
        }
        let is_one_of_several = match general {
            Role::Tab => true,
            Role::ListItem | Role::Cell | Role::Group | Role::Text => self.states.is_selectable(),
            // What is selected in a menu is only shown so, except for an option, which has an action for that.
            _ => false,
        };
        let by_action = self.named(&["select"]).filter(|_| self.states.is_selectable());
        let by_around = || (is_one_of_several && self.is_in_selection).then_some(ActionMeans::Selection);
        let by_press = || if general == Role::Tab { self.named(&PRESS) } else { None };
        // A page's row of tabs declines to select another.
        by_action.or_else(by_press).or_else(by_around)
    }

    fn expand(&self) -> Option<ActionMeans> {
        let is_field = matches!(self.role.general(), Role::Edit | Role::Slider | Role::Protected);
        let expands = self.states.is_expandable() || self.role == Role::ComboBox;
        (expands && !is_field).then(|| self.named(&EXPAND)).flatten()
    }

    fn takes_number(&self) -> bool {
        let is_set = self.role.general() == Role::Slider || self.role == Role::ScrollBar;
        self.has_value && is_set && !self.states.is_read_only()
    }

    fn takes_text(&self) -> bool {
        let is_field = matches!(self.role.general(), Role::Edit | Role::Protected | Role::ComboBox | Role::Document);
        self.has_editable_text && is_field && self.states.is_editable() && !self.states.is_read_only()
    }

    /// The first of these actions that the element has.
    fn named(&self, names: &[&str]) -> Option<ActionMeans> {
        let index = names.iter().find_map(|name| self.actions.iter().position(|action| action == name))?;
        i32::try_from(index).ok().map(ActionMeans::Action)
    }
}

#[cfg(test)]
mod tests;
