//! What is said of an element, in the order of screen readers: label or name, role, states, value, position, description (ANN-1, ANN-2, ANN-4).
//!
//! **Invariant:** neither the text nor the value of a protected field is ever said (PIC-5).

mod changed;
mod compose;
mod content;
mod heading;
mod plain;
mod states;
mod words;

pub use changed::{announce_change, is_same};
pub use compose::Announcement;

use luna_messages::element::{ElementProperties, State};
use luna_messages::pick::{Element, Pick, Role};
use luna_messages::reading::Verbosity;
use luna_messages::{ElementId, Lang};

use compose::Parts;
use content::{Content, content_of};

/// How elements are announced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnnouncementStyle {
    pub verbosity: Verbosity,
    /// Language of the words for roles, states and numbers.
    pub lang: Lang,
    /// Whether the element has the keyboard focus. The focused item of a list is usually selected, the one pointed at is usually not, and the usual
    /// is not said.
    pub focused: bool,
}

/// What an announcement is made of: an element, or a pick.
#[derive(Debug, Clone, Copy)]
pub struct AnnouncedElement<'a> {
    id: Option<&'a ElementId>,
    role: Role,
    text: &'a str,
    label: &'a str,
    offset: Option<usize>,
    enabled: bool,
    properties: &'a ElementProperties,
}

impl<'a> From<&'a Element> for AnnouncedElement<'a> {
    fn from(element: &'a Element) -> Self {
        Self {
            id: Some(&element.id),
            role: element.role,
            text: &element.text,
            label: &element.label,
            offset: element.offset,
            enabled: element.enabled,
            properties: &element.properties,
        }
    }
}

impl<'a> From<&'a Pick> for AnnouncedElement<'a> {
    /// Recognised text is plain text.
    fn from(pick: &'a Pick) -> Self {
        Self {
            id: pick.id.as_ref(),
            role: pick.role.unwrap_or(Role::Text),
            text: &pick.text,
            label: &pick.label,
            offset: pick.offset,
            enabled: true,
            properties: &pick.properties,
        }
    }
}

impl AnnouncedElement<'_> {
    fn is_protected(&self) -> bool {
        self.role == Role::Protected || self.properties.states.contains(State::Protected)
    }

    /// Whether nothing that it contains may be said.
    fn is_without_content(&self) -> bool {
        self.is_protected() || self.properties.states.contains(State::Withheld)
    }
}

/// What is said of an element that gets the attention. `previous`: what had it before, so that headers and levels are said only if they changed
/// (ANN-3).
#[must_use]
pub fn announce<'a>(
    element: impl Into<AnnouncedElement<'a>>,
    previous: Option<AnnouncedElement<'a>>,
    style: AnnouncementStyle,
) -> Announcement {
    let element = element.into();
    let (role, said) = (element.role, &element.properties);
    let texts = content_of(&element, style.lang);
    let brief = style.verbosity == Verbosity::Brief;
    let mut parts = Parts::default();
    if !brief {
        heading::headers(&element, previous.as_ref(), style).into_iter().for_each(|header| parts.push(&header));
    }
    texts.names.iter().for_each(|name| parts.push(name));
    if element.is_protected() {
        // That the field is protected is why nothing more is said, at every verbosity.
        parts.push(words::role(Role::Protected, style.lang));
    } else if words::is_role_said(role, style.verbosity) {
        parts.push(&heading::role_with_level(&element, style.lang));
    }
    for state in states::said(&element, style) {
        parts.push(words::state(state, role, style.lang));
    }
    if said.states.contains(State::Invalid) {
        parts.push(&said.error_message);
    }
    let mut body = None;
    match texts.content {
        Content::Nothing => {}
        Content::Blank => {
            parts.push(words::blank(style.lang));
            if !brief {
                parts.push(&said.placeholder);
            }
        }
        Content::Short(content) => parts.push(&content),
        Content::Long(long) => body = Some(long),
    }
    if !brief {
        heading::place(&element, previous.as_ref(), style).into_iter().for_each(|place| parts.push(&place));
        parts.push_news(&said.description);
    }
    if parts.is_empty() && body.is_none() && words::has_role(role) {
        parts.push(words::role(role, style.lang));
    }
    parts.with_body(body)
}

/// Whether the rows of a pick are read instead of its text: those of a recognised table, and of a table, list or tree that is pointed at itself and
/// not in one of its parts (ANN-3, OCR-4).
#[must_use]
pub fn reads_rows(pick: &Pick) -> bool {
    let whole = pick.role.is_none_or(|role| matches!(role, Role::Table | Role::List | Role::Tree));
    pick.is_table && whole && !pick.rows.is_empty()
}

/// Whether the pick is a protected field (PIC-5).
#[must_use]
pub fn is_protected(pick: &Pick) -> bool {
    AnnouncedElement::from(pick).is_protected()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub(crate) mod tests;
