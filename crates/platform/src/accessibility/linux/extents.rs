//! Where an element is, and which element is at a point: the calls whose numbers are coordinates (SES-3).

use std::sync::Arc;

use luna_messages::{Coordinates, Point, Rect};

use super::call_error::CallError;
use super::node::LinuxNode;
use super::placement::{Placement, ToldPoint, ToldRect};
use super::space::{PagePart, PointKind, WindowSpace, is_page};

const COMPONENT: &str = "org.a11y.atspi.Component";
/// Maximum number of ancestors to ask if an element's own box does not tell whether it belongs to a page.
const DEPTH: usize = 16;

/// The coordinates of the window whose element is `frame`, told as `told` and shown at `shown`; `None` if they are those
/// of the desktop.
pub(super) async fn window_space(
    frame: &LinuxNode,
    told: ToldRect,
    shown: Rect,
    placement: Placement,
) -> Option<Arc<WindowSpace>> {
    if placement == Placement::default() {
        return None;
    }
    let points = if placement.is_scaled() && !frame.app.local {
        point_kind(frame, told.raw(), shown).await
    } else {
        PointKind::Logical
    };
    Some(Arc::new(WindowSpace::new(placement, told, shown, points)))
}

/// Tries a hit test near a corner of the window that only physical coordinates reach, then near the same corner in
/// logical ones.
async fn point_kind(frame: &LinuxNode, told: Rect, shown: Rect) -> PointKind {
    const INSET: i32 = 6;
    let end = |rect: Rect, inset: i32| Point::new(rect.right() - inset, rect.bottom() - inset);
    let start = |rect: Rect, inset: i32| Point::new(rect.x + inset, rect.y + inset);
    let corners = [(end(shown, 2 * INSET), end(told, INSET)), (start(shown, 2 * INSET), start(told, INSET))];
    let Some((physical, logical)) = corners.into_iter().find(|(corner, _)| !told.contains(*corner)) else {
        return PointKind::Logical;
    };
    let finds = async |corner| {
        let hit = frame.told_hit(Coordinates::new(corner)).await;
        hit.is_ok_and(|hit| hit.is_some_and(|hit| hit != *frame))
    };
    if finds(physical).await {
        PointKind::Physical
    } else if finds(logical).await {
        PointKind::Logical
    } else {
        PointKind::Unknown
    }
}

impl LinuxNode {
    /// The box as told by the toolkit; empty if the element is not on the screen.
    pub(super) async fn told_extents(&self) -> Result<ToldRect, CallError> {
        let (x, y, width, height): (i32, i32, i32, i32) =
            self.call(COMPONENT, "GetExtents", &(self.coordinates(),)).await?;
        // GTK 3 reports i32::MIN for an element that isn't mapped.
        let is_nowhere = x < -30_000 || y < -30_000;
        Ok(Coordinates::new(if is_nowhere { Rect::default() } else { Rect::new(x, y, width, height) }))
    }

    /// The box on the desktop.
    pub(super) async fn extents(&self) -> Result<Rect, CallError> {
        let bbox = self.shifted(self.space.on_desktop(self.told_extents().await?));
        Ok(if bbox.is_empty() { Rect::default() } else { bbox })
    }

    /// The element under a point of the desktop, by the toolkit's hit test.
    pub(super) async fn at_point(&self, point: Point) -> Result<Option<Self>, CallError> {
        let point = self.unshifted(point);
        if self.space.is_undecided() {
            return self.at_point_of_either_kind(point).await;
        }
        let hit = self.told_hit(self.space.point(point)).await?;
        match &hit {
            Some(found) => match found.find_page(point).await {
                Ok(()) | Err(CallError::Refused) => Ok(hit),
                Err(error) => Err(error),
            },
            None => Ok(None),
        }
    }

    /// The element at a point of the application's coordinates, by the toolkit's hit test.
    async fn told_hit(&self, point: ToldPoint) -> Result<Option<Self>, CallError> {
        let Point { x, y } = point.raw();
        self.reference(COMPONENT, "GetAccessibleAtPoint", &(x, y, 0_u32)).await
    }

    /// The element at `point` by a hit test in logical or in physical pixels, whichever finds something there.
    async fn at_point_of_either_kind(&self, point: Point) -> Result<Option<Self>, CallError> {
        for told in [self.space.point(point), Coordinates::new(point)] {
            if let Some(hit) = self.told_hit(told).await?
                && hit.extents().await?.contains(point)
            {
                return Ok(Some(hit));
            }
        }
        Ok(None)
    }

    /// Determines whether this element, found at `point` by the application, belongs to a page. Only for windows whose
    /// hit tests skip levels and whose pages may have coordinates of their own.
    async fn find_page(&self, point: Point) -> Result<(), CallError> {
        if !self.space.takes_physical_points() {
            return Ok(());
        }
        match self.space.page_part(self.told_extents().await?, point) {
            Some(PagePart::Yes) => self.space.set_page_part(true),
            // What it belongs to tells.
            Some(PagePart::Unknown) => self.space.set_page_part(self.has_page_above().await?),
            Some(PagePart::No) | None => {}
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
