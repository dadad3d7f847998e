//! What UI Automation reports of an element, in Luna's vocabulary: its role and what is said of it (ANN-1, ANN-2, PIC-1).
//!
//! Pure and independent of Windows, so that its tables run everywhere. Identifiers are those of UI Automation.

use std::collections::HashMap;

use luna_messages::element::{ElementProperties, Position, RangeValue, Role, State, StateSet};

/// Identifiers of properties.
pub(super) mod id {
    pub(crate) const CONTROL_TYPE: i32 = 30003;
    pub(crate) const IS_ENABLED: i32 = 30010;
    pub(crate) const CLASS_NAME: i32 = 30012;
    pub(crate) const HELP_TEXT: i32 = 30013;
    pub(crate) const IS_PASSWORD: i32 = 30019;
    pub(crate) const IS_REQUIRED: i32 = 30025;
    pub(crate) const ITEM_STATUS: i32 = 30026;
    pub(crate) const HAS_EXPAND_COLLAPSE: i32 = 30028;
    pub(crate) const HAS_RANGE_VALUE: i32 = 30033;
    pub(crate) const HAS_SELECTION_ITEM: i32 = 30036;
    pub(crate) const HAS_TOGGLE: i32 = 30041;
    pub(crate) const HAS_VALUE: i32 = 30043;
    pub(crate) const VALUE_IS_READ_ONLY: i32 = 30046;
    pub(crate) const RANGE_VALUE: i32 = 30047;
    pub(crate) const RANGE_MINIMUM: i32 = 30049;
    pub(crate) const RANGE_MAXIMUM: i32 = 30050;
    pub(crate) const EXPAND_COLLAPSE_STATE: i32 = 30070;
    pub(crate) const IS_SELECTED: i32 = 30079;
    pub(crate) const TOGGLE_STATE: i32 = 30086;
    pub(crate) const LEGACY_STATE: i32 = 30096;
    pub(crate) const ARIA_ROLE: i32 = 30101;
    pub(crate) const ARIA_PROPERTIES: i32 = 30102;
    pub(crate) const POSITION_IN_SET: i32 = 30152;
    pub(crate) const SIZE_OF_SET: i32 = 30153;
    pub(crate) const LEVEL: i32 = 30154;
    pub(crate) const LANDMARK_TYPE: i32 = 30157;
    pub(crate) const FULL_DESCRIPTION: i32 = 30159;
    pub(crate) const HEADING_LEVEL: i32 = 30173;
    pub(crate) const IS_DIALOG: i32 = 30174;

    /// The properties of which the role follows. None of them is text of the person's.
    #[cfg(windows)]
    pub(crate) const OF_ROLE: [i32; 10] = [
        CONTROL_TYPE,
        IS_PASSWORD,
        CLASS_NAME,
        HAS_TOGGLE,
        HAS_EXPAND_COLLAPSE,
        EXPAND_COLLAPSE_STATE,
        ARIA_ROLE,
        LANDMARK_TYPE,
        HEADING_LEVEL,
        IS_DIALOG,
    ];

    /// The further properties of which the states and the rest follow.
    #[cfg(windows)]
    pub(crate) const OF_DETAILS: [i32; 19] = [
        IS_ENABLED,
        HELP_TEXT,
        IS_REQUIRED,
        ITEM_STATUS,
        HAS_RANGE_VALUE,
        HAS_SELECTION_ITEM,
        HAS_VALUE,
        VALUE_IS_READ_ONLY,
        RANGE_VALUE,
        RANGE_MINIMUM,
        RANGE_MAXIMUM,
        IS_SELECTED,
        TOGGLE_STATE,
        LEGACY_STATE,
        ARIA_PROPERTIES,
        POSITION_IN_SET,
        SIZE_OF_SET,
        LEVEL,
        FULL_DESCRIPTION,
    ];
}

/// The value of a property.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum UiaValue {
    Bool(bool),
    Int(i32),
    Number(f64),
    Text(String),
}

/// The properties of an element that it reports, by their identifiers.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct UiaProperties(HashMap<i32, UiaValue>);

impl FromIterator<(i32, UiaValue)> for UiaProperties {
    fn from_iter<T: IntoIterator<Item = (i32, UiaValue)>>(properties: T) -> Self {
        Self(properties.into_iter().collect())
    }
}

impl UiaProperties {
    fn is(&self, id: i32) -> bool {
        matches!(self.0.get(&id), Some(UiaValue::Bool(true)))
    }

    fn int(&self, id: i32) -> i32 {
        match self.0.get(&id) {
            Some(UiaValue::Int(number)) => *number,
            _ => 0,
        }
    }

