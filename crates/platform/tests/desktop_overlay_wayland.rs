//! The overlay on a real Wayland compositor (OVL-1, OVL-2, OVL-4): headless sway with two monitors of different scale, seen by copies of its frames. Each
//! test runs in a session of its own; it needs `sway`, `wtype`, `dbus` and `libglib2.0-bin`, and fails with a message that names what is missing.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use luna_messages::overlay::{OverlayImage, OverlaySupport};
use luna_messages::{Lang, Rect};
use luna_overlay::image::image;
use luna_overlay::scene::{OverlayLook, OverlayScene, SceneMonitor, SceneTarget};
use luna_platform::overlay::wayland::WaylandOverlay;
use luna_platform::overlay::{self, OverlayMonitor, ScreenOverlay};

#[path = "desktop_overlay_wayland/desktop.rs"]
mod desktop;
#[path = "desktop_overlay_wayland/session.rs"]
mod session;

use desktop::{BACK, MonitorPicture, TestDesktop, WindowEvents};
use session::{in_session, nested, outer_sway, sway, sway_process};

const PATIENCE: Duration = Duration::from_secs(10);
const YELLOW: [u8; 3] = [0xff, 0xd8, 0x4a];
const FIRST: &str = "HEADLESS-1";
const SECOND: &str = "HEADLESS-2";
const THIRD: &str = "HEADLESS-3";
/// A text on the first monitor, and one on the second.
const WORD: Rect = Rect::new(400, 300, 120, 60);
const OTHER_WORD: Rect = Rect::new(1280 + 200, 150, 120, 60);

const LOOK: OverlayLook =
    OverlayLook { color: YELLOW, darkness: 0.18, corner_radius: 10, high_contrast: false, lang: Lang::En };

/// A color darkened by 0.18.
fn darkened(color: [u8; 3]) -> [u8; 3] {
    color.map(|one| u8::try_from((u32::from(one) * (255 - 46) + 127) / 255).unwrap())
}

fn is_near(color: [u8; 3], other: [u8; 3]) -> bool {
    color.iter().zip(other).all(|(one, other)| one.abs_diff(other) <= 2)
}

/// The scene on the monitors that the overlay tells, as the actor draws it.
fn drawn(overlay: &dyn ScreenOverlay, scene: &OverlayScene) -> OverlayImage {
    let monitors = overlay.monitors().unwrap().expect("the compositor has units of its own");
    let monitor = |one: OverlayMonitor| SceneMonitor { bounds: one.bounds, scale: 1.0, density: one.density };
    image(scene, &monitors.into_iter().map(monitor).collect::<Vec<_>>(), &LOOK, None)
}

fn marked(bbox: Rect, pinned: bool) -> OverlayScene {
    OverlayScene { target: Some(SceneTarget { bbox, pinned }), ..OverlayScene::default() }
}

/// Windows of the color [`BACK`] over both monitors; that on the first one has the keyboard focus.
fn two_windows() -> TestDesktop {
    let mut desktop = TestDesktop::new();
    for output in [SECOND, FIRST] {
        sway(&[&format!("focus output {output}")]);
        desktop.open_window();
        let full = |picture: &MonitorPicture| {
            picture.at(0, 0) == BACK && picture.at(picture.width - 1, picture.height - 1) == BACK
        };
        desktop.picture_until(output, "the window", full);
    }
    desktop
}

/// How many pixels below each other have a color, from the first one on in a column.
fn run(picture: &MonitorPicture, x: usize, from: usize, color: [u8; 3]) -> (usize, usize) {
    let start = (from..picture.height).find(|y| picture.at(x, *y) == color).expect("the color is in the column");
    let end = (start..picture.height).find(|y| picture.at(x, *y) != color).unwrap_or(picture.height);
    (start, end - start)
}

