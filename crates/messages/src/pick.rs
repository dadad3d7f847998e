//! Finding the text under the cursor (PIC).

use serde::{Deserialize, Serialize};

pub use crate::element::Element;
use crate::element::ElementProperties;
pub use crate::role::{Role, RoleSet};
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

/// The top-level window under the cursor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowInfo {
    /// The platform's handle, widened: an X11 window id, a Windows HWND. Of a window that only the accessibility tree tells, as under
    /// Wayland, a number with the highest bit.
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
    /// The window under the cursor, if others cover a part of it: its own picture shows that part, too.
    pub covered: Option<CoveredWindow>,
}

/// A window that others cover, and what its own picture must not show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoveredWindow {
    pub window: ShownWindow,
    /// Boxes of its protected fields on the desktop, to blacken before recognition.
    pub hidden: Vec<Rect>,
}

/// Which windows a picture shows (PIC-3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CaptureScope {
    /// Only the window under the cursor.
    Window,
    /// Every window of the region.
    Screen,
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
    /// The name of the element if that differs from its text; empty for text recognition.
    #[serde(default)]
    pub label: String,
    /// Empty for text recognition.
    #[serde(default)]
    pub properties: ElementProperties,
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
