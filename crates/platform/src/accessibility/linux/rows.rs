//! The rows of the table or list that an element belongs to (OCR-4).

use std::time::Duration;

use atspi::Role as Native;
use futures_util::future::join_all;
use futures_util::stream::{self, StreamExt as _};
use luna_messages::Rect;
use luna_messages::pick::Role;
use tokio::time::timeout;

use super::ancestor_path::AncestorPath;
use super::children::is_countable;
use super::node::LinuxNode;
use super::text;

/// Maximum number of rows and columns to read.
const MAX_ROWS: i32 = 60;
const MAX_COLUMNS: i32 = 12;
/// Maximum number of rows and columns to read of a sheet. Its cells are created on request, and LibreOffice 7.4 never
/// frees the 7 kB of each.
const MAX_SHEET_ROWS: i32 = 5;
const MAX_SHEET_COLUMNS: i32 = 8;
/// Maximum number of characters of a cell.
const MAX_CELL_CHARACTERS: usize = 300;
/// Time limit, after which the rows are left out: a pick without rows is better than a late pick.
const BUDGET: Duration = Duration::from_millis(350);
/// Concurrent calls.
const CONCURRENT_CALLS: usize = 32;

/// The rows of a table or list, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct LinuxRows {
    /// Rows of cell texts.
    pub(super) rows: Vec<Vec<String>>,
    /// Whether the first row is a header.
    pub(super) has_header: bool,
    /// The index of the row that contains the element.
    pub(super) here: Option<usize>,
}

/// The position in `ancestry` of the table or list that its first element is or lies in.
pub(super) fn container(ancestry: &AncestorPath) -> Option<usize> {
    ancestry.ancestors.iter().position(|ancestor| matches!(ancestor.facts.role.general(), Role::Table | Role::List))
}

/// The rows of the table or list at `position` of `ancestry` around its first element; none if they can't be read in
/// time.
pub(super) async fn around(ancestry: &AncestorPath, position: usize) -> LinuxRows {
    let Some(container) = ancestry.ancestors.get(position) else { return LinuxRows::default() };
    // Rows that are scrolled away are not read.
    let view = ancestry.ancestors.get(position + 1).map_or(container.facts.bbox, |above| {
        let seen = above.facts.bbox.intersection(container.facts.bbox);
        if seen.is_empty() { container.facts.bbox } else { seen }
    });
    let index = position.checked_sub(1).and_then(|below| ancestry.path.get(below)).copied().unwrap_or(0);
    let read = async {
        let interfaces = container.node.interfaces().await.unwrap_or_default();
        if interfaces.has("Table") {
            table(&container.node, ancestry, position, view).await
        } else {
            list(&container.node, index, view).await
        }
    };
    timeout(BUDGET, read).await.unwrap_or_default()
}

/// Row and column of the element, by whichever interface the toolkit supports.
pub(super) async fn place_of(table: &LinuxNode, ancestry: &AncestorPath, position: usize) -> Option<(i32, i32)> {
    let ancestors = &ancestry.ancestors[..position];
    // A caption is a child of the table like the rows, so positions among siblings are not row numbers.
    for ancestor in ancestors.iter().filter(|ancestor| ancestor.facts.role.general() == Role::Cell) {
        if ancestor.node.interfaces().await.unwrap_or_default().has("TableCell")
            && let Some(place) = ancestor.node.cell_place().await
        {
            return Some(place);
        }
    }
    let (Some(below), Some(ancestor)) = (position.checked_sub(1), ancestors.last()) else { return Some((0, 0)) };
    let Some(index) = ancestry.path.get(below).copied() else { return Some((0, 0)) };
    match ancestor.facts.native {
        Native::TableRow => Some((index - captions_before(table, index).await, 0)),
        Native::TableCell | Native::Unknown if index >= 0 => table.place_of_index(index).await,
        Native::TableCell => place_in_sheet(table, &ancestor.node).await,
        _ => Some((0, 0)),
    }
}

/// Row and column in a table with too many cells for positions among siblings.
async fn place_in_sheet(table: &LinuxNode, cell: &LinuxNode) -> Option<(i32, i32)> {
    if !table.states().await.ok()?.manages_descendants() {
        return None;
    }
    let (row, column) = table.place_of_index(cell.index().await.ok()?).await?;
    // Far down in a sheet, indices overflow their 32 bits.
    let (there, here) = (table.cell(row, column).await?, cell.extents().await);
    (there == *cell || there.extents().await == here).then_some((row, column))
}

/// The number of captions before `index` among the table's first three children, where captions come.
async fn captions_before(table: &LinuxNode, index: i32) -> i32 {
    let first = (0..index.min(3)).map(|index| async move {
        let child = table.child(index).await.ok().flatten()?;
        child.native().await.ok()
    });
    let natives = join_all(first).await;
    i32::try_from(natives.into_iter().flatten().filter(|native| *native == Native::Caption).count()).unwrap_or(0)
}

