//! Pictures of a real X11 screen. Runs inside an X session; without one every test fails with a message that says so.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use luna_messages::{Point, Rect};
use luna_platform::PlatformError;
use luna_platform::capture::linux::X11Capture;
use luna_platform::capture::{Capture, monitor_at};
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::randr::{ConnectionExt as _, MonitorInfo};
use x11rb::protocol::xproto::{
    AtomEnum, ConnectionExt as _, CreateGCAux, CreateWindowAux, EventMask, PropMode, Rectangle, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// A window of one colour with a bar of another colour at its top; not moved by window managers.
struct PaintedWindow {
    connection: RustConnection,
    window: u32,
    bounds: Rect,
}

const BACK: [u8; 3] = [0x12, 0x84, 0xf6];
const BAR: [u8; 3] = [0xff, 0xd8, 0x4a];

fn pixel(rgb: [u8; 3]) -> u32 {
    u32::from_be_bytes([0, rgb[0], rgb[1], rgb[2]])
}

impl PaintedWindow {
    fn new(bounds: Rect) -> Self {
        let (connection, screen) =
            x11rb::connect(None).expect("this test needs an X display; run it inside an X session (DISPLAY)");
        let root = &connection.setup().roots[screen];
        let (window, gc) = (connection.generate_id().unwrap(), connection.generate_id().unwrap());
        let (x, y) = (bounds.x.try_into().unwrap(), bounds.y.try_into().unwrap());
        let (width, height) = (bounds.width.try_into().unwrap(), bounds.height.try_into().unwrap());
        let look =
            CreateWindowAux::new().background_pixel(pixel(BACK)).override_redirect(1).event_mask(EventMask::EXPOSURE);
        connection
            .create_window(0, window, root.root, x, y, width, height, 0, WindowClass::INPUT_OUTPUT, 0, &look)
            .unwrap();
        connection.create_gc(gc, window, &CreateGCAux::new().foreground(pixel(BAR))).unwrap();
        connection.map_window(window).unwrap();
        connection.flush().unwrap();
        while !matches!(connection.wait_for_event().unwrap(), Event::Expose(_)) {}
        let bar = Rectangle { x: 0, y: 0, width, height: 10 };
        connection.poly_fill_rectangle(window, gc, &[bar]).unwrap();
        connection.sync().unwrap();
        Self { connection, window, bounds }
    }
}

impl Drop for PaintedWindow {
    fn drop(&mut self) {
        let _ = self.connection.destroy_window(self.window);
        let _ = self.connection.sync();
    }
}

/// Both capture methods.
fn captures() -> [(&'static str, X11Capture); 2] {
    [("shared memory", X11Capture::new()), ("messages", X11Capture::without_shared_memory())]
}

#[test]
fn a_window_looks_as_it_was_painted() {
    let painted = PaintedWindow::new(Rect::new(120, 90, 64, 48));
    for (method, capture) in captures() {
        let shot = capture.region(painted.bounds).unwrap();
        assert_eq!((shot.region, shot.picture.width, shot.picture.height), (painted.bounds, 64, 48), "{method}");
        for (index, pixel) in shot.picture.rgb.chunks_exact(3).enumerate() {
            let expect = if index / 64 < 10 { BAR } else { BACK };
            assert_eq!(pixel, expect, "{method}: row {}, column {}", index / 64, index % 64);
        }
    }
}

#[test]
fn both_ways_show_the_same_at_odd_sizes() {
    let painted = PaintedWindow::new(Rect::new(300, 200, 101, 57));
    let [(_, shared), (_, plain)] = captures();
    for region in [painted.bounds, Rect::new(303, 205, 1, 1), Rect::new(301, 203, 97, 13), Rect::new(350, 190, 33, 31)]
    {
        assert_eq!(shared.region(region).unwrap(), plain.region(region).unwrap(), "{region:?}");
    }
}

#[test]
fn a_region_is_clipped_to_the_screen() {
    let (connection, screen) =
        x11rb::connect(None).expect("this test needs an X display; run it inside an X session (DISPLAY)");
    let root = &connection.setup().roots[screen];
    let (width, height) = (i32::from(root.width_in_pixels), i32::from(root.height_in_pixels));
    for (method, capture) in captures() {
        for (wanted, expect) in [
            (Rect::new(-10, -20, 30, 30), Rect::new(0, 0, 20, 10)),
            (Rect::new(width - 5, height - 3, 100, 100), Rect::new(width - 5, height - 3, 5, 3)),
            (Rect::new(i32::MIN, i32::MIN, 10, 10), Rect::default()),
            (Rect::new(-9, -9, i32::MAX, i32::MAX), Rect::new(0, 0, width, height)),
            (Rect::new(width, 0, 10, 10), Rect::default()),
            (Rect::new(-10, 0, 10, 10), Rect::default()),
            (Rect::new(5, 5, 0, 10), Rect::default()),
            (Rect::new(5, 5, 10, -1), Rect::default()),
        ] {
            match capture.region(wanted) {
                Ok(shot) => assert_eq!(shot.region, expect, "{method}: {wanted:?}"),
                Err(error) => {
                    assert_eq!(error, PlatformError::OutsideScreen, "{method}: {wanted:?}");
                    assert!(expect.is_empty(), "{method}: {wanted:?} has pixels on the screen");
                }
            }
        }
    }
}

// PIC-7
#[test]
fn monitors_cover_the_screen_pic_7() {
    let monitors =
        X11Capture::new().monitors().expect("this test needs an X display; run it inside an X session (DISPLAY)");
    let monitor = monitor_at(&monitors, Point::new(1, 1)).expect("at least one monitor");
    assert!(monitor.bounds.contains(Point::new(1, 1)), "{monitors:?}");
    assert!((0.5..=8.0).contains(&monitor.scale), "{monitors:?}");
}

#[test]
fn a_thousand_pictures_leave_nothing_behind_and_are_quick() {
    let painted = PaintedWindow::new(Rect::new(40, 400, 80, 60));
    let capture = X11Capture::new();
    capture.region(painted.bounds).unwrap();
    let (files, shared) = (open_files(), shared_mappings());
    let mut times = Vec::new();
    for round in 0..1_000 {
        // Sizes grow and shrink, so that the segment is replaced now and then.
        let region = Rect::new(0, 0, 40 + round % 700, 30 + round % 500);
        let start = Instant::now();
        capture.region(region).unwrap();
        times.push(start.elapsed());
    }
    assert!(open_files() <= files + 1, "{files} open files became {}", open_files());
    assert!(shared_mappings() <= shared, "{shared} shared mappings became {}", shared_mappings());
    times.sort_unstable();
    assert!(times[500] < Duration::from_millis(100), "half of the pictures took longer than {:?}", times[500]);
    drop(capture);
    assert!(shared_mappings() < shared, "the segment of a dropped capture is still mapped");
}

#[test]
fn a_new_capture_each_time_leaves_nothing_behind() {
    let painted = PaintedWindow::new(Rect::new(200, 400, 80, 60));
    X11Capture::new().region(painted.bounds).unwrap();
    // Other tests of this program open and close files meanwhile; a leak of 100 stands out.
    let files = open_files();
    for _ in 0..100 {
        X11Capture::new().region(painted.bounds).unwrap();
    }
    assert!(open_files() < files + 50, "{files} open files became {}", open_files());
}

#[test]
fn a_display_that_is_not_there_is_named() {
    let output = helper_output(":31999");
    assert!(output.contains("X display :31999 can't be reached"), "{output}");
}

#[test]
fn a_screen_of_16_bits_is_refused_with_its_depth() {
    let server = XServer::new("320x240x16", &[]);
    let output = helper_output(&server.name);
    assert!(output.contains("The screen has 16 bits of colour a pixel"), "{output}");
}

#[test]
fn a_display_without_shared_memory_or_randr_can_be_captured() {
    let server = XServer::new("320x240x24", &["-extension", "MIT-SHM", "-extension", "RANDR"]);
    let output = helper_output(&server.name);
    assert!(output.contains("captured Rect { x: 0, y: 0, width: 7, height: 5 }"), "{output}");
    assert!(
        output.contains("monitors [Monitor { bounds: Rect { x: 0, y: 0, width: 320, height: 240 }, scale: 1.0 }]"),
        "{output}"
    );
}

// PIC-7
#[test]
fn monitors_of_different_places_are_told_apart_pic_7() {
    let server = XServer::new("640x480x24", &[]);
    let (connection, screen) = x11rb::connect(Some(&server.name)).unwrap();
    let root = connection.setup().roots[screen].root;
    for (name, x) in [("left", 0), ("right", 320)] {
        let name = connection.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom;
        let monitor = MonitorInfo {
            name,
            primary: false,
            automatic: false,
            x,
            y: 0,
            width: 320,
            height: 480,
            width_in_millimeters: 100,
            height_in_millimeters: 100,
            outputs: vec![],
        };
        connection.randr_set_monitor(root, monitor).unwrap().check().unwrap();
    }
    let resources = AtomEnum::RESOURCE_MANAGER;
    connection.change_property8(PropMode::REPLACE, root, resources, AtomEnum::STRING, b"Xft.dpi:\t144\n").unwrap();
    connection.sync().unwrap();
    let output = helper_output(&server.name);
    for x in [0, 320] {
        let monitor = format!("Monitor {{ bounds: Rect {{ x: {x}, y: 0, width: 320, height: 480 }}, scale: 1.5 }}");
        assert!(output.contains(&monitor), "{output}");
    }
}

#[test]
fn a_display_that_comes_back_is_connected_to_again() {
    // A number that no other test uses: servers that choose for themselves take the lowest free one, also the one that
    // is briefly released here.
    let number = (200..240)
        .map(|n| format!(":{}", n + std::process::id() % 97 * 40))
        .find(|n| x11rb::connect(Some(n)).is_err())
        .unwrap();
    let server = XServer::start(&[&number, "-screen", "0", "320x240x24"]);
    until_it_answers(&number);
    let mut helper =
        helper(&number).env("LUNA_TEST_TWICE", "1").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(helper.stdout.take().unwrap());
    let mut output = String::new();
    while !output.contains("monitors") {
        assert_ne!(out.read_line(&mut output).unwrap(), 0, "{output}");
    }
    drop(server);
    let _server = XServer::start(&[&number, "-screen", "0", "200x100x24"]);
    until_it_answers(&number);
    helper.stdin.take().unwrap().write_all(b"go on\n").unwrap();
    out.read_to_string(&mut output).unwrap();
    helper.wait().unwrap();
    assert!(output.contains("width: 200, height: 100"), "{output}");
}

fn until_it_answers(number: &str) {
    let start = Instant::now();
    while x11rb::connect(Some(number)).is_err() {
        assert!(start.elapsed() < Duration::from_secs(20), "the X server {number} does not start");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// An X server of the test's own.
struct XServer {
    name: String,
    process: Child,
}

impl XServer {
    fn new(screen: &str, more: &[&str]) -> Self {
        let mut arguments = vec!["-displayfd", "1", "-screen", "0", screen];
        arguments.extend(more);
        let mut server = Self::start(&arguments);
        let mut number = String::new();
        BufReader::new(server.process.stdout.take().unwrap()).read_line(&mut number).unwrap();
        server.name = format!(":{}", number.trim());
        server
    }

    fn start(arguments: &[&str]) -> Self {
        let process = Command::new("Xvfb")
            .args(arguments)
            .args(["-nolisten", "tcp", "-noreset"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("this test starts an X display of its own; install the package xvfb");
        Self { name: String::new(), process }
    }
}

impl Drop for XServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Runs this program again with only the helper test below: `DISPLAY` can't differ between threads of one process.
fn helper(display: &str) -> Command {
    helper_named(display, "helper_says_what_it_sees")
}

fn helper_named(display: &str, test: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).env("DISPLAY", display).stderr(Stdio::inherit());
    command
}

fn helper_output(display: &str) -> String {
    String::from_utf8_lossy(&helper(display).output().unwrap().stdout).into_owned()
}

/// Prints what a capture of the display in `DISPLAY` returns. Run alone it checks only that all calls return.
#[test]
fn helper_says_what_it_sees() {
    let capture = X11Capture::new();
    let mut rounds = 1 + usize::from(std::env::var_os("LUNA_TEST_TWICE").is_some());
    loop {
        match capture.region(Rect::new(-3, -5, 10, 10)) {
            Ok(shot) => println!("captured {:?}", shot.region),
            Err(error) => println!("{error}"),
        }
        println!("monitors {:?}", capture.monitors().unwrap_or_default());
        rounds -= 1;
        if rounds == 0 {
            return;
        }
        std::io::stdin().read_line(&mut String::new()).unwrap();
    }
}

/// Number of open files of this process.
fn open_files() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

/// Number of writable shared mappings of this process: its segments.
fn shared_mappings() -> usize {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    maps.lines().filter(|line| line.contains(" rw-s ")).count()
}

#[path = "desktop_capture/covered.rs"]
mod covered;
