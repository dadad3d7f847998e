//! Windows as a whole and the volume, on a real window manager and a real sound server (DSL-6).
//!
//! Needs a desktop session with an X display, a window manager and a sound server, xterm and `pactl`. If something is missing, the test fails and names it.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![allow(clippy::disallowed_methods, reason = "the calls that block here end by themselves within seconds")]

use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use luna_messages::desktop_order::{TopWindow, VolumeChange, VolumeState, WindowArrangement};
use luna_platform::PlatformError;
use luna_platform::desktop::DesktopControl as _;
use luna_platform::desktop::linux::LinuxDesktop;

/// The tests share one desktop, where one window at a time is active.
static SHARED_DESKTOP: Mutex<()> = Mutex::new(());
/// How long a program may take to show its window.
const PATIENCE: Duration = Duration::from_secs(20);

fn turn() -> MutexGuard<'static, ()> {
    SHARED_DESKTOP.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A program that nobody here wrote, ended when this is dropped.
struct ForeignWindow(Child);

impl ForeignWindow {
    fn open(title: &str) -> Self {
        let child = Command::new("xterm")
            .args(["-T", title, "-class", "LunaForeign", "-e", "sleep", "60"])
            .stderr(Stdio::null())
            .spawn()
            .expect("xterm is needed: the Debian package xterm");
        Self(child)
    }
}

impl Drop for ForeignWindow {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// The window with a title, once `test` holds for it.
fn window(desktop: &LinuxDesktop, title: &str, test: fn(&TopWindow) -> bool) -> TopWindow {
    let start = Instant::now();
    loop {
        let windows = desktop.windows().unwrap();
        if let Some(found) = windows.iter().find(|window| window.title == title && test(window)) {
            return found.clone();
        }
        assert!(start.elapsed() < PATIENCE, "{title}: {windows:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

// DSL-6, EXE-2
#[test]
fn windows_are_listed_and_arranged_dsl_6_exe_2() {
    let _turn = turn();
    let desktop = LinuxDesktop::new();
    let _first = ForeignWindow::open("first sheet");
    let closing = ForeignWindow::open("second sheet");
    let first = window(&desktop, "first sheet", |_| true);
    let second = window(&desktop, "second sheet", |_| true);
    assert_eq!((first.application.as_str(), first.is_minimised), ("LunaForeign", false));
    assert_eq!(desktop.arrange(first.handle, WindowArrangement::Activate), Ok(true));
    assert_eq!(
        desktop.windows().unwrap().first().map(|window| window.handle),
        Some(first.handle),
        "the active one is first"
    );
    assert_eq!(desktop.arrange(second.handle, WindowArrangement::Activate), Ok(true));
    assert!(window(&desktop, "second sheet", |window| window.is_active).is_active);
    assert_eq!(desktop.arrange(second.handle, WindowArrangement::Minimise), Ok(true));
    assert!(window(&desktop, "second sheet", |window| window.is_minimised).is_minimised);
    assert_eq!(desktop.arrange(second.handle, WindowArrangement::Activate), Ok(true), "it comes back");
    assert!(!window(&desktop, "second sheet", |window| window.is_active).is_minimised);
    assert_eq!(desktop.arrange(first.handle, WindowArrangement::Maximise), Ok(true));
    assert_eq!(desktop.arrange(first.handle, WindowArrangement::Close), Ok(true));
    assert!(desktop.windows().unwrap().iter().all(|window| window.handle != first.handle), "it is closed");
    drop(closing);
    let start = Instant::now();
    while desktop.windows().unwrap().iter().any(|window| window.handle == second.handle) {
        assert!(start.elapsed() < PATIENCE, "it is closed");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(desktop.arrange(second.handle, WindowArrangement::Activate), Err(PlatformError::Gone));
}

/// A device of the sound server that is the default one, until this is dropped.
struct DefaultDevice {
    module: String,
    before: String,
}

fn pactl(arguments: &[&str]) -> String {
    let output = Command::new("pactl").args(arguments).output();
    let output = output.expect("pactl is needed: the Debian package pulseaudio-utils");
    assert!(output.status.success(), "pactl {arguments:?}: this needs a sound server (PULSE_SERVER)");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

impl DefaultDevice {
    fn new(name: &str) -> Self {
        let before = pactl(&["get-default-sink"]);
        let sink_name = format!("sink_name={name}");
        let module = pactl(&["load-module", "module-null-sink", &sink_name, "channels=2"]);
        pactl(&["set-default-sink", name]);
        Self { module, before }
    }
}

impl Drop for DefaultDevice {
    fn drop(&mut self) {
        pactl(&["set-default-sink", &self.before]);
        pactl(&["unload-module", &self.module]);
    }
}

// DSL-6
#[test]
fn the_volume_of_the_default_device_changes_and_keeps_its_balance_dsl_6() {
    let _turn = turn();
    let name = "luna-test-volume";
    let _device = DefaultDevice::new(name);
    let desktop = LinuxDesktop::new();
    pactl(&["set-sink-volume", name, "40%", "20%"]);
    let told = |percent, muted| Ok(VolumeState { percent, muted });
    assert_eq!(desktop.change_volume(VolumeChange::Up), told(50, false));
    // As the server itself tells it: the right channel stays at half of the left.
    let volume = pactl(&["get-sink-volume", name]);
    assert!(volume.contains("50%") && volume.contains("25%"), "{volume}");
    assert_eq!(desktop.change_volume(VolumeChange::Percent(30)), told(30, false));
    assert_eq!(desktop.change_volume(VolumeChange::Mute), told(30, true));
    assert!(pactl(&["get-sink-mute", name]).contains("yes"));
    assert_eq!(desktop.change_volume(VolumeChange::Down), told(20, false));
    assert!(pactl(&["get-sink-mute", name]).contains("no"), "who changes the volume wants to hear it");
    assert_eq!(desktop.change_volume(VolumeChange::Unmute), told(20, false));
}

// DSL-6
#[test]
fn time_and_battery_are_those_of_the_machine_dsl_6() {
    let desktop = LinuxDesktop::new();
    let time = desktop.local_time();
    let date = Command::new("date").arg("+%Y %-m %-d %w").output().expect("date").stdout;
    let told = format!("{} {} {} {}", time.year, time.month, time.day, time.weekday);
    assert_eq!(told, String::from_utf8(date).unwrap().trim());
    assert!(desktop.battery().is_ok());
}
