//! Acting on elements by AT-SPI (EXE-1, EXE-2, EXE-7): finding the element may be tried again, what is done to it never is.

mod changes;
mod click_point;
mod dispatch;
mod known;
mod means;
mod offer;

use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use luna_messages::element::State;
use luna_messages::element_action::{
    ActionResult, ActionableElement, Capacity, CaretState, ElementAction, ElementRefusal, ElementState, ObservedChange,
    WindowElements,
};
use luna_messages::input::{ClickPoint, NoClickPoint};
use luna_messages::pick::WindowInfo;
use luna_messages::{ElementId, Rect};
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout_at};

use self::changes::{ChangeSignals, WatchedObjects};
use self::known::KnownElement;
pub(super) use self::known::KnownElements;
pub(super) use self::offer::ElementOffer;
use super::display::TopLevelWindow;
use super::elements::{self, ElementPurpose, FoundNode, FoundNodes};
use super::focus_claims::FocusClaim;
use super::{AtSpi, LinuxTree, WindowContext, focus_claims, is_tree_window};
use crate::PlatformError;
use crate::accessibility::Watch;
use crate::accessibility::actions::{ActBarrier, ChangeScope, ElementActions};
use crate::session::DesktopSession;

/// Deadline of listing what a window offers: an order waits longer for a busy machine than what is read under the pointer.
const LIST_DEADLINE: Duration = Duration::from_millis(2000);
/// Time limit of finding an element again, also in a new listing of its window.
const FIND_LIMIT: Duration = Duration::from_millis(2500);

impl LinuxTree {
    fn listed(&self) -> MutexGuard<'_, KnownElements> {
        self.listed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn active_windows(&self) -> Result<Vec<WindowInfo>, PlatformError> {
        let shown = self.windows.active_with_popups();
        let is_on_display = shown.as_ref().is_ok_and(|windows| !windows.is_empty());
        // Under Wayland the display has the windows of X programs alone, if there is one.
        if !is_on_display && matches!(DesktopSession::detect(), DesktopSession::Wayland { .. }) {
            return Ok(self.active_tree_window().await?.into_iter().collect());
        }
        Ok(shown?.into_iter().map(|top| top.info).collect())
    }

    async fn elements_to_act_on(&self, window: WindowInfo) -> Result<WindowElements, PlatformError> {
        let Some(top) = self.window(window.handle).await? else { return Err(PlatformError::Gone) };
        let found = self.list(&top).await?;
        let claiming: Vec<&FoundNode> = found.elements.iter().filter(|found| found.is_focused).collect();
        let claims =
            claiming.iter().map(|one| FocusClaim { role: one.element.role, capacities: one.offer.capacities() });
        let focused =
            focus_claims::holder(claims).and_then(|holder| claiming.get(holder)).map(|one| one.element.id.clone());
        let elements = found.elements.into_iter().map(|found| ActionableElement {
            capacities: found.offer.capacities(),
            protected: found.is_protected,
            element: found.element,
        });
        Ok(WindowElements {
            elements: elements.collect(),
            is_complete: found.is_complete,
            is_late: found.is_late,
            focused,
            pages: found.pages,
        })
    }

    /// Lists the elements of a window, and keeps where they are.
    async fn list(&self, top: &TopLevelWindow) -> Result<FoundNodes, PlatformError> {
        let found = self.ask_within(LIST_DEADLINE, top, |context| async {
            match context {
                Some(context) => elements::found(&context, top, ElementPurpose::Act).await,
                None => Ok(FoundNodes { elements: Vec::new(), is_complete: true, is_late: false, pages: Vec::new() }),
            }
        });
        let mut found = found.await?;
        let window = top.info.handle;
        if is_tree_window(window) {
            // Where they are on the desktop is unknown, so that nothing can be told of their places.
            found.elements.iter_mut().for_each(|found| found.element.bbox = Rect::default());
            found.pages.clear();
            found.is_complete = false;
        }
        let known = found.elements.iter().map(|found| (found.element.id.clone(), known(window, found))).collect();
        self.listed().keep(window, known);
        Ok(found)
    }

