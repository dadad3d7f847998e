//! The text of an element: from its text interface, else its value, else its name, else its children (PIC-1). Nothing
//! here queries a protected element.

use atspi::Role as Native;
use futures_util::future::{join, join_all};
use luna_messages::Point;
use luna_messages::pick::Role;

use super::embedded::EmbeddedText;
use super::node::LinuxNode;
use super::reading::{LocalPointer, MAX_READ_CHARACTERS, OBJECT_REPLACEMENT, TextAtPointer};

/// Depth limit of a text that is assembled from children.
const DEPTH: usize = 6;

/// Reads an element that is not protected.
pub(super) async fn read(node: &LinuxNode, role: Role, point: Point, origin: Point) -> TextAtPointer {
    // Check that an interface exists before using it: GTK 3 logs warnings about calls to missing interfaces.
    let interfaces = node.interfaces().await.unwrap_or_default();
    let parts = EmbeddedText::new(node);
    if interfaces.has("Text") {
        let (count, offset) = join(node.character_count(), node.offset_at(point, origin)).await;
        let reading = around(node, count.unwrap_or(0), offset, role, LocalPointer { point, origin }).await;
        if !reading.text.trim().is_empty() {
            return tidy(reading, role);
        }
    }
    let name = node.name().await.unwrap_or_default();
    if role == Role::Slider
        && interfaces.has("Value")
        && let Ok(value) = node.value().await
    {
        return TextAtPointer { text: format!("{name} {}", number(value)).trim().to_owned(), offset: None };
    }
    if !name.trim().is_empty() || role == Role::Document || role == Role::Edit {
        return TextAtPointer { text: name.trim().to_owned(), offset: None };
    }
    TextAtPointer { text: parts.children(node, DEPTH).await.trim().to_owned(), offset: None }
}

/// At most `limit` characters of the text of a cell, list row or other part, independent of the pointer.
pub(super) async fn brief(node: &LinuxNode, limit: usize) -> String {
    let text = EmbeddedText::whole(node).await;
    let tidied = tidy(TextAtPointer { text, offset: None }, Role::ListItem).text;
    if tidied.chars().count() <= limit { tidied } else { tidied.chars().take(limit).collect() }
}

/// Whether an element has text of its own besides its `children`, so that each child is part of a sentence. Must not be
/// called for a protected element.
pub(super) async fn has_running_text(node: &LinuxNode, children: i32) -> bool {
    let count = node.character_count().await.unwrap_or(0).min(2000);
    let text = if count > 0 { node.text(0, count).await.unwrap_or_default() } else { String::new() };
    // Some toolkits also report pieces of plain text as children, others only embedded elements.
    let is_in_pieces = children >= 2 || text.contains(OBJECT_REPLACEMENT);
    is_in_pieces && text.chars().any(|c| c != OBJECT_REPLACEMENT && !c.is_whitespace())
}

/// The offset in `text`, the text of `host`, of the piece that was hit. `pieces`: the path from the hit up to below
/// `host`.
pub(super) async fn offset_by_piece(
    host: &LinuxNode,
    pieces: &[&LinuxNode],
    text: &str,
    point: Point,
    origin: Point,
) -> Option<usize> {
    let (hit, child) = (pieces.first()?, pieces.last()?);
    if hit.native().await != Ok(Native::Static) {
        return None;
    }
    let siblings = host.first_children(60).await.ok()?;
    let position = siblings.iter().position(|sibling| sibling == *child)?;
    let before = join_all(siblings.iter().take(position).map(EmbeddedText::whole)).await;
    let before: usize = before.iter().map(|text| text.chars().count()).sum();
    let piece = EmbeddedText::whole(hit).await;
    let start = nearest(text, &piece, before)?;
    let within = hit.offset_at(point, origin).await.unwrap_or(0).min(piece.chars().count().saturating_sub(1));
    Some(start + within).filter(|&offset| offset < text.chars().count())
}

/// The start of the occurrence of `piece` in `text` nearest to `guess`, in characters. Pure.
fn nearest(text: &str, piece: &str, guess: usize) -> Option<usize> {
    if piece.trim().is_empty() {
        return None;
    }
    let starts = text.match_indices(piece).map(|(byte, _)| text[..byte].chars().count());
    starts.min_by_key(|start| start.abs_diff(guess))
}

/// The text of the text interface; of a long text the part around the pointer.
async fn around(
    node: &LinuxNode,
    count: i32,
    offset: Option<usize>,
    role: Role,
    pointer: LocalPointer,
) -> TextAtPointer {
    let offset = offset.and_then(|offset| i32::try_from(offset).ok()).filter(|&offset| offset < count);
    let start = if count > MAX_READ_CHARACTERS {
        (offset.unwrap_or(0) - MAX_READ_CHARACTERS / 2).clamp(0, count - MAX_READ_CHARACTERS)
    } else {
        0
    };
    if count <= 0 {
        return TextAtPointer::default();
    }
    let text = node.text(start, count.min(start + MAX_READ_CHARACTERS)).await.unwrap_or_default();
    let offset = offset.and_then(|offset| usize::try_from(offset - start).ok());
    let reading = TextAtPointer { text, offset };
    // Pointing at a document's margin does not mean the whole document.
    if role == Role::Document {
        return TextAtPointer { text: reading.text.replace(OBJECT_REPLACEMENT, ""), offset: None };
    }
    EmbeddedText::new(node).filled_at(node, reading, start, pointer).await
}

/// Strips surrounding blanks and a leading bullet, and adjusts the offset. Pure.
fn tidy(reading: TextAtPointer, role: Role) -> TextAtPointer {
    let is_ornament = |c: char| {
        c.is_whitespace()
            || c == '\u{200B}'
            || c == OBJECT_REPLACEMENT
            || role == Role::ListItem && matches!(c, '•' | '◦' | '▪' | '‣')
    };
    let cut = reading.text.chars().take_while(|&c| is_ornament(c)).count();
    let text: String = reading.text.chars().skip(cut).collect::<String>().trim_end().replace(OBJECT_REPLACEMENT, "");
    let length = text.chars().count();
    TextAtPointer {
        offset: reading.offset.map(|offset| offset.saturating_sub(cut)).filter(|&offset| offset < length),
        text,
    }
}

/// A number as spoken: 42 and not 42.0. Pure.
fn number(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    format!("{rounded}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(text: &str, offset: Option<usize>) -> TextAtPointer {
        TextAtPointer { text: text.into(), offset }
    }

    #[test]
    fn blanks_and_bullets_go_and_the_offset_stays_right() {
        assert_eq!(tidy(reading("• 우산 Umbrella ", Some(3)), Role::ListItem), reading("우산 Umbrella", Some(1)));
        assert_eq!(tidy(reading("  a b\n", Some(0)), Role::Text), reading("a b", Some(0)));
        assert_eq!(tidy(reading("• a", None), Role::Text), reading("• a", None));
        assert_eq!(tidy(reading("a  ", Some(2)), Role::Text), reading("a", None));
    }

    #[test]
    fn a_piece_is_found_at_its_place() {
        assert_eq!(nearest("가 나 가 나", "나", 5), Some(6));
        assert_eq!(nearest("가 나 가 나", "나", 0), Some(2));
        assert_eq!(nearest("ab", "c", 0), None);
        assert_eq!(nearest("a b", " ", 0), None);
    }

    #[test]
    fn numbers_are_said_plainly() {
        assert_eq!(["42", "0.5", "-3", "0.33"], [42.0, 0.5, -3.0, 0.333].map(number));
    }
}
