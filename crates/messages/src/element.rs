//! An element of the accessibility tree, and what can be said of it (PIC-1, PIC-9, ANN-1, ANN-2).

use serde::{Deserialize, Serialize};

pub use crate::role::Role;
use crate::{ElementId, Rect};

/// An element of the accessibility tree with something to say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Element {
    /// Stable across picks (PIC-6).
    pub id: ElementId,
    pub role: Role,
    /// The text to read: the text pattern's, else the value, else the name. Never from a protected field.
    pub text: String,
    /// Its name if that differs from its text, such as the label of a field whose text was typed; else empty (PIC-9).
    #[serde(default)]
    pub label: String,
    /// On the desktop.
    pub bbox: Rect,
    /// The cursor's position in `text`, in characters, if the platform reports it. Reading begins with that sentence.
    pub offset: Option<usize>,
    /// The application's automation id; empty if there is none (PIC-9).
    pub automation_id: String,
    /// Whether it accepts input now (PIC-9).
    pub enabled: bool,
    /// Rows of the table or list that the element is or belongs to; else empty (OCR-4).
    pub rows: Vec<Vec<String>>,
    /// Whether the first of `rows` is a header row.
    pub has_header: bool,
    /// Index in `rows` of the row under the cursor, if the platform reports it. Reading begins there.
    #[serde(default)]
    pub row: Option<usize>,
    #[serde(default)]
    pub properties: ElementProperties,
}

impl Element {
    /// An element that accepts input, of which nothing more is known.
    #[must_use]
    pub fn new(id: ElementId, role: Role, text: impl Into<String>, bbox: Rect) -> Self {
        Self {
            id,
            role,
            text: text.into(),
            label: String::new(),
            bbox,
            offset: None,
            automation_id: String::new(),
            enabled: true,
            rows: Vec::new(),
            has_header: false,
            row: None,
            properties: ElementProperties::default(),
        }
    }
}

/// What is said of an element besides its role and text (ANN-1).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ElementProperties {
    pub states: StateSet,
    /// Of a slider, spin button, progress bar and the like.
    pub value: Option<RangeValue>,
    /// What the application says about it besides its name, such as a tool tip or the text that describes it.
    pub description: String,
    /// The hint shown in an empty field.
    pub placeholder: String,
    /// Why the content of a field is invalid.
    pub error_message: String,
    /// Its position in its list, menu, tree level or group of radio buttons.
    pub position: Option<Position>,
    /// From 1; of headings and items of a tree.
    pub level: Option<u32>,
    /// Of the cell of a table.
    pub cell: Option<CellPlace>,
}

/// A state of an element (ANN-2). A state that the element can't be in is neither of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    Checked,
    /// Can be checked, and is not.
    Unchecked,
    HalfChecked,
    Pressed,
    /// Can be pressed and stay so, and is not.
    Unpressed,
    Selected,
    /// Can be selected, and is not, unlike what is focused or pointed at usually.
    Unselected,
    Expanded,
    Collapsed,
    Disabled,
    Required,
    Invalid,
    ReadOnly,
    Busy,
    Visited,
    /// Opens a menu or another popup.
    HasPopup,
    /// The current page, step or date of a set.
    Current,
    Protected,
    /// Its content is not read, because nothing tells whether it is shown as mask characters (PIC-5).
    Withheld,
}

impl State {
    /// All states, in the order in which they are said.
    pub const ALL: [Self; 19] = [
        Self::Checked,
        Self::Unchecked,
        Self::HalfChecked,
        Self::Pressed,
        Self::Unpressed,
        Self::Selected,
        Self::Unselected,
        Self::Expanded,
        Self::Collapsed,
        Self::Disabled,
        Self::Required,
        Self::Invalid,
        Self::ReadOnly,
        Self::Busy,
        Self::Visited,
        Self::HasPopup,
        Self::Current,
        Self::Protected,
        Self::Withheld,
    ];
}

/// States that hold at the same time, kept as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "Vec<State>", into = "Vec<State>")]
pub struct StateSet(u32);

impl StateSet {
    /// The set with `state` added.
    #[must_use]
    pub const fn with(self, state: State) -> Self {
        Self(self.0 | 1 << state as u32)
    }

    /// The set with `state` added if `holds`.
    #[must_use]
    pub const fn with_if(self, state: State, holds: bool) -> Self {
        if holds { self.with(state) } else { self }
    }

    #[must_use]
    pub const fn contains(self, state: State) -> bool {
        self.0 >> state as u32 & 1 == 1
    }

    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The states in the order in which they are said.
    pub fn iter(self) -> impl Iterator<Item = State> {
        State::ALL.into_iter().filter(move |state| self.contains(*state))
    }
}

impl From<Vec<State>> for StateSet {
    fn from(states: Vec<State>) -> Self {
        states.into_iter().collect()
    }
}

impl From<StateSet> for Vec<State> {
    fn from(states: StateSet) -> Self {
        states.iter().collect()
    }
}

impl FromIterator<State> for StateSet {
    fn from_iter<T: IntoIterator<Item = State>>(states: T) -> Self {
        states.into_iter().fold(Self::default(), Self::with)
    }
}

/// A number within limits, and how the application writes it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RangeValue {
    pub now: f64,
    pub min: f64,
    /// At most `min` if there are no limits.
    pub max: f64,
    /// The application's own words for it, such as "40 %" or "loud"; empty if there are none.
    #[serde(default)]
    pub text: String,
}

/// One of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// From 1.
    pub index: u32,
    /// At least `index`.
    pub of: u32,
}

/// Where the cell of a table is, with the texts of its headers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CellPlace {
    /// From 0, without the header.
    pub row: u32,
    /// From 0.
    pub column: u32,
    /// Empty if the row has none.
    pub row_header: String,
    /// Empty if the column has none.
    pub column_header: String,
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    // ANN-2
    #[test]
    fn states_are_written_as_a_list_in_the_order_of_speech_ann_2() {
        let states: StateSet = [State::Required, State::Checked].into_iter().collect();
        let written = serde_json::to_string(&states).unwrap();
        assert_eq!(written, r#"["checked","required"]"#);
        assert_eq!(serde_json::from_str::<StateSet>(&written).unwrap(), states);
        for (position, state) in State::ALL.into_iter().enumerate() {
            assert_eq!(state as usize, position);
        }
    }
}
