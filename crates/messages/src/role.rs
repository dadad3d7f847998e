//! The role of an element: what it is.

use serde::{Deserialize, Serialize};

/// The role of an element. Platforms map their own roles to these (PIC-1, ANN-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Role {
    Text,
    Edit,
    Document,
    Hyperlink,
    Button,
    MenuItem,
    ListItem,
    Heading,
    Tab,
    CheckBox,
    RadioButton,
    ComboBox,
    Slider,
    Cell,
    Table,
    List,
    Image,
    /// A password field or another element that the platform marks as protected (PIC-5).
    Protected,
    Window,
    Group,
    Other,
    ToggleButton,
    Switch,
    SpinButton,
    ProgressBar,
    Menu,
    TreeItem,
    Tree,
    Dialog,
    Alert,
    RowHeader,
    ColumnHeader,
    Row,
    StatusBar,
    ToolTip,
    Terminal,
    DateField,
    Separator,
    ScrollBar,
    ToolBar,
    MenuBar,
    TabList,
    Landmark,
    Form,
}

impl Role {
    /// The general roles, followed by the special ones, each of which is a kind of a general one.
    pub const ALL: [Self; 44] = [
        Self::Text,
        Self::Edit,
        Self::Document,
        Self::Hyperlink,
        Self::Button,
        Self::MenuItem,
        Self::ListItem,
        Self::Heading,
        Self::Tab,
        Self::CheckBox,
        Self::RadioButton,
        Self::ComboBox,
        Self::Slider,
        Self::Cell,
        Self::Table,
        Self::List,
        Self::Image,
        Self::Protected,
        Self::Window,
        Self::Group,
        Self::Other,
        Self::ToggleButton,
        Self::Switch,
        Self::SpinButton,
        Self::ProgressBar,
        Self::Menu,
        Self::TreeItem,
        Self::Tree,
        Self::Dialog,
        Self::Alert,
        Self::RowHeader,
        Self::ColumnHeader,
        Self::Row,
        Self::StatusBar,
        Self::ToolTip,
        Self::Terminal,
        Self::DateField,
        Self::Separator,
        Self::ScrollBar,
        Self::ToolBar,
        Self::MenuBar,
        Self::TabList,
        Self::Landmark,
        Self::Form,
    ];

    /// How many of [`Role::ALL`] are general.
    const GENERAL: usize = 21;

    /// The general roles: those by which people and models name what they mean.
    #[must_use]
    pub fn all_general() -> &'static [Self] {
        &Self::ALL[..Self::GENERAL]
    }

    /// The serialised name, such as `menu_item`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Edit => "edit",
            Self::Document => "document",
            Self::Hyperlink => "hyperlink",
            Self::Button => "button",
            Self::MenuItem => "menu_item",
            Self::ListItem => "list_item",
            Self::Heading => "heading",
            Self::Tab => "tab",
            Self::CheckBox => "check_box",
            Self::RadioButton => "radio_button",
            Self::ComboBox => "combo_box",
            Self::Slider => "slider",
            Self::Cell => "cell",
            Self::Table => "table",
            Self::List => "list",
            Self::Image => "image",
            Self::Protected => "protected",
            Self::Window => "window",
            Self::Group => "group",
            Self::Other => "other",
            Self::ToggleButton => "toggle_button",
            Self::Switch => "switch",
            Self::SpinButton => "spin_button",
            Self::ProgressBar => "progress_bar",
            Self::Menu => "menu",
            Self::TreeItem => "tree_item",
            Self::Tree => "tree",
            Self::Dialog => "dialog",
            Self::Alert => "alert",
            Self::RowHeader => "row_header",
            Self::ColumnHeader => "column_header",
            Self::Row => "row",
            Self::StatusBar => "status_bar",
            Self::ToolTip => "tool_tip",
            Self::Terminal => "terminal",
            Self::DateField => "date_field",
            Self::Separator => "separator",
            Self::ScrollBar => "scroll_bar",
            Self::ToolBar => "tool_bar",
            Self::MenuBar => "menu_bar",
            Self::TabList => "tab_list",
            Self::Landmark => "landmark",
            Self::Form => "form",
        }
    }

    /// The general role that this one is a kind of: a toggle button is a button, an item of a tree an item of a list.
    #[must_use]
    pub const fn general(self) -> Self {
        match self {
            Self::ToggleButton => Self::Button,
            Self::Switch => Self::CheckBox,
            Self::SpinButton => Self::Slider,
            Self::ProgressBar | Self::Alert | Self::StatusBar | Self::ToolTip => Self::Text,
            Self::Menu => Self::MenuItem,
            Self::TreeItem => Self::ListItem,
            Self::Tree => Self::List,
            Self::Dialog => Self::Window,
            Self::RowHeader | Self::ColumnHeader => Self::Cell,
            Self::Row | Self::ToolBar | Self::MenuBar | Self::TabList | Self::Landmark | Self::Form => Self::Group,
            Self::Terminal | Self::DateField => Self::Edit,
            Self::Separator | Self::ScrollBar => Self::Other,
            general => general,
        }
    }

    /// Whether a pick takes text of this role (PIC-1).
    #[must_use]
    pub const fn is_readable(self) -> bool {
        matches!(
            self.general(),
            Self::Text
                | Self::Edit
                | Self::Document
                | Self::Hyperlink
                | Self::Button
                | Self::MenuItem
                | Self::ListItem
                | Self::Heading
                | Self::Tab
                | Self::CheckBox
                | Self::RadioButton
                | Self::ComboBox
                | Self::Slider
                | Self::Cell
        )
    }

    /// Whether the text of the element is its content (what was typed, chosen or reached), so that its name is told apart from it.
    #[must_use]
    pub const fn has_content(self) -> bool {
        matches!(self.general(), Self::Edit | Self::ComboBox | Self::Slider)
            || matches!(self, Self::ProgressBar | Self::ScrollBar)
    }
}

/// A set of roles, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RoleSet(u64);

impl RoleSet {
    /// The set with `role` added.
    #[must_use]
    pub const fn with(self, role: Role) -> Self {
        Self(self.0 | 1 << role as u64)
    }

    /// Whether the set has `role`, or the general role that it is a kind of.
    #[must_use]
    pub const fn contains(self, role: Role) -> bool {
        self.0 >> role as u64 & 1 == 1 || self.0 >> role.general() as u64 & 1 == 1
    }

    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set as bits, for storage in an atomic.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The set with the bits that [`RoleSet::bits`] returned.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    // PIC-9
    #[test]
    fn roles_are_named_as_they_are_written_pic_9() {
        for role in Role::ALL {
            assert_eq!(serde_json::to_value(role).unwrap(), role.name());
        }
        assert_eq!(Role::MenuItem.name(), "menu_item");
    }

    // ANN-1
    #[test]
    fn a_special_role_is_a_kind_of_one_general_role_ann_1() {
        for (position, role) in Role::ALL.into_iter().enumerate() {
            assert_eq!(role as usize, position);
            assert_eq!(role.general() == role, position < Role::GENERAL, "{role:?}");
            assert!(Role::all_general().contains(&role.general()), "{role:?}");
        }
    }

    // PRV-3
    #[test]
    fn a_blocked_role_blocks_its_kinds_prv_3() {
        let blocked = RoleSet::default().with(Role::Button);
        assert!(blocked.contains(Role::Button) && blocked.contains(Role::ToggleButton));
        assert!(!blocked.contains(Role::Edit));
        assert!(!RoleSet::default().with(Role::ToggleButton).contains(Role::Button));
    }
}
