//! A text as it is read, and what it is read with.

use luna_messages::Point;

/// Characters of a text that are read at most; of longer ones those around the pointer.
pub(super) const LIMIT: i32 = 20_000;
/// Stands in a text for an element inside it.
pub(super) const OBJECT: char = '\u{FFFC}';

/// A text and where in it the pointer is, in characters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TextAtPointer {
    pub(super) text: String,
    /// The character under the pointer.
    pub(super) offset: Option<usize>,
}

/// The pointer, and what the toolkit's coordinates are relative to.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocalPointer {
    /// Where it is.
    pub(super) point: Point,
    /// The origin of the application's coordinates.
    pub(super) origin: Point,
}