    /// The element with this id as it is now (PIC-6). Applications make the objects of elements anew, such as a browser
    /// that lays its page out again: an element that is not where it was is looked for in a new listing, once.
    async fn find(&self, id: &ElementId) -> Result<FoundNode, ElementRefusal> {
        let known = self.listed().find(id).ok_or(ElementRefusal::Gone)?;
        let end = Instant::now() + FIND_LIMIT;
        let top = self.window(known.window).await.map_err(refusal)?.ok_or(ElementRefusal::Gone)?;
        let lost = match self.at(&top, &known).await? {
            Some(found) if found.element.id == *id => return Ok(found),
            Some(_) => ElementRefusal::Replaced,
            None => ElementRefusal::Gone,
        };
        let again = async {
            let listing = self.list(&top).await.map_err(refusal)?;
            let is_occupied = listing.elements.iter().any(|other| other.path == known.path);
            let same = listing.elements.into_iter().find(|found| found.element.id == *id);
            if same.is_none() {
                // Whoever asks again is told the same.
                self.listed().remember(id.clone(), known.clone());
            }
            same.ok_or(if is_occupied { ElementRefusal::Replaced } else { lost })
        };
        timeout_at(end, again).await.unwrap_or(Err(lost))
    }

    /// What the object is now that an element was; `None` if it is no element any more.
    async fn at(&self, top: &TopLevelWindow, known: &KnownElement) -> Result<Option<FoundNode>, ElementRefusal> {
        let at = |context: WindowContext| async move {
            let Some(node) = context.frame.of_object(&known.object) else { return Ok(None) };
            // An application refuses to tell of what is gone.
            if node.states().await.map_or_else(is_refused, |states| Ok(states.is_defunct()))? {
                return Ok(None);
            }
            elements::current(&context, top, node).await
        };
        let found = self.ask(top, |context| async {
            match context {
                Some(context) => at(context).await,
                None => Ok(None),
            }
        });
        let mut found = found.await.map_err(refusal)?;
        if let Some(found) = found.as_mut().filter(|_| is_tree_window(top.info.handle)) {
            found.element.bbox = Rect::default();
        }
        Ok(found)
    }

    async fn inspect(&self, id: ElementId) -> Result<ElementState, ElementRefusal> {
        let found = self.find(&id).await?;
        let capacities = found.offer.capacities();
        let has_selection = match found.is_focused && capacities.contains(Capacity::Insert) {
            true if found.offer.is_terminal() => Some(false),
            true => found.node.has_selection().await,
            false => None,
        };
        Ok(ElementState {
            caret: CaretState { is_multi_line: found.offer.is_multi_line(), has_selection },
            capacities,
            focused: found.is_focused,
            protected: found.is_protected,
            element: found.element,
        })
    }

    async fn act(
        &self,
        id: ElementId,
        action: ElementAction,
        barrier: ActBarrier,
    ) -> Result<ActionResult, ElementRefusal> {
        let found = self.find(&id).await?;
        Ok(dispatch::perform(&found, &action, &barrier).await)
    }

    async fn act_on(
        self: Arc<Self>,
        id: ElementId,
        action: ElementAction,
        barrier: ActBarrier,
    ) -> Result<ActionResult, ElementRefusal> {
        self.act(id, action, barrier).await
    }

    /// The events of the application that `scope` is in.
    async fn changes(&self, scope: ChangeScope) -> Result<ChangeSignals, PlatformError> {
        let known = match &scope {
            ChangeScope::Element(id) => Some(self.listed().find(id).ok_or(PlatformError::Gone)?),
            ChangeScope::Window(_) => None,
        };
        let handle = match (&known, &scope) {
            (Some(known), _) => known.window,
            (None, ChangeScope::Window(handle)) => *handle,
            (None, ChangeScope::Element(_)) => return Err(PlatformError::Gone),
        };
        let top = self.window(handle).await?.ok_or(PlatformError::Gone)?;
        let name = self.ask(&top, |context| async { Ok(context.map(|context| context.app.name.clone())) }).await?;
        let application = name.ok_or(PlatformError::Gone)?;
        let watched = match known {
            Some(known) => WatchedObjects { application, tells_texts: !known.is_secret, target: Some(known.object) },
            None => WatchedObjects { application, tells_texts: true, target: None },
        };
        ChangeSignals::open(self.session_bus.as_deref(), watched).await
    }
}

