//! Where protected fields are, without querying them (PIC-5).

use luna_messages::Rect;
use uiautomation::UIElement;
use uiautomation::core::UICondition;
use uiautomation::types::{TreeScope, UIProperty};
use uiautomation::variants::Variant;

use super::role;
use super::tree::{WindowsNode, WindowsTree, found, from_uia, rect};
use crate::PlatformError;

/// The boxes of the protected fields of `window` that intersect `region`. The program itself searches for password
/// fields, in one call; blocked roles take another call.
pub(super) fn boxes(tree: &WindowsTree, window: u64, region: Rect) -> Result<Vec<Rect>, PlatformError> {
    if region.is_empty() {
        return Ok(Vec::new());
    }
    let element = tree.window(window)?;
    let mut all = all(tree, &element)?;
    if !role::blocked().is_empty() {
        blocked(WindowsNode::new(tree.with_descendants(&element)?)?, &mut all);
    }
    Ok(all.into_iter().filter(|bounds| !bounds.intersection(region).is_empty()).collect())
}

/// The boxes of all password fields in `element`.
pub(super) fn all(tree: &WindowsTree, element: &UIElement) -> Result<Vec<Rect>, PlatformError> {
    let fields = element.find_all_build_cache(TreeScope::Subtree, &condition(tree, true)?, tree.facts());
    let fields = found(fields)?.unwrap_or_default();
    // A field that doesn't report its place could be anywhere, so the search fails and no picture is used.
    fields
        .iter()
        .map(|field| field.get_cached_bounding_rectangle().map(rect).map_err(|error| from_uia(&error)))
        .collect()
}

/// Adds the boxes of elements with blocked roles. For an element that doesn't report its role, its parent's box is
/// added.
fn blocked(root: WindowsNode, boxes: &mut Vec<Rect>) {
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        if node.is_protected() {
            boxes.push(node.bounds);
            continue;
        }
        for child in node.element.get_cached_children().unwrap_or_default() {
            match WindowsNode::new(child) {
                Ok(child) => waiting.push(child),
                Err(_) => boxes.push(node.bounds),
            }
        }
    }
}

/// Whether `element` is or contains a password field.
pub(super) fn has_inside(tree: &WindowsTree, element: &UIElement) -> Result<bool, PlatformError> {
    Ok(found(element.find_first(TreeScope::Subtree, &condition(tree, true)?))?.is_some())
}

/// Matches password fields if `protected`, otherwise all other elements.
pub(super) fn condition(tree: &WindowsTree, protected: bool) -> Result<UICondition, PlatformError> {
    tree.automation
        .create_property_condition(UIProperty::IsPassword, Variant::from(protected), None)
        .map_err(|error| from_uia(&error))
}
