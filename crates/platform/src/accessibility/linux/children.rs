//! Children of an element: Luna requests their number first, and all of them only if they are few. A sheet of
//! LibreOffice has 2,147,483,647 children; requesting all of them crashes it. Nothing else in this adapter enumerates
//! children.

use std::time::Duration;

use atspi::zbus::zvariant::OwnedObjectPath;
use futures_util::future::join;
use futures_util::stream::{self, StreamExt as _};
use luna_messages::{Point, Rect};

use super::bus::CALL_DEADLINE;
use super::call_error::CallError;
use super::node::{ACCESSIBLE, LinuxNode, NodeFacts};

/// Maximum number of children to request with one call.
const MAX_ENUMERATED: usize = 1000;
/// Maximum number of children to request one by one if an element has more than [`MAX_ENUMERATED`].
const MAX_VISIBLE: usize = 240;
/// Maximum number of columns to read of the visible part of a table.
const MAX_COLUMNS: i32 = 16;
/// Maximum number of siblings among which a position may be requested: an application may count up to the position.
const MAX_COUNTED_SIBLINGS: i32 = 100_000;
/// Concurrent calls.
const CONCURRENT_CALLS: usize = 32;
/// Number of children to request at each end of a long list, where the tree lists elements that float above a page.
const END_CHILDREN: i32 = 60;
/// Number of points to try along each side of a view if positions can't be requested.
const GRID: i32 = 8;
/// Maximum number of levels between a hit and the element whose child is looked for.
const DEPTH: usize = 12;

/// Some children of an element.
#[derive(Debug, Default)]
pub(super) struct Children {
    /// In the tree's order.
    pub(super) nodes: Vec<LinuxNode>,
    /// Whether no visible child is missing.
    pub(super) is_complete: bool,
}

/// Whether an element's position among `siblings` may be requested.
pub(super) const fn is_countable(siblings: i32) -> bool {
    siblings <= MAX_COUNTED_SIBLINGS
}

impl NodeFacts {
    /// Whether the element has too many children to request all of them.
    pub(super) fn has_many_children(&self) -> bool {
        usize::try_from(self.children).is_ok_and(|children| children > MAX_ENUMERATED)
    }
}

impl LinuxNode {
    pub(super) async fn child_count(&self) -> Result<i32, CallError> {
        self.property(ACCESSIBLE, "ChildCount").await
    }

    pub(super) async fn child(&self, index: i32) -> Result<Option<Self>, CallError> {
        self.reference(ACCESSIBLE, "GetChildAtIndex", &(index,)).await
    }

    /// Position among the siblings, which the caller knows to be [countable](is_countable).
    pub(super) async fn index(&self) -> Result<i32, CallError> {
        self.call(ACCESSIBLE, "GetIndexInParent", &()).await
    }

    /// The first children, at most `most`.
    pub(super) async fn first_children(&self, most: usize) -> Result<Vec<Self>, CallError> {
        let count = self.child_count().await?;
        self.first_of(count, most).await
    }

    /// The first of the children, of which there are `count`: at most `most`.
    pub(super) async fn first_of(&self, count: i32, most: usize) -> Result<Vec<Self>, CallError> {
        match usize::try_from(count).unwrap_or(0) {
            0 => Ok(Vec::new()),
            count if count <= MAX_ENUMERATED => self.few_children(most, CALL_DEADLINE).await,
            _ => Ok(self.children_at(0..i32::try_from(most).unwrap_or(i32::MAX).min(count)).await),
        }
    }

    /// The children of this element, whose facts are `this`, at most `most`; of many children only those visible in
    /// `view`. `limit` is the deadline of the one call that requests few children; the calls for many have their own.
    pub(super) async fn children_in(
        &self,
        this: &NodeFacts,
        view: Rect,
        most: usize,
        limit: Duration,
    ) -> Result<Children, CallError> {
        match usize::try_from(this.children).unwrap_or(0) {
            0 => Ok(Children { nodes: Vec::new(), is_complete: true }),
            few if few <= MAX_ENUMERATED => {
                let nodes = self.few_children(most, limit).await?;
                Ok(Children { nodes, is_complete: few <= most })
            }
            _ => Ok(self.visible_children(this, view, most.min(MAX_VISIBLE)).await),
        }
    }

    /// The first and the last of many children, wherever they lie. Returns none for a sheet: its cells are created on
    /// request, and no cell floats above the others.
    pub(super) async fn end_children(&self, this: &NodeFacts) -> Children {
        if this.states.manages_descendants() {
            return Children::default();
        }
        let (first, last) =
            (self.children_at(0..END_CHILDREN), self.children_at(this.children - END_CHILDREN..this.children));
        let (first, last) = join(first, last).await;
        Children { nodes: first.into_iter().chain(last).collect(), is_complete: false }
    }

    /// The children of this element, which has `count`: at most `most`. Of many children, only the child at `point`;
    /// with GTK 4, which can't find it, the first ones.
    pub(super) async fn children_under(&self, count: i32, point: Point, most: usize) -> Result<Vec<Self>, CallError> {
        match usize::try_from(count).unwrap_or(0) {
            0 => Ok(Vec::new()),
            few if few <= MAX_ENUMERATED => self.few_children(most, CALL_DEADLINE).await,
            _ if self.app.local => self.first_of(count, most).await,
            _ => Ok(self.child_at(point).await.into_iter().collect()),
        }
    }

