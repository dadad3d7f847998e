//! A text as it is read, and the constants of reading.

use luna_messages::Point;

/// Most characters of a text that are read; of longer texts those around the pointer.
pub(super) const LIMIT: i32 = 20_000;
/// Represents an embedded element in a text.
pub(super) const OBJECT: char = '\u{FFFC}';

/// A text and the pointer's position in it, in characters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TextAtPointer {
    pub(super) text: String,
    /// The character under the pointer.
    pub(super) offset: Option<usize>,
}

/// The pointer, and what the toolkit's coordinates are relative to.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocalPointer {
    /// Its position on the desktop.
    pub(super) point: Point,
    /// The origin of the application's coordinates.
    pub(super) origin: Point,
}
