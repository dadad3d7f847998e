//! Hot keys disappear with the display or belong to another program, and return automatically.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use luna_platform::hot_key::{self, HotKey};
use serde_json::Value;

use crate::desktop::{self, ALT, CONTROL, LunaProcess, Mouse, SUPER, take_turns, wait};

const LETTER_E: u32 = 0x65;

/// A separate display that can be ended.
struct VirtualDisplay {
    name: String,
    server: Child,
}

impl VirtualDisplay {
    fn start(name: &str) -> Self {
        let server = Command::new("Xvfb")
            .args([name, "-screen", "0", "800x600x24", "-nolisten", "tcp", "-noreset"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb is needed");
        let socket = format!("/tmp/.X11-unix/X{}", name.trim_start_matches(':'));
        let there = || std::os::unix::net::UnixStream::connect(&socket).ok().map(drop);
        wait("the display", Duration::from_secs(10), there, String::new);
        Self { name: name.to_owned(), server }
    }

    fn end(mut self) -> String {
        self.server.kill().unwrap();
        self.server.wait().unwrap();
        let number = self.name.trim_start_matches(':');
        let _ = std::fs::remove_file(format!("/tmp/.X{number}-lock"));
        let _ = std::fs::remove_file(format!("/tmp/.X11-unix/X{number}"));
        self.name.clone()
    }
}

fn key_status(luna: &LunaProcess, command: &str) -> Value {
    let status: Value = serde_json::from_str(&luna.get("status")).unwrap();
    status["hot_keys"].as_array().unwrap().iter().find(|key| key["command"] == command).unwrap().clone()
}

// SES-6, ATT-6, KER-9
#[test]
fn a_display_that_goes_and_comes_back_brings_the_keys_back_ses_6_att_6_ker_9() {
    let _turn = take_turns();
    let display = VirtualDisplay::start(&format!(":{}", 300 + std::process::id() % 500));
    let name = display.name.clone();
    let luna = LunaProcess::start_with(|command| {
        command.env("DISPLAY", &name);
    });
    luna.wait_for_capability("hot_key", "available");
    let display = VirtualDisplay::start(&{
        let name = display.end();
        luna.wait_for_capability("hot_key", "unavailable");
        luna.hears("단축키를 쓸 수 없어요");
        name
    });
    luna.wait_for_capability("hot_key", "available");
    luna.hears("단축키를 다시 쓸 수 있어요");
    assert_eq!(key_status(&luna, "stop")["held"], true);
    // A pressed key has its effect, so the status is true.
    press_on(&display.name, &[CONTROL, ALT, SUPER, LETTER_E]);
    luna.event("BargeIn.Command", |data| data["type"] == "stop");
    // The tap of Ctrl works again, too (ATT-6).
    let observed = || {
        let status: Value = serde_json::from_str(&luna.get("status")).unwrap();
        status["silence"]["reason"].is_null().then_some(())
    };
    wait("the keyboard to be observed again", Duration::from_secs(20), observed, || luna.get("status"));
    press_on(&display.name, &[CONTROL]);
    luna.event("BargeIn.Command", |data| data["type"] == "stop");
    display.end();
}

/// Presses keys together on another display.
fn press_on(display: &str, keysyms: &[u32]) {
    use x11rb::connection::Connection as _;
    use x11rb::protocol::xproto::ConnectionExt as _;
    use x11rb::protocol::xtest::ConnectionExt as _;
    let (connection, screen) = x11rb::connect(Some(display)).unwrap();
    let setup = connection.setup();
    let root = setup.roots[screen].root;
    let (first, count) = (setup.min_keycode, setup.max_keycode - setup.min_keycode + 1);
    let map = connection.get_keyboard_mapping(first, count).unwrap().reply().unwrap();
    let code = |keysym: u32| {
        let rows = map.keysyms.chunks(usize::from(map.keysyms_per_keycode));
        first + u8::try_from(rows.into_iter().position(|row| row.contains(&keysym)).unwrap()).unwrap()
    };
    let codes: Vec<u8> = keysyms.iter().map(|keysym| code(*keysym)).collect();
    for (kind, code) in codes.iter().map(|code| (2, code)).chain(codes.iter().rev().map(|code| (3, code))) {
        connection.xtest_fake_input(kind, *code, 0, root, 0, 0, 0).unwrap().check().unwrap();
    }
    connection.get_input_focus().unwrap().reply().unwrap();
}

// SES-6, KER-9
#[test]
fn a_key_of_another_program_is_named_once_and_taken_when_that_ends_ses_6_ker_9() {
    let _turn = take_turns();
    let stop: HotKey = "ctrl+alt+super+e".parse().unwrap();
    let (held, refused) = hot_key::system().watch(&[stop], Box::new(|_| {})).unwrap();
    assert_eq!(refused, []);

    // Before Luna runs, `doctor` finds the key in use by trying to grab all keys.
    let home = tempfile::tempdir().unwrap();
    let finding = doctor(&mut desktop::luna(home.path()));
    assert_eq!(finding["state"], "limited", "{finding}");
    assert!(finding["detail"].as_str().unwrap().contains("ctrl+alt+super+e"), "{finding}");
    let remedy = finding["remedy"].as_str().unwrap().to_owned();
    assert!(remedy.contains("control.hot_keys.stop") && remedy.contains("ctrl+alt+shift+super+e"), "{finding}");

    let luna = LunaProcess::start();
    luna.hears("컨트롤 알트 슈퍼 이, 이 단축키는");
    let status = key_status(&luna, "stop");
    assert_eq!((&status["held"], &status["proposal"]), (&Value::from(false), &Value::from("ctrl+alt+shift+super+e")));
    assert_eq!(key_status(&luna, "pause_toggle")["held"], true);
    let status_text = String::from_utf8_lossy(&luna.ctl(&["status"]).stdout).into_owned();
    assert!(status_text.contains("hot key ctrl+alt+super+e (stop): not available"), "{status_text}");
    // The running Luna keeps its keys during `doctor`, which reports them.
    let finding = doctor(&mut desktop::luna(luna.home.path()));
    assert!(finding["detail"].as_str().unwrap().contains("ctrl+alt+super+e"), "{finding}");
    assert_eq!(key_status(&luna, "pause_toggle")["held"], true);

    let output = desktop::luna(luna.home.path()).args(["keys", "--json"]).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (output.status.code(), &report["running"], &report["needs_restart"]),
        (Some(1), &true.into(), &false.into())
    );
    let stop = report["hot_keys"].as_array().unwrap().iter().find(|key| key["command"] == "stop").unwrap();
    assert_eq!((&stop["held"], &stop["proposal"]), (&false.into(), &"ctrl+alt+shift+super+e".into()));

    drop(held);
    luna.hears("컨트롤 알트 슈퍼 이, 이 단축키를 이제");
    Mouse::new().press(&[CONTROL, ALT, SUPER, LETTER_E]);
    luna.event("BargeIn.Command", |data| data["type"] == "stop");
    let said = luna.seen.lock().unwrap().matches("컨트롤 알트 슈퍼 이, 이 단축키는").count();
    assert!(said <= 2, "TTS.Start and its request, once: {said}");
}

fn doctor(command: &mut Command) -> Value {
    let output = command.args(["doctor", "--json"]).output().unwrap();
    let findings: Value = serde_json::from_slice(&output.stdout).unwrap();
    findings.as_array().unwrap().iter().find(|finding| finding["name"] == "hot_key").unwrap().clone()
}