fn known(window: u64, found: &FoundNode) -> KnownElement {
    let is_withheld = found.element.properties.states.contains(State::Withheld);
    let is_secret = found.is_protected || is_withheld;
    KnownElement { window, object: found.node.reference_to(), path: found.path.clone(), is_secret }
}

/// Whether an element that can't be asked is gone: then its application refuses to tell.
fn is_refused(error: super::CallError) -> Result<bool, super::CallError> {
    match error {
        super::CallError::Refused => Ok(true),
        super::CallError::Late | super::CallError::Lost => Err(error),
    }
}

fn refusal(error: PlatformError) -> ElementRefusal {
    match error {
        PlatformError::Gone => ElementRefusal::Gone,
        PlatformError::NoAnswer => ElementRefusal::NoAnswer,
        PlatformError::Unavailable(_) | PlatformError::OutsideScreen => ElementRefusal::Unavailable,
    }
}

impl AtSpi {
    /// As [`AtSpi::run`], for what is refused.
    async fn run_on_element<T, F>(&self, question: impl FnOnce(Arc<LinuxTree>) -> F) -> Result<T, ElementRefusal>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, ElementRefusal>> + Send + 'static,
    {
        let worker = self.worker().map_err(refusal)?;
        worker.run(question(Arc::clone(&self.tree))).await.unwrap_or(Err(ElementRefusal::NoAnswer))
    }
}

#[async_trait]
impl ElementActions for AtSpi {
    async fn active_windows(&self) -> Result<Vec<WindowInfo>, PlatformError> {
        self.run(|tree| async move { tree.active_windows().await }).await
    }

    async fn window_elements_to_act_on(&self, window: &WindowInfo) -> Result<WindowElements, PlatformError> {
        let window = window.clone();
        self.run(|tree| async move { tree.elements_to_act_on(window).await }).await
    }

    async fn inspect(&self, element: &ElementId) -> Result<ElementState, ElementRefusal> {
        let id = element.clone();
        self.run_on_element(|tree| async move { tree.inspect(id).await }).await
    }

    async fn act(
        &self,
        element: &ElementId,
        action: ElementAction,
        barrier: &ActBarrier,
    ) -> Result<ActionResult, ElementRefusal> {
        let (id, barrier) = (element.clone(), barrier.clone());
        let worker = self.worker().map_err(refusal)?;
        // If the thread ended meanwhile, nobody knows what was done.
        let acted = worker.run(Arc::clone(&self.tree).act_on(id, action, barrier)).await;
        acted.unwrap_or(Ok(ActionResult::Unknown))
    }

    async fn click_point(&self, element: &ElementId) -> Result<ClickPoint, NoClickPoint> {
        let id = element.clone();
        let worker = self.worker().map_err(refusal)?;
        let tree = Arc::clone(&self.tree);
        let answer = worker.run(async move { tree.click_point(&id).await }).await;
        answer.unwrap_or(Err(ElementRefusal::NoAnswer.into()))
    }

    async fn watch_changes(
        &self,
        scope: ChangeScope,
        seen: Box<dyn Fn(ObservedChange) + Send>,
    ) -> Result<Watch, PlatformError> {
        let signals = self.run(|tree| async move { tree.changes(scope).await }).await?;
        // Dropping the sender ends the watch.
        let (stop, stopped) = oneshot::channel();
        self.worker()?.spawn(signals.follow(seen, stopped));
        Ok(Watch::new(move || drop(stop)))
    }
}
