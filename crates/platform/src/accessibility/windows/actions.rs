//! Acting on elements by the patterns of UI Automation (EXE-1, EXE-7): finding the element may be tried again, what is done
//! to it never is.

mod offer;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};

use async_trait::async_trait;
use luna_messages::ElementId;
use luna_messages::element_action::{
    ActionResult, ActionableElement, CaretState, ElementAction, ElementRefusal, ElementState, NoEffectProof,
    ObservedChange, WindowElements,
};
use luna_messages::input::{ClickPoint, NoClickPoint};
use luna_messages::pick::WindowInfo;

use self::offer::PatternOffer;
use super::budget::Budget;
use super::elements::{VisibleElement, protected_too};
use super::tree::WindowsTree;
use super::{UiAutomation, elements, window};
use crate::PlatformError;
use crate::accessibility::Watch;
use crate::accessibility::actions::{ActBarrier, ChangeScope, ElementActions};
use crate::win32::windows_in;

/// Maximum number of elements to report, and to remember: the three newest listings.
const MAX_ELEMENTS: usize = 1000;
const MAX_KNOWN: usize = 3 * MAX_ELEMENTS;

/// Where an element was listed. No text is kept.
#[derive(Debug, Clone)]
struct ListedElement {
    id: ElementId,
    window: u64,
    /// Positions among siblings, its own first (PIC-6).
    path: Vec<i32>,
}

/// The elements that were listed, the newest last.
#[derive(Debug, Default)]
pub(super) struct ListedElements(VecDeque<ListedElement>);

impl ListedElements {
    fn keep(&mut self, window: u64, listing: impl Iterator<Item = ListedElement>) {
        self.0.retain(|known| known.window != window);
        self.0.extend(listing);
        while self.0.len() > MAX_KNOWN {
            self.0.pop_front();
        }
    }

    fn find(&self, id: &ElementId) -> Option<ListedElement> {
        self.0.iter().rev().find(|known| known.id == *id).cloned()
    }
}

/// An element as it is now, and what can be done to it.
struct LocatedElement {
    one: VisibleElement,
    state: ElementState,
    offer: PatternOffer,
}

/// The elements of `window`, and where they are.
fn list(
    tree: &WindowsTree,
    budget: &Budget,
    window: &WindowInfo,
) -> Result<(WindowElements, Vec<ListedElement>), PlatformError> {
    let mut seen = protected_too(tree, budget, window)?;
    let (mut is_complete, mut is_late) = (seen.len() <= MAX_ELEMENTS, false);
    seen.truncate(MAX_ELEMENTS);
    let (mut elements, mut listing, mut focused) = (Vec::new(), Vec::new(), None);
    for one in seen {
        // Some elements are better than none.
        if budget.check().is_err() {
            (is_complete, is_late) = (false, true);
            break;
        }
        let path = one.path.clone();
        match found(tree, window, one) {
            Ok(Some(LocatedElement { state, .. })) => {
                listing.push(ListedElement { id: state.element.id.clone(), window: window.handle, path });
                let ElementState { element, capacities, protected, focused: has_focus, .. } = state;
                if has_focus {
                    focused = Some(element.id.clone());
                }
                elements.push(ActionableElement { element, capacities, protected });
            }
            Ok(None) | Err(PlatformError::Gone) => {}
            Err(_) => (is_complete, is_late) = (false, true),
        }
    }
    if elements.is_empty() && !is_complete {
        return Err(PlatformError::NoAnswer);
    }
    Ok((WindowElements { elements, is_complete, is_late, focused, ..WindowElements::default() }, listing))
}

fn found(
    tree: &WindowsTree,
    window: &WindowInfo,
    one: VisibleElement,
) -> Result<Option<LocatedElement>, PlatformError> {
    let Some(element) = elements::to_act_on(tree, window, &one)? else { return Ok(None) };
    let protected = one.node.is_protected();
    let offer = PatternOffer::of(tree, &one.node)?;
    let (capacities, focused) = (offer.capacities(protected), offer.is_focused);
    Ok(Some(LocatedElement {
        one,
        state: ElementState { element, capacities, focused, protected, caret: CaretState::default() },
        offer,
    }))
}

/// The element with this id as it is now: its id is computed again at the place where it was (PIC-6).
fn find(tree: &WindowsTree, budget: &Budget, known: &ListedElement) -> Result<LocatedElement, FindRefusal> {
    let window = window::of(known.window).ok_or(ElementRefusal::Gone)?;
    let seen = protected_too(tree, budget, &window)?;
    let here = seen.into_iter().find(|one| one.path == known.path).ok_or(ElementRefusal::Gone)?;
    budget.check()?;
    let found = found(tree, &window, here)?.ok_or(ElementRefusal::Replaced)?;
    if found.state.element.id == known.id { Ok(found) } else { Err(ElementRefusal::Replaced.into()) }
}

/// A refusal, also out of an error of the tree.
struct FindRefusal(ElementRefusal);

impl From<ElementRefusal> for FindRefusal {
    fn from(refusal: ElementRefusal) -> Self {
        Self(refusal)
    }
}

impl From<PlatformError> for FindRefusal {
    fn from(error: PlatformError) -> Self {
        Self(match error {
            PlatformError::Gone => ElementRefusal::Gone,
            PlatformError::NoAnswer => ElementRefusal::NoAnswer,
            PlatformError::Unavailable(_) | PlatformError::OutsideScreen => ElementRefusal::Unavailable,
        })
    }
}