    fn number(&self, id: i32) -> Option<f64> {
        match self.0.get(&id) {
            Some(UiaValue::Number(number)) => Some(*number),
            Some(UiaValue::Int(number)) => Some(f64::from(*number)),
            _ => None,
        }
    }

    fn text(&self, id: i32) -> &str {
        match self.0.get(&id) {
            Some(UiaValue::Text(text)) => text.trim(),
            _ => "",
        }
    }

    /// The value of a property of ARIA, which browsers report as `key=value;key=value`.
    fn aria(&self, key: &str) -> Option<&str> {
        let pairs = self.text(id::ARIA_PROPERTIES).split(';').filter_map(|pair| pair.split_once('='));
        pairs.into_iter().find_map(|(name, value)| (name.trim() == key).then_some(value.trim()))
    }

    fn aria_number(&self, key: &str) -> Option<u32> {
        self.aria(key).and_then(|value| value.parse().ok()).filter(|&number| number > 0)
    }

    /// Of a heading, from 1; `None` for anything else.
    fn heading_level(&self) -> Option<u32> {
        // HeadingLevel_None; level 1 is the next number.
        const NONE: i32 = 80050;
        let level = self.int(id::HEADING_LEVEL) - NONE;
        match u32::try_from(level) {
            Ok(level @ 1..=9) => Some(level),
            _ if self.text(id::ARIA_ROLE) == "heading" => Some(self.aria_number("level").unwrap_or(2)),
            _ => None,
        }
    }

    /// Whether it opens a menu: an item of a menu that isn't a leaf.
    fn opens_menu(&self) -> bool {
        const LEAF: i32 = 3;
        self.is(id::HAS_EXPAND_COLLAPSE) && self.int(id::EXPAND_COLLAPSE_STATE) != LEAF
    }

    /// Luna's role.
    pub(super) fn role(&self) -> Role {
        if self.is(id::IS_PASSWORD) {
            return Role::Protected;
        }
        let is_heading = self.heading_level().is_some();
        match (self.int(id::CONTROL_TYPE) - 50_000, self.text(id::ARIA_ROLE)) {
            (_, "switch") => Role::Switch,
            (20 | 26, _) if is_heading => Role::Heading,
            (20 | 26, "alert") => Role::Alert,
            (20 | 26, "status") => Role::StatusBar,
            (26 | 33, "dialog" | "alertdialog") => Role::Dialog,
            (26 | 33, "form") => Role::Form,
            (26 | 33, _) if self.int(id::LANDMARK_TYPE) != 0 => Role::Landmark,
            (0, _) if self.text(id::CLASS_NAME) == "ToggleSwitch" => Role::Switch,
            (0, _) if self.is(id::HAS_TOGGLE) => Role::ToggleButton,
            (0 | 31, _) => Role::Button,
            (1 | 28 | 36, _) => Role::Table,
            (2, _) => Role::CheckBox,
            (3, _) => Role::ComboBox,
            (4, _) => Role::Edit,
            (5, _) => Role::Hyperlink,
            (6, _) => Role::Image,
            (7, _) => Role::ListItem,
            (8, _) => Role::List,
            (10, _) => Role::MenuBar,
            (11, _) if self.opens_menu() => Role::Menu,
            (11, _) => Role::MenuItem,
            (12, _) => Role::ProgressBar,
            (13, _) => Role::RadioButton,
            (14, _) => Role::ScrollBar,
            (15, _) => Role::Slider,
            (16, _) => Role::SpinButton,
            (17, _) => Role::StatusBar,
            (18, _) => Role::TabList,
            (19, _) => Role::Tab,
            (20, _) => Role::Text,
            (21 | 40, _) => Role::ToolBar,
            (22, _) => Role::ToolTip,
            (23, _) => Role::Tree,
            (24, _) => Role::TreeItem,
            (29, _) => Role::Cell,
            (35, _) => Role::ColumnHeader,
            (30, _) => Role::Document,
            (32, _) if self.is(id::IS_DIALOG) => Role::Dialog,
            (32, _) => Role::Window,
            (38, _) => Role::Separator,
            (9 | 26 | 33 | 34 | 37 | 39, _) => Role::Group,
            // Custom, Thumb, and what later versions add.
            _ => Role::Other,
        }
    }

