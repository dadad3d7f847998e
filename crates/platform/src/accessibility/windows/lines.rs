//! The visible text of a window, line by line (FOC-4).

use luna_messages::Rect;
use luna_messages::pick::{Role, WindowInfo};
use luna_messages::uia::TextLine;
use uiautomation::UIElement;
use uiautomation::types::{TreeScope, UIProperty};
use uiautomation::variants::Variant;

use super::super::order::reading_order;
use super::budget::Budget;
use super::role::unless_blocked;
use super::tree::{WindowsTree, found, rect};
use super::{cached_properties, protected};
use crate::PlatformError;
use crate::accessibility::VisibleLines;

/// Maximum number of elements to read.
const MAX_ELEMENTS: usize = 600;

/// The lines of `window`, except those that overlap a protected field (PIC-5).
pub(super) fn of_window(
    tree: &WindowsTree,
    budget: &Budget,
    window: &WindowInfo,
) -> Result<VisibleLines, PlatformError> {
    let element = tree.window(window.handle)?;
    let secrets = protected::all(tree, &element)?;
    budget.check()?;
    let elements = visible(tree, &element)?;
    budget.check()?;
    let in_view = |line: &TextLine| !line.bbox.intersection(window.bounds).is_empty();
    let mut lines: Vec<TextLine> = elements.iter().filter_map(line).filter(in_view).take(MAX_ELEMENTS + 1).collect();
    let is_complete = lines.len() <= MAX_ELEMENTS;
    lines.truncate(MAX_ELEMENTS);
    lines.retain(|line| secrets.iter().all(|secret| secret.intersection(line.bbox).is_empty()));
    let lines = without_repetitions(lines).into_iter().flat_map(split).collect();
    Ok(VisibleLines { lines: reading_order(lines), is_complete })
}

/// All visible, unprotected elements with their texts, in one call.
fn visible(tree: &WindowsTree, element: &UIElement) -> Result<Vec<UIElement>, PlatformError> {
    let ask = || {
        let automation = &tree.automation;
        let request = automation.create_cache_request()?;
        for property in [UIProperty::BoundingRectangle, UIProperty::Name, UIProperty::ValueValue] {
            request.add_property(property)?;
        }
        cached_properties::add_of_role(&request)?;
        let shown = automation.create_property_condition(UIProperty::IsOffscreen, Variant::from(false), None)?;
        // The search excludes protected fields before their texts are fetched.
        let open = automation.create_property_condition(UIProperty::IsPassword, Variant::from(false), None)?;
        element.find_all_build_cache(TreeScope::Descendants, &automation.create_and_condition(shown, open)?, &request)
    };
    Ok(found(ask())?.unwrap_or_default())
}

/// The text of an element fetched by [`visible`]; `None` if there is nothing to read.
fn line(element: &UIElement) -> Option<TextLine> {
    if element.is_cached_password().unwrap_or(true) {
        return None;
    }
    let role = unless_blocked(cached_properties::of_role(element).role());
    if !role.is_readable() || role == Role::Document {
        return None;
    }
    let bbox = rect(element.get_cached_bounding_rectangle().ok()?);
    let value = match role.general() {
        Role::Edit | Role::ComboBox | Role::Slider => element
            .get_cached_property_value(UIProperty::ValueValue)
            .ok()
            .and_then(|value| value.get_string().ok())
            .filter(|value| !value.trim().is_empty()),
        _ => None,
    };
    let text = value.or_else(|| element.get_cached_name().ok())?;
    (!text.trim().is_empty() && !bbox.is_empty()).then_some(TextLine { text, bbox })
}

/// Removes labels inside an element with the same text: a button and its label are one line.
fn without_repetitions(lines: Vec<TextLine>) -> Vec<TextLine> {
    let mut kept: Vec<TextLine> = Vec::with_capacity(lines.len());
    // The search returns outer elements before inner ones.
    for line in lines {
        let repeats =
            |outer: &TextLine| outer.bbox.intersection(line.bbox) == line.bbox && outer.text.contains(line.text.trim());
        if !kept.iter().any(repeats) {
            kept.push(line);
        }
    }
    kept
}

/// Splits a text of several lines, each with its share of the box.
fn split(line: TextLine) -> Vec<TextLine> {
    let texts: Vec<&str> = line.text.lines().collect();
    let Ok(count) = i32::try_from(texts.len()) else {
        return vec![line];
    };
    if count < 2 {
        return vec![line];
    }
    let height = line.bbox.height / count;
    (0..count)
        .zip(texts)
        .filter(|(_, text)| !text.trim().is_empty())
        .map(|(row, text)| TextLine {
            text: text.to_owned(),
            bbox: Rect::new(line.bbox.x, line.bbox.y + row * height, line.bbox.width, height),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, bbox: [i32; 4]) -> TextLine {
        TextLine { text: text.into(), bbox: bbox.into() }
    }

    #[test]
    fn a_label_in_its_button_is_one_line() {
        let lines = vec![line("Save", [0, 0, 40, 20]), line("Save", [5, 5, 20, 10]), line("Save", [100, 0, 40, 20])];
        assert_eq!(without_repetitions(lines), [line("Save", [0, 0, 40, 20]), line("Save", [100, 0, 40, 20])]);
    }

    // FOC-4
    #[test]
    fn a_field_of_several_lines_is_read_line_by_line_foc_4() {
        let lines = split(line("one\n\nthree", [0, 0, 10, 30]));
        assert_eq!(lines, [line("one", [0, 0, 10, 10]), line("three", [0, 20, 10, 10])]);
        assert_eq!(split(line("one", [0, 0, 10, 30])), [line("one", [0, 0, 10, 30])]);
    }
}
