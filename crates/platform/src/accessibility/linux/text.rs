//! The text of an element: of its text interface, else its value, else its name, else what it is made of (PIC-1).
//! Nothing here is asked of a protected element.

use std::sync::atomic::{AtomicUsize, Ordering};

use atspi::Role as Native;
use futures_util::future::{BoxFuture, FutureExt as _, join, join_all};
use luna_messages::Point;
use luna_messages::pick::Role;

use super::node::Node;
use super::protect;

/// Characters of a text that are read at most; of longer ones those around the pointer.
const LIMIT: i32 = 20_000;
/// Elements that one text may be put together from.
const PARTS: usize = 200;
/// How deep a text may be put together.
const DEPTH: usize = 6;
/// Stands in a text for an element inside it.
const OBJECT: char = '\u{FFFC}';

/// A text and where in it the pointer is, in characters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Reading {
    /// The text.
    pub(super) text: String,
    /// The character under the pointer.
    pub(super) offset: Option<usize>,
}

/// Reads an element that is not protected.
pub(super) async fn read(node: &Node, role: Role, point: Point, origin: Point) -> Reading {
    // Not before it is known that they are there: GTK 3 complains loudly when it is asked for what it lacks.
    let interfaces = node.interfaces().await.unwrap_or_default();
    let parts = Parts::new();
    if interfaces.has("Text") {
        let (count, offset) = join(node.character_count(), node.offset_at(point, origin)).await;
        let reading = around(node, count.unwrap_or(0), offset, role, &parts).await;
        if !reading.text.trim().is_empty() {
            return tidy(reading, role);
        }
    }
    let name = node.name().await.unwrap_or_default();
    if role == Role::Slider
        && interfaces.has("Value")
        && let Ok(value) = node.value().await
    {
        return Reading { text: format!("{name} {}", number(value)).trim().to_owned(), offset: None };
    }
    if !name.trim().is_empty() || role == Role::Document || role == Role::Edit {
        return Reading { text: name.trim().to_owned(), offset: None };
    }
    Reading { text: parts.children(node, DEPTH).await.trim().to_owned(), offset: None }
}

/// The text of a cell, a row of a list or another part, without a pointer.
pub(super) async fn brief(node: &Node, limit: usize) -> String {
    let text = Parts::new().of(node, DEPTH).await;
    let tidied = tidy(Reading { text, offset: None }, Role::ListItem).text;
    if tidied.chars().count() <= limit { tidied } else { tidied.chars().take(limit).collect() }
}

/// Whether an element has text of its own beside embedded elements. Never asked of what is protected.
pub(super) async fn has_running_text(node: &Node) -> bool {
    let count = node.character_count().await.unwrap_or(0).min(2000);
    let text = if count > 0 { node.text(0, count).await.unwrap_or_default() } else { String::new() };
    text.chars().any(|c| c != OBJECT && !c.is_whitespace())
}

/// Where in `text`, the text of `host`, the piece lies that was hit. `pieces`: the way from the hit up to below `host`.
pub(super) async fn offset_by_piece(
    host: &Node,
    pieces: &[&Node],
    text: &str,
    point: Point,
    origin: Point,
) -> Option<usize> {
    let (hit, child) = (pieces.first()?, pieces.last()?);
    if hit.native().await != Ok(Native::Static) {
        return None;
    }
    let parts = Parts::new();
    let siblings = host.children().await.ok()?;
    let position = siblings.iter().position(|sibling| sibling == *child).filter(|&position| position < 60)?;
    let before = join_all(siblings.iter().take(position).map(|sibling| parts.of(sibling, 2))).await;
    let before: usize = before.iter().map(|text| text.chars().count()).sum();
    let piece = parts.of(hit, 0).await;
    let start = nearest(text, &piece, before)?;
    let within = hit.offset_at(point, origin).await.unwrap_or(0).min(piece.chars().count().saturating_sub(1));
    Some(start + within).filter(|&offset| offset < text.chars().count())
}

/// Where `piece` begins in `text`, in characters, nearest to `guess`. Pure.
fn nearest(text: &str, piece: &str, guess: usize) -> Option<usize> {
    if piece.trim().is_empty() {
        return None;
    }
    let starts = text.match_indices(piece).map(|(byte, _)| text[..byte].chars().count());
    starts.min_by_key(|start| start.abs_diff(guess))
}

/// The text of the text interface; of a long one the part around the pointer.
async fn around(node: &Node, count: i32, offset: Option<usize>, role: Role, parts: &Parts) -> Reading {
    let offset = offset.and_then(|offset| i32::try_from(offset).ok()).filter(|&offset| offset < count);
    let start = if count > LIMIT { (offset.unwrap_or(0) - LIMIT / 2).clamp(0, count - LIMIT) } else { 0 };
    if count <= 0 {
        return Reading::default();
    }
    let text = node.text(start, count.min(start + LIMIT)).await.unwrap_or_default();
    let offset = offset.and_then(|offset| usize::try_from(offset - start).ok());
    if !text.contains(OBJECT) {
        return Reading { text, offset };
    }
    // A whole document is not what a person means who points at its margin.
    let embedded = if role == Role::Document { Vec::new() } else { parts.embedded(node, &text, DEPTH).await };
    fill(&text, offset, &embedded)
}

