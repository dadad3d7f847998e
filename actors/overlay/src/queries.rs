//! Asks where marked things are now.

use futures_util::future::join_all;
use luna_actor_runtime::inbox::Inbox;
use luna_messages::overlay::{HighlightedText, OverlayMessage};
use luna_messages::pick::PickMethod;
use luna_messages::{ElementId, Point, Rect};
use luna_overlay::machine::{pixel_hash, text_hash};
use luna_platform::accessibility::AtPoint;
use luna_platform::capture::Shot;

use crate::OverlayDependencies;

/// Where each of the elements is now.
pub async fn locate(
    dependencies: OverlayDependencies,
    inbox: Inbox<OverlayMessage>,
    query: u64,
    elements: Vec<ElementId>,
) {
    rearm(&dependencies).await;
    let actions = &dependencies.actions;
    let boxes = join_all(elements.iter().map(async |element| {
        let state = actions.inspect(element).await.ok()?;
        Some(state.element.bbox).filter(|bbox| !bbox.is_empty())
    }));
    drop(inbox.post(OverlayMessage::Located { query, boxes: boxes.await }));
}

/// What the accessibility tree has at a point now.
pub async fn check(dependencies: OverlayDependencies, inbox: Inbox<OverlayMessage>, query: u64, at: Point) {
    rearm(&dependencies).await;
    let found = match dependencies.accessibility.at_point(at, Rect::default()).await {
        // Of a protected field the label may be read: it has a mark, too.
        Ok(AtPoint::Element(element) | AtPoint::Protected(element)) => Some(HighlightedText {
            bbox: element.bbox,
            method: PickMethod::Uia,
            text_hash: text_hash(&element.text),
            is_table: !element.rows.is_empty(),
        }),
        Ok(AtPoint::NoText { .. } | AtPoint::NoWindow) | Err(_) => None,
    };
    drop(inbox.post(OverlayMessage::Checked { query, found }));
}

/// What a part of the screen looks like now. The picture is dropped at once (PRV-1).
pub async fn compare(dependencies: OverlayDependencies, inbox: Inbox<OverlayMessage>, query: u64, part: Rect) {
    rearm(&dependencies).await;
    let look = |shot: Shot| pixel_hash(&shot.picture.rgb);
    let pixels = dependencies.screen.ask(move |screen| screen.region(part).ok().map(look)).await;
    drop(inbox.post(OverlayMessage::Compared { query, pixels: pixels.ok().flatten() }));
}

/// Has changes at the marks reported again; before the query, so that none during it is missed.
async fn rearm(dependencies: &OverlayDependencies) {
    if !matches!(dependencies.overlay.ask(|overlay| overlay.rearm()).await, Ok(Ok(()))) {
        tracing::debug!("Changes at the marks are not reported.");
    }
}
