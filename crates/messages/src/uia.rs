//! Messages of the Uia actor: queries of the accessibility tree.

use crate::pick::{Element, PickFailure, PickRequest, SearchedRegion, WindowInfo};
use crate::{Lane, Message, Point, Rect, Reply};

/// The accessibility tree's answer for a point.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "there is one such answer at a time, and most are elements")]
pub enum TreeAnswer {
    /// An element with text.
    Found(Element),
    /// A protected field, with its label and states but without its text (PIC-5); text recognition must not try.
    Protected(Element),
    /// The tree has no text there; text recognition may try in the searched region (PIC-5, SES-5).
    NoText(SearchedRegion),
    /// Nothing may or can be read there; text recognition must not try.
    Refused(PickFailure),
}

/// How much to read on demand of the table or list under the cursor (ANN-3, OCR-4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowsExtent {
    /// The row or item under the cursor.
    Row,
    /// The whole table or list, as far as it is visible.
    Container,
}

/// One line of a window's text, for reading line by line while pinned (FOC-4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextLine {
    pub text: String,
    /// On the desktop.
    pub bbox: Rect,
}

/// Which lines are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinesRequest {
    /// A point in the window.
    pub cursor: Point,
    /// The window, if it is known; else the one at `cursor`. Another window may have come between.
    pub window: Option<WindowInfo>,
    /// Only lines in this part of the desktop.
    pub part: Option<Rect>,
    /// Whether text recognition found the target, so that it must find the lines, too.
    pub recognised: bool,
}

/// Lines of a window's visible text, in reading order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WindowLines {
    pub window: WindowInfo,
    pub lines: Vec<TextLine>,
    /// Whether no line is missing: neither was the application too slow, nor has the window too many elements.
    pub is_complete: bool,
}

/// Messages of the Uia actor.
#[derive(Debug, Message)]
#[message(lane = Lane::Uia)]
pub enum UiaMessage {
    /// Finds the element under the cursor. A newer pick replaces an older one.
    #[message(coalesce)]
    Pick { request: PickRequest, reply: Reply<TreeAnswer> },
    /// Cancels the pick in progress (KER-6, FOC-6). Shares the kind of `Pick`, so that the newer message of the two replaces the older.
    #[message(kind = "pick", coalesce)]
    EndPick,
    /// The rows of the table or list under the cursor. The answer is an element with rows, or [`PickFailure::NoText`] if
    /// the cursor is in no table and no list.
    #[message(coalesce)]
    Rows { request: PickRequest, extent: RowsExtent, reply: Reply<TreeAnswer> },
    /// The lines of a window.
    #[message(coalesce)]
    Lines { request: LinesRequest, reply: Reply<Result<WindowLines, PickFailure>> },
    /// Retries a missing accessibility bus (KER-9), and wipes expired snapshots (BUF-2).
    #[message(coalesce)]
    Tick,
}
