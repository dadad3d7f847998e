//! Finding the text under the cursor (PIC).

use serde::{Deserialize, Serialize};

use crate::{ElementId, Lang, Point, Rect};

/// How a text was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PickMethod {
    /// The accessibility tree.
    Uia,
    /// Text recognition.
    Ocr,
}

/// The role of an element. Platforms map their own roles to these (PIC-1).
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
}

impl Role {
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
        }
    }

    /// Whether a pick takes text of this role (PIC-1).
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

/// A set of roles, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RoleSet(u32);

impl RoleSet {
    /// The set with `role` added.
    #[must_use]
    pub const fn with(self, role: Role) -> Self {
        Self(self.0 | 1 << role as u32)
    }

    #[must_use]
    pub const fn contains(self, role: Role) -> bool {
        self.0 >> role as u32 & 1 == 1
    }

    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set as bits, for storage in an atomic.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The set with the bits that [`RoleSet::bits`] returned.
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
    /// Screen content: never logged above debug level.
    pub title: String,
    /// Client area on the desktop.
    pub bounds: Rect,
}

/// A window as seen in a picture of the screen. On X11 the handle is that of the window manager's frame around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownWindow {
    /// The platform's handle, widened.
    pub handle: u64,
    /// On the desktop, including the frame.
    pub bounds: Rect,
}

/// A region of the screen that was searched for protected content. It is captured exactly as searched or not at all: no picture shows anything
/// that was not searched (PIC-5, SES-5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchedRegion {
    /// The window under the cursor.
    pub window: Option<WindowInfo>,
    /// The area that was searched, and that a picture may show.
    pub region: Rect,
    /// The part of it in which text is recognised (PIC-2); lines that it touches continue in the rest (OCR-5).
    pub chosen: Rect,
    /// Boxes to blacken before recognition: protected fields, windows that cover the one under the cursor, and windows that could not be searched.
    pub hidden: Vec<Rect>,
    /// The windows in the region at the time of the search, topmost first. A picture of other windows, or of these in other positions, is
    /// discarded.
    pub shown: Vec<ShownWindow>,
}

/// Which windows a picture shows (PIC-3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CaptureScope {
    /// Only the window under the cursor.
    Window,
    /// Every window of the region.
    Screen,
}

/// An element of the accessibility tree with readable text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
}

/// A successful pick: the text that Focus reads (`Focus.Pick.result`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pick {
    pub method: PickMethod,
    /// On the desktop.
    pub bbox: Rect,
    pub text: String,
    /// Language by script (PIC-8).
    pub lang: Lang,
    /// Whether it is a table (PIC-8).
    pub is_table: bool,
    /// `None` for text recognition.
    pub role: Option<Role>,
    /// `None` for text recognition.
    pub id: Option<ElementId>,
    /// The cursor's position in `text`, in characters.
    pub offset: Option<usize>,
    /// Rows of a table or list (OCR-4).
    pub rows: Vec<Vec<String>>,
    /// Whether the first of `rows` is a header row.
    pub has_header: bool,
    /// Index in `rows` of the row under the cursor. Reading begins there.
    #[serde(default)]
    pub row: Option<usize>,
    /// 0 to 1 for text recognition, 1 for the tree.
    pub confidence: f32,
}

/// Why there is nothing to read. Each reason is spoken (principle 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum PickFailure {
    #[error("there is no text at this place")]
    NoText,
    /// A password field or another protected element (PIC-5).
    #[error("the field is protected and is not read")]
    Protected,
    #[error("there is no window at this place")]
    NoWindow,
    #[error("the window went away while it was being read")]
    WindowGone,
    /// Windows changed between the search for protected fields and the picture, which was discarded (SES-5).
    #[error("the screen changed while it was being read")]
    Changed,
    /// The application did not answer in time.
    #[error("the application does not answer")]
    NoAnswer,
    /// Neither the accessibility tree nor text recognition is available.
    #[error("neither the accessibility tree nor text recognition is available")]
    Unavailable,
    /// The component that worked on the pick crashed.
    #[error("reading failed; it can be tried again")]
    Failed,
}

/// The parameters of a pick (`Focus.Pick.request`).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PickRequest {
    pub cursor: Point,
    /// Factor by which the region for text recognition is enlarged: 1.0, 1.5, 2.25, … (PIC-2).
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
