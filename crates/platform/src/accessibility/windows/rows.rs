//! Tables and lists as rows of text (OCR-4).

use std::time::Duration;

use luna_messages::pick::Role;
use uiautomation::UIElement;
use uiautomation::patterns::{UIGridItemPattern, UIGridPattern, UITablePattern};
use uiautomation::types::TreeScope;

use super::budget::Budget;
use super::protected;
use super::text;
use super::tree::{WindowsNode, WindowsTree, found, from_uia};
use crate::PlatformError;

/// Maximum number of rows and columns to fetch: each cell takes several calls into the program.
const MAX_ROWS: i32 = 60;
const MAX_COLUMNS: i32 = 20;

/// Time limit for reading the rows; the rows read so far are returned.
const TIME_LIMIT: Duration = Duration::from_millis(300);

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct WindowsTable {
    pub(super) rows: Vec<Vec<String>>,
    pub(super) has_header: bool,
    /// The index of the row that contains the element.
    pub(super) here: Option<usize>,
}

/// The table or list that the first element of `ancestry` is or lies in; empty if there is none, or if it can't be read.
pub(super) fn around(tree: &WindowsTree, budget: &Budget, ancestry: &[WindowsNode]) -> WindowsTable {
    let may_have_rows = ancestry.first().is_some_and(|node| {
        matches!(
            node.role.general(),
            Role::Cell | Role::ListItem | Role::Table | Role::List | Role::Text | Role::Hyperlink
        )
    });
    let Some(container) =
        ancestry.iter().find(|node| matches!(node.role.general(), Role::Table | Role::List)).filter(|_| may_have_rows)
    else {
        return WindowsTable::default();
    };
    let budget = budget.part(TIME_LIMIT);
    let rows = match container.element.get_pattern::<UIGridPattern>() {
        Ok(grid) => of_grid(tree, &budget, container, &grid, row_of(ancestry)),
        Err(_) => of_list(tree, &budget, container, item_of(ancestry)),
    };
    // A table that can't be read is left out, because the element's own text is known.
    rows.unwrap_or_default()
}

/// The row of the cell on the path, as counted by the program.
fn row_of(ancestry: &[WindowsNode]) -> Option<i32> {
    ancestry.iter().find_map(|node| node.element.get_pattern::<UIGridItemPattern>().ok()?.get_row().ok())
}

/// The list item on the path.
fn item_of(ancestry: &[WindowsNode]) -> Option<&WindowsNode> {
    ancestry.iter().find(|node| node.role.general() == Role::ListItem)
}

fn of_grid(
    tree: &WindowsTree,
    budget: &Budget,
    container: &WindowsNode,
    grid: &UIGridPattern,
    here: Option<i32>,
) -> Result<WindowsTable, PlatformError> {
    let uia = |error| from_uia(&error);
    let columns = grid.get_column_count().map_err(uia)?.min(MAX_COLUMNS);
    let count = grid.get_row_count().map_err(uia)?.min(MAX_ROWS);
    let mut table = WindowsTable::default();
    if let Some(header) = header(tree, container)? {
        table.rows.push(header);
        table.has_header = true;
    }
    for row in 0..count {
        let mut cells = Vec::new();
        for column in 0..columns {
            if budget.check().is_err() {
                // An incomplete row is dropped.
                return Ok(table);
            }
            cells.push(match grid.get_item(row, column) {
                Ok(cell) => cell_text(tree, cell)?,
                Err(_) => String::new(),
            });
        }
        // Browsers count the header as a row.
        if row == 0 && table.rows.first() == Some(&cells) {
            continue;
        }
        if here == Some(row) {
            table.here = Some(table.rows.len());
        }
        table.rows.push(cells);
    }
    Ok(table)
}

/// The column names, if the table reports them.
fn header(tree: &WindowsTree, container: &WindowsNode) -> Result<Option<Vec<String>>, PlatformError> {
    let Ok(pattern) = container.element.get_pattern::<UITablePattern>() else {
        return Ok(None);
    };
    let Some(headers) = found(pattern.get_column_headers())? else {
        return Ok(None);
    };
    let names: Vec<String> = headers
        .into_iter()
        .take(usize::try_from(MAX_COLUMNS).unwrap_or_default())
        .map(|header| cell_text(tree, header))
        .collect::<Result<_, _>>()?;
    Ok(names.iter().any(|name| !name.is_empty()).then_some(names))
}

/// A list as rows of one column. Lists have no header.
fn of_list(
    tree: &WindowsTree,
    budget: &Budget,
    container: &WindowsNode,
    here: Option<&WindowsNode>,
) -> Result<WindowsTable, PlatformError> {
    let open = protected::condition(tree, false)?;
    let items =
        found(container.element.find_all_build_cache(TreeScope::Children, &open, tree.facts()))?.unwrap_or_default();
    let mut table = WindowsTable::default();
    for item in items.into_iter().take(usize::try_from(MAX_ROWS).unwrap_or_default()) {
        if budget.check().is_err() {
            break;
        }
        let node = WindowsNode::new(item)?;
        if node.role.general() != Role::ListItem {
            continue;
        }
        let name = node.name()?;
        if !name.trim().is_empty() {
            if here.is_some_and(|it| tree.automation.compare_elements(&it.element, &node.element).unwrap_or(false)) {
                table.here = Some(table.rows.len());
            }
            table.rows.push(vec![name]);
        }
    }
    Ok(table)
}

/// The text of a cell; empty if it is or contains a protected field (PIC-5).
fn cell_text(tree: &WindowsTree, cell: UIElement) -> Result<String, PlatformError> {
    let cell = cell.build_updated_cache(tree.facts()).map_err(|error| from_uia(&error))?;
    let node = WindowsNode::new(cell)?;
    if node.is_protected() || protected::has_inside(tree, &node.element)? {
        return Ok(String::new());
    }
    match text::value(&node)? {
        Some(value) => Ok(value),
        None => node.name(),
    }
}
