//! The element that has the keyboard focus, as reported to the rest of Luna (ATT-2).
//!
//! It is read as if the pointer were on it, but also if it has no text: an empty field is announced by its label.

use luna_messages::pick::{Element, Role, WindowInfo};

use super::super::masked;
use super::ancestor_path::{Ancestor, AncestorPath};
use super::element::{self, ElementDetails, build_element};
use super::reading::{NOWHERE, TextAtPointer};
use super::{WindowContext, dialog, protect};

/// Describes the first element of the path, or the control that it is a part of. `None` for windows.
pub(super) async fn describe(context: &WindowContext, window: &WindowInfo, ancestry: &AncestorPath) -> Option<Element> {
    let target = control(ancestry).await;
    let Ancestor { node, facts } = ancestry.ancestors.get(target)?;
    if dialog::is_window(facts.native) {
        return None;
    }
    if ancestry.protected().is_some() || facts.is_field() && protect::is_secret(node).await {
        return protected(window, ancestry, target).await;
    }
    // A document is announced by its title; its text is read on demand.
    if facts.role != Role::Document
        && let Some(found) = element::at(context, window, ancestry, target, NOWHERE).await
    {
        // Some toolkits return mask characters instead of the typed text; reading them aloud is useless.
        if found.role == Role::Edit && masked::hides(&found.text, 0) {
            return protected(window, ancestry, target).await;
        }
        // Of a long text, reading begins where the caret is.
        let offset = if facts.states.is_multi_line() { node.caret().await } else { None };
        let offset = offset.map(|offset| offset.min(found.text.chars().count().saturating_sub(1)));
        return Some(Element { offset, ..found });
    }
    let (name, automation_id) = futures_util::future::join(node.name(), node.automation_id()).await;
    let (name, path) = (name.unwrap_or_default(), ancestry.path.get(target..).unwrap_or_default());
    let text = if facts.role.has_content() { String::new() } else { name.trim().to_owned() };
    let reading = TextAtPointer { text, offset: None };
    let details = ElementDetails { role: facts.role, reading, name, automation_id, path };
    Some(build_element(window, node, facts, details).await)
}

/// The index of the control: the button without a name in a combo box of GTK is the box.
async fn control(ancestry: &AncestorPath) -> usize {
    let Some(Ancestor { node, facts }) = ancestry.ancestors.first() else { return 0 };
    if facts.role.general() != Role::Button || node.name().await.is_ok_and(|name| !name.is_empty()) {
        return 0;
    }
    let around = ancestry.ancestors.iter().take(4).position(|ancestor| ancestor.facts.role == Role::ComboBox);
    around.unwrap_or(0)
}

/// A protected field, with what labels it, but without its text.
async fn protected(window: &WindowInfo, ancestry: &AncestorPath, target: usize) -> Option<Element> {
    let Ancestor { node, facts } = ancestry.ancestors.get(target)?;
    let path = ancestry.path.get(target..).unwrap_or_default();
    let (name, reading, automation_id) = (String::new(), TextAtPointer::default(), node.automation_id().await);
    let details = ElementDetails { role: Role::Protected, reading, name, automation_id, path };
    let element = build_element(window, node, facts, details).await;
    let label = node.label().await;
    let label = if label.trim().is_empty() { node.label_before().await } else { label };
    Some(Element { label: label.trim().to_owned(), ..element })
}
