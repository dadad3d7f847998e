//! The pointer of a real X11 display. Runs inside an X session; without one every test fails with a message that says
//! so.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use luna_messages::Point;
use luna_platform::PlatformError;
use luna_platform::pointer::linux::X11Pointer;
use luna_platform::pointer::{Pointer, Watch};
use x11rb::connection::Connection;
use x11rb::protocol::xproto::ConnectionExt as _;
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

const MOTION: u8 = 6;

/// There is only one pointer, so one test moves it at a time.
static POINTER_LOCK: Mutex<()> = Mutex::new(());

struct FakePointer {
    connection: RustConnection,
    root: u32,
    _alone: MutexGuard<'static, ()>,
}

impl FakePointer {
    fn new() -> Self {
        let alone = POINTER_LOCK.lock().unwrap_or_else(PoisonError::into_inner);
        let (connection, screen) =
            x11rb::connect(None).expect("this test needs an X display; run it inside an X session (DISPLAY)");
        let root = connection.setup().roots[screen].root;
        let fake = Self { connection, root, _alone: alone };
        fake.move_to(Point::new(10, 10));
        fake
    }

    fn move_to(&self, to: Point) {
        let (x, y) = (to.x.try_into().unwrap(), to.y.try_into().unwrap());
        self.connection.xtest_fake_input(MOTION, 0, 0, self.root, x, y, 0).unwrap();
        self.connection.sync().unwrap();
    }

    /// Sets the pointer as programs do, without a device.
    fn warp_to(&self, to: Point) {
        let (x, y) = (to.x.try_into().unwrap(), to.y.try_into().unwrap());
        self.connection.warp_pointer(x11rb::NONE, self.root, 0, 0, 0, 0, x, y).unwrap();
        self.connection.sync().unwrap();
    }
}

fn watched() -> (Watch, Receiver<Point>) {
    let (sender, moves): (Sender<Point>, _) = channel();
    let lost = |error: PlatformError| panic!("{error}");
    let watch = X11Pointer::new()
        .watch(
            Box::new(move |at| {
                let _ = sender.send(at);
            }),
            Box::new(lost),
        )
        .unwrap();
    (watch, moves)
}

/// Waits until `expect` is reported and returns how long that took.
fn wait_for(moves: &Receiver<Point>, expect: Point, limit: Duration) -> Duration {
    let start = Instant::now();
    loop {
        let left = limit.saturating_sub(start.elapsed());
        match moves.recv_timeout(left) {
            Ok(at) if at == expect => return start.elapsed(),
            Ok(_) => {}
            Err(error) => panic!("{expect:?} was not reported within {limit:?}: {error}"),
        }
    }
}

fn threads() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    let name = |task: std::fs::DirEntry| std::fs::read_to_string(task.path().join("comm")).unwrap_or_default();
    tasks.map(name).filter(|name| name.trim() == "luna-pointer").count()
}

#[test]
fn the_position_is_where_the_hand_put_it() {
    let fake = FakePointer::new();
    let pointer = X11Pointer::new();
    for at in [Point::new(0, 0), Point::new(321, 123), Point::new(640, 470)] {
        fake.move_to(at);
        assert_eq!(pointer.position(), Ok(at));
    }
}

#[test]
fn moves_are_reported_within_a_tenth_of_a_second() {
    let fake = FakePointer::new();
    let (_watch, moves) = watched();
    for step in 1..=20 {
        let at = Point::new(100 + step * 7, 80 + step * 3);
        fake.move_to(at);
        let took = wait_for(&moves, at, Duration::from_secs(2));
        assert!(took <= Duration::from_millis(100), "step {step} took {took:?}");
    }
}

#[test]
fn a_storm_of_moves_is_put_together_and_its_end_is_reported() {
    let fake = FakePointer::new();
    let (_watch, moves) = watched();
    let start = Instant::now();
    for step in 1..=2_000 {
        fake.move_to(Point::new(step % 600, 40 + step % 300));
    }
    let end = Point::new(611, 407);
    fake.move_to(end);
    let storm = start.elapsed();
    let mut reports = 0;
    loop {
        let at = moves.recv_timeout(Duration::from_secs(2)).expect("the end of the storm is reported");
        reports += 1;
        if at == end {
            break;
        }
    }
    let most = storm.as_millis() / 8 + 5;
    assert!(reports <= most, "{reports} reports of 2001 moves in {storm:?}");
}

#[test]
fn a_pointer_that_a_program_sets_is_noticed_too() {
    let fake = FakePointer::new();
    let (_watch, moves) = watched();
    let at = Point::new(222, 111);
    fake.warp_to(at);
    wait_for(&moves, at, Duration::from_secs(2));
}

#[test]
fn dropping_the_watch_ends_its_thread_and_its_reports() {
    let fake = FakePointer::new();
    let (watch, moves) = watched();
    let at = Point::new(50, 60);
    fake.move_to(at);
    wait_for(&moves, at, Duration::from_secs(2));
    drop(watch);
    let start = Instant::now();
    while threads() > 0 {
        assert!(start.elapsed() < Duration::from_millis(500), "the thread still runs half a second after the drop");
        std::thread::sleep(Duration::from_millis(2));
    }
    while moves.try_recv().is_ok() {}
    fake.move_to(Point::new(70, 80));
    assert!(moves.recv_timeout(Duration::from_millis(200)).is_err(), "a dropped watch reported a move");
}

#[test]
fn the_loss_of_the_display_is_told_once() {
    // A separate display, which the test can end, watched by a separate process, because `DISPLAY` can't differ between
    // threads.
    let mut server = std::process::Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "320x240x24", "-nolisten", "tcp", "-noreset"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("this test starts an X display of its own; install the package xvfb");
    let mut number = String::new();
    let mut out = std::io::BufReader::new(server.stdout.take().unwrap());
    std::io::BufRead::read_line(&mut out, &mut number).unwrap();
    let mut helper = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "helper_watches_until_the_display_is_lost", "--nocapture"])
        .env("DISPLAY", format!(":{}", number.trim()))
        .env("LUNA_TEST_WATCH_UNTIL_LOST", "1")
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = std::io::BufReader::new(helper.stdout.take().unwrap());
    let mut output = String::new();
    while !output.contains("watching") {
        assert_ne!(std::io::BufRead::read_line(&mut out, &mut output).unwrap(), 0, "{output}");
    }
    server.kill().unwrap();
    server.wait().unwrap();
    std::io::Read::read_to_string(&mut out, &mut output).unwrap();
    helper.wait().unwrap();
    assert_eq!(output.matches("lost: The X display went away.").count(), 1, "{output}");
    assert!(output.contains("position afterwards: Err"), "{output}");
}

/// Only for the test above, which ends its display.
#[test]
#[allow(clippy::print_stdout)]
fn helper_watches_until_the_display_is_lost() {
    if std::env::var_os("LUNA_TEST_WATCH_UNTIL_LOST").is_none() {
        return;
    }
    let (losses, lost) = channel();
    let pointer = X11Pointer::new();
    pointer.position().unwrap();
    let _watch = pointer.watch(Box::new(|_| {}), Box::new(move |error| losses.send(error).unwrap())).unwrap();
    println!("watching");
    for error in lost.iter() {
        println!("lost: {error}");
    }
    println!("position afterwards: {:?}", pointer.position());
}
