//! Watches the pointer, the keyboard focus and the Esc key for focus mode in tasks of their own, because the display and the accessibility
//! bus may be slow, hang, or disconnect and come back.

use std::time::Duration;

use luna_actor_runtime::blocking::BlockingService;
use luna_actor_runtime::capabilities::Capabilities;
use luna_actor_runtime::inbox::Inbox;
use luna_messages::RequestId;
use luna_messages::capability::{Capability, CapabilityState};
use luna_messages::control::Command;
use luna_messages::focus::{FocusChange, FocusMessage};
use luna_platform::PlatformError;
use luna_platform::accessibility::FocusMove;
use luna_platform::hot_key::HotKeyCode;
use luna_platform::pointer::Pointer;
use tokio::sync::oneshot;

use crate::FocusDependencies;
use crate::entered_windows::EnteredWindows;
use crate::focus_clock::FocusClock;

/// First wait before an ended watch restarts; it doubles up to [`RETRY_LONGEST`] (KER-9).
const RETRY_FIRST: Duration = Duration::from_millis(250);
const RETRY_LONGEST: Duration = Duration::from_secs(4);

/// Longest wait for the focused element with which focus mode starts.
const FOCUS_DEADLINE: Duration = Duration::from_secs(2);

/// Posts the pointer's position, or `None` if it is unknown.
pub async fn locate(dependencies: FocusDependencies, inbox: Inbox<FocusMessage>, id: RequestId) {
    let at = position(&dependencies.pointer).await;
    if let Err(error) = &at {
        report(&dependencies.capabilities, Err(error.clone()));
    }
    drop(inbox.post(FocusMessage::Pointer { id, at: at.ok() }));
}

/// Posts what has the keyboard focus, or `None` if nothing has it or that is unknown.
pub async fn locate_focus(dependencies: FocusDependencies, inbox: Inbox<FocusMessage>, id: RequestId) {
    let question = tokio::time::timeout(FOCUS_DEADLINE, dependencies.accessibility.focused());
    let change = question.await.ok().and_then(Result::ok).flatten();
    drop(inbox.post(FocusMessage::Focused { id, change }));
}

async fn position(pointer: &BlockingService<dyn Pointer>) -> Result<luna_messages::Point, PlatformError> {
    pointer.ask(|pointer| pointer.position()).await.unwrap_or_else(|_| Err(PlatformError::silent_display()))
}

/// Posts cursor moves while it is polled; restarts the watch after the display disconnects.
pub async fn follow(dependencies: FocusDependencies, inbox: Inbox<FocusMessage>) {
    let mut delay = RETRY_FIRST;
    loop {
        let moves = inbox.clone();
        let (lose, lost) = oneshot::channel();
        let moved = Box::new(move |point| drop(moves.post(FocusMessage::CursorMoved(point))));
        let gone = Box::new(move |error| drop(lose.send(error)));
        let watch = dependencies.pointer.ask(move |pointer| pointer.watch(moved, gone)).await;
        let watch = watch.unwrap_or_else(|_| Err(PlatformError::silent_display()));
        let error = match watch {
            Ok(watch) => {
                report(&dependencies.capabilities, Ok(()));
                // The watch does not report a move that happened before it began.
                if let Ok(point) = position(&dependencies.pointer).await {
                    drop(inbox.post(FocusMessage::CursorMoved(point)));
                    delay = RETRY_FIRST;
                }
                let error = lost.await.unwrap_or(PlatformError::Gone);
                drop(watch);
                error
            }
            Err(error) => error,
        };
        report(&dependencies.capabilities, Err(error));
        tokio::time::sleep(delay).await;
        delay = (delay * 2).min(RETRY_LONGEST);
    }
}

/// Posts moves of the keyboard focus while it is polled (ATT-2); restarts the watch after the accessibility tree was lost.
pub async fn follow_focus(
    dependencies: FocusDependencies,
    inbox: Inbox<FocusMessage>,
    clock: FocusClock,
    entered_windows: EnteredWindows,
) {
    let mut delay = RETRY_FIRST;
    // What an earlier watch left is not what the focus enters now.
    drop(entered_windows.take());
    loop {
        let (moves, clock, entered_windows) = (inbox.clone(), clock.clone(), entered_windows.clone());
        let (lose, lost) = oneshot::channel();
        let moved = Box::new(move |focus: FocusMove| {
            clock.set(focus.event_at);
            let FocusChange { entered, element } = focus.change;
            entered_windows.keep(entered);
            let change = FocusChange { entered: Vec::new(), element };
            drop(moves.post(FocusMessage::KeyboardFocus { id: focus.id, change }));
        });
        let gone = Box::new(move |error| drop(lose.send(error)));
        let error = match dependencies.accessibility.watch_focus(moved, gone).await {
            Ok(watch) => {
                report_tree(&dependencies.capabilities, Ok(()));
                delay = RETRY_FIRST;
                let error = lost.await.unwrap_or(PlatformError::Gone);
                drop(watch);
                error
            }
            Err(error) => error,
        };
        report_tree(&dependencies.capabilities, Err(error));
        tokio::time::sleep(delay).await;
        delay = (delay * 2).min(RETRY_LONGEST);
    }
}

/// Posts the Esc key while it is polled. If the key can't be observed, the timeout still ends the wait for a command; the capability `HotKey` is
/// reported by the task that grabs the other keys.
pub async fn escape(dependencies: FocusDependencies, inbox: Inbox<FocusMessage>) {
    let traces = dependencies.traces.clone();
    let press = move || drop(inbox.post(FocusMessage::Command { id: RequestId::next(), command: Command::Escape }));
    let pressed = Box::new(move || traces.begin("escape").scope(&press));
    let watch = dependencies.keys.ask(move |keys| keys.observe(HotKeyCode::Escape, pressed)).await;
    if let Ok(Ok(watch)) = watch {
        std::future::pending::<()>().await;
        drop(watch);
    }
}

fn report(capabilities: &Capabilities, outcome: Result<(), PlatformError>) {
    report_as(Capability::Pointer, capabilities, outcome);
}

fn report_tree(capabilities: &Capabilities, outcome: Result<(), PlatformError>) {
    report_as(Capability::Accessibility, capabilities, outcome);
}

fn report_as(capability: Capability, capabilities: &Capabilities, outcome: Result<(), PlatformError>) {
    let state = match outcome {
        Ok(()) => CapabilityState::Available,
        Err(PlatformError::Unavailable(why)) => CapabilityState::Unavailable(why),
        // Errors of one application or region say nothing about the pointer or the tree.
        Err(PlatformError::NoAnswer | PlatformError::Gone | PlatformError::OutsideScreen) => return,
    };
    capabilities.set(capability, state);
}
