//! The text of an element: from the text pattern, else its value, else its name (PIC-1).

use luna_messages::Point;
use luna_messages::pick::Role;
use uiautomation::patterns::{UITextPattern, UIValuePattern};
use uiautomation::types::{Point as UiaPoint, TextPatternRangeEndpoint, TextUnit};

use super::protected;
use super::tree::{WindowsNode, WindowsTree, from_uia};
use crate::PlatformError;

/// Maximum length of a fetched text in UTF-16 units: one to three hours of reading aloud.
const MAX_LENGTH: i32 = 50_000;

/// A text and the position of a point in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TextAtPoint {
    pub(super) text: String,
    /// In characters.
    pub(super) offset: Option<usize>,
}

/// The text of `node`; `None` if `node` has no text or is protected.
///
/// Of an element whose text is its content, an empty content is a text, too: its name is told apart from it (ANN-1).
pub(super) fn at(
    tree: &WindowsTree,
    node: &WindowsNode,
    name: &str,
    point: Point,
) -> Result<Option<TextAtPoint>, PlatformError> {
    if node.is_protected() || !is_said(node.role) {
        return Ok(None);
    }
    // A document's text includes that of its fields, so it is used only if none of them is protected (PIC-5).
    let may_run = matches!(node.role.general(), Role::Edit | Role::Document | Role::Text);
    if may_run
        && !protected::has_inside(tree, &node.element)?
        && let Some(found) = running(node, point)?
    {
        return Ok(Some(found));
    }
    if matches!(node.role, Role::Document) {
        // A document's value is its address and its name its title, neither of which is the text at the point.
        return Ok(None);
    }
    let content = if has_value(node.role) { value(node)? } else { None };
    let text = match content {
        Some(text) => text,
        None if node.role.has_content() => String::new(),
        None => name.to_owned(),
    };
    let is_something = !text.trim().is_empty() || node.role.has_content();
    Ok(is_something.then_some(TextAtPoint { text, offset: None }))
}

/// Whether an element with this role is read if it is pointed at. Windows and groups are what is around other elements: their blank areas have
/// nothing to say.
fn is_said(role: Role) -> bool {
    role.is_readable() || matches!(role, Role::Image | Role::Table | Role::List | Role::Tree | Role::ScrollBar)
}

/// Whether the value of an element with this role is its visible text. A link's value is its address.
fn has_value(role: Role) -> bool {
    matches!(role.general(), Role::Edit | Role::ComboBox | Role::Slider | Role::Cell)
}

/// The value; `None` if there is none or it is empty.
pub(super) fn value(node: &WindowsNode) -> Result<Option<String>, PlatformError> {
    // An element without the pattern returns an error.
    let Ok(pattern) = node.element.get_pattern::<UIValuePattern>() else {
        return Ok(None);
    };
    let value = pattern.get_value().map_err(|error| from_uia(&error))?;
    Ok((!value.trim().is_empty()).then_some(value))
}

/// Running text with the offset of the point.
fn running(node: &WindowsNode, point: Point) -> Result<Option<TextAtPoint>, PlatformError> {
    let Ok(pattern) = node.element.get_pattern::<UITextPattern>() else {
        return Ok(None);
    };
    let whole =
        pattern.get_document_range().and_then(|range| range.get_text(MAX_LENGTH)).map_err(|error| from_uia(&error))?;
    if whole.trim().is_empty() {
        return Ok(None);
    }
    // Programs that can't locate the point return an error; reading then starts at the beginning.
    let before = before(&pattern, point).ok();
    match before {
        Some(offset) if offset < whole.chars().count() => Ok(Some(TextAtPoint { text: whole, offset: Some(offset) })),
        // The point lies beyond the fetched part of a very long text: start with its paragraph.
        Some(_) if whole.encode_utf16().count() >= usize::try_from(MAX_LENGTH).unwrap_or(usize::MAX) => {
            let text = from_paragraph(&pattern, point).map_err(|error| from_uia(&error))?;
            Ok(Some(TextAtPoint { text, offset: Some(0) }))
        }
        Some(_) | None => Ok(Some(TextAtPoint { text: whole, offset: None })),
    }
}

/// The number of characters before `point`.
fn before(pattern: &UITextPattern, point: Point) -> Result<usize, uiautomation::Error> {
    let here = pattern.get_range_from_point(UiaPoint::new(point.x, point.y))?;
    let head = pattern.get_document_range()?;
    head.move_endpoint_by_range(TextPatternRangeEndpoint::End, &here, TextPatternRangeEndpoint::Start)?;
    Ok(head.get_text(MAX_LENGTH)?.chars().count())
}

/// The text from the start of the paragraph at `point`.
fn from_paragraph(pattern: &UITextPattern, point: Point) -> Result<String, uiautomation::Error> {
    let here = pattern.get_range_from_point(UiaPoint::new(point.x, point.y))?;
    here.expand_to_enclosing_unit(TextUnit::Paragraph)?;
    let tail = pattern.get_document_range()?;
    tail.move_endpoint_by_range(TextPatternRangeEndpoint::Start, &here, TextPatternRangeEndpoint::Start)?;
    tail.get_text(MAX_LENGTH)
}
