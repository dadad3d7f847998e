//! What must not be captured in a region of the screen, over all windows that a picture of it shows (PIC-5, SES-5).

use futures_util::future::join_all;
use luna_messages::Rect;
use luna_messages::pick::{CaptureScope, CoveredWindow, SearchedRegion, WindowInfo};

use super::display::TopLevelWindow;
use super::{LinuxTree, protect};
use crate::PlatformError;

impl LinuxTree {
    /// Searches every window visible in `region`.
    pub(super) async fn search(
        &self,
        pointed: Option<WindowInfo>,
        region: Rect,
        scope: CaptureScope,
    ) -> Result<SearchedRegion, PlatformError> {
        let windows = self.windows.shown(region)?;
        let of_pointed = |top: &Option<TopLevelWindow>| {
            top.as_ref().is_some_and(|top| pointed.as_ref().is_some_and(|pointed| pointed.handle == top.info.handle))
        };
        let position = windows.iter().position(|(_, top)| of_pointed(top));
        if pointed.is_some() && position.is_none() {
            return Err(PlatformError::Gone);
        }
        let requests = windows.iter().enumerate().map(|(index, (shown, top))| async move {
            let place = top.as_ref().map_or(shown.bounds, |top| visible_box(shown.bounds, top)).intersection(region);
            let is_pointed = Some(index) == position;
            if scope == CaptureScope::Window && position.is_some_and(|position| index < position) {
                // This window covers the pointed window, of which nothing is visible there.
                return Ok((vec![place], None));
            }
            let Some(top) = top else { return Ok((vec![place], None)) };
            let boxes = match self.boxes_in(top, region).await {
                Ok(Some(boxes)) => boxes,
                Ok(None) if is_pointed => Vec::new(),
                Err(PlatformError::Unavailable(_)) if is_pointed => Vec::new(),
                Err(error) if is_pointed => return Err(error),
                Ok(None) | Err(_) => vec![place],
            };
            let is_covered = scope == CaptureScope::Window && is_pointed && index > 0;
            let covered = is_covered.then(|| CoveredWindow { window: *shown, hidden: boxes.clone() });
            Ok((boxes, covered))
        });
        let (mut hidden, mut covered) = (Vec::new(), None);
        for answer in join_all(requests).await {
            let (boxes, own) = answer?;
            hidden.extend(boxes.into_iter().filter(|one| !one.is_empty()));
            covered = covered.or(own);
        }
        let shown = windows.iter().map(|(shown, _)| *shown).collect();
        Ok(SearchedRegion { window: pointed, region, chosen: region, hidden, shown, covered })
    }

    /// Protected fields of a window; `None` if its application is not on the bus.
    async fn boxes_in(&self, top: &TopLevelWindow, region: Rect) -> Result<Option<Vec<Rect>>, PlatformError> {
        self.ask(top, |place| async move {
            match place {
                Some(place) => protect::boxes(&place.frame, region).await.map(Some),
                None => Ok(None),
            }
        })
        .await
    }
}

/// The box of a window with its frame, but without a shadow that the application draws itself.
fn visible_box(frame: Rect, top: &TopLevelWindow) -> Rect {
    if top.has_shadow { top.info.bounds } else { frame }
}
