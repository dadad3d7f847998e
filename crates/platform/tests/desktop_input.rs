//! Pointer and keys on real programs: what arrived is what the programs themselves tell, exactly once, or nothing at all
//! (EXE-1, EXE-4, EXE-7).
//!
//! Needs a desktop session (X display, session bus, accessibility bus, window manager), `python3-gi`, the GTK 3 binding,
//! xterm and zenity. If something is missing, the test fails and names it.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![allow(clippy::disallowed_methods, reason = "the calls that block here end by themselves within seconds")]

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use luna_messages::RequestId;
use luna_messages::element_action::EnteredText;
use luna_messages::input::{ClickPoint, InputInterruption, InputRefusal, InputResult};
use luna_messages::pick::WindowInfo;
use luna_platform::accessibility::actions::{ActBarrier, ElementActions, StopEpoch};
use luna_platform::accessibility::linux::AtSpi;
use luna_platform::input::Input as _;
use luna_platform::input::linux::X11Input;
use tokio::sync::{Mutex, MutexGuard};

use person::SimulatedHands;
use program::ActedProgram;

#[path = "desktop_input/click.rs"]
mod click;
#[path = "desktop_input/keys.rs"]
mod keys;
#[path = "desktop_input/person.rs"]
mod person;
#[path = "desktop_actions/program.rs"]
mod program;
#[path = "desktop_input/typing.rs"]
mod typing;
#[path = "desktop_input/under_overlay.rs"]
mod under_overlay;

/// The tests share one desktop and take turns, because one window at a time is active.
static DESKTOP_LOCK: Mutex<()> = Mutex::const_new(());
/// How long a program may take to show a window or what was done.
const PATIENCE: Duration = Duration::from_secs(20);
const SCRIPT: &str = "gtk3_input.py";

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

/// The window with this title, once it is the active one.
async fn active(tree: &AtSpi, title: &str) -> WindowInfo {
    let start = Instant::now();
    loop {
        let windows = tree.active_windows().await.unwrap();
        if let Some(window) = windows.iter().find(|window| window.title.contains(title)) {
            return window.clone();
        }
        assert!(start.elapsed() < PATIENCE, "{title:?} is not active: {windows:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn free() -> ActBarrier {
    StopEpoch::default().barrier(RequestId(1))
}

fn text(text: &str) -> EnteredText {
    EnteredText(text.to_owned())
}

/// What was typed into the program, once it is as expected or when the time is over.
fn typed(program: &mut ActedProgram) -> String {
    let told = program.tell("text").join("\n");
    let told: serde_json::Value = serde_json::from_str(&told).unwrap_or_else(|error| panic!("{told}: {error}"));
    told["text"].as_str().unwrap().to_owned()
}
