//! An element with its text and its id, as the rest of Luna is told of it (PIC-1, PIC-6).

use atspi::Role as Native;
use futures_util::future::join4;
use luna_messages::Point;
use luna_messages::pick::{Element, Role, WindowInfo};

use super::super::id::{IdentityInput, element_id};
use super::ancestor_path::{Ancestor, AncestorPath};
use super::node::{LinuxNode, NodeFacts};
use super::reading::TextAtPointer;
use super::{WindowContext, role, rows, text};

/// What was learnt of an element that is not protected.
pub(super) struct ElementDetails<'a> {
    /// Its role, as it is told.
    pub(super) role: Role,
    pub(super) reading: TextAtPointer,
    pub(super) name: String,
    /// The application's own id of it.
    pub(super) automation_id: String,
    /// Positions among siblings, its own first, up to below the window's element.
    pub(super) path: &'a [i32],
}

/// Puts together what is told of an element.
pub(super) async fn tell(
    window: &WindowInfo,
    node: &LinuxNode,
    facts: &NodeFacts,
    learnt: ElementDetails<'_>,
) -> Element {
    let ElementDetails { role, reading, mut name, automation_id, path } = learnt;
    // The name of a field may follow what is typed into it; then it is no part of what the field is.
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
    }
}

/// What names a field whose text is something else: what was typed or chosen.
async fn label(node: &LinuxNode, role: Role, text: &str, name: String) -> String {
    if !matches!(role, Role::Edit | Role::ComboBox | Role::Slider) {
        return String::new();
    }
    let label = if name.trim().is_empty() { node.label().await } else { name };
    let label = label.trim();
    // A slider's text begins with its name.
    if text.starts_with(label) { String::new() } else { label.to_owned() }
}

/// The text of the target. If the toolkit can't tell what lies under the pointer in it, the piece that was hit tells.
async fn read(way: &AncestorPath, target: usize, role: Role, point: Point, origin: Point) -> TextAtPointer {
    let Some(ancestor) = way.ancestors.get(target) else {
        return TextAtPointer::default();
    };
    let mut reading = text::read(&ancestor.node, role, point, origin).await;
    if reading.offset.is_none() && target > 0 {
        let pieces: Vec<&LinuxNode> = way.ancestors.iter().take(target).map(|ancestor| &ancestor.node).collect();
        reading.offset = text::offset_by_piece(&ancestor.node, &pieces, &reading.text, point, origin).await;
    }
    reading
}

/// Plain text straight in a section of a page: a piece of it that was hit means the whole, also one that is emphasised. The rung to read.
pub(super) async fn sentence_host(way: &AncestorPath) -> usize {
    let pieces = way.ancestors.iter().take_while(|ancestor| role::is_piece(ancestor.facts.native)).count();
    let Some(host) = way.ancestors.get(pieces).filter(|host| pieces > 0 && is_section(host.facts.native)) else {
        return 0;
    };
    // Blocks in a section are its children as well: then the piece is a block by itself.
    let children = host.node.child_count().await.unwrap_or(0);
    if (1..=60).contains(&children) && text::has_running_text(&host.node, children).await { pieces } else { 0 }
}

/// What may hold plain text beside other things.
const fn is_section(native: Native) -> bool {
    matches!(native, Native::Section | Native::Label | Native::Article)
}

/// The element at `target` of the way, if it has a text that may be read.
pub(super) async fn at(
    place: &WindowContext,
    window: &WindowInfo,
    way: &AncestorPath,
    target: usize,
    point: Point,
) -> Option<Element> {
    let Ancestor { node, facts } = way.ancestors.get(target)?;
    let role = match facts.role {
        // Chosen as the host of a sentence.
        Role::Group if target > 0 && is_section(facts.native) => Role::Text,
        role => role,
    };
    if !role.is_readable() {
        return None;
    }
    let (reading, name, automation_id, rows) = join4(
        read(way, target, role, point, place.origin),
        node.name(),
        node.automation_id(),
        rows::around(way, place.origin),
    )
    .await;
    if reading.text.is_empty() {
        return None;
    }
    let (name, path) = (name.unwrap_or_default(), way.path.get(target..).unwrap_or_default());
    let element = tell(window, node, facts, ElementDetails { role, reading, name, automation_id, path }).await;
    Some(Element { rows: rows.rows, has_header: rows.has_header, row: rows.here, ..element })
}
