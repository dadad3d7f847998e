//! Acting on elements by the accessibility tree (EXE-1, EXE-2, EXE-7).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use luna_messages::element_action::{
    ActionResult, ElementAction, ElementRefusal, ElementState, ObservedChange, WindowElements,
};
use luna_messages::input::{ClickPoint, NoClickPoint};
use luna_messages::pick::WindowInfo;
use luna_messages::{ElementId, RequestId};

use super::Watch;
use crate::PlatformError;

/// The newest stop, so that what was ordered before it is not carried out after it (KER-11). Clones share it: whoever
/// takes a stop raises it at once, however busy those are who carry out orders.
#[derive(Debug, Clone, Default)]
pub struct StopEpoch(Arc<AtomicU64>);

impl StopEpoch {
    /// From now on, nothing that was ordered before `at` is carried out. `at`: given when the stop was.
    pub fn stop(&self, at: RequestId) {
        self.0.fetch_max(at.0, Ordering::SeqCst);
    }

    /// The barrier of what was ordered by `order`: a later stop raises it, whether it came already or comes yet.
    #[must_use]
    pub fn barrier(&self, order: RequestId) -> ActBarrier {
        ActBarrier { newest: Arc::clone(&self.0), order }
    }
}

/// Prevents an action once a stop came after the order was given. It is checked directly before the action: what was
/// asked of the application already can't be taken back.
#[derive(Debug, Clone)]
pub struct ActBarrier {
    newest: Arc<AtomicU64>,
    order: RequestId,
}

impl ActBarrier {
    /// Whether a stop came since.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.newest.load(Ordering::SeqCst) >= self.order.0
    }
}

/// What changes are watched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeScope {
    /// An element that was listed, and the application around it.
    Element(ElementId),
    /// The application of the window with this handle.
    Window(u64),
}

/// Acts on elements of the accessibility tree. Elements are named by their ids, as
/// [`ElementActions::window_elements_to_act_on`] listed them; the newest listings are kept.
///
/// Every call has its own deadline of about a second, of which what is done to an element takes 0.8 s at most. Text of
/// protected fields is never fetched (PIC-5).
#[async_trait]
pub trait ElementActions: Send + Sync {
    /// The open popups of the window that is active (menus, lists of combo boxes, tool tips), topmost first, then that
    /// window itself. Empty if no window is active.
    ///
    /// # Errors
    /// [`PlatformError::Unavailable`] if the display can't be queried.
    async fn active_windows(&self) -> Result<Vec<WindowInfo>, PlatformError>;

    /// The visible elements of `window` that can be acted on or have a text, with stable ids (PIC-6, PIC-9). Protected
    /// fields are among them, with label, role and states alone (PIC-5). Limited to 1,000 elements, and to those that
    /// the application reports in time.
    ///
    /// # Errors
    /// [`PlatformError::NoAnswer`] if the application doesn't answer in time, [`PlatformError::Gone`] if the window
    /// disappeared, [`PlatformError::Unavailable`] if the tree or the display can't be reached.
    async fn window_elements_to_act_on(&self, window: &WindowInfo) -> Result<WindowElements, PlatformError>;

    /// The element as it is now. Its id is computed again from the tree and has to be the same (PIC-6).
    ///
    /// # Errors
    /// [`ElementRefusal`] if that element is not there or can't be asked.
    async fn inspect(&self, element: &ElementId) -> Result<ElementState, ElementRefusal>;

    /// Does this to the element, once: it is looked up as by [`ElementActions::inspect`], which may be tried again, and
    /// then the application is asked a single time, whatever comes of it (EXE-7). Once `barrier` is raised it is not
    /// asked. What was accepted need not have had an effect: some toolkits accept everything at once and do it later.
    /// If the future is dropped, it is unknown whether the action was done.
    ///
    /// # Errors
    /// [`ElementRefusal`] if that element is not there or can't be asked; then nothing was done.
    async fn act(
        &self,
        element: &ElementId,
        action: ElementAction,
        barrier: &ActBarrier,
    ) -> Result<ActionResult, ElementRefusal>;

    /// Where the element can be clicked (EXE-1): the middle of what its window shows of it, if the application tells that the
    /// element, or a part of it, is what lies there. What other windows cover, this does not tell.
    ///
    /// # Errors
    /// [`NoClickPoint`] if that element is not there or can't be asked, is scrolled away, or has another one above it.
    async fn click_point(&self, element: &ElementId) -> Result<ClickPoint, NoClickPoint>;

    /// Calls `seen` for each change in the application (EXE-2) until the watch is dropped: what the application
    /// does after the call returned is seen. What texts contain is never passed on. Events of texts are not asked for
    /// if the element is protected (PIC-5). `seen` is called on a separate thread and must return at once.
    ///
    /// # Errors
    /// [`PlatformError::Gone`] if the element or the window is not known, [`PlatformError::NoAnswer`] if the application
    /// or the tree doesn't answer in time, [`PlatformError::Unavailable`] if the tree can't be reached, and on Windows.
    async fn watch_changes(
        &self,
        scope: ChangeScope,
        seen: Box<dyn Fn(ObservedChange) + Send>,
    ) -> Result<Watch, PlatformError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    // KER-11
    #[test]
    fn a_stop_raises_the_barriers_of_earlier_orders_and_of_no_later_one_ker_11() {
        let epoch = StopEpoch::default();
        let (first, other) = (epoch.barrier(RequestId(3)), StopEpoch::default().barrier(RequestId(3)));
        assert!(!first.is_raised());
        epoch.clone().stop(RequestId(5));
        assert!(first.is_raised() && first.clone().is_raised() && !other.is_raised());
        // It does not matter whether the barrier was made before the stop or after it.
        assert!(epoch.barrier(RequestId(4)).is_raised() && !epoch.barrier(RequestId(6)).is_raised());
        // An older stop that comes late takes nothing back.
        epoch.stop(RequestId(1));
        assert!(first.is_raised() && !epoch.barrier(RequestId(6)).is_raised());
    }
}
