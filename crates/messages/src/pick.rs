//! Finding the text under the cursor (PIC).

use serde::{Deserialize, Serialize};

use crate::{ElementId, Lang, Point, Rect};

/// How a text was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PickMethod {
    /// From the accessibility tree.
    Uia,
    /// By text recognition.
    Ocr,
}

/// What an element is, reduced to what Luna tells apart. Platforms map their own roles to these (PIC-1).
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
    /// A password field and whatever the platform marks as protected (PIC-5).
    Protected,
    Window,
    Group,
    Other,
}

impl Role {
    /// All of them.
    pub const ALL: [Self; 21] = [
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
    ];

    /// The name that is serialised: `menu_item`.
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
        }
    }

    /// Whether text of this role is picked by PIC-1.
    #[must_use]
    pub const fn is_readable(self) -> bool {
        match self {
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
            | Self::Cell => true,
            Self::Table | Self::List | Self::Image | Self::Protected | Self::Window | Self::Group | Self::Other => {
                false
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RoleSet(u32);

impl RoleSet {
    /// The set with `role` besides.
    #[must_use]
    pub const fn with(self, role: Role) -> Self {
        Self(self.0 | 1 << role as u32)
    }

    /// Whether `role` is in it.
    #[must_use]
    pub const fn contains(self, role: Role) -> bool {
        self.0 >> role as u32 & 1 == 1
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set as bits, for who keeps it in an atomic.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The set of [`RoleSet::bits`].
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
}

/// The top-level window under the cursor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowInfo {
    /// The platform's handle, widened: an X11 window id, a Windows HWND.
    pub handle: u64,
    /// Process id, 0 if unknown.
    pub process: u32,
    /// Title. Screen content: never logged above debug level.
    pub title: String,
    /// Client area on the desktop.
    pub bounds: Rect,
}

/// A window as a picture of the screen shows it. On X11 the handle is that of the window manager's frame around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownWindow {
    /// The platform's handle, widened.
    pub handle: u64,
    /// Place on the desktop with its frame.
    pub bounds: Rect,
}

/// A region of the screen that was searched for what must not be looked at. It is taken as it is or not at all: what nobody searched
/// is in no picture (PIC-5, SES-5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchedRegion {
    /// The window that the person points at, if there is one.
    pub window: Option<WindowInfo>,
    /// What a picture may show; no more of the screen than this was searched.
    pub region: Rect,
    /// Boxes that are black before anything is recognised: protected fields, windows that cover the pointed one, and windows that
    /// could not be searched.
    pub hidden: Vec<Rect>,
    /// The windows that the region showed when it was searched, topmost first. Where the picture was taken of others, or of these in
    /// other places, it is thrown away.
    pub shown: Vec<ShownWindow>,
}

/// Which windows a picture is to show (PIC-3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CaptureScope {
    /// The pointed window only.
    Window,
    /// Every window of the region.
    Screen,
}

/// An element of the accessibility tree with a text that may be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Element {
    /// Stable id (PIC-6).
    pub id: ElementId,
    pub role: Role,
    /// The text to read: of the text pattern, else the value, else the name. Never that of a protected field.
    pub text: String,
    /// What names it if that isn't its text: the label of a field whose text is what was typed. Empty elsewhere (PIC-9).
    #[serde(default)]
    pub label: String,
    /// Place on the desktop.
    pub bbox: Rect,
    /// Where in `text`, in characters, the cursor points, if the platform can tell. Reading begins with that sentence.
    pub offset: Option<usize>,
    /// Automation id of the application, empty if there is none (PIC-9).
    pub automation_id: String,
    /// Whether a person can use it now (PIC-9).
    pub enabled: bool,
    /// Rows of a table or list that the element belongs to or is, first row first; empty elsewhere (OCR-4).
    pub rows: Vec<Vec<String>>,
    /// Whether the first of `rows` is a header row.
    pub has_header: bool,
    /// Which of `rows` the cursor points at, if the platform can tell. Reading begins there.
    #[serde(default)]
    pub row: Option<usize>,
}

/// A successful pick: what Focus reads (`Focus.Pick.result`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pick {
    /// How it was found.
    pub method: PickMethod,
    /// Place on the desktop.
    pub bbox: Rect,
    /// The text to read.
    pub text: String,
    /// Its language by script (PIC-8).
    pub lang: Lang,
    /// Whether it is a table (PIC-8).
    pub is_table: bool,
    /// Role, if it came from the tree.
    pub role: Option<Role>,
    /// Stable id, if it came from the tree.
    pub id: Option<ElementId>,
    /// Where in `text` the cursor points, in characters.
    pub offset: Option<usize>,
    /// Rows of a table or list, first row first (OCR-4).
    pub rows: Vec<Vec<String>>,
    /// Whether the first of `rows` is a header row.
    pub has_header: bool,
    /// Which of `rows` the cursor points at. Reading begins there.
    #[serde(default)]
    pub row: Option<usize>,
    /// 0 to 1 for text recognition, 1 for the tree.
    pub confidence: f32,
}

/// Why there is nothing to read. Every one of them is spoken (principle 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum PickFailure {
    /// Nothing with text there.
    #[error("there is no text at this place")]
    NoText,
    /// A password field or another protected one (PIC-5).
    #[error("the field is protected and is not read")]
    Protected,
    /// No window there.
    #[error("there is no window at this place")]
    NoWindow,
    /// The window went away meanwhile.
    #[error("the window went away while it was being read")]
    WindowGone,
    /// Windows moved, came or went between the search for protected fields and the picture, which was thrown away (SES-5).
    #[error("the screen changed while it was being read")]
    Changed,
    /// The application did not answer in time.
    #[error("the application does not answer")]
    NoAnswer,
    /// Neither tree nor text recognition can be used now.
    #[error("neither the accessibility tree nor text recognition is available")]
    Unavailable,
    /// The component that worked on it crashed; it is back by now.
    #[error("reading failed; it can be tried again")]
    Failed,
}

/// What asks for a pick (`Focus.Pick.request`).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PickRequest {
    /// Where the cursor is.
    pub cursor: Point,
    /// How much larger than usual the region for text recognition is: 1.0, 1.5, 2.25, … (PIC-2).
    pub enlarge: f32,
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
}