/// Does this to the element, once. `is_asked` is set before the program is asked.
fn perform(
    budget: &Budget,
    found: &LocatedElement,
    action: &ElementAction,
    barrier: &ActBarrier,
    is_asked: &AtomicBool,
) -> ActionResult {
    let is_usable = found.one.node.enabled && found.state.capacities.contains(action.capacity());
    if !is_usable || !offer::is_possible(found.state.element.properties.value.as_ref(), action) {
        return ActionResult::NoEffect(NoEffectProof::NotOffered);
    }
    let prepared = match found.offer.prepare(&found.one.node, action) {
        Ok(prepared) => prepared,
        // Nothing was done yet.
        Err(_) => return ActionResult::NoEffect(NoEffectProof::NotDelivered),
    };
    // Set first: whoever no longer waits must not take it for not done.
    is_asked.store(true, Ordering::SeqCst);
    if budget.check().is_err() || barrier.is_raised() {
        is_asked.store(false, Ordering::SeqCst);
        return ActionResult::NoEffect(NoEffectProof::NotDelivered);
    }
    offer::judge(prepared.carry_out())
}

/// Where the element can be clicked, by the hit test of UI Automation.
fn click_point(tree: &WindowsTree, budget: &Budget, known: &ListedElement) -> Result<ClickPoint, NoClickPoint> {
    let found = find(tree, budget, known).map_err(|refusal| refusal.0)?;
    let window = window::of(known.window).ok_or(ElementRefusal::Gone)?;
    let visible = found.state.element.bbox.intersection(window.bounds);
    if visible.is_empty() {
        return Err(NoClickPoint::OutOfView);
    }
    let point = visible.center();
    let path = || {
        let Some(hit) = tree.at(point)? else { return Ok(Vec::new()) };
        tree.path(&tree.ancestors(hit, budget)?, budget)
    };
    let hit = path().map_err(|error| FindRefusal::from(error).0)?;
    // Paths begin with the element's own place: those of its parts end with its own path.
    let is_confirmed = hit.ends_with(&known.path);
    if !is_confirmed && !known.path.ends_with(&hit) {
        return Err(NoClickPoint::Covered);
    }
    Ok(ClickPoint { point, window: known.window, bounds: window.bounds, is_confirmed })
}

impl UiAutomation {
    fn known(&self, id: &ElementId) -> Result<ListedElement, ElementRefusal> {
        let listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        listed.find(id).ok_or(ElementRefusal::Gone)
    }
}

#[async_trait]
impl ElementActions for UiAutomation {
    async fn active_windows(&self) -> Result<Vec<WindowInfo>, PlatformError> {
        let Some(active) = window::active() else { return Ok(Vec::new()) };
        // What lies above the active window and belongs to its program is its menus and lists.
        let above = windows_in(active.bounds).into_iter().take_while(|one| one.handle != active.handle);
        let popups = above.filter_map(|one| window::of(one.handle)).filter(|one| one.process == active.process);
        let mut windows: Vec<WindowInfo> = popups.collect();
        windows.push(active);
        Ok(windows)
    }

    async fn window_elements_to_act_on(&self, window: &WindowInfo) -> Result<WindowElements, PlatformError> {
        let (handle, window) = (window.handle, window.clone());
        let (elements, listing) = self.workers.ask(move |tree, budget| list(tree, budget, &window)).await?;
        self.listed.lock().unwrap_or_else(PoisonError::into_inner).keep(handle, listing.into_iter());
        Ok(elements)
    }

    async fn inspect(&self, element: &ElementId) -> Result<ElementState, ElementRefusal> {
        let known = self.known(element)?;
        let ask = move |tree: &WindowsTree, budget: &Budget| {
            Ok(find(tree, budget, &known).map(|found| found.state).map_err(|refusal| refusal.0))
        };
        self.workers.ask(ask).await.unwrap_or_else(|error| Err(FindRefusal::from(error).0))
    }

    async fn act(
        &self,
        element: &ElementId,
        action: ElementAction,
        barrier: &ActBarrier,
    ) -> Result<ActionResult, ElementRefusal> {
        let (known, barrier, is_asked) = (self.known(element)?, barrier.clone(), Arc::new(AtomicBool::new(false)));
        let asked = Arc::clone(&is_asked);
        let ask = move |tree: &WindowsTree, budget: &Budget| {
            let found = match find(tree, budget, &known) {
                Ok(found) => found,
                Err(refusal) => return Ok(Err(refusal.0)),
            };
            Ok(Ok(perform(budget, &found, &action, &barrier, &asked)))
        };
        match self.workers.ask(ask).await {
            Ok(result) => result,
            // It may be done, or be done later.
            Err(_) if is_asked.load(Ordering::SeqCst) => Ok(ActionResult::Unknown),
            Err(error) => Err(FindRefusal::from(error).0),
        }
    }

    async fn click_point(&self, element: &ElementId) -> Result<ClickPoint, NoClickPoint> {
        let known = self.known(element)?;
        let ask = move |tree: &WindowsTree, budget: &Budget| Ok(click_point(tree, budget, &known));
        self.workers.ask(ask).await.unwrap_or_else(|error| Err(FindRefusal::from(error).0.into()))
    }

    async fn watch_changes(
        &self,
        _scope: ChangeScope,
        _seen: Box<dyn Fn(ObservedChange) + Send>,
    ) -> Result<Watch, PlatformError> {
        Err(PlatformError::unavailable(
            "On Windows, Luna is not told what changes in another program.",
            "Luna looks at the element again instead; nothing needs to be done.",
        ))
    }
}
