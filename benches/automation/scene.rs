//! A running Luna, the window that is acted on, and the peer.

use std::path::Path;
use std::time::{Duration, Instant};

use luna::control_client;
use luna::control_file::{self, ControlFile};
use luna_messages::control::Command;
use luna_messages::executor::OrderReport;
use serde_json::{Value, json};

use crate::acted_program::ActedWindow;
use crate::desktop::{LunaProcess, Mouse, root};
use crate::peer::PythonPeer;

const TITLE: &str = "Bench 측정";

pub struct ActingScene {
    pub luna: LunaProcess,
    pub control: ControlFile,
    pub mouse: Mouse,
    window: ActedWindow,
    peer: PythonPeer,
}

impl ActingScene {
    pub fn start() -> Self {
        let window = ActedWindow::start_as("gtk3_actions.py", &[TITLE, "stamps"]);
        // Spoken fast, so that questions take less of the bench's time.
        let luna = LunaProcess::start_with(|command| {
            command.args(["--set", "tts.rate=3.0"]);
        });
        let control = control_file::read(&luna.home.path().join("run/control.json")).unwrap();
        Self { luna, control, mouse: Mouse::new(), window, peer: peer() }
    }

    /// Gives an order; the report and the milliseconds until it came.
    pub fn order(&self, words: &str) -> (OrderReport, f64) {
        let begin = Instant::now();
        let report = control_client::carry_out(&self.control, words.to_owned()).unwrap();
        (report, begin.elapsed().as_secs_f64() * 1e3)
    }

    /// Ends all speech, so that what is said of one order takes no time from the next.
    pub fn silence(&self) {
        control_client::send(&self.control, Command::Stop).unwrap();
        std::thread::sleep(Duration::from_millis(60));
    }

    /// The peer does this to an element; milliseconds until it saw the effect.
    pub fn peer(&mut self, action_kind: &str, name: &str, value: &Value) -> f64 {
        let answer = self.peer.ask(json!({"action_kind": action_kind, "window": TITLE, "name": name, "value": value}));
        answer["ms"].as_f64().unwrap()
    }

    /// What the window got since it was asked last.
    pub fn told(&mut self) -> Vec<Value> {
        self.window.order("flush")
    }

    /// As [`ActingScene::expect`], for what is reported once it was sent: a program may take a moment to read its keys.
    #[track_caller]
    pub fn expect_soon(&mut self, words: &str, expected: &Value) {
        let (begin, mut told) = (Instant::now(), Vec::new());
        while begin.elapsed() < Duration::from_secs(1) {
            told.extend(self.told());
            if told.contains(expected) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("{words}: the window tells {told:?}\n{}", self.luna.log.lock().unwrap());
    }

    /// Ends the bench unless the last that the window tells of this element is what is expected.
    #[track_caller]
    pub fn expect(&mut self, words: &str, expected: &Value) {
        let told = self.told();
        let last = told.iter().rev().find(|event| event["who"] == expected["who"]);
        assert_eq!(last, Some(expected), "{words}: the window tells {told:?}\n{}", self.luna.log.lock().unwrap());
    }
}

pub fn peer() -> PythonPeer {
    let script = root().join("benches/automation_pyatspi.py");
    let mut peer = PythonPeer::start(Path::new("/usr/bin/python3"), &script, &[]);
    assert_eq!(peer.line().trim(), "ready", "the Python client does not start: is python3-pyatspi installed?");
    peer
}
