//! An element with its text, properties and id, as reported to the rest of Luna (PIC-1, PIC-6, ANN-1).

use atspi::{RelationType, Role as Native};
use futures_util::future::{join, join3, join4};
use luna_messages::element::{ElementProperties, State};
use luna_messages::pick::{Element, Role, WindowInfo};

use super::super::id::{IdentityInput, element_id};
use super::ancestor_path::{Ancestor, AncestorPath};
use super::call_error::CallError;
use super::details::{Details, tidy_label};
use super::node::{LinuxNode, NodeFacts};
use super::reading::{PlaceInText, TextAtPointer};
use super::{cell, position, related, role, rows, text};

/// What is known about an element that is not protected.
pub(super) struct ElementParts<'a> {
    /// The reported role; may differ from the one in its facts.
    pub(super) role: Role,
    pub(super) reading: TextAtPointer,
    pub(super) details: &'a Details,
    pub(super) properties: ElementProperties,
    /// Positions among siblings, the element's own first, up to below the window's element.
    pub(super) path: &'a [i32],
}

/// Assembles the reported element.
pub(super) async fn build_element(window: &WindowInfo, facts: &NodeFacts, parts: ElementParts<'_>) -> Element {
    let ElementParts { role, mut reading, details, mut properties, path } = parts;
    // The name of a field may repeat its content; such a name does not identify the field.
    let is_content = role.has_content() && details.name == reading.text;
    // Whether a secret's name is its content is only guessed by the length, which changes with what is typed (PIC-5).
    let is_content = is_content || role == Role::Protected;
    let name = if is_content { "" } else { details.name.as_str() };
    let identity = IdentityInput {
        process: window.process,
        window: window.handle,
        automation_id: &details.automation_id,
        role,
        name,
        path,
    };
    let id = element_id(identity);
    let label = label(role, &reading.text, name, details);
    if reading.text.is_empty() && !role.has_content() {
        // A button with a picture and without a name often has a tool tip.
        reading.text = std::mem::take(&mut properties.description).trim().to_owned();
    }
    let repeats = [name, &reading.text, &label, &properties.placeholder, &properties.error_message];
    if repeats.iter().any(|known| known.trim() == properties.description.trim()) {
        properties.description.clear();
    }
    let seen = facts.bbox.intersection(window.bounds);
    let bbox = if seen.is_empty() { facts.bbox } else { seen };
    Element {
        label,
        offset: reading.offset,
        automation_id: details.automation_id.clone(),
        enabled: facts.states.is_usable(),
        properties,
        ..Element::new(id, role, reading.text, bbox)
    }
}

/// The name of an element whose text is its content: what was typed, chosen or reached. Empty for any other element, and
/// if the text begins with the label.
fn label(role: Role, text: &str, name: &str, details: &Details) -> String {
    let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let label = match role.general() {
        _ if role.has_content() && name.trim().is_empty() => details.label.clone(),
        _ if role.has_content() => tidy_label(name).to_owned(),
        // The name of a sheet's cell is its address.
        Role::Cell if !letters(text).contains(&letters(name)) => name.trim().to_owned(),
        _ => String::new(),
    };
    if text.starts_with(label.as_str()) { String::new() } else { label }
}

/// A description without the markup in which Qt's tool tips may be written. Pure.
fn plain(description: &str) -> String {
    let description = description.trim();
    if !description.starts_with('<') || !description.ends_with('>') {
        return description.to_owned();
    }
    let mut said = String::with_capacity(description.len());
    let mut is_tag = false;
    for c in description.chars() {
        match c {
            '<' => is_tag = true,
            '>' => is_tag = false,
            c if !is_tag => said.push(c),
            _ => {}
        }
    }
    said.trim().to_owned()
}

/// What can be said of an element without further requests.
pub(super) fn known_properties(facts: &NodeFacts, role: Role, details: &Details) -> ElementProperties {
    ElementProperties {
        states: facts.states.said(facts.native, role, &details.attributes),
        description: plain(&details.description),
        placeholder: details.attributes.placeholder().trim().to_owned(),
        position: None,
        level: details.attributes.level().filter(|_| matches!(role, Role::Heading | Role::TreeItem)),
        ..ElementProperties::default()
    }
}

/// What is said of the element at `target` of the path besides its text.
async fn properties(ancestry: &AncestorPath, target: usize, role: Role, details: &Details) -> ElementProperties {
    let Some(Ancestor { node, facts }) = ancestry.ancestors.get(target) else { return ElementProperties::default() };
    let mut properties = known_properties(facts, role, details);
    let related = async {
        let is_invalid = properties.states.contains(State::Invalid);
        let error = async {
            if is_invalid { related::text(node, details, RelationType::ErrorMessage).await } else { String::new() }
        };
        let description = async {
            let is_known = !properties.description.is_empty();
            if is_known { String::new() } else { related::text(node, details, RelationType::DescribedBy).await }
        };
        join(error, description).await
    };
    let value = async {
        let has_range = matches!(role, Role::Slider | Role::SpinButton | Role::ProgressBar | Role::ScrollBar);
        if has_range { node.range_value(details).await } else { None }
    };
    let index = ancestry.path.get(target).copied().unwrap_or(-1);
    let position = position::position(node, role, details, index, ancestry.ancestors.get(target + 1));
    let ((error, description), value, position, cell) =
        join4(related, value, position, cell::place(ancestry, target, role, details)).await;
    if !description.is_empty() {
        properties.description = description.trim().to_owned();
    }
    properties.error_message = error.trim().to_owned();
    ElementProperties { value, position, cell, ..properties }
}

