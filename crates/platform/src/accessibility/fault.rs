//! An accessibility tree that misbehaves on request, or answers from a script, for the tests of all crates.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use luna_messages::element::{ElementProperties, State, StateSet};
use luna_messages::focus::FocusChange;
use luna_messages::pick::{CaptureScope, Element, Role, RoleSet, SearchedRegion, ShownWindow, WindowInfo};
use luna_messages::uia::{RowsExtent, TextLine};
use luna_messages::{ElementId, Point, Rect};

use super::{Accessibility, AtPoint, FocusMove, VisibleLines, Watch};
use crate::PlatformError;

/// How a query is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccessibilityFault {
    /// The wrapped tree answers.
    None,
    /// The wrapped tree answers after this delay.
    Late(Duration),
    Never,
    Error(PlatformError),
    /// The task panics, as with a defect in a platform library.
    Panic,
}

/// Wraps another tree and injects faults. Each fault queued with [`FaultyAccessibility::order`] applies to one query;
/// when the queue is empty, [`FaultyAccessibility::always`] applies.
pub struct FaultyAccessibility {
    /// Answers the queries that get through.
    inner: Arc<dyn Accessibility>,
    /// Faults of the next queries.
    orders: Mutex<VecDeque<AccessibilityFault>>,
    /// The fault when `orders` is empty.
    standing: Mutex<AccessibilityFault>,
    /// Number of queries so far.
    query_count: Mutex<usize>,
}

impl FaultyAccessibility {
    /// Answers as `inner` until a fault is set.
    #[must_use]
    pub fn new(inner: Arc<dyn Accessibility>) -> Self {
        Self {
            inner,
            orders: Mutex::default(),
            standing: Mutex::new(AccessibilityFault::None),
            query_count: Mutex::default(),
        }
    }

