//! Whose coordinates an element's numbers are, and their conversion to those of the desktop (SES-3).
//!
//! Without a scale factor every application has one kind of coordinates. With one, Chromium tells logical pixels for its
//! own controls but physical ones for pages and takes physical ones in hit tests, and Firefox tells logical boxes but
//! physical places of characters. What a window does is tried once, when its element is first looked up.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use atspi::Role as Native;
use luna_messages::{Coordinates, Point, Rect};

use super::placement::{Placement, ToldPoint, ToldRect};

/// The coordinates of one window.
#[derive(Debug)]
pub(super) struct WindowSpace {
    placement: Placement,
    /// The window as its application tells it.
    told: Rect,
    /// The window on the desktop.
    shown: Rect,
    points: PointKind,
    /// Whether the boxes of pages are in physical pixels, too; set at the first page that is too large to be logical.
    pages_are_physical: AtomicBool,
}

/// What hit tests and places of characters are in, if boxes are in logical pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PointKind {
    Logical,
    /// As in Chromium and Firefox.
    Physical,
    /// The application finds nothing yet, as while a page is being loaded.
    Unknown,
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

    /// Whether hit tests and places of characters are in physical pixels although other boxes are not.
    pub(super) fn takes_physical_points(&self) -> bool {
        self.window.as_ref().is_some_and(|window| window.points == PointKind::Physical)
    }

    /// Whether it is not known yet what hit tests are in.
    pub(super) fn is_undecided(&self) -> bool {
        self.window.as_ref().is_some_and(|window| window.points == PointKind::Unknown)
    }

    /// Whether an element told as `told`, found by a hit test at `point`, belongs to a page; `None` if that makes no
    /// difference in this window.
    pub(super) fn page_part(&self, told: ToldRect, point: Point) -> Option<PagePart> {
        let window = self.window.as_ref().filter(|window| window.points == PointKind::Physical)?;
        let logical = window.placement.rect(told);
        let is_logical = logical.contains(point) && lies_in(logical, window.shown);
        Some(match (is_logical, told.raw().contains(point)) {
            (true, false) => PagePart::No,
            (false, true) if !lies_in(told.raw(), window.told) => {
                window.pages_are_physical.store(true, Ordering::Relaxed);
                PagePart::Yes
            }
            _ => PagePart::Unknown,
        })
    }

    /// Notes whether the element belongs to a page.
    pub(super) fn set_page_part(&self, is_in_page: bool) {
        self.is_in_page.store(is_in_page, Ordering::Relaxed);
    }

    /// Notes an element of the role `native`, told as `told`: with a page begin the coordinates of pages.
    pub(super) fn note(&self, native: Native, told: ToldRect) {
        let Some(window) =
            self.window.as_ref().filter(|window| window.points == PointKind::Physical && is_page(native))
        else {
            return;
        };
        self.is_in_page.store(true, Ordering::Relaxed);
        // A page lies inside its window.
        if !told.is_empty() && !lies_in(told.raw(), window.told) && lies_in(told.raw(), window.shown) {
            window.pages_are_physical.store(true, Ordering::Relaxed);
        }
    }
}

/// Whether an element is a page or part of one, judged by its own box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PagePart {
    Yes,
    No,
    /// Either kind of coordinates is possible.
    Unknown,
}

pub(super) const fn is_page(native: Native) -> bool {
    matches!(native, Native::DocumentWeb | Native::DocumentFrame | Native::HTMLContainer)
}

/// Whether `inner` lies in `outer`, apart from rounding.
pub(super) fn lies_in(inner: Rect, outer: Rect) -> bool {
    const ROUNDING: i32 = 2;
    inner.x >= outer.x - ROUNDING
        && inner.y >= outer.y - ROUNDING
        && inner.right() <= outer.right() + ROUNDING
        && inner.bottom() <= outer.bottom() + ROUNDING
}

impl WindowSpace {
    /// The coordinates of a window that is told as `told` and shown at `shown`.
    pub(super) fn new(placement: Placement, told: ToldRect, shown: Rect, points: PointKind) -> Self {
        Self { placement, told: told.raw(), shown, points, pages_are_physical: AtomicBool::new(false) }
    }

    /// Whether everything is known, and the window is still told and shown at the same place.
    pub(super) fn is_current(&self, told: ToldRect, shown: Rect) -> bool {
        self.told == told.raw() && self.shown == shown && self.points != PointKind::Unknown
    }
}

#[cfg(test)]
mod tests {
    use super::super::placement::WindowBoxes;
    use super::*;

    fn told(rect: [i32; 4]) -> ToldRect {
        Coordinates::new(rect.into())
    }

    /// A maximised window at twice the size, whose own coordinates and those of the screen overlap.
    fn maximised() -> NodeSpace {
        let (window, shown) = (told([0, 0, 1920, 1080]), Rect::new(0, 0, 3840, 2160));
        let boxes = WindowBoxes { visible: shown, client: shown, frame: shown };
        let placement = Placement::of(window, boxes, false);
        NodeSpace::of_window(Some(Arc::new(WindowSpace::new(placement, window, shown, PointKind::Physical))))
    }

    // SES-3
    #[test]
    fn a_hit_belongs_to_the_page_or_to_the_controls_around_it_ses_3() {
        for (element, point, expect) in [
            ([82, 46, 34, 34], (198, 126), PagePart::No),
            ([2400, 1800, 100, 40], (2450, 1820), PagePart::Yes),
            ([100, 300, 800, 700], (500, 800), PagePart::Unknown),
            ([100, 300, 40, 20], (110, 310), PagePart::Unknown),
        ] {
            let part = maximised().page_part(told(element), Point::new(point.0, point.1));
            assert_eq!(part, Some(expect), "{element:?} at {point:?}");
        }
        assert_eq!(NodeSpace::default().page_part(told([0, 0, 9, 9]), Point::new(1, 1)), None);
    }

    // SES-3
    #[test]
    fn pages_that_do_not_fit_into_the_window_as_told_are_physical_ses_3() {
        let element = told([100, 300, 40, 20]);
        for (page, expect) in [([16, 286, 3808, 1858], [100, 300, 40, 20]), ([0, 84, 1920, 990], [200, 600, 80, 40])] {
            let space = maximised();
            assert_eq!(space.on_desktop(element), Rect::from([200, 600, 80, 40]), "a control");
            space.note(Native::Panel, told(page));
            assert_eq!(space.on_desktop(element), Rect::from([200, 600, 80, 40]), "still a control");
            space.note(Native::DocumentWeb, told(page));
            // What is found from the page is part of it.
            assert_eq!(space.clone().on_desktop(element), Rect::from(expect), "{page:?}");
            assert_eq!(space.point(Point::new(7, 9)).raw(), Point::new(7, 9));
        }
    }
}
