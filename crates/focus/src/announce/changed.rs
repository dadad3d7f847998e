//! The same element again: only what changed is said (ANN-5).

use luna_messages::element::State;
use luna_text::sentence;

use super::compose::{Announcement, LongText, Parts};
use super::content::{Content, content_of};
use super::{AnnouncedElement, AnnouncementStyle, announce, states, words};

/// Whether both are the same element, whatever its text and states.
#[must_use]
pub fn is_same<'a>(one: impl Into<AnnouncedElement<'a>>, other: impl Into<AnnouncedElement<'a>>) -> bool {
    let (one, other) = (one.into(), other.into());
    one.id.is_some() && one.id == other.id
}

/// What is said after `previous`: everything of another element; of the same one what changed, or the sentence that is pointed at now. `None` if
/// there is nothing new.
#[must_use]
pub fn announce_change<'a>(
    previous: impl Into<AnnouncedElement<'a>>,
    now: impl Into<AnnouncedElement<'a>>,
    style: AnnouncementStyle,
) -> Option<Announcement> {
    let (previous, now) = (previous.into(), now.into());
    if !is_same(previous, now) {
        return Some(announce(now, Some(previous), style)).filter(|said| !said.is_empty());
    }
    let (before, after) = (content_of(&previous, style.lang), content_of(&now, style.lang));
    let mut parts = Parts::default();
    after.names.iter().filter(|name| !before.names.contains(name)).for_each(|name| parts.push(name));
    changed_states(&previous, &now, style).for_each(|word| parts.push(word));
    let invalid = now.properties.states.contains(State::Invalid);
    if invalid && now.properties.error_message != previous.properties.error_message {
        parts.push(&now.properties.error_message);
    }
    let mut body = None;
    match after.content {
        content if content == before.content => {}
        Content::Nothing => {}
        Content::Blank => parts.push(words::blank(style.lang)),
        Content::Short(content) => parts.push(&content),
        Content::Long(long) => {
            let known = match &before.content {
                Content::Long(known) => known.text.as_str(),
                Content::Short(known) => known,
                Content::Nothing | Content::Blank => "",
            };
            body = if known == long.text { Some(long) } else { news(known, &long.text) };
        }
    }
    Some(parts.with_body(body)).filter(|said| !said.is_empty())
}

/// The words for states that began, and for those that ended without an opposite.
fn changed_states(
    previous: &AnnouncedElement<'_>,
    now: &AnnouncedElement<'_>,
    style: AnnouncementStyle,
) -> impl Iterator<Item = &'static str> {
    let (before, after) = (states::told(previous), states::told(now));
    let role = now.role;
    let begun = after.iter().filter(move |state| !before.contains(*state));
    let ended = before.iter().filter(move |state| !after.contains(*state));
    let opposite = move |state: State| {
        let opposites = opposites(state);
        // One of the opposites is said as a state of its own.
        if opposites.iter().any(|other| after.contains(*other)) {
            return None;
        }
        words::end_of_state(state, style.lang).or(opposites.first().map(|other| words::state(*other, role, style.lang)))
    };
    begun.map(move |state| words::state(state, role, style.lang)).chain(ended.filter_map(opposite))
}

/// The states of which an element is in one, the one first that it is in if the platform reports none.
const fn opposites(state: State) -> &'static [State] {
    match state {
        State::Checked => &[State::Unchecked, State::HalfChecked],
        State::HalfChecked => &[State::Unchecked, State::Checked],
        State::Pressed => &[State::Unpressed],
        State::Selected => &[State::Unselected],
        State::Expanded => &[State::Collapsed],
        _ => &[],
    }
}

/// The sentences of `text` that are not in `known`, if they are in one place; `None` if sentences only went away.
fn news(known: &str, text: &str) -> Option<LongText> {
    let (old, new) = (sentence::split_whole(known), sentence::split_whole(text));
    let before = old.iter().zip(&new).take_while(|(old, new)| old.text == new.text).count();
    let (old, rest) = (&old[before..], &new[before..]);
    let after = old.iter().rev().zip(rest.iter().rev()).take_while(|(old, new)| old.text == new.text).count();
    let fresh = &rest[..rest.len() - after];
    let sentences: Vec<&str> = fresh.iter().map(|piece| piece.text).collect();
    (!sentences.is_empty()).then(|| LongText { text: sentences.join("\n"), start: 0 })
}
