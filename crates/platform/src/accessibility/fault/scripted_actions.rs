//! Elements that a test acts on: it scripts the answers, and reads what was done.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use luna_messages::ElementId;
use luna_messages::element_action::{
    ActionResult, CaretState, ElementAction, ElementRefusal, ElementState, NoEffectProof, ObservedChange,
    WindowElements,
};
use luna_messages::input::{ClickPoint, NoClickPoint};
use luna_messages::pick::WindowInfo;

use crate::PlatformError;
use crate::accessibility::Watch;
use crate::accessibility::actions::{ActBarrier, ChangeScope, ElementActions};

/// What comes of one action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ActionFault {
    /// It is done, and the application says this of it.
    Answer(ActionResult),
    /// It is done, and the answer comes after this delay.
    Late(Duration, ActionResult),
    /// It is done, and no answer ever comes.
    Never,
    /// It is not done.
    Refuse(ElementRefusal),
    /// The task panics before anything is done, as with a defect in a platform library.
    Panic,
}

type ChangeObserver = Box<dyn Fn(ObservedChange) + Send>;

#[derive(Default)]
struct ScriptState {
    windows: Vec<WindowInfo>,
    elements: HashMap<u64, WindowElements>,
    states: HashMap<ElementId, ElementState>,
    click_points: HashMap<ElementId, Result<ClickPoint, NoClickPoint>>,
    faults: VecDeque<ActionFault>,
    /// The error of everything but acting.
    error: Option<PlatformError>,
    /// What was done, in order.
    done: Vec<(ElementId, ElementAction)>,
    /// What is told to the watchers after each action.
    changes: Vec<ObservedChange>,
    watchers: HashMap<usize, ChangeObserver>,
    next_watcher: usize,
}

/// A tree whose elements a test acts on. Clones share it. Of an element without a state of its own, the state is that of
/// the listing.
#[derive(Clone, Default)]
pub struct ScriptedActions(Arc<Mutex<ScriptState>>);

impl ScriptedActions {
    fn script(&self) -> MutexGuard<'_, ScriptState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The active windows, popups first.
    pub fn set_windows(&self, windows: Vec<WindowInfo>) {
        self.script().windows = windows;
    }

    /// The elements of the window with this handle, from now on.
    pub fn set_elements(&self, window: u64, elements: WindowElements) {
        self.script().elements.insert(window, elements);
    }

    /// The element as it is from now on, whatever the listing says.
    pub fn set_state(&self, state: ElementState) {
        self.script().states.insert(state.element.id.clone(), state);
    }

    /// Where the element can be clicked from now on. Without this, it is the middle of what its window shows of it.
    pub fn set_click_point(&self, element: ElementId, answer: Result<ClickPoint, NoClickPoint>) {
        self.script().click_points.insert(element, answer);
    }

    /// Takes the element away.
    pub fn remove(&self, element: &ElementId) {
        let mut script = self.script();
        script.states.remove(element);
        script.click_points.remove(element);
        for listing in script.elements.values_mut() {
            listing.elements.retain(|one| one.id() != element);
        }
    }

    /// Queues what comes of one action. Without orders, actions are accepted at once.
    pub fn order(&self, fault: ActionFault) {
        self.script().faults.push_back(fault);
    }

    /// Fails everything but acting from now on, or no longer.
    pub fn fail(&self, error: Option<PlatformError>) {
        self.script().error = error;
    }

    /// What the watchers are told after each action that is done, from now on.
    pub fn change_after(&self, changes: Vec<ObservedChange>) {
        self.script().changes = changes;
    }

    /// Tells all watchers of a change.
    pub fn change(&self, change: ObservedChange) {
        for seen in self.script().watchers.values() {
            seen(change.clone());
        }
    }

    /// What was done so far, in order.
    #[must_use]
    pub fn done(&self) -> Vec<(ElementId, ElementAction)> {
        self.script().done.clone()
    }

    /// Number of watches that are open.
    #[must_use]
    pub fn watch_count(&self) -> usize {
        self.script().watchers.len()
    }

