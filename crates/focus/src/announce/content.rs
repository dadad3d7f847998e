//! The names of an element and its content: which of its texts is which, none of them twice.

use luna_messages::Lang;
use luna_messages::element::{RangeValue, State};
use luna_messages::pick::Role;
use luna_text::sentence;

use super::compose::LongText;
use super::plain::{contains_words, is_symbol, one_line};
use super::{AnnouncedElement, words};

/// A name of more characters is read as a text, with the role before it: as a name it would be heard for ten seconds before its role.
const MAX_NAME_CHARS: usize = 120;

/// The texts of an element by what they are.
pub(super) struct ElementTexts {
    /// What it is called, said before its role.
    pub(super) names: Vec<String>,
    /// What it contains, said after its states.
    pub(super) content: Content,
}

/// What an element contains.
#[derive(PartialEq)]
pub(super) enum Content {
    Nothing,
    /// It could contain something and does not.
    Blank,
    Short(String),
    Long(LongText),
}

pub(super) fn content_of(element: &AnnouncedElement<'_>, lang: Lang) -> ElementTexts {
    let label = label_words(element);
    if element.is_without_content() {
        // Neither its text nor its value.
        let name = if label.is_empty() { one_line(&element.properties.placeholder) } else { label };
        return ElementTexts { names: vec![name], content: Content::Nothing };
    }
    match element.role {
        Role::Slider | Role::SpinButton | Role::ProgressBar | Role::ScrollBar => ranged(element, label, lang),
        role if role.has_content() => field(element, label),
        role if is_named_by_label(role) => named(element, label),
        _ => labelled(element, label),
    }
}

/// Whether the label of elements with this role is their name, of which their text is only the look.
const fn is_named_by_label(role: Role) -> bool {
    matches!(
        role.general(),
        Role::Hyperlink
            | Role::Button
            | Role::MenuItem
            | Role::ListItem
            | Role::Heading
            | Role::Tab
            | Role::CheckBox
            | Role::RadioButton
            | Role::Cell
            | Role::Image
    )
}

/// The label without the marks that only lead over to the field, and without the asterisk if the field is said to be required.
fn label_words(element: &AnnouncedElement<'_>) -> String {
    let label = one_line(element.label);
    let required = element.properties.states.contains(State::Required);
    let is_mark = |c: char| matches!(c, ':' | '：' | ' ') || required && c == '*';
    let bare = label.trim_end_matches(is_mark).trim_start_matches(is_mark);
    if bare.is_empty() { label } else { bare.to_owned() }
}

/// What was typed or chosen. Of an empty field, the placeholder may come as its text.
fn field(element: &AnnouncedElement<'_>, label: String) -> ElementTexts {
    let text = element.text.trim();
    let placeholder = element.properties.placeholder.trim();
    let content = if text.is_empty() || text == placeholder { Content::Blank } else { reading(element) };
    let name = if label.is_empty() && content == Content::Blank { one_line(placeholder) } else { label };
    ElementTexts { names: vec![name], content }
}

/// A number within limits; the text of such an element may be its name, its number, or both.
fn ranged(element: &AnnouncedElement<'_>, label: String, lang: Lang) -> ElementTexts {
    let text = one_line(element.text);
    let Some(range) = &element.properties.value else {
        // Without a number, the text is all there is.
        let content = if text.is_empty() || text == label { Content::Nothing } else { Content::Short(text) };
        return ElementTexts { names: vec![label], content };
    };
    let number = number(range.now);
    let written = one_line(&range.text);
    let value = if let Some(percent) = percent_sign(&written) {
        words::percent(percent, lang)
    } else if !written.is_empty() {
        written.clone()
    } else if element.role == Role::SpinButton && shows(&text, &number) {
        // With its unit, as the field shows it.
        text.clone()
    } else {
        percentage(element.role, range).map_or_else(|| number.clone(), |percent| words::percent(&percent, lang))
    };
    let name = if label.is_empty() { without_value(&text, &[&written, &value, &number]) } else { label };
    let content = if value.is_empty() { Content::Nothing } else { Content::Short(value) };
    ElementTexts { names: vec![name], content }
}

