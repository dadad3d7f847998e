//! No accessibility tree: for platforms that have none, and for tests of Luna without a tree (KER-9).

use async_trait::async_trait;
use luna_messages::element_action::{
    ActionResult, ElementAction, ElementRefusal, ElementState, ObservedChange, WindowElements,
};
use luna_messages::focus::FocusChange;
use luna_messages::input::{ClickPoint, NoClickPoint};
use luna_messages::pick::{CaptureScope, Element, RoleSet, SearchedRegion, WindowInfo};
use luna_messages::uia::RowsExtent;
use luna_messages::{ElementId, Point, Rect};

use super::actions::{ActBarrier, ChangeScope, ElementActions};
use super::{Accessibility, AtPoint, FocusMove, VisibleLines, Watch};
use crate::PlatformError;

/// An accessibility tree that is never available.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoAccessibility;

fn missing<T>() -> Result<T, PlatformError> {
    Err(PlatformError::unavailable(
        "This platform has no accessibility tree that Luna can read.",
        "Luna reads by text recognition instead; on Linux, run it in a desktop session with at-spi2-core.",
    ))
}

#[async_trait]
impl Accessibility for NoAccessibility {
    async fn at_point(&self, _point: Point, _region_hint: Rect) -> Result<AtPoint, PlatformError> {
        missing()
    }

    async fn rows_at(&self, _point: Point, _extent: RowsExtent) -> Result<AtPoint, PlatformError> {
        missing()
    }

    async fn window_at(&self, _point: Point) -> Result<Option<WindowInfo>, PlatformError> {
        missing()
    }

    async fn window_lines(&self, _window: &WindowInfo) -> Result<VisibleLines, PlatformError> {
        missing()
    }

    async fn window_elements(&self, _window: &WindowInfo) -> Result<Vec<Element>, PlatformError> {
        missing()
    }

    async fn protected_boxes(&self, _window: &WindowInfo, _region: Rect) -> Result<Vec<Rect>, PlatformError> {
        missing()
    }

    async fn search(
        &self,
        _pointed: Option<&WindowInfo>,
        _region: Rect,
        _scope: CaptureScope,
    ) -> Result<SearchedRegion, PlatformError> {
        missing()
    }

    async fn watch_focus(
        &self,
        _moved: Box<dyn Fn(FocusMove) + Send>,
        _lost: Box<dyn FnOnce(PlatformError) + Send>,
    ) -> Result<Watch, PlatformError> {
        missing()
    }

    async fn focused(&self) -> Result<Option<FocusChange>, PlatformError> {
        missing()
    }

    fn block_roles(&self, _roles: RoleSet) {}

    async fn check(&self) -> Result<(), PlatformError> {
        missing()
    }
}

#[async_trait]
impl ElementActions for NoAccessibility {
    async fn active_windows(&self) -> Result<Vec<WindowInfo>, PlatformError> {
        missing()
    }

    async fn window_elements_to_act_on(&self, _window: &WindowInfo) -> Result<WindowElements, PlatformError> {
        missing()
    }

    async fn inspect(&self, _element: &ElementId) -> Result<ElementState, ElementRefusal> {
        Err(ElementRefusal::Unavailable)
    }

    async fn act(
        &self,
        _element: &ElementId,
        _action: ElementAction,
        _barrier: &ActBarrier,
    ) -> Result<ActionResult, ElementRefusal> {
        Err(ElementRefusal::Unavailable)
    }

    async fn click_point(&self, _element: &ElementId) -> Result<ClickPoint, NoClickPoint> {
        Err(ElementRefusal::Unavailable.into())
    }

    async fn watch_changes(
        &self,
        _scope: ChangeScope,
        _seen: Box<dyn Fn(ObservedChange) + Send>,
    ) -> Result<Watch, PlatformError> {
        missing()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;

    // KER-9
    #[tokio::test]
    async fn what_is_missing_says_why_and_what_to_do_ker_9() {
        let error = NoAccessibility.at_point(Point::new(1, 1), Rect::new(0, 0, 2, 2)).await.unwrap_err();
        let PlatformError::Unavailable(why) = &error else { panic!("{error:?}") };
        assert!(!why.reason.is_empty() && !why.remedy.is_empty());
        assert_eq!(NoAccessibility.check().await.unwrap_err(), error);
    }
}
