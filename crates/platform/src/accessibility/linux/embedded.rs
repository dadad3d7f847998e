//! Elements embedded in a text: each is one character of the text, and its own text belongs at that place, so that
//! nothing of a paragraph is missing. Nothing here queries a protected element (PIC-5).

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use atspi::Role as Native;
use futures_util::future::{BoxFuture, FutureExt as _, join, join3};
use futures_util::stream::{self, StreamExt as _};
use luna_messages::pick::Role;
use tokio::time::Instant;

use super::node::{LinuxNode, States};
use super::reading::{MAX_READ_CHARACTERS, OBJECT_REPLACEMENT, PlaceInText, TextAtPointer};
use super::walk::VisitedNodes;
use super::{protect, role};

/// Replaces text beyond the budget, so that nothing is left out silently.
const OMISSION: &str = "…";
/// Maximum number of embedded elements per text.
const MAX_ELEMENTS: usize = 300;
/// Maximum number of characters of all embedded texts together, not counting the text that contains them.
const MAX_CHARACTERS: usize = 40_000;
const TIME_LIMIT: Duration = Duration::from_millis(450);
/// Depth limit of elements embedded in one another.
const DEPTH: usize = 24;
/// Depth limit of a text that is assembled from children instead of embedded elements.
pub(super) const PLAIN_DEPTH: usize = 6;
/// Maximum number of children to read of one element.
pub(super) const CHILDREN: usize = 60;
/// Concurrent calls.
pub(super) const CONCURRENT_CALLS: usize = 32;

/// The text of an embedded element.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct EmbeddedPart {
    pub(super) reading: TextAtPointer,
    /// Whether the element continues the sentence without a gap, as emphasis does and a button doesn't.
    is_inline: bool,
    /// Whether its text is the name of a check box or radio button, which the sentence may already contain.
    is_name: bool,
    /// Whether it is a picture, whose alternative text may repeat all that stands beside it.
    is_picture: bool,
}

/// Assembles a text from embedded elements, within a budget.
pub(super) struct EmbeddedText {
    left: AtomicUsize,
    characters: AtomicUsize,
    until: Instant,
    /// Elements that were read, so that a cyclic tree is followed once.
    known: Mutex<VisitedNodes>,
    /// Whether fields and check boxes are left out, because the text is their label.
    without_controls: bool,
}

impl EmbeddedText {
    /// Starts the budget for the text of `node`.
    pub(super) fn new(node: &LinuxNode) -> Self {
        let known = Mutex::new(VisitedNodes::from([node.clone()]));
        let (left, characters) = (AtomicUsize::new(MAX_ELEMENTS), AtomicUsize::new(MAX_CHARACTERS));
        Self { left, characters, until: Instant::now() + TIME_LIMIT, known, without_controls: false }
    }

    /// As [`EmbeddedText::new`]; of a label, what it labels is left out.
    pub(super) fn of_role(node: &LinuxNode, native: Native) -> Self {
        Self { without_controls: native == Native::Label, ..Self::new(node) }
    }

    /// The text of `node` itself, including embedded elements.
    pub(super) async fn whole(node: &LinuxNode) -> String {
        Self::new(node).part(node, DEPTH, PlaceInText::Beginning).await.reading.text
    }

    /// Takes up to `wanted` elements from the budget and returns how many were granted.
    pub(super) fn grant(&self, wanted: usize) -> usize {
        if Instant::now() > self.until { 0 } else { take(&self.left, wanted) }
    }

    /// Whether `node` was not read before. Records it as read.
    pub(super) fn is_new(&self, node: &LinuxNode) -> bool {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(node.clone())
    }

    /// The text of an embedded element that the budget granted. Empty if the element is protected or was read before;
    /// an omission mark if the time is over.
    pub(super) async fn of(&self, node: &LinuxNode, depth: usize, place: PlaceInText) -> EmbeddedPart {
        if !self.is_new(node) {
            return EmbeddedPart::default();
        }
        if Instant::now() > self.until {
            return omission();
        }
        self.part(node, depth, place).await
    }

