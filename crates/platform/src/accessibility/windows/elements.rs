//! The visible elements of a window that have a text or can be acted on, as candidates for a command (PIC-9).

use std::time::Duration;

use luna_messages::element::State;
use luna_messages::pick::{Element, Role, WindowInfo};
use luna_messages::{Point, Rect};
use uiautomation::UIElement;
use uiautomation::types::ControlType;

use super::super::ancestor_walk;
use super::budget::Budget;
use super::tree::{MAX_SIBLINGS, WindowsNode, WindowsTree};
use super::{build_element, properties, protected, text};
use crate::PlatformError;

/// Maximum number of elements to report, and to examine.
const MAX_ELEMENTS: usize = 500;
const MAX_VISITED: usize = 4000;
/// Time limit for reading the texts: each takes a call into the program, and some elements are better than none.
const TIME_LIMIT: Duration = Duration::from_millis(500);

/// A visible element with its place in the tree.
pub(super) struct VisibleElement {
    pub(super) node: WindowsNode,
    /// Positions among siblings, the element's own first (PIC-6).
    pub(super) path: Vec<i32>,
}

/// The visible elements of `window` to act on: protected fields are among them, and what overlaps them is not.
pub(super) fn protected_too(
    tree: &WindowsTree,
    budget: &Budget,
    window: &WindowInfo,
) -> Result<Vec<VisibleElement>, PlatformError> {
    let element = tree.window(window.handle)?;
    let secrets = protected::all(tree, &element)?;
    budget.check()?;
    let root = tree.with_descendants(&element)?;
    budget.check()?;
    let mut seen = visible_elements(tree, budget, root, window.bounds, true)?;
    let is_apart = |one: &VisibleElement| secrets.iter().all(|secret| secret.intersection(one.node.bounds).is_empty());
    seen.retain(|one| one.node.is_protected() || is_apart(one));
    // Commands target actionable elements more often than text.
    seen.sort_by_key(|one| !is_actionable(one.node.role) && !one.node.is_protected());
    Ok(seen)
}

/// An element to act on; a protected field with its label and states alone (PIC-5). `None` if no command can mean it.
pub(super) fn to_act_on(
    tree: &WindowsTree,
    window: &WindowInfo,
    one: &VisibleElement,
) -> Result<Option<Element>, PlatformError> {
    if !one.node.is_protected() {
        return element_of(tree, window, one);
    }
    let details = properties::of(tree, &one.node)?;
    let mut element = build_element(window, &one.node, text::TextAtPoint::default(), details, &one.path);
    element.properties.states = element.properties.states.with(State::Protected);
    element.properties.value = None;
    Ok(Some(Element { bbox: element.bbox.intersection(window.bounds), ..element }))
}

/// The elements of `window`, except those that overlap a protected field (PIC-5).
pub(super) fn of_window(
    tree: &WindowsTree,
    budget: &Budget,
    window: &WindowInfo,
) -> Result<Vec<Element>, PlatformError> {
    let element = tree.window(window.handle)?;
    let secrets = protected::all(tree, &element)?;
    budget.check()?;
    let root = tree.with_descendants(&element)?;
    budget.check()?;
    let mut seen = visible_elements(tree, budget, root, window.bounds, false)?;
    seen.retain(|one| secrets.iter().all(|secret| secret.intersection(one.node.bounds).is_empty()));
    if seen.len() > MAX_ELEMENTS {
        // Commands target actionable elements more often than text.
        seen.sort_by_key(|one| !is_actionable(one.node.role));
        seen.truncate(MAX_ELEMENTS);
    }
    let share = budget.part(TIME_LIMIT);
    let mut elements: Vec<Element> = Vec::with_capacity(seen.len());
    let mut trouble = None;
    for one in &seen {
        if share.check().is_err() {
            break;
        }
        match element_of(tree, window, one) {
            Ok(element) => elements.extend(element),
            // The element disappeared meanwhile.
            Err(PlatformError::Gone) => {}
            Err(error) => trouble = Some(error),
        }
    }
    // Elements that could be read are reported in spite of an error.
    match trouble.filter(|_| elements.is_empty()) {
        Some(error) => Err(error),
        None => Ok(without_pieces(elements)),
    }
}

/// Whether a command can do more with an element of this role than read it.
const fn is_actionable(role: Role) -> bool {
    ancestor_walk::is_actionable(role)
}

