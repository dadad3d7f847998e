//! Acting on elements of real programs by the accessibility tree: what was done is what the program itself tells, exactly
//! once (EXE-1, EXE-2, EXE-7).
//!
//! Needs a desktop session (X display, session bus, accessibility bus, window manager), `python3-gi` and the GTK 3 and 4
//! bindings, and Chromium. If something is missing, the test fails and names it.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use luna_messages::element::State;
use luna_messages::element_action::{
    ActionResult, ActionableElement, Capacity, ChangedElement, ElementAction, ElementRefusal, EnteredText,
    NoEffectProof, ObservedChange, WindowElements,
};
use luna_messages::pick::{Role, WindowInfo};
use luna_messages::{ElementId, RequestId};
use luna_platform::accessibility::Watch;
use luna_platform::accessibility::actions::{ChangeScope, ElementActions, StopEpoch};
use luna_platform::accessibility::linux::AtSpi;
use tokio::sync::{Mutex, MutexGuard};

use program::ActedProgram;

#[path = "desktop_actions/browser.rs"]
mod browser;
#[path = "desktop_actions/gone.rs"]
mod gone;
#[path = "desktop_actions/gtk3.rs"]
mod gtk3;
#[path = "desktop_actions/gtk4.rs"]
mod gtk4;
#[path = "desktop_actions/program.rs"]
mod program;
#[path = "desktop_actions/watch.rs"]
mod watch;

/// The tests share one desktop and take turns, because one window at a time is active.
static DESKTOP_LOCK: Mutex<()> = Mutex::const_new(());
/// What the password field of the sample contains.
const SECRET: &str = "hunter2-비밀";
const ACCEPTED: Result<ActionResult, ElementRefusal> = Ok(ActionResult::Accepted);
/// How long a program may take to show a window or what was done.
const PATIENCE: Duration = Duration::from_secs(20);

async fn desk() -> MutexGuard<'static, ()> {
    for variable in ["DISPLAY", "DBUS_SESSION_BUS_ADDRESS"] {
        let is_set = std::env::var(variable).is_ok_and(|value| !value.is_empty());
        assert!(is_set, "{variable} is not set: this test needs a desktop session with X, D-Bus and at-spi2-core");
    }
    DESKTOP_LOCK.lock().await
}

fn fixture(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures").join(name);
    path.canonicalize().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The active window once it has this title and the tree lists an element with this label in it. Programs show their tree
/// a moment after their window.
async fn listed(tree: &AtSpi, title: &str, label: &str) -> (WindowInfo, WindowElements) {
    let start = Instant::now();
    let mut last = None;
    loop {
        let windows = tree.active_windows().await.unwrap();
        if let Some(window) = windows.iter().find(|window| window.title.contains(title)) {
            let answer = tree.window_elements_to_act_on(window).await;
            last = Some(answer.clone());
            let elements = answer.unwrap_or_default();
            if elements.elements.iter().any(|one| is_called(one, label)) {
                return (window.clone(), elements);
            }
        }
        assert!(start.elapsed() < PATIENCE, "{title:?} with {label:?} is not active: {windows:?}, {last:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

fn is_called(one: &ActionableElement, label: &str) -> bool {
    one.element.label.contains(label) || one.element.text.contains(label)
}

/// The only element that can do this, with this label or text.
#[track_caller]
fn able<'a>(elements: &'a WindowElements, capacity: Capacity, label: &str) -> &'a ActionableElement {
    let found: Vec<_> =
        elements.elements.iter().filter(|one| one.capacities.contains(capacity) && is_called(one, label)).collect();
    assert_eq!(found.len(), 1, "{capacity:?} {label:?}: {found:#?} in {elements:#?}");
    found[0]
}

fn set_text(text: &str) -> ElementAction {
    ElementAction::SetText(EnteredText(text.to_owned()))
}

async fn act(tree: &AtSpi, id: &ElementId, action: ElementAction) -> Result<ActionResult, ElementRefusal> {
    tree.act(id, action, &StopEpoch::default().barrier(RequestId(1))).await
}
