//! The overlay on a real X server (OVL-1, OVL-2, OVL-4). Runs inside an X session; without one every test fails with a message that says so. With a
//! compositing manager: `LUNA_TEST_COMPOSITOR` may name one; else the test of it uses xcompmgr or picom if one is installed.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use luna_messages::overlay::{OverlayChange, OverlayImage, OverlayPicture, OverlaySupport};
use luna_messages::{Point, Rect};
use luna_platform::capture::Capture as _;
use luna_platform::capture::linux::X11Capture;
use luna_platform::overlay::ScreenOverlay as _;
use luna_platform::overlay::linux::X11Overlay;
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    ButtonPressEvent, ConfigureWindowAux, ConnectionExt as _, CreateWindowAux, EventMask, ImageFormat, MapState,
    WindowClass,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

#[path = "desktop_overlay/composited.rs"]
mod composited;
#[path = "desktop_overlay/window.rs"]
mod window;

use window::{BACK, TestWindow};

/// The tests share one screen and take turns.
static SCREEN_LOCK: Mutex<()> = Mutex::new(());
const PATIENCE: Duration = Duration::from_secs(10);
const YELLOW: [u8; 3] = [0xff, 0xd8, 0x4a];
const WINDOW: Rect = Rect::new(300, 200, 500, 400);
/// Inside of the window.
const MARK: Rect = Rect::new(400, 300, 120, 60);

fn screen() -> MutexGuard<'static, ()> {
    let is_set = std::env::var("DISPLAY").is_ok_and(|value| !value.is_empty());
    assert!(is_set, "this test needs an X display; run it inside an X session (DISPLAY)");
    SCREEN_LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A yellow picture.
fn picture(place: Rect) -> OverlayPicture {
    let pixels = usize::try_from(place.width * place.height).unwrap();
    OverlayPicture { place, argb: vec![0xffff_d84a; pixels] }
}

fn image(places: &[Rect], followed: &[Rect]) -> OverlayImage {
    let pictures = places.iter().map(|place| picture(*place)).collect();
    OverlayImage { pictures, followed: followed.to_vec(), ..OverlayImage::default() }
}

/// A pixel as the person sees it, read without Luna.
fn seen(connection: &RustConnection, at: Point) -> [u8; 3] {
    let root = connection.setup().roots[0].root;
    let (x, y) = (at.x.try_into().unwrap(), at.y.try_into().unwrap());
    let image = connection.get_image(ImageFormat::Z_PIXMAP, root, x, y, 1, 1, !0).unwrap().reply().unwrap();
    [image.data[2], image.data[1], image.data[0]]
}

