//! The text of an element: from its text interface, else its value, else its name, else its children (PIC-1). Nothing
//! here queries a protected element.

use atspi::Role as Native;
use futures_util::future::{join, join_all};
use luna_messages::Point;
use luna_messages::pick::Role;

use super::details::Details;
use super::embedded::EmbeddedText;
use super::node::{LinuxNode, NodeFacts};
use super::reading::{MAX_READ_CHARACTERS, OBJECT_REPLACEMENT, PlaceInText, TextAtPointer};
use super::{text_location, value};

/// Depth limit of a text that is assembled from children.
const DEPTH: usize = 6;

/// Reads an element that is not protected. `place`: where in it the person is.
pub(super) async fn read(
    node: &LinuxNode,
    facts: &NodeFacts,
    role: Role,
    details: &Details,
    place: PlaceInText,
) -> TextAtPointer {
    let name = details.name.trim();
    match role {
        Role::ComboBox => return whole(choice(node, details).await),
        Role::DateField => return whole(EmbeddedText::new(node).date(node).await),
        Role::Slider | Role::ProgressBar | Role::ScrollBar => return whole(number_of(node, role, details).await),
        _ if is_named(role) && !name.is_empty() && (is_check(role) || details.attributes.is_named_explicitly()) => {
            return whole(name.to_owned());
        }
        _ => {}
    }
    // Check that an interface exists before using it: GTK 3 logs warnings about calls to missing interfaces.
    if details.interfaces.has("Text") {
        let own = own_text(node, role, place).await;
        let says_something = own.reading.text.chars().any(char::is_alphanumeric);
        let embeds = own.reading.text.contains(OBJECT_REPLACEMENT);
        // The name of a symbol says more than the symbol; that of a button with pictures leaves out what is hidden.
        let is_told_by_name = !role.has_content()
            && name.chars().any(char::is_alphanumeric)
            && !says_something
            && (is_named(role) || !embeds);
        if !is_told_by_name {
            let filled = own.filled(node, facts.native, role, place).await;
            if !filled.text.trim().is_empty() {
                return tidy(place.before_blanks(filled), role);
            }
        }
    }
    if role == Role::SpinButton {
        return whole(number_of(node, role, details).await);
    }
    // The name of a field stands beside its content, and that of a document is the title of the page.
    if role.has_content() || role == Role::Document {
        return TextAtPointer::default();
    }
    // The name of an empty cell of a sheet is its address.
    if role == Role::Cell && facts.children == 0 && details.interfaces.has("Text") {
        return TextAtPointer::default();
    }
    if !name.is_empty() {
        return whole(name.to_owned());
    }
    if facts.children == 0 {
        return TextAtPointer::default();
    }
    whole(EmbeddedText::new(node).children(node, DEPTH).await)
}

fn whole(text: String) -> TextAtPointer {
    TextAtPointer { text: text.trim().to_owned(), offset: None }
}

/// Whether elements of this role are known by their names rather than by what is written on them.
const fn is_named(role: Role) -> bool {
    matches!(
        role.general(),
        Role::Button | Role::Hyperlink | Role::MenuItem | Role::Tab | Role::RadioButton | Role::CheckBox | Role::Image
    )
}

/// Whether the text of such an element stands beside it.
const fn is_check(role: Role) -> bool {
    matches!(role.general(), Role::RadioButton | Role::CheckBox)
}

/// The chosen entry of a combo box, or what is typed in it.
async fn choice(node: &LinuxNode, details: &Details) -> String {
    if details.interfaces.has("Text") {
        let count = node.character_count().await.unwrap_or(0).clamp(0, MAX_READ_CHARACTERS);
        let typed = if count > 0 { node.text(0, count).await.unwrap_or_default() } else { String::new() };
        if typed.chars().any(|c| c != OBJECT_REPLACEMENT && !c.is_whitespace()) {
            return typed.replace(OBJECT_REPLACEMENT, "");
        }
    }
    let parts = EmbeddedText::new(node);
    if let Some(typed) = parts.typed(node).await {
        return typed;
    }
    match node.chosen(details).await {
        Some(chosen) => chosen,
        // The name is either the choice or a label that an author gave.
        None if details.attributes.is_named_explicitly() => parts.selected(node).await.unwrap_or_default(),
        None => parts.selected(node).await.unwrap_or_else(|| details.name.clone()),
    }
}

