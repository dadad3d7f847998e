//! Fetches what is said of an element (ANN-1, ANN-2), all in one call into its program.

use luna_messages::element::{CellPlace, ElementProperties, Role, State, StateSet};
use uiautomation::UIElement;
use uiautomation::patterns::{UIGridItemPattern, UITableItemPattern};
use uiautomation::types::UIProperty;

use super::super::uia_properties::id;
use super::cached_properties::{add, cached};
use super::tree::{WindowsNode, WindowsTree, from_uia};
use crate::PlatformError;

/// Maximum length of a header's name in characters: longer texts are no names.
const MAX_HEADER: usize = 200;

/// The name of an element and what else is said of it.
pub(super) struct NodeDetails {
    pub(super) name: String,
    pub(super) properties: ElementProperties,
}

/// Fetches the name and the details of `node`; of a protected element only its states and its name (PIC-5).
///
/// # Errors
/// If the program does not answer.
pub(super) fn of(tree: &WindowsTree, node: &WindowsNode) -> Result<NodeDetails, PlatformError> {
    let request = tree.automation.create_cache_request().map_err(|error| from_uia(&error))?;
    request.add_property(UIProperty::Name).map_err(|error| from_uia(&error))?;
    add(&request, &id::OF_ROLE);
    add(&request, &id::OF_DETAILS);
    let element = node.element.build_updated_cache(&request).map_err(|error| from_uia(&error))?;
    let all: Vec<i32> = id::OF_ROLE.into_iter().chain(id::OF_DETAILS).collect();
    let told = cached(&element, &all);
    if node.is_protected() && told.role() != Role::Protected {
        // Of an element whose role the person blocked nothing is told, because the name of a button is all its text (PRV-3).
        let states = StateSet::default().with(State::Protected).with_if(State::Disabled, !node.enabled);
        return Ok(NodeDetails { name: String::new(), properties: ElementProperties { states, ..Default::default() } });
    }
    let name = element.get_cached_name().unwrap_or_default();
    Ok(NodeDetails { name, properties: told.details() })
}

/// The place of a cell in its table with the names of its headers; `None` for anything else.
pub(super) fn cell_place(node: &WindowsNode) -> Option<CellPlace> {
    let grid = node.element.get_pattern::<UIGridItemPattern>().ok()?;
    let (row, column) = (grid.get_row().ok()?, grid.get_column().ok()?);
    let name = |headers: Result<Vec<UIElement>, uiautomation::Error>| -> String {
        let names = headers.unwrap_or_default().into_iter().filter_map(|header| header.get_name().ok());
        names.take(4).collect::<Vec<_>>().join(" ").trim().chars().take(MAX_HEADER).collect()
    };
    let table = node.element.get_pattern::<UITableItemPattern>().ok();
    Some(CellPlace {
        row: u32::try_from(row).ok()?,
        column: u32::try_from(column).ok()?,
        row_header: table.as_ref().map(|table| name(table.get_row_header_items())).unwrap_or_default(),
        column_header: table.as_ref().map(|table| name(table.get_column_header_items())).unwrap_or_default(),
    })
}
