//! What a dialog or window says when the focus enters it: its title, and its message (ATT-2).

use std::time::Duration;

use atspi::{RelationType, Role as Native};
use futures_util::future::{join, join_all, join3};
use luna_messages::pick::{Element, Role, WindowInfo};
use tokio::time::Instant;

use super::super::id::{IdentityInput, element_id};
use super::details::Details;
use super::node::{LinuxNode, NodeFacts};
use super::text;
use super::walk::{Visit, WalkBudget, walk};

/// Maximum number of elements of a dialog to query for its message.
const MAX_ELEMENTS: usize = 150;
/// A message that takes longer is left out or cut: the focus is announced in time. On a busy machine the few labels of a
/// dialog of GTK 3 take more than 60 ms.
const TIME_LIMIT: Duration = Duration::from_millis(200);
/// Maximum number of texts in a message, and of characters of each.
const MAX_TEXTS: usize = 6;
const MAX_CHARACTERS: usize = 400;

/// Whether the focus enters it like a room of its own.
pub(super) const fn is_window(native: Native) -> bool {
    is_dialog(native) || matches!(native, Native::Frame | Native::Window | Native::RootPane)
}

/// Whether it asks or tells something, so that its message is read.
const fn is_dialog(native: Native) -> bool {
    matches!(
        native,
        Native::Dialog
            | Native::Alert
            | Native::Notification
            | Native::FileChooser
            | Native::ColorChooser
            | Native::FontChooser
    )
}

/// The window or dialog as an element: its title is its label, its message its text. `None` if it has neither. `focused`,
/// which is announced anyway, is no part of the message.
pub(super) async fn announced(
    window: &WindowInfo,
    node: &LinuxNode,
    is_top: bool,
    focused: &LinuxNode,
) -> Option<Element> {
    let facts = node.facts().await.ok()?;
    let details = node.details(&facts).await;
    // The name of GTK's message dialogs is only their kind, such as "Information".
    let title = if is_top && !window.title.trim().is_empty() { &window.title } else { &details.name };
    let title = title.trim().to_owned();
    if facts.role == Role::Protected {
        return None;
    }
    let text =
        if is_dialog(facts.native) { message(node, &facts, &details, focused, &title).await } else { String::new() };
    if title.is_empty() && text.is_empty() {
        return None;
    }
    let automation_id = details.automation_id;
    let role = match facts.native {
        Native::Alert | Native::Notification => Role::Alert,
        native if is_dialog(native) => Role::Dialog,
        _ => Role::Window,
    };
    let id = element_id(IdentityInput {
        process: window.process,
        window: window.handle,
        automation_id: &automation_id,
        role,
        name: &title,
        path: &[],
    });
    Some(Element { label: title, automation_id, ..Element::new(id, role, text, facts.bbox) })
}

/// What describes the dialog, else the texts in it that label nothing else.
async fn message(dialog: &LinuxNode, facts: &NodeFacts, details: &Details, focused: &LinuxNode, title: &str) -> String {
    let texts = async {
        let describing = details.relations.of(dialog, RelationType::DescribedBy);
        let description = &details.description;
        let described = join_all(describing.iter().take(MAX_TEXTS).map(text_of)).await;
        let described: Vec<String> = described.into_iter().flatten().filter(|text| !text.is_empty()).collect();
        if !described.is_empty() {
            return described;
        }
        if !description.trim().is_empty() {
            return vec![description.trim().chars().take(MAX_CHARACTERS).collect()];
        }
        let limit = WalkBudget { elements: MAX_ELEMENTS, until: Some(Instant::now() + TIME_LIMIT), unseen: false };
        let local = dialog.app.local;
        let walked = walk(dialog, facts.bbox, limit, |facts, _| visit(facts, local)).await;
        let labels = walked.map(|walked| walked.taken).unwrap_or_default();
        let labels = labels.iter().filter(|(node, _)| node != focused).take(3 * MAX_TEXTS);
        let texts = labels.map(|(node, _)| async move {
            let (relations, text) = join(node.relations(), text::brief(node, MAX_CHARACTERS)).await;
            if relations.of(node, RelationType::LabelFor).is_empty() { text } else { String::new() }
        });
        join_all(texts).await
    };
    // Some dialogs repeat their title as a heading.
    let texts = tokio::time::timeout(2 * TIME_LIMIT, texts).await.unwrap_or_default();
    let mut spoken: Vec<String> = Vec::new();
    for text in texts {
        let text = text.trim().to_owned();
        // No relation ties some labels to their fields, but their colon does.
        let is_label = text.ends_with([':', '：']);
        if !text.is_empty() && !is_label && text != title && !spoken.contains(&text) && spoken.len() < MAX_TEXTS {
            spoken.push(text);
        }
    }
    spoken.join(" ")
}

/// Enters what only groups; takes running text and labels.
fn visit(facts: &NodeFacts, local: bool) -> Visit {
    if is_window(facts.native) {
        return Visit::Enter;
    }
    if !facts.states.is_shown(local) {
        return Visit::Skip;
    }
    match facts.role {
        Role::Text | Role::Heading if !facts.is_field() => Visit::Take,
        Role::Group | Role::Other | Role::Window => Visit::Enter,
        _ => Visit::Skip,
    }
}

async fn text_of(node: &LinuxNode) -> Option<String> {
    let facts = node.facts().await.ok()?;
    let is_readable = facts.role != Role::Protected && !facts.is_field();
    if is_readable { Some(text::brief(node, MAX_CHARACTERS).await) } else { None }
}

/// Role, name and states of an element that may be a window.
pub(super) async fn identity(node: &LinuxNode) -> Option<(Native, String, bool)> {
    let (native, name, states) = join3(node.native(), node.name(), node.states()).await;
    Some((native.ok()?, name.unwrap_or_default(), states.ok()?.is_active()))
}