/// The visible elements of `root` and below, outer elements first, with protected fields if `takes_protected`. Makes no call to the program.
fn visible_elements(
    tree: &WindowsTree,
    budget: &Budget,
    root: UIElement,
    view: Rect,
    takes_protected: bool,
) -> Result<Vec<VisibleElement>, PlatformError> {
    let root_node = WindowsNode::new(root)?;
    // An ancestor path ends at a window, which is not part of it; above any other root it continues.
    let above = if root_node.control == ControlType::Window {
        Vec::new()
    } else {
        tree.path(&tree.ancestors(WindowsNode::new(root_node.element.clone())?, budget)?, budget)?
    };
    let mut seen = Vec::new();
    let mut waiting = vec![(root_node, above)];
    let mut left = MAX_VISITED;
    while let Some((node, path)) = waiting.pop() {
        left = left.saturating_sub(1);
        if left == 0 || node.is_protected() && !takes_protected {
            continue;
        }
        // A leaf has no list of children, and what is in a protected field is never looked at.
        let children = if node.is_protected() { Vec::new() } else { children_of(&node) };
        // Pushed in reverse, so that they are popped in order.
        for (place, child) in children.into_iter().enumerate().rev() {
            // An element that doesn't report whether it is protected is left out with its descendants.
            let Ok(child) = WindowsNode::new(child) else { continue };
            let place = i32::try_from(place).unwrap_or(MAX_SIBLINGS).min(MAX_SIBLINGS);
            // As in an ancestor path, a window starts a path of its own.
            let child_path = if child.control == ControlType::Window {
                Vec::new()
            } else {
                std::iter::once(place).chain(path.iter().copied()).collect()
            };
            waiting.push((child, child_path));
        }
        let is_seen = !node.element.is_cached_offscreen().unwrap_or(true)
            && !node.bounds.is_empty()
            && !node.bounds.intersection(view).is_empty();
        // A document is read piece by piece.
        let is_told = node.role.is_readable() && node.role != Role::Document || node.is_protected();
        if is_seen && is_told {
            seen.push(VisibleElement { node, path });
        }
    }
    Ok(seen)
}

fn children_of(node: &WindowsNode) -> Vec<UIElement> {
    node.element.get_cached_children().unwrap_or_default()
}

fn element_of(tree: &WindowsTree, window: &WindowInfo, one: &VisibleElement) -> Result<Option<Element>, PlatformError> {
    let nowhere = Point::new(i32::MIN / 4, i32::MIN / 4);
    let details = properties::of(tree, &one.node)?;
    let found = text::at(tree, &one.node, &details.name, nowhere)?;
    if found.is_none() && !is_actionable(one.node.role) {
        return Ok(None);
    }
    let text = found.map_or_else(String::new, |found| found.text);
    let element = build_element(window, &one.node, text::TextAtPoint { text, offset: None }, details, &one.path);
    Ok(Some(Element { bbox: element.bbox.intersection(window.bounds), ..element }))
}

/// Removes labels inside an element with the same text: a button and its label are one candidate.
fn without_pieces(elements: Vec<Element>) -> Vec<Element> {
    let mut kept: Vec<Element> = Vec::with_capacity(elements.len());
    for element in elements {
        let is_piece = |outer: &Element| {
            outer.bbox.intersection(element.bbox) == element.bbox && outer.text.contains(element.text.trim())
        };
        if is_actionable(element.role) || !kept.iter().any(is_piece) {
            kept.push(element);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use luna_messages::ElementId;

    use super::*;

    fn element(role: Role, text: &str, bbox: [i32; 4]) -> Element {
        Element::new(ElementId(format!("{role:?}{bbox:?}")), role, text, bbox.into())
    }

    // PIC-9
    #[test]
    fn a_label_in_its_button_is_no_candidate_pic_9() {
        let button = element(Role::Button, "Save", [0, 0, 40, 20]);
        let item = element(Role::ListItem, "Report Delete", [0, 30, 200, 20]);
        let delete = element(Role::Button, "Delete", [150, 30, 40, 20]);
        let apart = element(Role::Text, "Save", [100, 0, 40, 20]);
        let elements = [
            button.clone(),
            element(Role::Text, "Save", [5, 5, 20, 10]),
            item.clone(),
            element(Role::Text, "Report", [5, 32, 60, 10]),
            delete.clone(),
            apart.clone(),
        ];
        assert_eq!(without_pieces(elements.to_vec()), [button, item, delete, apart]);
    }
}