    fn part<'a>(&'a self, node: &'a LinuxNode, depth: usize, place: PlaceInText) -> BoxFuture<'a, EmbeddedPart> {
        async move {
            let (native, states, interfaces) = join3(node.native(), node.states(), node.interfaces()).await;
            // An element that reports no role or no states may be protected, so it is left out.
            let (Ok(native), Ok(states)) = (native, states) else { return EmbeddedPart::default() };
            let role = node.app.guard.role(role::luna_role(native, states.is_editable()));
            let interfaces = interfaces.unwrap_or_default();
            // Firefox offers the interface for editing with every element.
            let is_field = states.is_editable() || is_field(native) || role.general() == Role::Edit;
            if role == Role::Protected || is_hidden(states) || is_field && Box::pin(self.is_secret(node)).await {
                return EmbeddedPart::default();
            }
            if self.without_controls && (role.has_content() || is_check(role)) {
                return EmbeddedPart::default();
            }
            let is_inline = match native {
                // A section is either a block, or inline, such as part of a price with its own box.
                Native::Section => node.attributes().await.is_inline(),
                Native::Math => true,
                _ => role == Role::Hyperlink || role.general() == Role::Text && !role::is_block(native),
            };
            let plain = |text: String| {
                let reading = TextAtPointer { text, offset: None };
                EmbeddedPart { reading, is_inline, is_name: is_check(role), is_picture: role == Role::Image }
            };
            match role.general() {
                Role::CheckBox | Role::RadioButton | Role::Image => {
                    return plain(node.name().await.unwrap_or_default());
                }
                Role::ComboBox => {
                    let selected = Box::pin(self.selected(node)).await;
                    return plain(selected.unwrap_or(node.name().await.unwrap_or_default()));
                }
                _ if role == Role::DateField => return plain(Box::pin(self.date(node)).await),
                _ => {}
            }
            if interfaces.has("Text") {
                let (count, told) = join(node.character_count(), place.told_by(node)).await;
                let count = count.unwrap_or(0).max(0);
                let offset = place.character(told, usize::try_from(count).unwrap_or(0));
                let granted = take(&self.characters, usize::try_from(count.min(MAX_READ_CHARACTERS)).unwrap_or(0));
                let end = i32::try_from(granted).unwrap_or(0);
                let mut text = if end > 0 { node.text(0, end).await.unwrap_or_default() } else { String::new() };
                if end < count {
                    text.push_str(OMISSION);
                }
                let reading = self.fill(node, TextAtPointer { text, offset }, 0, depth, place).await;
                if !reading.text.trim().is_empty() {
                    return EmbeddedPart { reading, is_inline, is_name: false, is_picture: false };
                }
            }
            // The name of a field stands beside it, so it is not part of the field's text.
            if role.has_content() {
                return plain(String::new());
            }
            let name = node.name().await.unwrap_or_default();
            if !name.trim().is_empty() || depth == 0 {
                return plain(name);
            }
            plain(self.children(node, depth.min(PLAIN_DEPTH) - 1).await)
        }
        .boxed()
    }

    /// Whether a field is secret.
    async fn is_secret(&self, node: &LinuxNode) -> bool {
        match node.facts().await {
            Ok(facts) => protect::is_secret(node, &facts).await,
            Err(_) => true,
        }
    }

    /// The texts of the children, joined by spaces.
    pub(super) async fn children(&self, node: &LinuxNode, depth: usize) -> String {
        let mut children = node.first_children(CHILDREN).await.unwrap_or_default();
        children.truncate(self.grant(children.len()));
        let requests =
            children.into_iter().map(|child| async move { self.of(&child, depth, PlaceInText::Beginning).await });
        let texts: Vec<EmbeddedPart> = stream::iter(requests).buffered(CONCURRENT_CALLS).collect().await;
        let mut together = String::new();
        for text in texts.iter().map(|part| part.reading.text.trim()).filter(|text| !text.is_empty()) {
            if !together.is_empty() {
                together.push(' ');
            }
            together.push_str(text);
        }
        together
    }

    /// Inserts the texts of the elements embedded in `reading`, which is the text of `node` from character `start` on.
    pub(super) async fn fill(
        &self,
        node: &LinuxNode,
        reading: TextAtPointer,
        start: i32,
        depth: usize,
        place: PlaceInText,
    ) -> TextAtPointer {
        let places: Vec<usize> = positions(&reading.text);
        if places.is_empty() {
            return reading;
        }
        let granted = if depth == 0 { 0 } else { self.grant(places.len()) };
        let objects = if granted == 0 { Vec::new() } else { objects(node, &places[..granted], start).await };
        let offset = reading.offset;
        let requests = places.iter().copied().zip(objects).map(|(position, object)| async move {
            match object {
                Some(object) => {
                    let place = if offset == Some(position) { place } else { PlaceInText::Beginning };
                    self.of(&object, depth - 1, place).await
                }
                None => EmbeddedPart::default(),
            }
        });
        let mut embedded: Vec<EmbeddedPart> = stream::iter(requests).buffered(CONCURRENT_CALLS).collect().await;
        embedded.resize(granted, EmbeddedPart::default());
        embedded.resize(places.len(), omission());
        place.kept(offset, insert_embedded(&reading.text, offset, embedded))
    }