/// Puts the texts of embedded elements where they belong, and moves the offset along. Pure.
fn fill(text: &str, offset: Option<usize>, embedded: &[String]) -> Reading {
    let mut filled = String::with_capacity(text.len());
    let (mut length, mut moved, mut next) = (0, None, embedded.iter());
    for (position, character) in text.chars().enumerate() {
        if offset == Some(position) {
            moved = Some(length);
        }
        if character == OBJECT {
            let inner = next.next().map_or("", String::as_str);
            filled.push_str(inner);
            length += inner.chars().count();
        } else {
            filled.push(character);
            length += 1;
        }
    }
    Reading { text: filled, offset: moved.filter(|&offset| offset < length) }
}

/// Without blanks around it and without the bullet before it; the offset goes along. Pure.
fn tidy(reading: Reading, role: Role) -> Reading {
    let is_ornament = |c: char| {
        c.is_whitespace()
            || c == '\u{200B}'
            || c == OBJECT
            || role == Role::ListItem && matches!(c, '•' | '◦' | '▪' | '‣')
    };
    let cut = reading.text.chars().take_while(|&c| is_ornament(c)).count();
    let text: String = reading.text.chars().skip(cut).collect::<String>().trim_end().replace(OBJECT, "");
    let length = text.chars().count();
    Reading { offset: reading.offset.map(|offset| offset.saturating_sub(cut)).filter(|&offset| offset < length), text }
}

/// A number as a person says it: 42 and not 42.0. Pure.
fn number(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    format!("{rounded}")
}

/// Puts texts together from parts, within a budget.
struct Parts {
    left: AtomicUsize,
}

impl Parts {
    const fn new() -> Self {
        Self { left: AtomicUsize::new(PARTS) }
    }

    /// The text of one part; nothing of a protected one.
    fn of<'a>(&'a self, node: &'a Node, depth: usize) -> BoxFuture<'a, String> {
        async move {
            if self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err() {
                return String::new();
            }
            let interfaces = node.interfaces().await.unwrap_or_default();
            if protect::forbids(node, &interfaces).await {
                return String::new();
            }
            if interfaces.has("Text") {
                let count = node.character_count().await.unwrap_or(0).min(LIMIT);
                let text = if count > 0 { node.text(0, count).await.unwrap_or_default() } else { String::new() };
                let text = if text.contains(OBJECT) && depth > 0 {
                    let embedded = self.embedded(node, &text, depth - 1).await;
                    fill(&text, None, &embedded).text
                } else {
                    text.replace(OBJECT, "")
                };
                if !text.trim().is_empty() {
                    return text;
                }
            }
            let name = node.name().await.unwrap_or_default();
            if !name.trim().is_empty() || depth == 0 { name } else { self.children(node, depth - 1).await }
        }
        .boxed()
    }

    /// The texts of the children, one after the other.
    async fn children(&self, node: &Node, depth: usize) -> String {
        let mut children = node.children().await.unwrap_or_default();
        children.truncate(60);
        let texts = join_all(children.iter().map(|child| self.of(child, depth))).await;
        let mut together = String::new();
        for text in texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty()) {
            if !together.is_empty() {
                together.push(' ');
            }
            together.push_str(text);
        }
        together
    }

    /// The texts of the elements that stand in `text` as [`OBJECT`], in order.
    async fn embedded(&self, node: &Node, text: &str, depth: usize) -> Vec<String> {
        let wanted = text.chars().filter(|&c| c == OBJECT).count();
        let mut children = node.children().await.unwrap_or_default();
        children.truncate(PARTS);
        // Pieces of plain text are children as well, but not embedded: their text is there already.
        let natives = join_all(children.iter().map(Node::native)).await;
        let objects = children
            .iter()
            .zip(natives)
            .filter(|(_, native)| !matches!(native, Ok(Native::Static)))
            .map(|(child, _)| child);
        let objects: Vec<&Node> = objects.take(wanted).collect();
        join_all(objects.into_iter().map(|object| self.of(object, depth))).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(text: &str, offset: Option<usize>) -> Reading {
        Reading { text: text.into(), offset }
    }

    // PIC-1
    #[test]
    fn embedded_elements_are_read_in_their_place_pic_1() {
        let check = |text, offset, embedded: &[&str], expect, moved| {
            let embedded: Vec<String> = embedded.iter().map(|&text| text.to_owned()).collect();
            assert_eq!(fill(text, offset, &embedded), reading(expect, moved), "{text:?}");
        };
        check("in \u{FFFC}, with wind", Some(4), &["Seoul 서울"], "in Seoul 서울, with wind", Some(11));
        check("in \u{FFFC}, with wind", Some(3), &["Seoul"], "in Seoul, with wind", Some(3));
        check("\u{FFFC}\u{FFFC}a", Some(2), &["b"], "ba", Some(1));
        check("\u{FFFC}", Some(0), &[], "", None);
        check("ab", None, &["unused"], "ab", None);
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