    /// The child that lies at `point`, by the toolkit's own hit test.
    pub(super) async fn child_at(&self, point: Point) -> Option<Self> {
        let mut hit = self.at_point(point).await.ok().flatten().filter(|hit| hit != self)?;
        for _ in 0..DEPTH {
            match hit.parent().await {
                Ok(Some(parent)) if parent == *self => return Some(hit),
                Ok(Some(parent)) => hit = parent,
                _ => return None,
            }
        }
        None
    }

    /// All children, which the caller knows to be few. Surplus children in the answer are ignored.
    async fn few_children(&self, most: usize, limit: Duration) -> Result<Vec<Self>, CallError> {
        let references: Vec<(String, OwnedObjectPath)> =
            self.target().call(ACCESSIBLE, "GetChildren", &(), limit).await?;
        Ok(references.into_iter().take(most.min(MAX_ENUMERATED)).filter_map(|reference| self.at(reference)).collect())
    }

    async fn children_at(&self, indices: std::ops::Range<i32>) -> Vec<Self> {
        let requests = indices.map(|index| self.child(index));
        let answers: Vec<_> = stream::iter(requests).buffered(CONCURRENT_CALLS).collect().await;
        answers.into_iter().filter_map(|answer| answer.ok().flatten()).collect()
    }

    /// Of many children, those from the child at the beginning of `view` to the child at its end.
    async fn visible_children(&self, this: &NodeFacts, view: Rect, most: usize) -> Children {
        let (count, manages) = (this.children, this.states.manages_descendants());
        if view.is_empty() {
            return Children::default();
        }
        // GTK 4's own hit test is unreliable; its long lists have no more children than are visible anyway.
        if self.app.local {
            let end = i32::try_from(most).unwrap_or(i32::MAX).min(count);
            return Children { nodes: self.children_at(0..end).await, is_complete: false };
        }
        // Several points are tried, because margins and gaps belong to no child.
        let ends = [2, 14, 30, 60].into_iter().filter(|&inset| inset < view.height);
        let ends: Vec<i32> = ends.collect();
        let first = self.first_hit(ends.iter().map(|inset| (3, *inset)), view);
        let last = self.first_hit(ends.iter().map(|inset| (view.width - 4, view.height - 1 - inset)), view);
        let between = match join(first, last).await {
            (Some(first), Some(last)) if manages || is_countable(count) => {
                self.between(&first, &last, manages, most).await
            }
            _ => None,
        };
        match between {
            Some(children) => children,
            None => self.scattered(view, most).await,
        }
    }

    /// The child at the first of `places` that has a child; each place is tried as given and in the middle of `view`.
    async fn first_hit(&self, places: impl Iterator<Item = (i32, i32)>, view: Rect) -> Option<Self> {
        for (x, y) in places {
            for x in [x, view.width / 2] {
                if let Some(child) = self.child_at(Point::new(view.x + x, view.y + y)).await {
                    return Some(child);
                }
            }
        }
        None
    }

    /// The children from `first` to `last`; in a table, the cells of the rectangle between them. `None` if their
    /// positions are unknown or wrong.
    async fn between(&self, first: &Self, last: &Self, manages: bool, most: usize) -> Option<Children> {
        let (one, other) = join(first.index(), last.index()).await;
        let (one, other) = (one.ok().filter(|&index| index >= 0)?, other.ok().filter(|&index| index >= 0)?);
        let most = i32::try_from(most).unwrap_or(i32::MAX).max(1);
        if manages && self.interfaces().await.ok()?.has("Table") {
            let (begin, end) = join(self.place_of_index(one), self.place_of_index(other)).await;
            let (begin, end) = (begin?, end?);
            // Cell indices of a table with 2³⁴ cells overflow their 32 bits, so check one cell.
            let checked = self.cell(begin.0, begin.1).await?;
            if checked != *first && checked.extents().await != first.extents().await {
                return None;
            }
            let whole = ((end.1 - begin.1).abs() + 1, (end.0 - begin.0).abs() + 1);
            let columns = whole.0.min(MAX_COLUMNS).min(most);
            let rows = whole.1.min(most / columns);
            let (top, left) = (begin.0.min(end.0), begin.1.min(end.1));
            let places = (top..top + rows).flat_map(|row| (left..left + columns).map(move |column| (row, column)));
            let requests = places.map(|(row, column)| self.cell(row, column));
            let cells: Vec<Option<Self>> = stream::iter(requests).buffered(CONCURRENT_CALLS).collect().await;
            let is_complete = (columns, rows) == whole;
            return Some(Children { nodes: cells.into_iter().flatten().collect(), is_complete });
        }
        let (begin, end) = (one.min(other), one.max(other).saturating_add(1));
        let reach = end.min(begin.saturating_add(most));
        Some(Children { nodes: self.children_at(begin..reach).await, is_complete: reach == end })
    }

    /// The children at points spread over `view`, for elements whose positions can't be requested.
    async fn scattered(&self, view: Rect, most: usize) -> Children {
        let at = |length: i32, step: i32| (length - 1) * (2 * step + 1) / (2 * GRID);
        let points = (0..GRID).flat_map(|row| (0..GRID).map(move |column| (column, row)));
        let points = points
            .map(|(column, row)| Point::new(view.x + at(view.width, column), view.y + at(view.height, row)))
            .take(most);
        let hits: Vec<Option<Self>> =
            stream::iter(points.map(|point| self.child_at(point))).buffered(CONCURRENT_CALLS).collect().await;
        let mut nodes: Vec<Self> = Vec::new();
        for hit in hits.into_iter().flatten() {
            if !nodes.contains(&hit) {
                nodes.push(hit);
            }
        }
        Children { nodes, is_complete: false }
    }
}