// OVL-1, OVL-2, PIC-7
#[test]
fn marks_are_seen_on_each_monitor_in_its_own_pixels_ovl_1_ovl_2_pic_7() {
    in_session("marks_are_seen_on_each_monitor_in_its_own_pixels_ovl_1_ovl_2_pic_7", || {
        let mut desktop = two_windows();
        // What the product uses chooses this compositor by itself.
        let overlay = overlay::system();
        assert_eq!(overlay.support().unwrap(), OverlaySupport::Translucent);
        let monitors = overlay.monitors().unwrap().unwrap();
        let expect = [(Rect::new(0, 0, 1280, 800), 1), (Rect::new(1280, 0, 640, 400), 2)];
        assert_eq!(monitors.iter().map(|one| (one.bounds, one.density)).collect::<Vec<_>>(), expect);
        // Box, and the rest of both monitors darker. The line lies 3 to 7 units outside of the word.
        let support = overlay.show(drawn(&*overlay, &marked(WORD, false))).unwrap();
        assert_eq!(support, OverlaySupport::Translucent);
        let seen = desktop.picture_until(FIRST, "the box", |picture| picture.at(460, 295) == YELLOW);
        assert_eq!(run(&seen, 460, 200, YELLOW), (293, 4));
        assert_eq!((seen.at(460, 297), seen.at(460, 330)), (BACK, BACK), "inside of the box");
        assert!(is_near(seen.at(460, 291), darkened(BACK)), "{:x?}", seen.at(460, 291));
        let other = desktop.picture(SECOND);
        for (x, y) in [(0, 0), (640, 400), (1279, 799)] {
            assert!(is_near(other.at(x, y), darkened(BACK)), "{:x?} at {x}, {y}", other.at(x, y));
        }
        // The same on the other monitor: twice as many pixels, and nothing of it on the first one.
        overlay.show(drawn(&*overlay, &marked(OTHER_WORD, false))).unwrap();
        let seen = desktop.picture_until(SECOND, "the box", |picture| picture.at(520, 290) == YELLOW);
        assert_eq!(run(&seen, 520, 100, YELLOW), (2 * 143, 8));
        assert_eq!(seen.at(520, 360), BACK);
        let first = desktop.picture(FIRST);
        assert!(is_near(first.at(460, 295), darkened(BACK)));
        // Pinned: two lines in place of one.
        overlay.show(drawn(&*overlay, &marked(OTHER_WORD, true))).unwrap();
        let seen = desktop.picture_until(SECOND, "the pinned box", |picture| picture.at(520, 290) != YELLOW);
        assert_eq!(run(&seen, 520, 100, YELLOW).0, 2 * 143);
        assert!(run(&seen, 520, 291, YELLOW).0 < 2 * 147);
        // Badges beside two options, without darkness.
        let badges = vec![(1, WORD), (2, OTHER_WORD)];
        overlay.show(drawn(&*overlay, &OverlayScene { badges, ..OverlayScene::default() })).unwrap();
        for (output, density, [x, y]) in [(FIRST, 1, [381, 330]), (SECOND, 2, [181, 180])] {
            let count = |picture: &MonitorPicture| {
                let half = 15 * density;
                let near = |middle: usize| (density * middle - half)..(density * middle + half);
                let all = near(y).flat_map(|y| near(x).map(move |x| (x, y)));
                all.filter(|(x, y)| picture.at(*x, *y) == [0x14, 0x16, 0x1a]).count()
            };
            let seen = desktop.picture_until(output, "the badge", |picture| count(picture) > 150 * density * density);
            assert_eq!(seen.at(2, 2), BACK, "nothing is darkened");
        }
    });
}

// OVL-4
#[test]
fn clicks_fall_through_and_the_keyboard_stays_ovl_4() {
    in_session("clicks_fall_through_and_the_keyboard_stays_ovl_4", || {
        let mut desktop = two_windows();
        desktop.take_pointer(FIRST);
        desktop.click([600, 600]);
        desktop.until("the first click", |state| state.events.presses == 1);
        let before = desktop.events();
        assert_eq!(before.focused, before.unfocused + 1, "one of the windows has the keyboard focus");
        let overlay = WaylandOverlay::new();
        // The pointer is on the line of the box, and elsewhere on what is darkened.
        for (presses, place) in [(2, [460, 295]), (3, [900, 200])] {
            overlay.show(drawn(&overlay, &marked(WORD, false))).unwrap();
            // Not where the pointer's own picture may lie.
            desktop.picture_until(FIRST, "the box", |picture| picture.at(420, 295) == YELLOW);
            desktop.click(place);
            desktop.until("the click", |state| state.events.presses == presses);
            let events = desktop.events();
            assert_eq!(events.pointer, Some(place.map(f64::from)));
            overlay.hide().unwrap();
        }
        let events = desktop.events();
        let focus = |events: WindowEvents| (events.focused, events.unfocused);
        assert_eq!(focus(events), focus(before), "the keyboard focus never moved");
    });
}

// OVL-4
#[test]
fn nothing_is_left_of_what_is_hidden_or_dropped_ovl_4() {
    in_session("nothing_is_left_of_what_is_hidden_or_dropped_ovl_4", || {
        let mut desktop = two_windows();
        let before = [FIRST, SECOND].map(|output| desktop.picture(output));
        let overlay = WaylandOverlay::new();
        overlay.hide().unwrap();
        let is_left = |desktop: &mut TestDesktop| {
            for (output, before) in [FIRST, SECOND].into_iter().zip(&before) {
                desktop.picture_until(output, "what was there before", |picture| picture == before);
            }
        };
        let shown = |desktop: &mut TestDesktop, overlay: &WaylandOverlay| {
            overlay.show(drawn(overlay, &marked(WORD, false))).unwrap();
            desktop.picture_until(FIRST, "the box", |picture| picture.at(460, 295) == YELLOW);
        };
        shown(&mut desktop, &overlay);
        overlay.hide().unwrap();
        is_left(&mut desktop);
        // Fewer parts than before, and none on a monitor.
        shown(&mut desktop, &overlay);
        let badges = vec![(1, OTHER_WORD)];
        overlay.show(drawn(&overlay, &OverlayScene { badges, ..OverlayScene::default() })).unwrap();
        desktop.picture_until(FIRST, "what was there before", |picture| *picture == before[0]);
        shown(&mut desktop, &overlay);
        drop(overlay);
        is_left(&mut desktop);
    });
}