async fn number_of(node: &LinuxNode, role: Role, details: &Details) -> String {
    node.range_value(details).await.map(|range| value::value_text(role, &range)).unwrap_or_default()
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
    let within = hit.offset_at(point).await.unwrap_or(0).min(piece.chars().count().saturating_sub(1));
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

/// The text of the text interface, in which embedded elements are single characters.
struct OwnText {
    reading: TextAtPointer,
    /// The offset of its first character in the whole text.
    start: i32,
}

impl OwnText {
    /// The text with the texts of embedded elements.
    async fn filled(self, node: &LinuxNode, native: Native, role: Role, place: PlaceInText) -> TextAtPointer {
        let Self { reading, start } = self;
        let parts = EmbeddedText::of_role(node, native);
        // Pointing at a document's margin does not mean the whole document.
        if role == Role::Document {
            return TextAtPointer { text: reading.text.replace(OBJECT_REPLACEMENT, ""), offset: None };
        }
        parts.filled_at(node, reading, start, place).await
    }
}

/// The text of the text interface; of a long text the part around the place.
async fn own_text(node: &LinuxNode, role: Role, place: PlaceInText) -> OwnText {
    let (count, told) = join(node.character_count(), place.told_by(node)).await;
    let count = count.unwrap_or(0);
    if count <= 0 {
        return OwnText { reading: TextAtPointer::default(), start: 0 };
    }
    let located = async {
        match place {
            PlaceInText::Pointer(pointer) if is_long(role) => {
                let told = told.and_then(|told| i32::try_from(told).ok());
                text_location::locate(node, told, count, pointer).await.offset()
            }
            _ => {
                let offset = place.character(told, usize::try_from(count).unwrap_or(0));
                offset.and_then(|offset| i32::try_from(offset).ok())
            }
        }
    };
    let (text, start, offset) = if count > MAX_READ_CHARACTERS {
        let offset = located.await;
        let start = part_start(offset.unwrap_or(0), count);
        (node.text(start, start + MAX_READ_CHARACTERS).await, start, offset)
    } else {
        let (text, offset) = join(node.text(0, count), located).await;
        (text, 0, offset)
    };
    let offset = offset.and_then(|offset| usize::try_from(offset - start).ok());
    OwnText { reading: TextAtPointer { text: text.unwrap_or_default(), offset }, start }
}

/// Where the part to read of a text of `count` characters begins, more than can be read, so that `offset` is in its middle.
/// Pure.
fn part_start(offset: i32, count: i32) -> i32 {
    (offset - MAX_READ_CHARACTERS / 2).clamp(0, count - MAX_READ_CHARACTERS)
}

/// Whether the pointer is on the element but on none of its lines, as in an editor below its text. The rows of a
/// terminal that nothing was written to yet are no lines. `false` if the toolkit does not tell where the lines are.
pub(super) async fn is_beside(node: &LinuxNode, pointer: Point) -> bool {
    let count = node.character_count().await.unwrap_or(0);
    match text_location::locate(node, None, count, pointer).await {
        text_location::Located::Beside => true,
        text_location::Located::At(offset) => {
            let rest = node.text((offset - 1).max(0), count.min(offset + MAX_READ_CHARACTERS)).await;
            rest.is_ok_and(|rest| rest.starts_with('\n') && rest.trim().is_empty())
        }
        text_location::Located::Unknown => false,
    }
}

/// Whether texts of this role are often longer than what is visible of them, so that the place in them matters.
const fn is_long(role: Role) -> bool {
    matches!(role, Role::Edit | Role::Document | Role::Terminal)
}

/// The text directly in a section or document that was hit, if the pointer is on it: a hit beside all text, in the
/// margin or between two blocks, means nothing.
pub(super) async fn beneath(
    node: &LinuxNode,
    facts: &NodeFacts,
    role: Role,
    details: &Details,
    pointer: Point,
) -> Option<TextAtPointer> {
    if !details.interfaces.has("Text") {
        return None;
    }
    let own = own_text(node, Role::Document, PlaceInText::Pointer(pointer)).await;
    let offset = own.reading.offset?;
    if own.reading.text.chars().nth(offset).is_none_or(|c| c == OBJECT_REPLACEMENT) {
        return None;
    }
    let place = i32::try_from(offset).ok()?.checked_add(own.start)?;
    if !text_location::is_at(node, place, facts.bbox, pointer).await {
        return None;
    }
    let reading = own.filled(node, Native::Section, Role::Text, PlaceInText::Pointer(pointer)).await;
    Some(tidy(reading, role)).filter(|reading| !reading.text.is_empty())
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

    // ATT-2
    #[test]
    fn of_a_long_text_the_part_around_the_caret_is_read_att_2() {
        let most = MAX_READ_CHARACTERS;
        assert_eq!(part_start(0, most + 5), 0);
        assert_eq!(part_start(3 * most - 1, 3 * most), 2 * most);
        assert_eq!(part_start(3 * most / 2, 3 * most), most);
        // Blank lines before the text, which are not read.
        assert_eq!(
            tidy(PlaceInText::Caret.before_blanks(reading("\n\na b\n", Some(6))), Role::Edit),
            reading("a b", Some(2))
        );
    }

    #[test]
    fn a_piece_is_found_at_its_place() {
        assert_eq!(nearest("가 나 가 나", "나", 5), Some(6));
        assert_eq!(nearest("가 나 가 나", "나", 0), Some(2));
        assert_eq!(nearest("ab", "c", 0), None);
        assert_eq!(nearest("a b", " ", 0), None);
    }
}
