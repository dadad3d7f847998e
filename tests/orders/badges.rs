//! What a question is about is seen on the screen while it is open.

use std::time::{Duration, Instant};

use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _, ImageFormat, MapState};
use x11rb::rust_connection::RustConnection;

use super::*;

const PATIENCE: Duration = Duration::from_secs(10);
/// The default of `overlay.color`, as bytes of a pixel.
const YELLOW: [u8; 3] = [0x4a, 0xd8, 0xff];

/// A mark of Luna on the screen.
#[derive(Debug, PartialEq, Eq)]
struct SeenMark {
    x: i16,
    y: i16,
    width: u16,
    height: u16,
    /// How many pixels have the colour of numbers and boxes.
    yellow: usize,
}

/// All marks that are seen now.
fn marks(connection: &RustConnection) -> Vec<SeenMark> {
    let root = connection.setup().roots[0].root;
    let mark = connection.intern_atom(false, b"_LUNA_OVERLAY").unwrap().reply().unwrap().atom;
    let windows = connection.query_tree(root).unwrap().reply().unwrap().children;
    let seen = windows.into_iter().filter_map(|window| {
        let property = connection.get_property(false, window, mark, AtomEnum::ANY, 0, 1).ok()?.reply().ok()?;
        let attributes = connection.get_window_attributes(window).ok()?.reply().ok()?;
        if property.type_ == x11rb::NONE || attributes.map_state != MapState::VIEWABLE {
            return None;
        }
        let place = connection.get_geometry(window).ok()?.reply().ok()?;
        let (x, y, width, height) = (place.x, place.y, place.width, place.height);
        let image = connection.get_image(ImageFormat::Z_PIXMAP, root, x, y, width, height, !0).ok()?.reply().ok()?;
        let yellow = image.data.chunks_exact(4).filter(|pixel| pixel[..3] == YELLOW).count();
        Some(SeenMark { x, y, width, height, yellow })
    });
    seen.collect()
}

/// The marks, once they are as expected.
#[track_caller]
fn wait_for(connection: &RustConnection, what: &str, is_expected: impl Fn(&[SeenMark]) -> bool) -> Vec<SeenMark> {
    let start = Instant::now();
    loop {
        let marks = marks(connection);
        if is_expected(&marks) {
            return marks;
        }
        assert!(start.elapsed() < PATIENCE, "not {what}: {marks:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn badges(marks: &[SeenMark]) -> Vec<&SeenMark> {
    marks.iter().filter(|mark| mark.width == mark.height).collect()
}

// OVL-2, OVL-3, EXE-3
#[test]
fn badges_are_seen_while_the_question_is_open_ovl_2_ovl_3_exe_3() {
    let _turn = take_turns();
    let mut scene = OrderScene::new("Badges", &[]);
    let (screen, _) = x11rb::connect(None).unwrap();
    scene.program.order("rename first Save 저장");
    assert_eq!(marks(&screen), []);
    scene.does("저장 눌러", "clarify");
    let seen = wait_for(&screen, "two badges and the chip", |marks| badges(marks).len() == 2 && marks.len() == 3);
    let badges = badges(&seen);
    assert!(badges.iter().all(|badge| badge.yellow > 20), "{seen:?}");
    let [first, second] = badges[..] else { unreachable!() };
    let apart = i32::from(first.x).abs_diff(second.x.into()).max(i32::from(first.y).abs_diff(second.y.into()));
    assert!(apart >= u32::from(first.width), "{seen:?}");
    // A click goes through a badge, and the question stays open for it: nothing of the program was done.
    assert_eq!(scene.program.done(), [""; 0]);
    scene.answers("2번", "failed");
    assert_eq!(scene.program.done(), ["save clicked"]);
    wait_for(&screen, "nothing", <[SeenMark]>::is_empty);
}

// OVL-1, DNG-1
#[test]
fn nothing_is_marked_if_the_overlay_is_switched_off_ovl_1() {
    let _turn = take_turns();
    let mut scene = OrderScene::new("No badges", &["overlay.enabled=false"]);
    let (screen, _) = x11rb::connect(None).unwrap();
    scene.program.order("rename first Save 저장");
    scene.does("저장 눌러", "clarify");
    scene.luna.hears("2개가 있어요");
    assert_eq!(marks(&screen), []);
}
