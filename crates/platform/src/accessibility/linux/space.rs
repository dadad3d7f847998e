//! Whose coordinates an element's numbers are, and their conversion to those of the desktop (SES-3).
//!
//! Without a scale factor every application has one kind of coordinates. With one, Chromium tells logical pixels for its
//! own controls but physical ones for pages and takes physical ones in hit tests, and Firefox tells logical boxes but
//! physical places of characters. What a window does is tried once, when its element is first looked up.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use atspi::Role as Native;
use luna_messages::{Coordinates, Point, Rect};

use super::call_error::CallError;
use super::node::LinuxNode;
use super::placement::{Placement, ToldPoint, ToldRect};

/// Maximum number of ancestors to ask if an element's own box does not tell whether it belongs to a page.
const DEPTH: usize = 16;

/// The coordinates of one window.
#[derive(Debug)]
pub(super) struct WindowSpace {
    placement: Placement,
    /// The window as its application tells it.
    told: Rect,
    /// The window on the desktop.
    shown: Rect,
    /// Whether hit tests and places of characters are in physical pixels although boxes are not.
    points_are_physical: bool,
    /// Whether the boxes of pages are in physical pixels, too; set at the first page that is too large to be logical.
    pages_are_physical: AtomicBool,
}

/// The coordinates of one element; those found from it have the same ones.
#[derive(Debug, Default)]
pub(super) struct NodeSpace {
    /// `None`: pixels of the desktop.
    window: Option<Arc<WindowSpace>>,
    /// Whether the element is a page or part of one.
    is_in_page: AtomicBool,
}

impl Clone for NodeSpace {
    fn clone(&self) -> Self {
        Self { window: self.window.clone(), is_in_page: AtomicBool::new(self.is_in_page.load(Ordering::Relaxed)) }
    }
}

impl NodeSpace {
    pub(super) fn of_window(window: Option<Arc<WindowSpace>>) -> Self {
        Self { window, is_in_page: AtomicBool::new(false) }
    }

    pub(super) fn window(&self) -> Option<Arc<WindowSpace>> {
        self.window.clone()
    }

    fn placement(&self) -> Placement {
        match &self.window {
            Some(window) if !self.is_physical(window) => window.placement,
            _ => Placement::default(),
        }
    }

    fn is_physical(&self, window: &WindowSpace) -> bool {
        self.is_in_page.load(Ordering::Relaxed) && window.pages_are_physical.load(Ordering::Relaxed)
    }

    /// An element's box on the desktop.
    pub(super) fn on_desktop(&self, told: ToldRect) -> Rect {
        self.placement().rect(told)
    }

    /// The box on the desktop of characters.
    pub(super) fn characters_on_desktop(&self, told: ToldRect) -> Rect {
        if self.takes_physical_points() { told.raw() } else { self.on_desktop(told) }
    }

    /// A point of the desktop, for a hit test or the character at it.
    pub(super) fn point(&self, point: Point) -> ToldPoint {
        if self.takes_physical_points() { Coordinates::new(point) } else { self.placement().point(point) }
    }

    fn takes_physical_points(&self) -> bool {
        self.window.as_ref().is_some_and(|window| window.points_are_physical)
    }

    /// Notes an element of the role `native`, told as `told`: with a page begin the coordinates of pages.
    pub(super) fn note(&self, native: Native, told: ToldRect) {
        let Some(window) = self.window.as_ref().filter(|window| window.points_are_physical && is_page(native)) else {
            return;
        };
        self.is_in_page.store(true, Ordering::Relaxed);
        // A page lies inside its window.
        if !told.is_empty() && !lies_in(told.raw(), window.told) && lies_in(told.raw(), window.shown) {
            window.pages_are_physical.store(true, Ordering::Relaxed);
        }
    }
}

const fn is_page(native: Native) -> bool {
    matches!(native, Native::DocumentWeb | Native::DocumentFrame | Native::HTMLContainer)
}

/// Whether `inner` lies in `outer`, apart from rounding.
fn lies_in(inner: Rect, outer: Rect) -> bool {
    const ROUNDING: i32 = 2;
    inner.x >= outer.x - ROUNDING
        && inner.y >= outer.y - ROUNDING
        && inner.right() <= outer.right() + ROUNDING
        && inner.bottom() <= outer.bottom() + ROUNDING
}

impl WindowSpace {
    /// The space of the window whose element is `frame`, told as `told` and shown at `shown`; `None` if its coordinates
    /// are those of the desktop.
    pub(super) async fn of(frame: &LinuxNode, told: ToldRect, shown: Rect, placement: Placement) -> Option<Arc<Self>> {
        if placement == Placement::default() {
            return None;
        }
        let mut space = Self {
            placement,
            told: told.raw(),
            shown,
            points_are_physical: false,
            pages_are_physical: AtomicBool::new(false),
        };
        if placement.is_scaled() && !frame.app.local {
            space.points_are_physical = finds_physical(frame, told.raw(), shown).await;
        }
        Some(Arc::new(space))
    }

    /// Whether the window is still told and shown at the same place.
    pub(super) fn is_current(&self, told: ToldRect, shown: Rect) -> bool {
        self.told == told.raw() && self.shown == shown
    }
}

/// Whether a hit test at a place of the screen that the application's own coordinates do not reach finds something.
async fn finds_physical(frame: &LinuxNode, told: Rect, shown: Rect) -> bool {
    const INSET: i32 = 12;
    let corners =
        [Point::new(shown.right() - INSET, shown.bottom() - INSET), Point::new(shown.x + INSET, shown.y + INSET)];
    let Some(corner) = corners.into_iter().find(|corner| !told.contains(*corner)) else { return false };
    frame.told_hit(Coordinates::new(corner)).await.is_ok_and(|hit| hit.is_some_and(|hit| hit != *frame))
}

impl LinuxNode {
    /// Determines whether this element, found at `point` by the application, belongs to a page. Only for windows whose
    /// hit tests skip levels and whose pages may have coordinates of their own.
    pub(super) async fn find_page(&self, point: Point) -> Result<(), CallError> {
        let Some(window) = self.space.window.as_ref().filter(|window| window.points_are_physical) else {
            return Ok(());
        };
        let told = self.told_extents().await?;
        let logical = window.placement.rect(told);
        let is_logical = logical.contains(point) && lies_in(logical, window.shown);
        match (is_logical, told.raw().contains(point)) {
            (true, false) => {}
            (false, true) => {
                self.space.is_in_page.store(true, Ordering::Relaxed);
                window.pages_are_physical.store(true, Ordering::Relaxed);
            }
            // It may be either: what it belongs to tells.
            _ => self.space.is_in_page.store(self.has_page_above().await?, Ordering::Relaxed),
        }
        Ok(())
    }

    /// Whether the element is a page or part of one.
    async fn has_page_above(&self) -> Result<bool, CallError> {
        let mut current = self.clone();
        for _ in 0..DEPTH {
            let native = current.native().await?;
            if is_page(native) {
                current.space.note(native, current.told_extents().await?);
                return Ok(true);
            }
            let Some(parent) = current.parent().await? else { break };
            current = parent;
        }
        Ok(false)
    }
}