    fn checked(&self) -> Result<MutexGuard<'_, ScriptState>, PlatformError> {
        let script = self.script();
        match &script.error {
            Some(error) => Err(error.clone()),
            None => Ok(script),
        }
    }

    fn carry_out(&self, element: &ElementId, action: ElementAction) {
        let mut script = self.script();
        script.done.push((element.clone(), action));
        for change in &script.changes {
            script.watchers.values().for_each(|seen| seen(change.clone()));
        }
    }
}

impl ScriptState {
    fn state(&self, element: &ElementId) -> Option<ElementState> {
        let listed = || {
            let listed =
                self.elements.values().flat_map(|listing| &listing.elements).find(|one| one.id() == element)?;
            let (capacities, protected) = (listed.capacities, listed.protected);
            let caret = CaretState { is_multi_line: false, has_selection: Some(false) };
            Some(ElementState { element: listed.element.clone(), capacities, focused: false, protected, caret })
        };
        self.states.get(element).cloned().or_else(listed)
    }
}

#[async_trait]
impl ElementActions for ScriptedActions {
    async fn active_windows(&self) -> Result<Vec<WindowInfo>, PlatformError> {
        Ok(self.checked()?.windows.clone())
    }

    async fn window_elements_to_act_on(&self, window: &WindowInfo) -> Result<WindowElements, PlatformError> {
        self.checked()?.elements.get(&window.handle).cloned().ok_or(PlatformError::Gone)
    }

    async fn inspect(&self, element: &ElementId) -> Result<ElementState, ElementRefusal> {
        let script = self.checked().map_err(|_| ElementRefusal::Unavailable)?;
        script.state(element).ok_or(ElementRefusal::Gone)
    }

    async fn act(
        &self,
        element: &ElementId,
        action: ElementAction,
        barrier: &ActBarrier,
    ) -> Result<ActionResult, ElementRefusal> {
        let (state, fault) = {
            let mut script = self.script();
            (script.state(element).ok_or(ElementRefusal::Gone)?, script.faults.pop_front())
        };
        let fault = fault.unwrap_or(ActionFault::Answer(ActionResult::Accepted));
        match &fault {
            ActionFault::Refuse(refusal) => return Err(*refusal),
            ActionFault::Panic => std::panic::panic_any("ordered by a test"),
            ActionFault::Answer(_) | ActionFault::Late(..) | ActionFault::Never => {}
        }
        if !state.capacities.contains(action.capacity()) {
            return Ok(ActionResult::NoEffect(NoEffectProof::NotOffered));
        }
        if barrier.is_raised() {
            return Ok(ActionResult::NoEffect(NoEffectProof::NotDelivered));
        }
        match fault {
            ActionFault::Answer(no_effect @ ActionResult::NoEffect(_)) => Ok(no_effect),
            ActionFault::Answer(result) => {
                self.carry_out(element, action);
                Ok(result)
            }
            ActionFault::Late(by, result) => {
                self.carry_out(element, action);
                tokio::time::sleep(by).await;
                Ok(result)
            }
            ActionFault::Never | ActionFault::Refuse(_) | ActionFault::Panic => {
                self.carry_out(element, action);
                std::future::pending().await
            }
        }
    }

    async fn click_point(&self, element: &ElementId) -> Result<ClickPoint, NoClickPoint> {
        let script = self.checked().map_err(|_| ElementRefusal::Unavailable)?;
        if let Some(answer) = script.click_points.get(element) {
            return *answer;
        }
        let place = script.state(element).ok_or(ElementRefusal::Gone)?.element.bbox;
        let window = script.windows.iter().find(|window| {
            let listing = script.elements.get(&window.handle);
            listing.is_some_and(|listing| listing.elements.iter().any(|one| one.id() == element))
        });
        let window = window.ok_or(ElementRefusal::Gone)?;
        let visible = place.intersection(window.bounds);
        if visible.is_empty() {
            return Err(NoClickPoint::OutOfView);
        }
        let (window, bounds) = (window.handle, window.bounds);
        Ok(ClickPoint { point: visible.center(), window, bounds, is_confirmed: true })
    }

