//! A text with the pointer's position in it, and constants shared by the modules that read texts.

use luna_messages::Point;

/// Maximum number of characters to read of a text; of a longer text, those around the pointer are read.
pub(super) const MAX_READ_CHARACTERS: i32 = 20_000;
/// The character that represents an embedded element in a text.
pub(super) const OBJECT_REPLACEMENT: char = '\u{FFFC}';

/// The pointer's position in queries for an element that has the keyboard focus.
pub(super) const NOWHERE: Point = Point::new(i32::MIN, i32::MIN);

/// A text and the pointer's position in it, in characters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TextAtPointer {
    pub(super) text: String,
    /// The character under the pointer.
    pub(super) offset: Option<usize>,
}