    /// Fills a text that is read from its beginning.
    pub(super) async fn filled(&self, node: &LinuxNode, text: String, start: i32) -> String {
        let reading = TextAtPointer { text, offset: None };
        self.fill(node, reading, start, DEPTH, PlaceInText::Beginning).await.text
    }

    /// Fills a text in which the person is at `place`.
    pub(super) async fn filled_at(
        &self,
        node: &LinuxNode,
        reading: TextAtPointer,
        start: i32,
        place: PlaceInText,
    ) -> TextAtPointer {
        self.fill(node, reading, start, DEPTH, place).await
    }
}

/// The elements at `places` of the text of `node` from `start` on.
async fn objects(node: &LinuxNode, places: &[usize], start: i32) -> Vec<Option<LinuxNode>> {
    if node.interfaces().await.unwrap_or_default().has("Hypertext") {
        let requests = places.iter().copied().map(|place| async move {
            let place = i32::try_from(place).ok()?.checked_add(start)?;
            node.linked_at(place).await
        });
        let linked: Vec<Option<LinuxNode>> = stream::iter(requests).buffered(CONCURRENT_CALLS).collect().await;
        if linked.iter().any(Option::is_some) {
            return linked;
        }
    }
    // Without links, use the children in their order, except pieces of plain text, which the text already contains.
    let children = node.first_children(MAX_ELEMENTS).await.unwrap_or_default();
    let requests = children.into_iter().map(|child| async move {
        let (native, count) = join(child.native(), child.child_count()).await;
        let is_piece = native == Ok(Native::Static) && count.unwrap_or(0) == 0;
        (!is_piece).then_some(child)
    });
    let children: Vec<Option<LinuxNode>> = stream::iter(requests).buffered(CONCURRENT_CALLS).collect().await;
    children.into_iter().flatten().take(places.len()).map(Some).collect()
}

/// Whether an element is not on the screen for another reason than that it is scrolled away.
const fn is_hidden(states: States) -> bool {
    !states.is_shown(true) && !states.is_shown(false)
}

/// Whether an element with this role is labelled by a text beside it.
const fn is_check(role: Role) -> bool {
    matches!(role.general(), Role::CheckBox | Role::RadioButton)
}

/// Whether an element with this role takes text, now or at other times.
const fn is_field(native: Native) -> bool {
    matches!(native, Native::Entry | Native::Editbar | Native::Autocomplete)
}

/// Takes up to `wanted` from what is left and returns how much was taken.
fn take(left: &AtomicUsize, wanted: usize) -> usize {
    let taken = |left: usize| Some(left - left.min(wanted));
    left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken).unwrap_or(0).min(wanted)
}

/// The placeholder of parts beyond the budget.
fn omission() -> EmbeddedPart {
    let reading = TextAtPointer { text: OMISSION.to_owned(), offset: None };
    EmbeddedPart { reading, is_inline: true, ..EmbeddedPart::default() }
}

/// Positions of embedded elements in `text`, in characters. Pure.
fn positions(text: &str) -> Vec<usize> {
    text.chars().enumerate().filter(|(_, character)| *character == OBJECT_REPLACEMENT).map(|(place, _)| place).collect()
}

/// Inserts the texts of embedded elements at their places and adjusts the offset. Pure.
fn insert_embedded(text: &str, offset: Option<usize>, mut embedded: Vec<EmbeddedPart>) -> TextAtPointer {
    // A check box, or the picture of a link, often has the same words as its name and as the text beside it.
    for index in 0..embedded.len() {
        let name = embedded[index].reading.text.trim().to_owned();
        let holds = |other: &EmbeddedPart| !other.is_name && other.reading.text.contains(&name);
        let is_repeated = embedded[index].is_picture && letters(text) == letters(&name);
        if is_repeated || embedded[index].is_name && (is_in(text, &name) || embedded.iter().any(holds)) {
            embedded[index] = EmbeddedPart::default();
        }
    }
    let mut filled = String::with_capacity(text.len());
    let (mut length, mut moved, mut next) = (0, None, embedded.into_iter());
    let mut needs_gap = false;
    for (position, character) in text.chars().enumerate() {
        let mut part = if character == OBJECT_REPLACEMENT { next.next().unwrap_or_default() } else { plain(character) };
        // One mark stands for all omitted parts in a row.
        if part.reading.text == OMISSION && filled.ends_with(OMISSION) {
            part = EmbeddedPart::default();
        }
        let first = part.reading.text.chars().next();
        let touches = filled.chars().next_back().is_some_and(|c| !c.is_whitespace() && !"([{“‘\"'".contains(c));
        let begins = first.is_some_and(char::is_alphanumeric);
        if touches && begins && (needs_gap || !part.is_inline) {
            filled.push(' ');
            length += 1;
        }
        if offset == Some(position) {
            moved = Some(length + part.reading.offset.unwrap_or(0));
        }
        if first.is_some() {
            needs_gap = !part.is_inline;
        }
        length += part.reading.text.chars().count();
        filled.push_str(&part.reading.text);
    }
    TextAtPointer { text: filled, offset: moved.filter(|&offset| offset < length) }
}