/// Waits until a pixel has a color, because a compositing manager or a program paints it later.
fn wait_for(connection: &RustConnection, at: Point, color: [u8; 3]) {
    let start = Instant::now();
    while seen(connection, at) != color {
        assert!(start.elapsed() < PATIENCE, "{at:?} is {:x?}, not {color:x?}", seen(connection, at));
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn observed(overlay: &X11Overlay) -> Receiver<OverlayChange> {
    let (sender, receiver) = channel();
    overlay.observe(Box::new(move |change| sender.send(change).unwrap_or_default()));
    receiver
}

/// Every pixel of a region is this one, in a picture that Luna takes.
fn assert_captured(region: Rect, color: [u8; 3]) {
    for capture in [X11Capture::new(), X11Capture::without_shared_memory()] {
        let shot = capture.region(region).unwrap();
        for (index, pixel) in (0_i32..).zip(shot.picture.rgb.chunks_exact(3)) {
            let at = (region.x + index % region.width, region.y + index / region.width);
            assert_eq!(pixel, color, "at {at:?}");
        }
    }
}

// OVL-1, OVL-4
#[test]
fn pictures_are_seen_and_in_no_picture_that_luna_takes_ovl_1_ovl_4() {
    let _screen = screen();
    let window = TestWindow::new(WINDOW);
    let overlay = X11Overlay::new();
    let badge = Rect::new(420, 310, 40, 40);
    let mut round = picture(badge);
    round.argb[..20].fill(0x7fff_d84a);
    let image = OverlayImage { pictures: vec![round], dimmed: vec![WINDOW], darkness: 46, followed: vec![MARK] };
    assert_eq!(overlay.show(image.clone()).unwrap(), OverlaySupport::Opaque);
    let other = &window.connection;
    assert_eq!(seen(other, Point::new(450, 340)), YELLOW);
    assert_eq!(seen(other, Point::new(425, 310)), BACK, "a pixel that is hardly opaque");
    assert_eq!(seen(other, Point::new(700, 500)), BACK, "nothing is darkened without a compositing manager");
    for _ in 0..3 {
        let start = Instant::now();
        assert_captured(Rect::new(400, 290, 100, 80), BACK);
        println!("two pictures with the overlay took {:?}", start.elapsed());
    }
    assert_eq!(seen(other, Point::new(450, 340)), YELLOW, "it is seen all the time");
    // The same picture at another place, then none.
    let moved = Rect { x: 600, ..badge };
    overlay.show(OverlayImage { pictures: vec![picture(moved)], ..image }).unwrap();
    assert_captured(Rect::new(400, 290, 300, 80), BACK);
    wait_for(other, Point::new(450, 340), BACK);
    assert_eq!(seen(other, Point::new(630, 340)), YELLOW);
    overlay.hide().unwrap();
    assert_captured(Rect::new(400, 290, 300, 80), BACK);
    wait_for(other, Point::new(630, 340), BACK);
    overlay.hide().unwrap();
}

// OVL-4
#[test]
fn clicks_fall_through_and_the_focus_stays_ovl_4() {
    let _screen = screen();
    let mut window = TestWindow::new(WINDOW);
    window.focus();
    let overlay = X11Overlay::new();
    overlay.show(image(&[MARK], &[])).unwrap();
    assert_eq!(seen(&window.connection, MARK.center()), YELLOW);
    window.click(MARK.center());
    let press = window.wait_for_press();
    assert_eq!((press.root_x, press.root_y), (460, 330));
    let focus = window.connection.get_input_focus().unwrap().reply().unwrap().focus;
    assert_eq!(focus, window.window);
    // What a hit test of the server finds, and what Luna finds below the mark.
    let found = window.connection.translate_coordinates(window.root, window.root, 460, 330).unwrap().reply().unwrap();
    assert_eq!(found.child, window.window);
    let shown = X11Capture::new().shown(MARK).unwrap();
    assert_eq!(shown.first().map(|one| one.handle), Some(window.window.into()), "{shown:?}");
}

// OVL-4
#[test]
fn nothing_is_left_of_an_overlay_that_is_hidden_or_dropped_ovl_4() {
    let _screen = screen();
    let window = TestWindow::new(WINDOW);
    let count = || {
        let children = window.connection.query_tree(window.root).unwrap().reply().unwrap().children;
        let is_mapped = |window_id: &&u32| {
            let attributes = window.connection.get_window_attributes(**window_id).unwrap().reply();
            attributes.is_ok_and(|one| one.map_state == MapState::VIEWABLE)
        };
        children.iter().filter(is_mapped).count()
    };
    let before = count();
    let overlay = X11Overlay::new();
    overlay.hide().unwrap();
    assert_eq!(count(), before);
    overlay.show(image(&[MARK, Rect::new(0, 0, 30, 30)], &[MARK])).unwrap();
    assert_eq!(count(), before + 2);
    overlay.show(image(&[MARK], &[MARK])).unwrap();
    assert_eq!(count(), before + 1);
    overlay.hide().unwrap();
    assert_eq!(count(), before);
    overlay.show(image(&[MARK], &[MARK])).unwrap();
    drop(overlay);
    let start = Instant::now();
    while count() != before {
        assert!(start.elapsed() < PATIENCE, "the windows are left");
        std::thread::sleep(Duration::from_millis(5));
    }
}

// OVL-1
#[test]
fn moves_drawings_and_the_end_of_the_window_below_are_told_ovl_1() {
    let _screen = screen();
    let window = TestWindow::new(WINDOW);
    let overlay = X11Overlay::new();
    let changes = observed(&overlay);
    let round = Rect::new(390, 290, 140, 5);
    overlay.show(image(&[round], &[MARK])).unwrap();
    assert_eq!(changes.recv_timeout(Duration::from_millis(200)).ok(), None, "nothing happened");
    window.fill(Rect::new(110, 110, 10, 10));
    assert_eq!(changes.recv_timeout(PATIENCE), Ok(OverlayChange::Redrawn { at: MARK }));
    window.fill(Rect::new(110, 110, 10, 10));
    assert_eq!(changes.recv_timeout(Duration::from_millis(200)).ok(), None, "it was told already");
    overlay.rearm().unwrap();
    window.fill(Rect::new(0, 0, 20, 20));
    assert_eq!(changes.recv_timeout(Duration::from_millis(200)).ok(), None, "drawn elsewhere");
    window.move_to(Point::new(330, 180));
    let to = MARK.translated(30, -20);
    let moved = loop {
        match changes.recv_timeout(PATIENCE).unwrap() {
            OverlayChange::Redrawn { .. } => {}
            moved => break moved,
        }
    };
    assert_eq!(moved, OverlayChange::Moved { from: MARK, to });
    overlay.show(image(&[round.translated(30, -20)], &[to])).unwrap();
    while changes.recv_timeout(Duration::from_millis(200)).is_ok() {}
    overlay.rearm().unwrap();
    let above = TestWindow::new(to);
    assert_eq!(changes.recv_timeout(PATIENCE), Ok(OverlayChange::Redrawn { at: to }), "a window came above");
    drop(above);
    drop(window);
    let gone = loop {
        match changes.recv_timeout(PATIENCE).unwrap() {
            OverlayChange::Redrawn { .. } => {}
            gone => break gone,
        }
    };
    assert_eq!(gone, OverlayChange::Vanished { at: to });
}

// OVL-2
#[test]
fn what_comes_above_does_not_hide_the_marks_ovl_2() {
    let _screen = screen();
    let window = TestWindow::new(WINDOW);
    let overlay = X11Overlay::new();
    overlay.show(image(&[MARK], &[MARK])).unwrap();
    let above = TestWindow::new(WINDOW);
    wait_for(&window.connection, MARK.center(), YELLOW);
    drop(above);
}

// OVL-1
#[test]
fn the_first_frame_is_quick_and_nothing_costs_processor_time_after_it_ovl_1() {
    let _screen = screen();
    let _window = TestWindow::new(WINDOW);
    let mut times = Vec::new();
    for _ in 0..5 {
        let overlay = X11Overlay::new();
        let start = Instant::now();
        overlay.show(image(&[MARK, Rect::new(0, 0, 1900, 10), Rect::new(0, 0, 30, 30)], &[MARK])).unwrap();
        times.push(start.elapsed());
    }
    times.sort_unstable();
    println!("first frames after {times:?}");
    assert!(times[2] < Duration::from_millis(50), "{times:?}");
    let overlay = X11Overlay::new();
    overlay.show(image(&[MARK], &[MARK])).unwrap();
    // After the last event, and the time for which places count as covered.
    std::thread::sleep(Duration::from_millis(300));
    let before = overlay_thread_time();
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(overlay_thread_time(), before, "nanoseconds on a processor, and how often it was given one");
}

/// Processor time of the threads that show overlays, and how often they were woken.
fn overlay_thread_time() -> (u64, u64) {
    let mut total = (0, 0);
    for thread in std::fs::read_dir("/proc/self/task").unwrap().flatten() {
        let read = |name: &str| std::fs::read_to_string(thread.path().join(name)).unwrap_or_default();
        if read("comm").trim() == "luna-overlay" {
            let numbers: Vec<u64> = read("schedstat").split_whitespace().map(|one| one.parse().unwrap()).collect();
            total = (total.0 + numbers[0], total.1 + numbers[2]);
        }
    }
    assert!(total.1 > 0, "no thread shows anything");
    total
}