/// The text of the target. If the toolkit can't report the offset at the pointer, it is derived from the piece that was
/// hit.
async fn read(
    ancestry: &AncestorPath,
    target: usize,
    role: Role,
    details: &Details,
    place: PlaceInText,
) -> TextAtPointer {
    let Some(ancestor) = ancestry.ancestors.get(target) else {
        return TextAtPointer::default();
    };
    let mut reading = text::read(&ancestor.node, &ancestor.facts, role, details, place).await;
    if let Some(point) = place.pointer()
        && reading.offset.is_none()
        && target > 0
    {
        let pieces: Vec<&LinuxNode> = ancestry.ancestors.iter().take(target).map(|ancestor| &ancestor.node).collect();
        reading.offset = text::offset_by_piece(&ancestor.node, &pieces, &reading.text, point).await;
    }
    reading
}

/// The index of the section to read if plain text directly in a section of a page was hit: any piece of it, also an
/// emphasised one, selects the whole section. Otherwise 0.
pub(super) async fn sentence_host(ancestry: &AncestorPath) -> usize {
    let pieces = ancestry.ancestors.iter().take_while(|ancestor| role::is_piece(ancestor.facts.native)).count();
    let Some(host) = ancestry.ancestors.get(pieces).filter(|host| pieces > 0 && is_section(host.facts.native)) else {
        return 0;
    };
    // If the section has no running text of its own, the piece is read by itself.
    let children = host.facts.children;
    if (1..=60).contains(&children) && text::has_running_text(&host.node, children).await { pieces } else { 0 }
}

/// Whether the element may contain plain text beside other things.
const fn is_section(native: Native) -> bool {
    matches!(native, Native::Section | Native::Label | Native::Article)
}

/// The element at `target` of the path, whose details are `details`, if there is something to say of it. `place`: where in
/// it the person is. If it is not a field, its label is added to its details; that of a field is known, because it tells
/// whether the field is secret.
pub(super) async fn at(
    window: &WindowInfo,
    ancestry: &AncestorPath,
    target: usize,
    details: &mut Details,
    place: PlaceInText,
) -> Option<Element> {
    let Ancestor { node, facts } = ancestry.ancestors.get(target)?;
    let parent = ancestry.ancestors.get(target + 1);
    let role = match facts.role {
        // A section that was chosen as the host of a sentence.
        Role::Group if target > 0 && is_section(facts.native) => Role::Text,
        role => details.attributes.role(role),
    };
    let is_hit = target == 0;
    let path = ancestry.path.get(target..).unwrap_or_default();
    let (role, reading, properties) = match role.general() {
        Role::Table | Role::List if is_hit => return container(window, ancestry).await,
        Role::Group | Role::Document if is_hit => {
            let reading = text::beneath(node, facts, role, details, place.pointer()?).await?;
            let role = if role == Role::Document { role } else { Role::Text };
            (role, reading, known_properties(facts, role, details))
        }
        // A picture is read by its alternative text (ANN-4).
        _ if role.is_readable() || role == Role::Image => {
            let known = &*details;
            let label = async {
                let is_asked = facts.role.has_content() && !facts.is_field();
                if is_asked { Some(known.label_of(node, facts, parent).await) } else { None }
            };
            let (reading, properties, label) =
                join3(read(ancestry, target, role, known, place), properties(ancestry, target, role, known), label)
                    .await;
            if let Some(label) = label {
                details.label = label;
            }
            if let Some(pointer) = place.pointer()
                && (facts.states.is_multi_line() && facts.is_field() || role == Role::Terminal)
                && reading.offset.is_none()
                && text::is_beside(node, pointer).await
            {
                return None;
            }
            (role, reading, properties)
        }
        _ => return None,
    };
    let element = build_element(window, facts, ElementParts { role, reading, details, properties, path }).await;
    // A field or a cell without content is told by its label.
    let is_told_empty = role.has_content() || role.general() == Role::Cell && facts.children == 0;
    (is_told_empty || !element.text.is_empty()).then_some(element)
}

/// The protected field at `target` of the path: its label and states, without its text (PIC-5).
pub(super) async fn protected(window: &WindowInfo, ancestry: &AncestorPath, target: usize) -> Option<Element> {
    let Ancestor { node, facts } = ancestry.ancestors.get(target)?;
    let path = ancestry.path.get(target..).unwrap_or_default();
    Some(build_protected(window, (node, facts), ancestry.ancestors.get(target + 1), path).await)
}