/// Whether `text` says `name` already, apart from blanks and embedded elements in it. Pure.
fn is_in(text: &str, name: &str) -> bool {
    letters(text).contains(&letters(name))
}

fn letters(text: &str) -> String {
    text.chars().filter(|&c| c != OBJECT_REPLACEMENT && !c.is_whitespace()).collect()
}

/// A character of the text itself.
fn plain(character: char) -> EmbeddedPart {
    EmbeddedPart {
        reading: TextAtPointer { text: character.to_string(), offset: None },
        is_inline: true,
        ..EmbeddedPart::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inline(text: &str) -> EmbeddedPart {
        let reading = TextAtPointer { text: text.into(), offset: None };
        EmbeddedPart { reading, is_inline: true, ..EmbeddedPart::default() }
    }

    fn apart(text: &str) -> EmbeddedPart {
        EmbeddedPart { is_inline: false, ..inline(text) }
    }

    #[track_caller]
    fn check(text: &str, offset: Option<usize>, embedded: &[EmbeddedPart], expect: &str, moved: Option<usize>) {
        assert_eq!(
            insert_embedded(text, offset, embedded.to_vec()),
            TextAtPointer { text: expect.into(), offset: moved },
            "{text:?}"
        );
    }

    // PIC-1
    #[test]
    fn embedded_elements_are_read_in_their_place_pic_1() {
        let seoul = [inline("Seoul 서울")];
        check("in \u{FFFC}, with wind", Some(4), &seoul, "in Seoul 서울, with wind", Some(11));
        check("in \u{FFFC}, with wind", Some(3), &seoul, "in Seoul 서울, with wind", Some(3));
        check("\u{FFFC}\u{FFFC}a", Some(2), &[inline("b")], "ba", Some(1));
        check("\u{FFFC}", Some(0), &[], "", None);
        check("a \u{FFFC}\u{FFFC} b\u{FFFC}", None, &[omission(), omission(), omission()], "a … b…", None);
        check("ab", None, &[inline("unused")], "ab", None);
        let within =
            EmbeddedPart { reading: TextAtPointer { text: "30,000원".into(), offset: Some(3) }, ..inline("") };
        check("총액 \u{FFFC}이며", Some(3), &[within], "총액 30,000원이며", Some(6));
    }

    // PIC-1
    #[test]
    fn what_is_no_part_of_the_sentence_stands_apart_pic_1() {
        check("press\u{FFFC}now", Some(6), &[apart("OK")], "press OK now", Some(9));
        check("press \u{FFFC}, then", None, &[apart("OK")], "press OK, then", None);
        check("\u{FFFC}\u{FFFC}", None, &[apart("a"), apart("b")], "a b", None);
        check("a\u{FFFC}b", None, &[apart("")], "ab", None);
    }

    // PIC-1
    #[test]
    fn the_name_of_a_tick_box_is_read_once_pic_1() {
        let tick = EmbeddedPart { is_name: true, ..apart("라벨") };
        check("\u{FFFC} 라벨", None, std::slice::from_ref(&tick), " 라벨", None);
        check("\u{FFFC} 끝", None, std::slice::from_ref(&tick), "라벨 끝", None);
        check("\u{FFFC}\u{FFFC}", None, &[tick, inline("라벨")], "라벨", None);
    }

    // ANN-4
    #[test]
    fn the_picture_of_a_link_repeats_no_words_ann_4() {
        let home = EmbeddedPart { is_picture: true, ..apart("home") };
        check("\u{FFFC}home", None, std::slice::from_ref(&home), "home", None);
        check("\u{FFFC}home page", None, std::slice::from_ref(&home), "home home page", None);
        check("\u{FFFC}", None, std::slice::from_ref(&home), "home", None);
    }
}
