//! The attributes of an element, which toolkits fill with whatever AT-SPI has no place for. Pure.

use std::collections::HashMap;

use luna_messages::element::Position;
use luna_messages::pick::Role;

/// Attributes that hold a placeholder: in GTK and Firefox, and in browsers by ARIA.
const PLACEHOLDER: [&str; 2] = ["placeholder-text", "placeholder"];

/// The attributes of an element.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Attributes(HashMap<String, String>);

impl Attributes {
    pub(super) const fn new(all: HashMap<String, String>) -> Self {
        Self(all)
    }

    /// The value of attribute `key`; empty if there is none.
    pub(super) fn get(&self, key: &str) -> &str {
        self.0.get(key).map_or("", String::as_str)
    }

    fn number(&self, key: &str) -> Option<u32> {
        self.get(key).parse().ok().filter(|&number| number > 0)
    }

    fn is_on(&self, key: &str) -> bool {
        !matches!(self.get(key), "" | "false")
    }

    /// The hint shown in an empty field.
    pub(super) fn placeholder(&self) -> &str {
        PLACEHOLDER.into_iter().map(|key| self.get(key)).find(|text| !text.is_empty()).unwrap_or_default()
    }

    /// Whether the element opens a menu, a list or a dialog.
    pub(super) fn has_popup(&self) -> bool {
        self.is_on("haspopup")
    }

    /// Whether the element is the current one of a set, such as the current page (`aria-current`).
    pub(super) fn is_current(&self) -> bool {
        self.is_on("current")
    }

    /// Whether the author of a page named the element, instead of its name being its content.
    pub(super) fn is_named_explicitly(&self) -> bool {
        self.is_on("explicit-name")
    }

    /// Of a heading or an item of a tree.
    pub(super) fn level(&self) -> Option<u32> {
        self.number("level")
    }

    /// The position among what belongs together, if the toolkit counts it.
    pub(super) fn position(&self) -> Option<Position> {
        let (index, of) = (self.number("posinset")?, self.number("setsize")?);
        (index <= of).then_some(Position { index, of })
    }

    /// The author's own words for the value of a slider and the like.
    pub(super) fn value_text(&self) -> &str {
        self.get("valuetext")
    }

    /// Whether the element continues the line that it is in.
    pub(super) fn is_inline(&self) -> bool {
        self.get("display").starts_with("inline")
    }

    /// The special role that the attributes tell of an element with `role`: web pages name roles for which AT-SPI has
    /// none.
    pub(super) fn role(&self, role: Role) -> Role {
        let has = |name: &str| self.get("xml-roles").split_whitespace().any(|one| one == name);
        match role {
            Role::ToggleButton | Role::CheckBox | Role::Button if has("switch") => Role::Switch,
            Role::Edit | Role::Group | Role::Slider | Role::SpinButton if self.is_date() => Role::DateField,
            Role::Text if has("alert") => Role::Alert,
            Role::Text if has("tooltip") => Role::ToolTip,
            Role::Text if has("status") => Role::StatusBar,
            role => role,
        }
    }

    fn is_date(&self) -> bool {
        matches!(self.get("text-input-type"), "date" | "datetime" | "datetime-local" | "month" | "week" | "time")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(all: &[(&str, &str)]) -> Attributes {
        Attributes(all.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect())
    }

    // ANN-1, ANN-2
    #[test]
    fn attributes_tell_what_at_spi_has_no_place_for_ann_1_ann_2() {
        let all = of(&[("posinset", "2"), ("setsize", "3"), ("level", "4"), ("current", "page"), ("haspopup", "menu")]);
        assert_eq!(all.position(), Some(Position { index: 2, of: 3 }));
        assert_eq!(all.level(), Some(4));
        assert!(all.is_current() && all.has_popup());
        let none = of(&[("posinset", "4"), ("setsize", "3"), ("level", "0"), ("current", "false")]);
        assert_eq!((none.position(), none.level(), none.is_current()), (None, None, false));
        // A set of unknown size has size -1.
        assert_eq!(of(&[("posinset", "4"), ("setsize", "-1")]).position(), None);
        assert_eq!(of(&[("placeholder", "b"), ("placeholder-text", "a")]).placeholder(), "a");
    }

    // ANN-1
    #[test]
    fn a_page_names_special_roles_ann_1() {
        let cases = [
            ("xml-roles", "switch", Role::ToggleButton, Role::Switch),
            ("xml-roles", "button switch", Role::CheckBox, Role::Switch),
            ("xml-roles", "switchboard", Role::CheckBox, Role::CheckBox),
            ("xml-roles", "alert", Role::Text, Role::Alert),
            ("text-input-type", "date", Role::Edit, Role::DateField),
            ("text-input-type", "email", Role::Edit, Role::Edit),
            ("xml-roles", "switch", Role::Heading, Role::Heading),
        ];
        for (key, value, role, expect) in cases {
            assert_eq!(of(&[(key, value)]).role(role), expect, "{key} {value}");
        }
    }
}
