//! A text with the pointer's position in it, and constants shared by the modules that read texts.

use luna_messages::Point;

use super::node::LinuxNode;

/// Maximum number of characters to read of a text; of a longer text, those around the pointer are read.
pub(super) const MAX_READ_CHARACTERS: i32 = 20_000;
/// The character that represents an embedded element in a text.
pub(super) const OBJECT_REPLACEMENT: char = '\u{FFFC}';

/// Where in a text the person is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlaceInText {
    /// Nowhere in particular: it is read from its beginning.
    Beginning,
    /// Under the pointer, which is here.
    Pointer(Point),
    /// Where the caret is.
    Caret,
}

impl PlaceInText {
    pub(super) const fn pointer(self) -> Option<Point> {
        match self {
            Self::Pointer(point) => Some(point),
            Self::Beginning | Self::Caret => None,
        }
    }

    /// The offset that an element tells of the place. Never requested from a protected element.
    pub(super) async fn told_by(self, node: &LinuxNode) -> Option<usize> {
        match self {
            Self::Beginning => None,
            Self::Pointer(point) => node.offset_at(point).await,
            Self::Caret => node.caret().await,
        }
    }

    /// The character at the place, of a text with `count` characters. A caret behind the last character is at it; one that
    /// lies outside belongs to another text. Pure.
    pub(super) fn character(self, told: Option<usize>, count: usize) -> Option<usize> {
        match self {
            Self::Beginning => None,
            Self::Pointer(_) => told.filter(|&told| told < count),
            Self::Caret => told.filter(|&told| told <= count).map(|told| told.min(count.saturating_sub(1))),
        }
    }

    /// The text with the texts of embedded elements, of which the one that `offset` was at may be empty, as a new paragraph
    /// is: the caret is then at the end of what is before it. Pure.
    pub(super) fn kept(self, offset: Option<usize>, filled: TextAtPointer) -> TextAtPointer {
        match self {
            Self::Caret if offset.is_some() => {
                let end = filled.text.chars().count().checked_sub(1);
                TextAtPointer { offset: filled.offset.or(end), ..filled }
            }
            _ => filled,
        }
    }

    /// A caret in the blanks after a text, as after a prompt, is at its last character; a pointer there is beside the text.
    /// Pure.
    pub(super) fn before_blanks(self, reading: TextAtPointer) -> TextAtPointer {
        if self != Self::Caret {
            return reading;
        }
        let last = reading.text.trim_end().chars().count().saturating_sub(1);
        TextAtPointer { offset: reading.offset.map(|offset| offset.min(last)), ..reading }
    }
}

/// A text and the position of the pointer or the caret in it, in characters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TextAtPointer {
    pub(super) text: String,
    /// The character under the pointer, or at the caret.
    pub(super) offset: Option<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(text: &str, offset: Option<usize>) -> TextAtPointer {
        TextAtPointer { text: text.into(), offset }
    }

    // ATT-2
    #[test]
    fn a_caret_is_at_a_character_of_its_own_text_att_2() {
        use PlaceInText::{Beginning, Caret, Pointer};
        let pointer = Pointer(Point::new(1, 1));
        for (place, told, count, expect) in [
            (Caret, Some(3), 10, Some(3)),
            (Caret, Some(10), 10, Some(9)),
            (Caret, Some(11), 10, None),
            (Caret, None, 10, None),
            (pointer, Some(9), 10, Some(9)),
            (pointer, Some(10), 10, None),
            (Beginning, Some(3), 10, None),
        ] {
            assert_eq!(place.character(told, count), expect, "{place:?} {told:?}");
        }
        // A prompt, and a pointer beside it.
        assert_eq!(Caret.before_blanks(reading("$ \n\n", Some(2))), reading("$ \n\n", Some(0)));
        assert_eq!(Caret.before_blanks(reading("a b", Some(1))), reading("a b", Some(1)));
        assert_eq!(pointer.before_blanks(reading("$ \n", Some(2))), reading("$ \n", Some(2)));
        // The paragraph with the caret is empty, and there is no caret.
        assert_eq!(Caret.kept(Some(1), reading("가나", None)), reading("가나", Some(1)));
        assert_eq!(Caret.kept(None, reading("가나", None)), reading("가나", None));
        assert_eq!(pointer.kept(Some(1), reading("가나", None)), reading("가나", None));
    }
}