    /// Queues a fault for one query.
    pub fn order(&self, fault: AccessibilityFault) {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner).push_back(fault);
    }

    /// Sets the fault of all queries for which none is queued.
    pub fn always(&self, fault: AccessibilityFault) {
        *self.standing.lock().unwrap_or_else(PoisonError::into_inner) = fault;
    }

    /// Removes the queued faults.
    pub fn forget_orders(&self) {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Number of queries so far, including failed ones.
    #[must_use]
    pub fn query_count(&self) -> usize {
        *self.query_count.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn inject_fault(&self) -> Result<(), PlatformError> {
        *self.query_count.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        let order = self.orders.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let fault = order.unwrap_or_else(|| self.standing.lock().unwrap_or_else(PoisonError::into_inner).clone());
        match fault {
            AccessibilityFault::None => Ok(()),
            AccessibilityFault::Late(by) => {
                tokio::time::sleep(by).await;
                Ok(())
            }
            AccessibilityFault::Never => std::future::pending().await,
            AccessibilityFault::Error(error) => Err(error),
            AccessibilityFault::Panic => std::panic::panic_any("ordered by a test"),
        }
    }
}

#[async_trait]
impl Accessibility for FaultyAccessibility {
    async fn at_point(&self, point: Point, region_hint: Rect) -> Result<AtPoint, PlatformError> {
        self.inject_fault().await?;
        self.inner.at_point(point, region_hint).await
    }

    async fn rows_at(&self, point: Point, extent: RowsExtent) -> Result<AtPoint, PlatformError> {
        self.inject_fault().await?;
        self.inner.rows_at(point, extent).await
    }

    async fn window_at(&self, point: Point) -> Result<Option<WindowInfo>, PlatformError> {
        self.inject_fault().await?;
        self.inner.window_at(point).await
    }

    async fn windows(&self) -> Result<Vec<WindowInfo>, PlatformError> {
        self.inject_fault().await?;
        self.inner.windows().await
    }

    async fn window_lines(&self, window: &WindowInfo) -> Result<VisibleLines, PlatformError> {
        self.inject_fault().await?;
        self.inner.window_lines(window).await
    }

    async fn window_elements(&self, window: &WindowInfo) -> Result<Vec<Element>, PlatformError> {
        self.inject_fault().await?;
        self.inner.window_elements(window).await
    }

    async fn protected_boxes(&self, window: &WindowInfo, region: Rect) -> Result<Vec<Rect>, PlatformError> {
        self.inject_fault().await?;
        self.inner.protected_boxes(window, region).await
    }

    async fn search(
        &self,
        pointed: Option<&WindowInfo>,
        region: Rect,
        scope: CaptureScope,
    ) -> Result<SearchedRegion, PlatformError> {
        self.inject_fault().await?;
        self.inner.search(pointed, region, scope).await
    }

    /// Only a standing error applies: a watch begins beside the queries, and must not use up their faults.
    async fn watch_focus(
        &self,
        moved: Box<dyn Fn(FocusMove) + Send>,
        lost: Box<dyn FnOnce(PlatformError) + Send>,
    ) -> Result<Watch, PlatformError> {
        let standing = self.standing.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match standing {
            AccessibilityFault::Error(error) => Err(error),
            _ => self.inner.watch_focus(moved, lost).await,
        }
    }

    async fn focused(&self) -> Result<Option<FocusChange>, PlatformError> {
        self.inject_fault().await?;
        self.inner.focused().await
    }

    fn block_roles(&self, roles: RoleSet) {
        self.inner.block_roles(roles);
    }

    async fn check(&self) -> Result<(), PlatformError> {
        self.inject_fault().await?;
        self.inner.check().await
    }
}

/// A protected field without a label at a place.
#[must_use]
pub fn protected_field(bbox: Rect) -> Element {
    Element {
        properties: ElementProperties {
            states: StateSet::default().with(State::Protected),
            ..ElementProperties::default()
        },
        ..Element::new(ElementId(String::new()), Role::Protected, "", bbox)
    }
}

pub use self::scripted_actions::{ActionFault, ScriptedActions};
pub use self::scripted_focus::ScriptedFocus;

mod scripted_actions;
mod scripted_focus;

/// A tree made up by a test: the first entry whose box contains the point answers.
#[derive(Debug, Clone, Default)]
pub struct ScriptedAccessibility {
    /// The windows, topmost first.
    pub windows: Vec<WindowInfo>,
    /// Answers by place, topmost first. At any other point the answer is the window without text, or no window.
    pub places: Vec<(Rect, AtPoint)>,
    /// Answers of `rows_at` by place and extent.
    pub rows: Vec<(Rect, RowsExtent, AtPoint)>,
    /// The answer of `window_lines` for every window.
    pub lines: Vec<TextLine>,
    /// The answer of `window_elements` for every window.
    pub elements: Vec<Element>,
    /// The protected boxes of every window.
    pub protected: Vec<Rect>,
    /// The windows that every region shows.
    pub shown: Vec<ShownWindow>,
    /// The keyboard focus, moved by the test.
    pub focus: ScriptedFocus,
    /// The roles that were blocked last. Clones share them.
    pub blocked: Arc<Mutex<RoleSet>>,
}

impl ScriptedAccessibility {
    fn protected_in(&self, region: Rect) -> Vec<Rect> {
        self.protected.iter().copied().filter(|one| !one.intersection(region).is_empty()).collect()
    }
}

#[async_trait]
impl Accessibility for ScriptedAccessibility {
    async fn at_point(&self, point: Point, region_hint: Rect) -> Result<AtPoint, PlatformError> {
        if let Some((_, answer)) = self.places.iter().find(|(place, _)| place.contains(point)) {
            return Ok(answer.clone());
        }
        Ok(match self.window_at(point).await? {
            Some(window) => AtPoint::NoText { window, protected: self.protected_in(region_hint) },
            None => AtPoint::NoWindow,
        })
    }

    async fn rows_at(&self, point: Point, extent: RowsExtent) -> Result<AtPoint, PlatformError> {
        let here = self.rows.iter().find(|(place, asked, _)| place.contains(point) && *asked == extent);
        if let Some((_, _, answer)) = here {
            return Ok(answer.clone());
        }
        Ok(match self.window_at(point).await? {
            Some(window) => AtPoint::NoText { window, protected: Vec::new() },
            None => AtPoint::NoWindow,
        })
    }

    async fn window_at(&self, point: Point) -> Result<Option<WindowInfo>, PlatformError> {
        Ok(self.windows.iter().find(|window| window.bounds.contains(point)).cloned())
    }

    async fn windows(&self) -> Result<Vec<WindowInfo>, PlatformError> {
        Ok(self.windows.clone())
    }

    async fn window_lines(&self, _window: &WindowInfo) -> Result<VisibleLines, PlatformError> {
        Ok(VisibleLines { lines: self.lines.clone(), is_complete: true })
    }

    async fn window_elements(&self, _window: &WindowInfo) -> Result<Vec<Element>, PlatformError> {
        Ok(self.elements.clone())
    }

    async fn protected_boxes(&self, _window: &WindowInfo, region: Rect) -> Result<Vec<Rect>, PlatformError> {
        Ok(self.protected_in(region))
    }

    async fn search(
        &self,
        pointed: Option<&WindowInfo>,
        region: Rect,
        _scope: CaptureScope,
    ) -> Result<SearchedRegion, PlatformError> {
        let hidden = self.protected_in(region);
        let shown = self.shown.clone();
        Ok(SearchedRegion { window: pointed.cloned(), region, chosen: region, hidden, shown, covered: None })
    }

    async fn watch_focus(
        &self,
        moved: Box<dyn Fn(FocusMove) + Send>,
        lost: Box<dyn FnOnce(PlatformError) + Send>,
    ) -> Result<Watch, PlatformError> {
        Ok(self.focus.watch(moved, lost))
    }

    async fn focused(&self) -> Result<Option<FocusChange>, PlatformError> {
        Ok(self.focus.place())
    }

    fn block_roles(&self, roles: RoleSet) {
        *self.blocked.lock().unwrap_or_else(PoisonError::into_inner) = roles;
    }

    async fn check(&self) -> Result<(), PlatformError> {
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;

    fn scripted() -> ScriptedAccessibility {
        let bounds = Rect::new(0, 0, 100, 100);
        ScriptedAccessibility {
            windows: vec![WindowInfo { handle: 1, process: 2, title: "T".into(), bounds }],
            places: vec![(Rect::new(10, 10, 5, 5), AtPoint::Protected(protected_field(Rect::new(10, 10, 5, 5))))],
            rows: Vec::new(),
            lines: Vec::new(),
            elements: Vec::new(),
            protected: vec![Rect::new(10, 10, 5, 5)],
            shown: Vec::new(),
            ..ScriptedAccessibility::default()
        }
    }

    #[tokio::test]
    async fn a_script_answers_by_place() {
        let (scripted, region) = (scripted(), Rect::new(12, 12, 50, 50));
        assert!(matches!(scripted.at_point(Point::new(11, 11), region).await, Ok(AtPoint::Protected(_))));
        let Ok(AtPoint::NoText { protected, .. }) = scripted.at_point(Point::new(50, 50), region).await else {
            panic!()
        };
        assert_eq!(protected, scripted.protected);
        assert_eq!(scripted.at_point(Point::new(500, 50), region).await, Ok(AtPoint::NoWindow));
    }

    #[tokio::test(start_paused = true)]
    async fn faults_come_in_the_order_of_the_orders_then_the_standing_one() {
        let (faulty, point) = (FaultyAccessibility::new(Arc::new(scripted())), Point::new(500, 50));
        faulty.order(AccessibilityFault::Error(PlatformError::Gone));
        faulty.order(AccessibilityFault::Late(Duration::from_secs(5)));
        assert_eq!(faulty.window_at(point).await, Err(PlatformError::Gone));
        let start = tokio::time::Instant::now();
        assert_eq!(faulty.window_at(point).await, Ok(None));
        assert_eq!(start.elapsed(), Duration::from_secs(5));
        faulty.always(AccessibilityFault::Never);
        assert!(tokio::time::timeout(Duration::from_secs(60), faulty.check()).await.is_err());
        faulty.always(AccessibilityFault::Panic);
        let faulty = Arc::new(faulty);
        let asking = Arc::clone(&faulty);
        assert!(tokio::spawn(async move { asking.check().await }).await.unwrap_err().is_panic());
        faulty.always(AccessibilityFault::None);
        assert_eq!(faulty.check().await, Ok(()));
        assert_eq!(faulty.query_count(), 5);
    }
}
