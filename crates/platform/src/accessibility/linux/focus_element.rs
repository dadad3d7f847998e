//! The element that has the keyboard focus, as reported to the rest of Luna (ATT-2).
//!
//! It is read as if the pointer were on it, but also if it has no text: an empty field is announced by its label.

use atspi::Role as Native;
use luna_messages::pick::{Element, Role, WindowInfo};

use super::super::masked;
use super::ancestor_path::{Ancestor, AncestorPath};
use super::details::Details;
use super::element::{self, ElementParts, build_element};
use super::field::Effort;
use super::field_look::FieldSecrecy;
use super::node::NodeFacts;
use super::reading::{PlaceInText, TextAtPointer};
use super::{dialog, protect};

/// Describes the first element of the path, or the control that it is a part of. `None` for windows.
pub(super) async fn describe(window: &WindowInfo, ancestry: &AncestorPath) -> Option<Element> {
    let target = control(ancestry).await;
    let Ancestor { node, facts } = ancestry.ancestors.get(target)?;
    if dialog::is_window(facts.native) {
        return None;
    }
    if let Some(protected) = ancestry.protected() {
        return element::protected(window, ancestry, protected).await;
    }
    let mut details = node.details(facts).await;
    if facts.is_field() {
        let effort = Effort::Attended(ancestry.ancestors.get(target + 1..).unwrap_or_default());
        match protect::secrecy(node, facts, &mut details, effort).await {
            FieldSecrecy::Open => {}
            FieldSecrecy::Unknown => return element::withheld(window, ancestry, target, &details).await,
            FieldSecrecy::Secret => return element::protected(window, ancestry, target).await,
        }
    }
    // Containers are announced by their names; what is in them is read on demand.
    let is_container =
        matches!(facts.role.general(), Role::Document | Role::Table | Role::List) || is_open_menu(facts, &details);
    // Of a long text, reading begins where the caret is.
    let is_long = facts.states.is_multi_line() || facts.role == Role::Terminal;
    let place = if is_long { PlaceInText::Caret } else { PlaceInText::Beginning };
    if !is_container && let Some(found) = element::at(window, ancestry, target, &mut details, place).await {
        // Some toolkits return mask characters instead of the typed text; reading them aloud is useless.
        if found.role == Role::Edit && masked::hides(&found.text, 0) {
            return element::protected(window, ancestry, target).await;
        }
        return Some(found);
    }
    let path = ancestry.path.get(target..).unwrap_or_default();
    let role = details.attributes.role(facts.role);
    let text = if role.has_content() { String::new() } else { details.name.trim().to_owned() };
    let reading = TextAtPointer { text, offset: None };
    let properties = element::known_properties(facts, role, &details);
    let parts = ElementParts { role, reading, details: &details, properties, path };
    Some(build_element(window, facts, parts).await)
}

/// Whether it is a menu that was opened by itself, and not the entry of another menu.
fn is_open_menu(facts: &NodeFacts, details: &Details) -> bool {
    matches!(facts.native, Native::Menu | Native::PopupMenu) && details.name.trim().is_empty()
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
