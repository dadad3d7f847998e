//! The place of a cell in its table, with the names of its headers (ANN-3).

use atspi::zbus::zvariant::OwnedObjectPath;
use futures_util::future::{join, join3};
use luna_messages::element::CellPlace;
use luna_messages::pick::Role;

use super::ancestor_path::{Ancestor, AncestorPath};
use super::details::Details;
use super::node::LinuxNode;
use super::{rows, text};

const TABLE_CELL: &str = "org.a11y.atspi.TableCell";
/// Maximum number of characters of a header.
const MAX_HEADER_CHARACTERS: usize = 200;

/// A header of a cell.
struct Header {
    text: String,
    /// Its own row and column, if it is a cell of the table itself.
    place: Option<(i32, i32)>,
}

/// The place of the cell at `target` of the path. `None` if it is no cell of a table.
pub(super) async fn place(ancestry: &AncestorPath, target: usize, role: Role, details: &Details) -> Option<CellPlace> {
    if role.general() != Role::Cell {
        return None;
    }
    let by_itself = if details.interfaces.has("TableCell") {
        told_by_cell(&ancestry.ancestors.get(target)?.node).await
    } else {
        None
    };
    // GTK 3 offers the interface for cells that have several parts, and answers with an error for some of them.
    let (place, row_header, column_header) = match by_itself {
        Some(told) => told,
        None => told_by_table(ancestry, target).await?,
    };
    Some(cell_place(place, row_header, column_header))
}

/// Row, column, row header and column header of a cell.
type ToldPlace = ((i32, i32), Option<Header>, Option<Header>);

async fn told_by_cell(cell: &LinuxNode) -> Option<ToldPlace> {
    let headers = (header_of(cell, "GetRowHeaderCells"), header_of(cell, "GetColumnHeaderCells"));
    let (place, row, column) = join3(cell.cell_place(), headers.0, headers.1).await;
    Some((place?, row, column))
}

async fn told_by_table(ancestry: &AncestorPath, target: usize) -> Option<ToldPlace> {
    let position = rows::container(ancestry).filter(|&position| position > target)?;
    // In a sheet, each request would create elements that the application never frees; the cell's name is its place.
    let Ancestor { node: table, facts } = ancestry.ancestors.get(position)?;
    if facts.has_many_children() {
        return None;
    }
    let place = rows::place_of(table, ancestry, position).await?;
    let (row, column) = join(table.row_header(place.0), table.column_header(place.1)).await;
    let (row, column) = join(named(row), named(column)).await;
    Some((place, row, column))
}

/// The place as it is told: a header in the table's first rows is not counted. Pure.
fn cell_place((row, column): (i32, i32), row_header: Option<Header>, column_header: Option<Header>) -> CellPlace {
    let above = column_header.as_ref().and_then(|header| header.place).filter(|place| place.0 < row);
    let first = above.map_or(0, |place| place.0 + 1);
    let text = |header: Option<Header>| header.map(|header| header.text).unwrap_or_default();
    CellPlace {
        row: u32::try_from(row - first).unwrap_or(0),
        column: u32::try_from(column).unwrap_or(0),
        row_header: text(row_header),
        column_header: text(column_header),
    }
}

/// The first header of a cell, by its `TableCell` interface.
async fn header_of(cell: &LinuxNode, method: &str) -> Option<Header> {
    let headers: Vec<(String, OwnedObjectPath)> = cell.call(TABLE_CELL, method, &()).await.ok()?;
    let header = headers.into_iter().find_map(|reference| cell.at(reference)).filter(|header| header != cell);
    named(header).await
}

async fn named(header: Option<LinuxNode>) -> Option<Header> {
    let header = header?;
    let (name, place, states) = join3(header.readable_name(), header.cell_place(), header.states()).await;
    // A table of GTK 3 has headers also if it shows none; one that is scrolled away counts.
    if states.is_ok_and(|states| !states.is_shown(true) && !states.is_shown(false)) {
        return None;
    }
    let text =
        if name.trim().is_empty() { text::brief(&header, MAX_HEADER_CHARACTERS).await } else { name.trim().to_owned() };
    Some(Header { text, place })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(text: &str, place: Option<(i32, i32)>) -> Option<Header> {
        Some(Header { text: text.into(), place })
    }

    // ANN-3
    #[test]
    fn rows_are_counted_without_the_header_ann_3() {
        let told = |row, column, row_header: &str, column_header: &str| CellPlace {
            row,
            column,
            row_header: row_header.into(),
            column_header: column_header.into(),
        };
        assert_eq!(
            cell_place((2, 1), header("사과", Some((2, 0))), header("값", Some((0, 1)))),
            told(1, 1, "사과", "값")
        );
        // The header of GTK 3 is no cell of the table.
        assert_eq!(cell_place((2, 1), None, header("값", None)), told(2, 1, "", "값"));
        assert_eq!(cell_place((0, 1), None, None), told(0, 1, "", ""));
    }
}
