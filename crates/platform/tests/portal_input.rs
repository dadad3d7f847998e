//! Keys by the portal of the desktop: what the portal is asked for, in which order, and that nothing stays pressed (EXE-4,
//! EXE-7, SES-2, KER-11).
//!
//! The portal is a double on a bus of its own. Needs `dbus-daemon`; one test also `sway`, `wtype`, `at-spi2-core`, `python3-gi`
//! and the GTK 3 binding. If something is missing, the test fails and names it.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![allow(clippy::disallowed_methods, reason = "the calls that block here end by themselves within seconds")]

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use luna_messages::RequestId;
use luna_messages::element_action::EnteredText;
use luna_messages::input::{InputResult, OtherWindow};
use luna_messages::keyboard::KeyChord;
use luna_platform::PlatformError;
use luna_platform::accessibility::actions::{ActBarrier, StopEpoch};
use luna_platform::input::Input as _;
use luna_platform::input::portal::{FieldState, KeyTarget, PortalInput, PortalLimits, PortalSettings};

use private_bus::PrivateBus;
use scripted_portal::{PortalFault, PortalKey, ScriptedPortal};

#[path = "portal_input/consent.rs"]
mod consent;
#[path = "portal_input/faults.rs"]
mod faults;
#[path = "portal_input/keys.rs"]
mod keys;
#[path = "portal_input/private_bus.rs"]
mod private_bus;
#[path = "portal_input/scripted_portal.rs"]
mod scripted_portal;
#[path = "portal_input/secrets.rs"]
mod secrets;
#[path = "portal_input/wayland.rs"]
mod wayland;

/// A window that only the accessibility tree tells.
const WINDOW: u64 = 1 << 63 | 7;
const ENTER: u32 = 0xff0d;
const CTRL: u32 = 0xffe3;
const SHIFT: u32 = 0xffe1;

/// So long that a busy machine does not reach them; a test that waits for the end of one shortens it.
const LIMITS: PortalLimits = PortalLimits {
    setup: Duration::from_secs(5),
    question: Duration::from_secs(5),
    ready: Duration::from_secs(9),
    key: Duration::from_secs(3),
    arrival: Duration::from_millis(200),
};

/// What the double of the tree tells.
#[derive(Default)]
struct TargetState {
    active: Option<u64>,
    /// Differs after each character that arrived; `None` if the field tells nothing.
    field: Option<u64>,
}

/// A double of what tells where keys go. Clones share it.
#[derive(Clone)]
struct ScriptedTarget(Arc<Mutex<TargetState>>);

impl ScriptedTarget {
    fn activate(&self, window: Option<u64>) {
        self.0.lock().unwrap().active = window;
    }

    fn set_field(&self, field: Option<u64>) {
        self.0.lock().unwrap().field = field;
    }
}

#[async_trait]
impl KeyTarget for ScriptedTarget {
    async fn active(&self) -> Result<Option<OtherWindow>, PlatformError> {
        Ok(self.0.lock().unwrap().active.map(|window| OtherWindow { window, title: "Editor".to_owned() }))
    }

    async fn is_still_active(&self, window: u64) -> Result<bool, PlatformError> {
        Ok(self.0.lock().unwrap().active == Some(window))
    }

    async fn field(&self) -> Option<FieldState> {
        self.0.lock().unwrap().field.map(FieldState::numbered)
    }
}

/// A folder of its own, removed on drop.
struct StateFolder(PathBuf);

impl StateFolder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("luna-portal-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }

    fn token(&self) -> Option<String> {
        std::fs::read_to_string(self.0.join("portal-token")).ok()
    }
}

impl Drop for StateFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A portal, a window that is active, and the input that is tested.
struct PortalDesk {
    input: PortalInput,
    target: ScriptedTarget,
    portal: ScriptedPortal,
    folder: StateFolder,
    bus: PrivateBus,
}

impl PortalDesk {
    fn new(name: &str, faults: &[PortalFault], limits: PortalLimits) -> Self {
        let (bus, folder) = (PrivateBus::start(), StateFolder::new(name));
        let portal = ScriptedPortal::start(&bus.address, faults);
        let state = TargetState { active: Some(WINDOW), field: None };
        let target = ScriptedTarget(Arc::new(Mutex::new(state)));
        let mut desk = Self { input: PortalInput::default(), target, portal, folder, bus };
        desk.restart(limits);
        desk
    }

    /// As another run of Luna.
    fn restart(&mut self, limits: PortalLimits) {
        let (session_bus, folder) = (Some(self.bus.address.clone()), Some(self.folder.0.clone()));
        let settings = PortalSettings { session_bus, folder, limits };
        self.input = PortalInput::with(settings, Arc::new(self.target.clone()));
    }

    fn type_text(&self, text: &str) -> Result<InputResult, PlatformError> {
        self.input.type_text(&EnteredText(text.to_owned()), WINDOW, &free())
    }

    fn press(&self, keys: &str, times: u8) -> Result<InputResult, PlatformError> {
        self.input.press(&chord(keys), times, WINDOW, &free())
    }

    /// How often the desktop was asked for the consent.
    fn questions(&self) -> usize {
        self.portal.calls().iter().filter(|call| *call == "Start").count()
    }

    fn ended_sessions(&self) -> usize {
        self.portal.calls().iter().filter(|call| *call == "Close").count()
    }
}

fn free() -> ActBarrier {
    StopEpoch::default().barrier(RequestId(1))
}

fn chord(keys: &str) -> KeyChord {
    keys.parse().unwrap_or_else(|error| panic!("{keys}: {error}"))
}

/// Keys that are still down after these.
fn held(keys: &[PortalKey]) -> Vec<u32> {
    let mut down: Vec<u32> = Vec::new();
    for &(key, is_down) in keys {
        down.retain(|other| *other != key);
        if is_down {
            down.push(key);
        }
    }
    down
}

/// The reason of what is not available.
#[track_caller]
fn reason(result: Result<InputResult, PlatformError>) -> String {
    match result {
        Err(PlatformError::Unavailable(why)) => {
            assert!(!why.remedy.is_empty());
            why.reason
        }
        other => panic!("{other:?}"),
    }
}