// OVL-1, PIC-7
#[test]
fn marks_stay_in_place_while_monitors_come_go_and_change_ovl_1_pic_7() {
    in_session("marks_stay_in_place_while_monitors_come_go_and_change_ovl_1_pic_7", || {
        let mut desktop = two_windows();
        let overlay = WaylandOverlay::new();
        let shown = drawn(&overlay, &marked(OTHER_WORD, false));
        overlay.show(shown.clone()).unwrap();
        let is_at = |scale: usize| move |picture: &MonitorPicture| picture.at(260 * scale, 145 * scale) == YELLOW;
        desktop.picture_until(SECOND, "the box", is_at(2));
        // The same place in the layout has other pixels then.
        sway(&["output HEADLESS-2 scale 1"]);
        desktop.picture_until(SECOND, "the box at scale 1", is_at(1));
        sway(&["output HEADLESS-2 scale 1.5"]);
        let near = |picture: &MonitorPicture| is_near(picture.at(390, 217), YELLOW);
        desktop.picture_until(SECOND, "the box at scale 1.5", near);
        sway(&["output HEADLESS-2 scale 2 position 1180 0"]);
        let moved = |picture: &MonitorPicture| picture.at(720, 290) == YELLOW;
        desktop.picture_until(SECOND, "the box on the moved monitor", moved);
        // A new monitor shows what lies at its place.
        sway(&["create_output"]);
        sway(&["output HEADLESS-3 resolution 1280x800 position 1380 0"]);
        desktop.until("the name of the new monitor", |state| state.knows(THIRD));
        let on_new = |picture: &MonitorPicture| picture.at(160, 145) == YELLOW;
        desktop.picture_until(THIRD, "the box on the new monitor", on_new);
        assert_eq!(overlay.show(shown).unwrap(), OverlaySupport::Translucent);
        overlay.hide().unwrap();
        for output in [SECOND, THIRD] {
            let is_free = |picture: &MonitorPicture| picture.at(720, 290) != YELLOW && picture.at(160, 145) != YELLOW;
            desktop.picture_until(output, "no box", is_free);
        }
    });
}

// OVL-1
#[test]
fn a_monitor_that_goes_takes_only_its_own_marks_ovl_1() {
    const NAME: &str = "a_monitor_that_goes_takes_only_its_own_marks_ovl_1";
    let body = || {
        let count = |overlay: &WaylandOverlay| overlay.monitors().unwrap().unwrap().len();
        let until = |overlay: &WaylandOverlay, monitors: usize| {
            let start = Instant::now();
            while count(overlay) != monitors {
                assert!(start.elapsed() < PATIENCE, "there are {} monitors, not {monitors}", count(overlay));
                std::thread::sleep(Duration::from_millis(5));
            }
        };
        let overlay = WaylandOverlay::new();
        until(&overlay, 2);
        let mut desktop = TestDesktop::new();
        let badges = vec![(1, Rect::new(100, 100, 80, 20)), (2, Rect::new(2100, 100, 80, 20))];
        let shown = drawn(&overlay, &OverlayScene { badges, ..OverlayScene::default() });
        overlay.show(shown.clone()).unwrap();
        let badge = |picture: &MonitorPicture| picture.at(70, 110) == [0x14, 0x16, 0x1a];
        for output in ["WL-1", "WL-2"] {
            desktop.picture_until(output, "the badge", badge);
        }
        outer_sway(&["[title=WL-2] kill"]);
        until(&overlay, 1);
        desktop.picture_until("WL-1", "the badge", badge);
        // What is shown already comes with the next monitor at that place.
        sway(&["create_output"]);
        sway(&["output WL-3 position 2000 0"]);
        until(&overlay, 2);
        desktop.until("the name of the new monitor", |state| state.knows("WL-3"));
        desktop.picture_until("WL-3", "the badge", badge);
        overlay.show(shown).unwrap();
        overlay.hide().unwrap();
        for output in ["WL-1", "WL-3"] {
            desktop.picture_until(output, "no badge", |picture| !badge(picture));
        }
    };
    in_session(NAME, || nested(NAME, body));
}

