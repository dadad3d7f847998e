//! Looking at the screen, acting, and watching: what the accessibility tree is asked, beside the handlers.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use luna_actor_runtime::inbox::Inbox;
use luna_focus::announce::AnnouncementStyle;
use luna_focus::candidates::candidates_to_act_on;
use luna_messages::element_action::{ElementAction, ObservedChange};
use luna_messages::executor::{ExecutorMessage, ScreenCandidates};
use luna_messages::pick::WindowInfo;
use luna_messages::reading::Verbosity;
use luna_messages::{ElementId, Rect, RequestId};
use luna_platform::PlatformError;
use luna_platform::accessibility::Watch;
use luna_platform::accessibility::actions::{ActBarrier, ChangeScope};
use luna_platform::capture::monitor_at;
use tokio::time::{Instant, timeout, timeout_at};

use crate::ExecutorDependencies;

/// Wait for the watch of what an action changes. The application may be slow to tell; the action does not wait for it longer than this, and is then
/// verified by looking alone.
const WATCH_LIMIT: Duration = Duration::from_millis(300);

/// Longest time that the windows are listed in, all together.
const LOOK_LIMIT: Duration = Duration::from_millis(4500);

/// What the open menus and the active window offer; `None` if that can't be read.
pub async fn screen(dependencies: &ExecutorDependencies) -> Option<ScreenCandidates> {
    let windows = match dependencies.actions.active_windows().await {
        Ok(windows) => windows,
        Err(error) => return unread(&error),
    };
    let until = Instant::now() + LOOK_LIMIT;
    let (active, popups) = windows.split_last()?;
    let screen = screen_of(dependencies, active).await;
    let mut found = ScreenCandidates {
        is_complete: true,
        window: Some(active.handle),
        bounds: active.bounds,
        ..ScreenCandidates::default()
    };
    for popup in popups {
        // A tool tip tells nothing; a menu that can't be read may be what is meant.
        let added = timeout_at(until, add(dependencies, popup, screen, &mut found)).await;
        found.is_complete &= matches!(added, Ok(Ok(true)));
        found.is_late |= added.is_err();
    }
    let added = timeout_at(until, add(dependencies, active, screen, &mut found)).await;
    match added.unwrap_or(Err(PlatformError::NoAnswer)) {
        Ok(is_complete) => found.is_complete &= is_complete,
        Err(error) if found.candidates.is_empty() => return unread(&error),
        Err(_) => (found.is_complete, found.is_late) = (false, true),
    }
    Some(found)
}

fn unread(error: &PlatformError) -> Option<ScreenCandidates> {
    tracing::warn!(%error, "The screen could not be read for an order.");
    None
}

/// Adds what a window offers; returns whether nothing is missing.
async fn add(
    dependencies: &ExecutorDependencies,
    window: &WindowInfo,
    screen: Rect,
    found: &mut ScreenCandidates,
) -> Result<bool, PlatformError> {
    let listed = dependencies.actions.window_elements_to_act_on(window).await?;
    // All that is said of an element, because its description may tell of a danger (DNG-4).
    let lang = (dependencies.settings)().lang;
    found.focused = listed.focused.or(found.focused.take());
    found.is_late |= listed.is_late;
    found.pages.extend(listed.pages);
    let style = AnnouncementStyle { verbosity: Verbosity::Full, lang, focused: false };
    for candidate in candidates_to_act_on(&listed.elements, screen, style) {
        if found.candidates.iter().all(|known| known.id != candidate.id) {
            found.candidates.push(candidate);
        }
    }
    Ok(listed.is_complete)
}

/// The monitor that a window is on; the window itself if that is unknown.
async fn screen_of(dependencies: &ExecutorDependencies, window: &WindowInfo) -> Rect {
    let monitors = dependencies.screen.ask(|capture| capture.monitors().unwrap_or_default()).await;
    let monitors = monitors.unwrap_or_default();
    monitor_at(&monitors, window.bounds.center()).map_or(window.bounds, |monitor| monitor.bounds)
}

/// Changes that are passed on however fast they come.
const FIRST_CHANGES: usize = 16;
/// After those, the shortest time between two equal changes: an application that changes all the time must not crowd out what came of the action.
const CHANGE_PAUSE: Duration = Duration::from_millis(30);

/// What was told of the changes after an action.
#[derive(Default)]
struct ToldChanges {
    count: usize,
    last: Vec<(ObservedChange, Instant)>,
}

impl ToldChanges {
    /// Whether a change is to be told, and notes that it is.
    fn is_news(&mut self, change: &ObservedChange, now: Instant) -> bool {
        self.count += 1;
        match self.last.iter_mut().find(|(told, _)| told == change) {
            Some((_, at)) if self.count > FIRST_CHANGES && now < *at + CHANGE_PAUSE => return false,
            Some((_, at)) => *at = now,
            None => self.last.push((change.clone(), now)),
        }
        true
    }
}

/// Tells what changes in an application, until what is returned is dropped; `None` if it can't be watched.
pub async fn watch(
    dependencies: &ExecutorDependencies,
    inbox: &Inbox<ExecutorMessage>,
    id: RequestId,
    scope: ChangeScope,
) -> Option<Watch> {
    let (seen, told) = (inbox.clone(), Mutex::new(ToldChanges::default()));
    let observed = Box::new(move |change: ObservedChange| {
        let is_news = told.lock().unwrap_or_else(PoisonError::into_inner).is_news(&change, Instant::now());
        if is_news {
            drop(seen.post(ExecutorMessage::Observed { id, change }));
        }
    });
    let watch = timeout(WATCH_LIMIT, dependencies.actions.watch_changes(scope, observed)).await;
    match watch.unwrap_or(Err(PlatformError::NoAnswer)) {
        Ok(watch) => Some(watch),
        Err(error) => {
            tracing::debug!(%error, "What is done can't be watched.");
            None
        }
    }
}

/// Watches the application, does this to the element once, and tells what came of it; then tells what changes until it is dropped (EXE-2).
pub async fn act(
    dependencies: ExecutorDependencies,
    inbox: Inbox<ExecutorMessage>,
    id: RequestId,
    element: ElementId,
    action: ElementAction,
    barrier: ActBarrier,
) {
    let watch = watch(&dependencies, &inbox, id, ChangeScope::Element(element.clone())).await;
    let answer = dependencies.actions.act(&element, action, &barrier).await;
    drop(inbox.post(ExecutorMessage::Acted { id, answer }));
    std::future::pending::<()>().await;
    drop(watch);
}

#[cfg(test)]
mod tests {
    use super::*;

    // KER-4
    #[tokio::test(start_paused = true)]
    async fn a_flood_of_equal_changes_is_thinned_out_and_a_new_one_is_told_ker_4() {
        let mut told = ToldChanges::default();
        let passed = (0..1000).filter(|_| told.is_news(&ObservedChange::Children, Instant::now())).count();
        assert_eq!(passed, FIRST_CHANGES);
        assert!(told.is_news(&ObservedChange::WindowOpened, Instant::now()));
        tokio::time::advance(CHANGE_PAUSE).await;
        assert!(told.is_news(&ObservedChange::Children, Instant::now()));
        assert!(!told.is_news(&ObservedChange::Children, Instant::now()));
    }
}
