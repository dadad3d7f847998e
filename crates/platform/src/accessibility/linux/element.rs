//! An element with its text and id, as reported to the rest of Luna (PIC-1, PIC-6).

use atspi::Role as Native;
use futures_util::future::{join3, join4};
use luna_messages::Point;
use luna_messages::element::ElementProperties;
use luna_messages::pick::{Element, Role, WindowInfo};

use super::super::id::{IdentityInput, element_id};
use super::ancestor_path::{Ancestor, AncestorPath};
use super::node::{LinuxNode, NodeFacts};
use super::reading::TextAtPointer;
use super::{WindowContext, role, rows, text};

/// What is known about an element that is not protected.
pub(super) struct ElementDetails<'a> {
    /// The reported role; may differ from the one in its facts.
    pub(super) role: Role,
    pub(super) reading: TextAtPointer,
    pub(super) name: String,
    /// The id that the application gives it.
    pub(super) automation_id: String,
    /// Positions among siblings, the element's own first, up to below the window's element.
    pub(super) path: &'a [i32],
}

/// Assembles the reported element.
pub(super) async fn build_element(
    window: &WindowInfo,
    node: &LinuxNode,
    facts: &NodeFacts,
    details: ElementDetails<'_>,
) -> Element {
    let ElementDetails { role, reading, mut name, automation_id, path } = details;
    // A field's name may repeat the typed text; such a name does not identify the field.
    if role == Role::Edit && name == reading.text && node.character_count().await.is_ok_and(|count| count > 0) {
        name.clear();
    }
    let identity = IdentityInput {
        process: window.process,
        window: window.handle,
        automation_id: &automation_id,
        role,
        name: &name,
        path,
    };
    let id = element_id(identity);
    let seen = facts.bbox.intersection(window.bounds);
    Element {
        id,
        role,
        label: label(node, role, &reading.text, name).await,
        text: reading.text,
        bbox: if seen.is_empty() { facts.bbox } else { seen },
        offset: reading.offset,
        automation_id,
        enabled: facts.states.is_enabled(),
        rows: Vec::new(),
        row: None,
        has_header: false,
        properties: ElementProperties::default(),
    }
}

/// The label of a field whose text is what was typed or chosen. Empty for any other element, and if the text begins
/// with the label.
async fn label(node: &LinuxNode, role: Role, text: &str, name: String) -> String {
    if !matches!(role, Role::Edit | Role::ComboBox | Role::Slider) {
        return String::new();
    }
    let label = if name.trim().is_empty() { node.label().await } else { name };
    let label = label.trim();
    // A slider's text begins with its name.
    if text.starts_with(label) { String::new() } else { label.to_owned() }
}

/// The text of the target. If the toolkit can't report the offset at the pointer, it is derived from the piece that was
/// hit.
async fn read(ancestry: &AncestorPath, target: usize, role: Role, point: Point, origin: Point) -> TextAtPointer {
    let Some(ancestor) = ancestry.ancestors.get(target) else {
        return TextAtPointer::default();
    };
    let mut reading = text::read(&ancestor.node, role, point, origin).await;
    if reading.offset.is_none() && target > 0 {
        let pieces: Vec<&LinuxNode> = ancestry.ancestors.iter().take(target).map(|ancestor| &ancestor.node).collect();
        reading.offset = text::offset_by_piece(&ancestor.node, &pieces, &reading.text, point, origin).await;
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
    let children = host.node.child_count().await.unwrap_or(0);
    if (1..=60).contains(&children) && text::has_running_text(&host.node, children).await { pieces } else { 0 }
}

/// Whether the element may contain plain text beside other things.
const fn is_section(native: Native) -> bool {
    matches!(native, Native::Section | Native::Label | Native::Article)
}

/// The element at `target` of the path, if it has a text that may be read.
pub(super) async fn at(
    context: &WindowContext,
    window: &WindowInfo,
    ancestry: &AncestorPath,
    target: usize,
    point: Point,
) -> Option<Element> {
    let Ancestor { node, facts } = ancestry.ancestors.get(target)?;
    let role = match facts.role {
        // A section that was chosen as the host of a sentence.
        Role::Group if target > 0 && is_section(facts.native) => Role::Text,
        role => role,
    };
    if !role.is_readable() {
        return None;
    }
    let (reading, name, automation_id, rows) = join4(
        read(ancestry, target, role, point, context.origin),
        node.name(),
        node.automation_id(),
        rows::around_hit(ancestry, context.origin),
    )
    .await;
    if reading.text.is_empty() {
        return None;
    }
    let (name, path) = (name.unwrap_or_default(), ancestry.path.get(target..).unwrap_or_default());
    let element = build_element(window, node, facts, ElementDetails { role, reading, name, automation_id, path }).await;
    Some(Element { rows: rows.rows, has_header: rows.has_header, row: rows.here, ..element })
}

/// The protected field at `target` of the path: its states, without its text.
pub(super) async fn protected(window: &WindowInfo, ancestry: &AncestorPath, target: usize) -> Option<Element> {
    let Ancestor { node, facts } = ancestry.ancestors.get(target)?;
    let path = ancestry.path.get(target..).unwrap_or_default();
    let (reading, name, automation_id) = (TextAtPointer::default(), String::new(), node.automation_id().await);
    let details = ElementDetails { role: Role::Protected, reading, name, automation_id, path };
    Some(build_element(window, node, facts, details).await)
}

/// The table or list that the first element of the path is or lies in, with its rows.
pub(super) async fn container(context: &WindowContext, window: &WindowInfo, ancestry: &AncestorPath) -> Option<Element> {
    let position = rows::container(ancestry)?;
    let Ancestor { node, facts } = ancestry.ancestors.get(position)?;
    let (name, automation_id, rows) =
        join3(node.name(), node.automation_id(), rows::around(ancestry, position, context.origin)).await;
    let path = ancestry.path.get(position..).unwrap_or_default();
    let (name, reading) = (name.unwrap_or_default(), TextAtPointer::default());
    let details = ElementDetails { role: facts.role, reading, name, automation_id, path };
    let element = build_element(window, node, facts, details).await;
    Some(Element { rows: rows.rows, has_header: rows.has_header, row: rows.here, ..element })
}