async fn table(table: &LinuxNode, ancestry: &AncestorPath, position: usize, view: Rect) -> LinuxRows {
    let Ok((rows, all_columns)) = table.table_size().await else {
        return LinuxRows::default();
    };
    let Some((row, column)) = place_of(table, ancestry, position).await else {
        return LinuxRows::default();
    };
    let here = row.clamp(0, (rows - 1).max(0));
    let is_sheet = !is_countable(rows.saturating_mul(all_columns));
    let (most, width) = if is_sheet { (MAX_SHEET_ROWS, MAX_SHEET_COLUMNS) } else { (MAX_ROWS, MAX_COLUMNS) };
    let first = (here - most / 2).clamp(0, (rows - most).max(0));
    // Of a sheet with thousands of columns, read those around the cell.
    let left = (column - width / 2).clamp(0, (all_columns - width).max(0));
    let columns = left..all_columns.min(left.saturating_add(width));
    // One cell of each row shows whether the row is visible.
    let seen = (first..rows.min(first.saturating_add(most))).map(|row| async move {
        let cell = table.cell(row, left).await?;
        let facts = cell.facts().await.ok()?;
        let is_seen = row == here || facts.bbox.is_empty() || !facts.bbox.intersection(view).is_empty();
        is_seen.then_some((row, facts.native, cell))
    });
    let seen: Vec<Option<(i32, Native, LinuxNode)>> = stream::iter(seen).buffered(CONCURRENT_CALLS).collect().await;
    let seen: Vec<(i32, Native, LinuxNode)> = seen.into_iter().flatten().collect();
    let index_here = seen.iter().position(|&(row, ..)| row == here);
    let begins_with_header = seen.first().is_some_and(|&(row, native, _)| row == 0 && is_header(native));
    let columns = &columns;
    let read = seen.into_iter().map(|(row, _, first)| async move {
        let first = &first;
        let cells = columns.clone().map(|column| async move {
            // The cell that was fetched to check visibility is reused.
            let cell = if column == left { Some(first.clone()) } else { table.cell(row, column).await };
            match cell {
                Some(cell) => text::brief(&cell, MAX_CELL_CHARACTERS).await,
                None => String::new(),
            }
        });
        join_all(cells).await
    });
    let mut read: Vec<Vec<String>> = stream::iter(read).buffered(8).collect().await;
    if begins_with_header {
        return LinuxRows { rows: read, has_header: true, here: index_here };
    }
    let headers = join_all(columns.clone().map(|column| async move {
        match table.column_header(column).await {
            Some(header) => text::brief(&header, MAX_CELL_CHARACTERS).await,
            None => String::new(),
        }
    }));
    let headers = headers.await;
    let has_header = headers.iter().any(|header| !header.is_empty());
    if has_header {
        read.insert(0, headers);
    }
    LinuxRows { rows: read, has_header, here: index_here.map(|index| index + usize::from(has_header)) }
}

const fn is_header(native: Native) -> bool {
    matches!(native, Native::TableColumnHeader | Native::ColumnHeader)
}

async fn list(list: &LinuxNode, index: i32, view: Rect) -> LinuxRows {
    let count = list.child_count().await.unwrap_or(0);
    let first = (index - MAX_ROWS / 2).clamp(0, (count - MAX_ROWS).max(0));
    let items: Vec<LinuxNode> = if count <= 4 * MAX_ROWS {
        let children = list.first_children(usize::try_from(count).unwrap_or(0)).await.unwrap_or_default();
        children
            .into_iter()
            .skip(usize::try_from(first).unwrap_or(0))
            .take(usize::try_from(MAX_ROWS).unwrap_or(0))
            .collect()
    } else {
        join_all((first..count.min(first + MAX_ROWS)).map(|index| list.child(index)))
            .await
            .into_iter()
            .filter_map(|child| child.ok().flatten())
            .collect()
    };
    let read = items.into_iter().zip(first..).map(|(item, number)| async move {
        let facts = item.facts().await.ok()?;
        let is_seen = facts.states.is_shown(item.app.local) && !facts.bbox.intersection(view).is_empty();
        if !is_seen || facts.role == Role::Protected {
            return None;
        }
        Some((number, facts.native, text::brief(&item, MAX_CELL_CHARACTERS).await))
            .filter(|(_, _, text)| !text.is_empty())
    });
    let read: Vec<Option<(i32, Native, String)>> = stream::iter(read).buffered(CONCURRENT_CALLS).collect().await;
    let read: Vec<(i32, Native, String)> = read.into_iter().flatten().collect();
    let has_header = read.first().is_some_and(|&(_, native, _)| is_header(native));
    let here = read.iter().position(|&(number, ..)| number == index);
    LinuxRows { rows: read.into_iter().map(|(_, _, text)| vec![text]).collect(), has_header, here }
}