/// A protected field: its label and states, without its text (PIC-5). `parent`: its parent, if it is known.
pub(super) async fn build_protected(
    window: &WindowInfo,
    (node, facts): (&LinuxNode, &NodeFacts),
    parent: Option<&Ancestor>,
    path: &[i32],
) -> Element {
    let role = Role::Protected;
    let own = role::luna_role(facts.native, facts.states.is_editable());
    // Of an element that the person blocked nothing is read, and the name of a button is all its text.
    if own != Role::Protected && own.general() != Role::Edit {
        let details = Details::default();
        let properties = known_properties(facts, role, &details);
        let parts = ElementParts { role, reading: TextAtPointer::default(), details: &details, properties, path };
        return build_element(window, facts, parts).await;
    }
    let (mut details, count) = join(node.details(facts), node.character_count()).await;
    forget_content(&mut details, count);
    details.description.clear();
    let properties = known_properties(facts, role, &details);
    let label = match details.name.trim() {
        "" => {
            details.label = details.label_of(node, facts, parent).await;
            details.label.clone()
        }
        name => tidy_label(name).to_owned(),
    };
    let label = if label.is_empty() { properties.placeholder.clone() } else { label };
    let parts = ElementParts { role, reading: TextAtPointer::default(), details: &details, properties, path };
    let element = build_element(window, facts, parts).await;
    Element { label, ..element }
}

/// Clears the name of a field whose content must not be said, which has `count` characters, if it may be the content: some
/// toolkits repeat it as the name, if its author gave the field none.
fn forget_content(details: &mut Details, count: Result<i32, CallError>) {
    if !details.attributes.is_named_explicitly()
        && details.interfaces.has("Text")
        && may_be_content(&details.name, count)
    {
        details.name.clear();
    }
}

/// Whether a name may be the content of a protected field, of which only the length is known. One that is not told in
/// time may be that of the name. Pure.
fn may_be_content(name: &str, length: Result<i32, CallError>) -> bool {
    length.map_or(true, |length| usize::try_from(length) == Ok(name.chars().count()))
}

/// The field at `target` of the path, all but its content (PIC-5).
pub(super) async fn withheld(
    window: &WindowInfo,
    ancestry: &AncestorPath,
    target: usize,
    details: &Details,
) -> Option<Element> {
    let Ancestor { node, facts } = ancestry.ancestors.get(target)?;
    let properties = properties(ancestry, target, details.attributes.role(facts.role), details).await;
    let path = ancestry.path.get(target..).unwrap_or_default();
    Some(build_withheld(window, (node, facts), details, properties, path).await)
}

/// A field without its content (PIC-5): its value, and its name if that may repeat it, are left out.
pub(super) async fn build_withheld(
    window: &WindowInfo,
    (node, facts): (&LinuxNode, &NodeFacts),
    details: &Details,
    mut properties: ElementProperties,
    path: &[i32],
) -> Element {
    let mut details = details.clone();
    forget_content(&mut details, node.character_count().await);
    properties.value = None;
    properties.states = properties.states.with(State::Withheld);
    let role = details.attributes.role(facts.role);
    let parts = ElementParts { role, reading: TextAtPointer::default(), details: &details, properties, path };
    build_element(window, facts, parts).await
}

/// The table or list that the first element of the path is or lies in, with its rows.
pub(super) async fn container(window: &WindowInfo, ancestry: &AncestorPath) -> Option<Element> {
    let position = rows::container(ancestry)?;
    let Ancestor { node, facts } = ancestry.ancestors.get(position)?;
    let (details, rows) = join(node.details(facts), rows::around(ancestry, position)).await;
    let path = ancestry.path.get(position..).unwrap_or_default();
    let role = details.attributes.role(facts.role);
    let reading = TextAtPointer { text: details.name.trim().to_owned(), offset: None };
    let properties = known_properties(facts, role, &details);
    let parts = ElementParts { role, reading, details: &details, properties, path };
    let element = build_element(window, facts, parts).await;
    let element = Element { rows: rows.rows, has_header: rows.has_header, row: rows.here, ..element };
    (!element.rows.is_empty()).then_some(element)
}

#[cfg(test)]
mod tests {
    use super::*;

    // PIC-5
    #[test]
    fn a_name_as_long_as_a_secret_or_nobody_knows_how_long_may_be_it_pic_5() {
        for (name, length, expect) in [
            ("hunter2", Ok(7), true),
            ("비밀번호", Ok(4), true),
            ("비밀번호", Ok(12), false),
            ("Password", Ok(0), false),
            ("Password", Ok(-1), false),
            ("hunter2", Err(CallError::Late), true),
            ("hunter2", Err(CallError::Refused), true),
            ("hunter2", Err(CallError::Lost), true),
        ] {
            assert_eq!(may_be_content(name, length), expect, "{name} {length:?}");
        }
    }

    // ANN-4
    #[test]
    fn tool_tips_are_said_without_markup_ann_4() {
        for (told, said) in [
            ("<p style='white-space:pre'>/tmp/tree/</p>", "/tmp/tree/"),
            ("<b>Save</b> <i>as</i>", "Save as"),
            ("a < b and c > d", "a < b and c > d"),
            (" Next (F3) ", "Next (F3)"),
        ] {
            assert_eq!(plain(told), said);
        }
    }
}