// OVL-1
#[test]
fn without_the_compositor_there_is_an_error_and_a_new_one_is_found_ovl_1() {
    in_session("without_the_compositor_there_is_an_error_and_a_new_one_is_found_ovl_1", || {
        let overlay = WaylandOverlay::new();
        let shown = drawn(&overlay, &marked(WORD, false));
        overlay.show(shown.clone()).unwrap();
        assert!(Command::new("kill").args(["-9", &sway_process()]).status().unwrap().success());
        let folder = std::env::var("LUNA_WAYLAND_DIR").unwrap();
        let start = Instant::now();
        while !overlay_threads().is_empty() {
            assert!(start.elapsed() < PATIENCE, "the thread goes on without a compositor");
            std::thread::sleep(Duration::from_millis(2));
        }
        let start = Instant::now();
        let error = overlay.show(shown.clone()).unwrap_err().to_string();
        assert!(error.contains("Wayland compositor"), "{error}");
        let took = start.elapsed();
        assert!(took < Duration::from_millis(900), "the error came after {took:?}");
        assert!(overlay.support().is_err() && overlay.monitors().is_err());
        overlay.hide().unwrap_or_default();
        for file in std::fs::read_dir(&folder).unwrap().flatten() {
            let name = file.file_name().to_string_lossy().into_owned();
            if name.starts_with("wayland-") || name.starts_with("sway-ipc") {
                std::fs::remove_file(file.path()).unwrap();
            }
        }
        let config = format!("{folder}/sway.conf");
        let silent = Stdio::null;
        let mut again = Command::new("sway").args(["-c", &config]).stdout(silent()).stderr(silent()).spawn().unwrap();
        let start = Instant::now();
        while overlay.support().is_err() {
            assert!(start.elapsed() < PATIENCE, "sway does not start again");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(overlay.show(shown).unwrap(), OverlaySupport::Translucent);
        let mut desktop = TestDesktop::new();
        desktop.picture_until(FIRST, "the box", |picture| picture.at(460, 295) == YELLOW);
        again.kill().unwrap();
        again.wait().unwrap();
    });
}

// OVL-1
#[test]
fn the_first_frame_is_quick_and_nothing_costs_processor_time_after_it_ovl_1() {
    in_session("the_first_frame_is_quick_and_nothing_costs_processor_time_after_it_ovl_1", || {
        let mut desktop = two_windows();
        let overlay = WaylandOverlay::new();
        let mut times = Vec::new();
        for _ in 0..50 {
            let shown = drawn(&overlay, &marked(WORD, false));
            let start = Instant::now();
            overlay.show(shown).unwrap();
            let called = start.elapsed();
            desktop.picture_until(FIRST, "the box", |picture| picture.at(460, 295) == YELLOW);
            times.push((start.elapsed(), called));
            overlay.hide().unwrap();
            desktop.picture_until(FIRST, "the window", |picture| picture.at(460, 295) == BACK);
        }
        times.sort_unstable();
        let calls = {
            let mut calls: Vec<Duration> = times.iter().map(|(_, called)| *called).collect();
            calls.sort_unstable();
            calls
        };
        println!(
            "seen after {:?}, p95 {:?}; the call took {:?}, p95 {:?}",
            times[25].0, times[47].0, calls[25], calls[47]
        );
        assert!(times[25].0 < Duration::from_millis(50), "{times:?}");
        overlay.show(drawn(&overlay, &marked(WORD, false))).unwrap();
        // After the frame in which the compositor takes the buffers.
        desktop.picture_until(FIRST, "the box", |picture| picture.at(460, 295) == YELLOW);
        std::thread::sleep(Duration::from_millis(200));
        let before = overlay_thread_time();
        std::thread::sleep(Duration::from_secs(1));
        assert_eq!(overlay_thread_time(), before, "nanoseconds on a processor, and how often it was given one");
    });
}

/// The threads that show overlays, each by what the system tells of its processor time.
fn overlay_threads() -> Vec<String> {
    let threads = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    let read =
        |thread: &std::fs::DirEntry, name: &str| std::fs::read_to_string(thread.path().join(name)).unwrap_or_default();
    let ours = threads.filter(|thread| read(thread, "comm").trim() == "luna-overlay");
    ours.map(|thread| read(&thread, "schedstat")).collect()
}

/// Processor time of the thread that shows the overlay, and how often it was woken.
fn overlay_thread_time() -> (u64, u64) {
    let told = overlay_threads();
    let [one] = &told[..] else { panic!("{} threads show something", told.len()) };
    let numbers: Vec<u64> = one.split_whitespace().map(|one| one.parse().unwrap()).collect();
    (numbers[0], numbers[2])
}