/// What people see as one thing with a name: its label says in words what its text may only show.
fn named(element: &AnnouncedElement<'_>, label: String) -> ElementTexts {
    let text = one_line(element.text);
    let description = one_line(&element.properties.description);
    let is_item = matches!(element.role.general(), Role::ListItem | Role::Cell);
    let names = if text.is_empty() || is_symbol(&text) {
        let spoken = [label, description].into_iter().find(|words| !words.is_empty() && !is_symbol(words));
        vec![spoken.unwrap_or(text)]
    } else if label.is_empty() || contains_words(&text, &label) {
        vec![text]
    } else if is_item && !contains_words(&label, &text) {
        // An item's text is its content, too.
        vec![label, text]
    } else {
        vec![label]
    };
    if names.iter().all(String::is_empty) {
        // An empty cell is a place that a person can fill.
        let content = if element.role == Role::Cell { Content::Blank } else { Content::Nothing };
        return ElementTexts { names: Vec::new(), content };
    }
    let is_text = names.last().is_some_and(|name| *name == one_line(element.text));
    let reads_on = is_item && begins_later(element.text, element.offset);
    if is_text && (reads_on || element.text.chars().count() > MAX_NAME_CHARS) {
        let names = names[..names.len() - 1].to_vec();
        return ElementTexts { names, content: Content::Long(LongText::new(element.text, element.offset)) };
    }
    ElementTexts { names, content: Content::Nothing }
}

/// Running text, or a container with a title and a text.
fn labelled(element: &AnnouncedElement<'_>, label: String) -> ElementTexts {
    let text = one_line(element.text);
    if text.is_empty() {
        return ElementTexts { names: vec![label], content: Content::Nothing };
    }
    match reading(element) {
        Content::Short(text) if label.is_empty() || contains_words(&text, &label) => {
            ElementTexts { names: vec![text], content: Content::Nothing }
        }
        content => {
            let names = if contains_words(&text, &label) { Vec::new() } else { vec![label] };
            ElementTexts { names, content }
        }
    }
}

/// The text as content: whole if it is one sentence, else from the sentence at the pointer.
fn reading(element: &AnnouncedElement<'_>) -> Content {
    let text = one_line(element.text);
    let long = sentence::split_whole(element.text).len() > 1 || text.chars().count() > MAX_NAME_CHARS;
    if long { Content::Long(LongText::new(element.text, element.offset)) } else { Content::Short(text) }
}

/// Whether the pointer is on a later sentence than the first.
fn begins_later(text: &str, offset: Option<usize>) -> bool {
    let starts: Vec<usize> = sentence::split_whole(text).iter().map(|piece| piece.start).collect();
    offset.is_some_and(|offset| sentence::at(&starts, offset) > 0)
}

/// The percentage that a range stands for: what goes from 0 to 100 or from 0 to 1, and all that is a share of a whole.
fn percentage(role: Role, range: &RangeValue) -> Option<String> {
    let length = range.max - range.min;
    let is_share = matches!(role, Role::ProgressBar | Role::ScrollBar);
    let from_zero = range.min.abs() < f64::EPSILON;
    let is_percent = from_zero && ((range.max - 100.0).abs() < 1e-6 || (range.max - 1.0).abs() < 1e-6);
    let counts = length.is_finite() && length > 0.0 && range.now.is_finite();
    (counts && (is_share || is_percent && role == Role::Slider))
        .then(|| number((100.0 * (range.now - range.min) / length).round()))
}

/// A number as people say it: at most two decimals. Empty if it is none.
fn number(value: f64) -> String {
    if !value.is_finite() {
        return String::new();
    }
    let written = format!("{value:.2}");
    let short = written.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".to_owned() } else { short.to_owned() }
}

/// The number before a percent sign.
fn percent_sign(text: &str) -> Option<&str> {
    let number = text.strip_suffix(['%', '％'])?.trim_end();
    number.parse::<f64>().is_ok().then_some(number)
}

/// Whether a text shows a number, perhaps with its unit.
fn shows(text: &str, number: &str) -> bool {
    !number.is_empty() && text.contains(number)
}

/// A name without the value that it ends with.
fn without_value(text: &str, values: &[&String]) -> String {
    let name = values.iter().filter(|value| !value.is_empty()).find_map(|value| text.strip_suffix(value.as_str()));
    name.unwrap_or(text).trim_end().trim_end_matches([':', '：', ',']).trim_end().to_owned()
}
