//! Calls to tables and to sheets, which are tables with more cells than anybody could ask for.

use std::sync::Arc;

use atspi::zbus::zvariant::OwnedValue;
use futures_util::future::{join, join3};

use super::call_error::CallError;
use super::node::{LinuxNode, NodeFacts};

const TABLE: &str = "org.a11y.atspi.Table";

impl NodeFacts {
    /// Whether it is a sheet, whose cells are made when they are asked for, and all alike.
    pub(super) fn is_sheet(&self) -> bool {
        self.has_many_children() && self.states.manages_descendants()
    }
}

impl LinuxNode {
    /// The facts of a cell of `sheet`, in which nothing else is looked for.
    pub(super) async fn cell_facts(&self, sheet: Option<Arc<Self>>) -> Result<NodeFacts, CallError> {
        let (native, states, told) = join3(self.native(), self.states(), self.told_extents()).await;
        Ok(NodeFacts { sheet, ..self.assembled(native?, (states?, told, Ok(0)))? })
    }

    /// Number of rows and columns of a table.
    pub(super) async fn table_size(&self) -> Result<(i32, i32), CallError> {
        let (rows, columns) = join(self.property(TABLE, "NRows"), self.property(TABLE, "NColumns")).await;
        Ok((rows?, columns?))
    }

    /// A cell of a table.
    pub(super) async fn cell(&self, row: i32, column: i32) -> Option<Self> {
        self.reference(TABLE, "GetAccessibleAt", &(row, column)).await.ok().flatten()
    }

    /// Row and column of a cell.
    pub(super) async fn cell_place(&self) -> Option<(i32, i32)> {
        let value: OwnedValue = self.property("org.a11y.atspi.TableCell", "Position").await.ok()?;
        <(i32, i32)>::try_from(value).ok().filter(|&(row, column)| row >= 0 && column >= 0)
    }

    /// The header of a table's column.
    pub(super) async fn column_header(&self, column: i32) -> Option<Self> {
        self.reference(TABLE, "GetColumnHeader", &(column,)).await.ok().flatten()
    }

    /// The header of a table's row.
    pub(super) async fn row_header(&self, row: i32) -> Option<Self> {
        self.reference(TABLE, "GetRowHeader", &(row,)).await.ok().flatten()
    }

    /// Row and column of the table's child with this index.
    pub(super) async fn place_of_index(&self, index: i32) -> Option<(i32, i32)> {
        let body = (index,);
        let call = |method| self.call::<_, i32>(TABLE, method, &body);
        let (row, column) = join(call("GetRowAtIndex"), call("GetColumnAtIndex")).await;
        Some((row.ok()?, column.ok()?)).filter(|&(row, column)| row >= 0 && column >= 0)
    }
}
