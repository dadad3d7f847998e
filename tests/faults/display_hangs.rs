//! The display does not answer: calls to it never return.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command as Program, Stdio};
use std::time::{Duration, Instant};

use luna_messages::capability::Capability;
use luna_messages::control::Command;
use luna_test_support::one_thread::hang;
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::ConnectionExt as _;
use x11rb::protocol::xtest::ConnectionExt as _;

use crate::desktop::{LunaProcess, kill, take_turns};
use crate::moved::CounterChanges;
use crate::world::{MS, in_world, machine};

const DISPLAY: [&str; 3] = ["pointer", "screen", "keys"];

// KER-11, BRG-7, FOC-6
#[test]
fn a_display_that_hangs_keeps_nobody_from_obeying_ker_11_brg_7_foc_6() {
    in_world(async |world| {
        world.expect_reading_works().await;
        let moved = CounterChanges::since(&world.counts);
        for _ in 0..2 {
            DISPLAY.into_iter().for_each(|what| hang(what, true));
            for _ in 0..30 {
                world.expect_stop_is_obeyed().await;
            }
            // The accessibility tree needs the display too, but still answers: its screen requests have a deadline.
            world.pointer.move_to(machine::OTHER);
            world.pass(MS(4000)).await;
            world.order(Command::FocusOff);
            world.pass(MS(50)).await;
            world.said.clear();
            for _ in 0..10 {
                world.order(Command::FocusToggle);
                world.order(Command::Stop);
                world.expect_stop_is_obeyed().await;
            }
            world.order(Command::FocusOn);
            world.hears("where the pointer is").await;
            assert!(!world.is_available(Capability::Pointer));
            DISPLAY.into_iter().for_each(|what| hang(what, false));
            world.expect_reading_works().await;
            world.wait("the pointer", MS(5000), |world| world.is_available(Capability::Pointer)).await;
            world.expect_stop_is_obeyed().await;
        }
        // No actor hung, so none was replaced. The pointer is queried when focus mode is switched on, and when it goes on without the pointer.
        // The overlay asks once for the monitors, each time.
        let late = [
            ("Key(luna_outside_late_total, [what = pointer])", 12),
            ("Key(luna_outside_late_total, [what = screen])", 2),
        ];
        moved.expect(&world.counts, &late);
    });
}

/// A separate X server.
struct Screen {
    server: Child,
    name: String,
}

impl Screen {
    fn start() -> Self {
        let options = ["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp", "-noreset"];
        let server = Program::new("Xvfb").args(options).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut server = server.expect("Xvfb is needed: the Debian package xvfb");
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        Self { server, name: format!(":{}", number.trim()) }
    }

    fn signal(&self, name: &str) {
        kill(self.server.id(), name);
    }

    fn move_to(&self, x: i16, y: i16) {
        let (connection, screen) = x11rb::connect(Some(&self.name)).unwrap();
        let root = connection.setup().roots[screen].root;
        connection.xtest_fake_input(6, 0, 0, root, x, y, 0).unwrap().check().unwrap();
        connection.query_pointer(root).unwrap().reply().unwrap();
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

// KER-11, BRG-7, KER-9
#[test]
fn the_real_display_is_stopped_and_goes_on_ker_11_brg_7_ker_9() {
    let _turn = take_turns();
    let screen = Screen::start();
    let luna = LunaProcess::start_with(|command| {
        command.env("DISPLAY", &screen.name);
    });
    luna.order("on");
    luna.hears("창이 없어요");
    screen.signal("STOP");
    // Regression: two such requests once blocked all workers.
    for round in 0..24 {
        let begin = Instant::now();
        luna.order(["stop", "bigger", "off", "on"][round % 4]);
        let status: serde_json::Value = serde_json::from_str(&luna.get("status")).unwrap();
        assert!(begin.elapsed() < Duration::from_secs(5), "round {round} took {:?}", begin.elapsed());
        for actor in status["actors"].as_array().unwrap() {
            assert_eq!(actor["state"], "running", "{status}");
        }
    }
    luna.order("off");
    luna.clear();
    luna.order("on");
    luna.hears("커서의 위치를 알 수 없어요");
    for actor in ["focus", "uia", "ocr", "reflex", "tts", "gpu"] {
        assert_eq!(luna.metric(&format!("luna_actor_hung_total{{actor=\"{actor}\"}}")), 0.0, "{actor}");
    }
    screen.signal("CONT");
    // Everything works again: focus mode, and following the pointer.
    luna.clear();
    luna.order("on");
    luna.hears("창이 없어요");
    luna.wait_for_capability("pointer", "available");
    luna.clear();
    screen.move_to(500, 400);
    luna.event("Focus.State", |data| data["state"] == "Targeting");
    luna.hears("창이 없어요");
}