    /// What is said of the element, apart from its texts and its place in a table.
    pub(super) fn details(&self) -> ElementProperties {
        let role = self.role();
        let level = self.heading_level().or_else(|| {
            let level = u32::try_from(self.int(id::LEVEL)).ok().filter(|&level| level > 0);
            level.filter(|_| role == Role::TreeItem).or_else(|| self.aria_number("level"))
        });
        ElementProperties {
            states: self.states(role),
            value: self.range(role),
            description: self.description().to_owned(),
            position: self.position(),
            level,
            ..ElementProperties::default()
        }
    }

    fn states(&self, role: Role) -> StateSet {
        // STATE_SYSTEM_BUSY, _TRAVERSED and _HASPOPUP of the older interface, which most programs still fill in.
        const BUSY: i32 = 0x800;
        const VISITED: i32 = 0x80_0000;
        const HAS_POPUP: i32 = 0x4000_0000;
        let legacy = |bit: i32| self.int(id::LEGACY_STATE) & bit != 0;
        let says = |key: &str| self.aria(key).is_some_and(|value| !matches!(value, "" | "false"));
        let toggled = self.is(id::HAS_TOGGLE).then(|| self.int(id::TOGGLE_STATE));
        let selected = self.is(id::HAS_SELECTION_ITEM).then(|| self.is(id::IS_SELECTED));
        let mut states = StateSet::default();
        let (on, off) = match role {
            Role::ToggleButton => (State::Pressed, State::Unpressed),
            _ => (State::Checked, State::Unchecked),
        };
        states = match (toggled, selected, role) {
            (Some(0), _, _) => states.with(off),
            (Some(1), _, _) => states.with(on),
            (Some(_), _, _) => states.with(State::HalfChecked),
            (None, Some(true), Role::RadioButton) => states.with(State::Checked),
            (None, Some(false), Role::RadioButton) => states.with(State::Unchecked),
            _ => states,
        };
        if role != Role::RadioButton {
            states = states
                .with_if(State::Selected, selected == Some(true))
                .with_if(State::Unselected, selected == Some(false));
        }
        if self.is(id::HAS_EXPAND_COLLAPSE) && role != Role::Menu {
            states = match self.int(id::EXPAND_COLLAPSE_STATE) {
                0 => states.with(State::Collapsed),
                1 | 2 => states.with(State::Expanded),
                _ => states,
            };
        }
        let is_split_button = self.int(id::CONTROL_TYPE) == 50_031;
        states
            .with_if(State::Disabled, matches!(self.0.get(&id::IS_ENABLED), Some(UiaValue::Bool(false))))
            .with_if(State::Required, self.is(id::IS_REQUIRED) || says("required"))
            // `IsDataValidForForm` is false for all elements of WPF, buttons and texts included, so it says nothing.
            .with_if(State::Invalid, says("invalid"))
            .with_if(
                State::ReadOnly,
                role == Role::Edit && self.is(id::HAS_VALUE) && self.is(id::VALUE_IS_READ_ONLY) || says("readonly"),
            )
            .with_if(State::Busy, legacy(BUSY) || says("busy"))
            .with_if(State::Visited, role == Role::Hyperlink && legacy(VISITED))
            .with_if(
                State::HasPopup,
                role == Role::Menu
                    || is_split_button
                    || role != Role::ComboBox && (says("haspopup") || legacy(HAS_POPUP)),
            )
            .with_if(State::Current, says("current"))
            .with_if(State::Protected, role == Role::Protected)
    }

    fn range(&self, role: Role) -> Option<RangeValue> {
        if !self.is(id::HAS_RANGE_VALUE) || role == Role::Protected {
            return None;
        }
        Some(RangeValue {
            now: self.number(id::RANGE_VALUE)?,
            min: self.number(id::RANGE_MINIMUM).unwrap_or(0.0),
            max: self.number(id::RANGE_MAXIMUM).unwrap_or(0.0),
            text: String::new(),
        })
    }

    fn description(&self) -> &str {
        let texts = [id::FULL_DESCRIPTION, id::HELP_TEXT, id::ITEM_STATUS].map(|id| self.text(id));
        texts.into_iter().find(|text| !text.is_empty()).unwrap_or_default()
    }

    fn position(&self) -> Option<Position> {
        let own = |property: i32| u32::try_from(self.int(property)).ok().filter(|&number| number > 0);
        let index = own(id::POSITION_IN_SET).or_else(|| self.aria_number("posinset"))?;
        let of = own(id::SIZE_OF_SET).or_else(|| self.aria_number("setsize"))?;
        (index <= of).then_some(Position { index, of })
    }
}

#[cfg(test)]
#[path = "uia_properties/tests.rs"]
#[allow(clippy::unwrap_used)]
mod tests;
