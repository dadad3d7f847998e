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

/// The top-level window under the cursor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowInfo {
    /// The platform's handle, widened: an X11 window id, a Windows HWND.
    pub handle: u64,
    /// Process id, 0 where unknown.
    pub process: u32,
    /// Title. Screen content: never logged above debug level.
    pub title: String,
    /// Client area on the desktop.
    pub bounds: Rect,
}

/// An element of the accessibility tree with a text that may be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Element {
    /// Stable id (PIC-6).
    pub id: ElementId,
    /// What it is.
    pub role: Role,
    /// The text to read: of the text pattern, else the value, else the name. Never that of a protected field.
    pub text: String,
    /// What names it where that isn't its text: the label of a field whose text is what was typed. Empty elsewhere (PIC-9).
    #[serde(default)]
    pub label: String,
    /// Place on the desktop.
    pub bbox: Rect,
    /// Where in `text`, in characters, the cursor points, if the platform can tell. Reading begins with that sentence.
    pub offset: Option<usize>,
    /// Automation id of the application, empty where there is none (PIC-9).
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
    /// Role, where it came from the tree.
    pub role: Option<Role>,
    /// Stable id, where it came from the tree.
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