    async fn watch_changes(&self, _scope: ChangeScope, seen: ChangeObserver) -> Result<Watch, PlatformError> {
        let mut script = self.checked()?;
        let number = script.next_watcher;
        script.next_watcher += 1;
        script.watchers.insert(number, seen);
        let own = self.clone();
        Ok(Watch::new(move || {
            own.script().watchers.remove(&number);
        }))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use luna_messages::element_action::{ActionableElement, Capacity};
    use luna_messages::pick::{Element, Role};
    use luna_messages::{Rect, RequestId};

    use super::*;
    use crate::accessibility::actions::StopEpoch;

    // EXE-7
    #[tokio::test(start_paused = true)]
    async fn a_script_says_what_comes_of_actions_and_what_was_done_exe_7() {
        let (script, epoch, id) = (ScriptedActions::default(), StopEpoch::default(), ElementId("a".into()));
        let element = Element::new(id.clone(), Role::Button, "Save", Rect::new(0, 0, 9, 9));
        let capacities = [Capacity::Press].into_iter().collect();
        let elements = vec![ActionableElement { element, capacities, protected: false }];
        script.set_elements(1, WindowElements { elements, is_complete: true, ..WindowElements::default() });
        let (seen, told) = std::sync::mpsc::channel();
        let watch = script.watch_changes(ChangeScope::Window(1), Box::new(move |it| seen.send(it).unwrap())).await;
        script.change_after(vec![ObservedChange::Children]);
        let press = |barrier: ActBarrier| {
            let (script, id) = (script.clone(), id.clone());
            async move { script.act(&id, ElementAction::Press, &barrier).await }
        };
        script.order(ActionFault::Refuse(ElementRefusal::NoAnswer));
        assert_eq!(press(epoch.barrier(RequestId(1))).await, Err(ElementRefusal::NoAnswer));
        script.order(ActionFault::Answer(ActionResult::NoEffect(NoEffectProof::Declined)));
        assert_eq!(press(epoch.barrier(RequestId(1))).await, Ok(ActionResult::NoEffect(NoEffectProof::Declined)));
        let raised = epoch.barrier(RequestId(1));
        epoch.stop(RequestId(2));
        assert_eq!(press(raised).await, Ok(ActionResult::NoEffect(NoEffectProof::NotDelivered)));
        assert!(script.done().is_empty() && told.try_recv().is_err());
        assert_eq!(press(epoch.barrier(RequestId(3))).await, Ok(ActionResult::Accepted));
        script.order(ActionFault::Late(Duration::from_secs(1), ActionResult::Unknown));
        assert_eq!(press(epoch.barrier(RequestId(3))).await, Ok(ActionResult::Unknown));
        assert_eq!(script.done().len(), 2);
        assert_eq!(told.try_iter().collect::<Vec<_>>(), [ObservedChange::Children, ObservedChange::Children]);
        assert_eq!(script.watch_count(), 1);
        drop(watch);
        assert_eq!(script.watch_count(), 0);
        assert_eq!(script.click_point(&id).await, Err(ElementRefusal::Gone.into()));
        let bounds = Rect::new(5, 0, 90, 90);
        script.set_windows(vec![WindowInfo { handle: 1, process: 0, title: String::new(), bounds }]);
        let expect = ClickPoint { point: Rect::new(5, 0, 4, 9).center(), window: 1, bounds, is_confirmed: true };
        assert_eq!(script.click_point(&id).await, Ok(expect));
        script.set_click_point(id.clone(), Err(NoClickPoint::Covered));
        assert_eq!(script.click_point(&id).await, Err(NoClickPoint::Covered));
        script.remove(&id);
        assert_eq!(press(epoch.barrier(RequestId(3))).await, Err(ElementRefusal::Gone));
        assert_eq!(script.inspect(&id).await, Err(ElementRefusal::Gone));
    }
}
