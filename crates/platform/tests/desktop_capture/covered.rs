//! Windows that others cover, captured from their own pictures (SES-5).

use luna_messages::pick::ShownWindow;
use x11rb::protocol::composite::{ConnectionExt as _, Redirect};

use super::*;

// SES-5
#[test]
fn a_covered_window_is_captured_without_what_covers_it_ses_5() {
    covered_windows_are_captured();
}

// SES-5
#[test]
fn a_covered_window_is_captured_under_a_compositing_manager_ses_5() {
    let server = XServer::new("1280x1024x24", &[]);
    let mut helper = helper_named(&server.name, "covered::a_covered_window_is_captured_without_what_covers_it_ses_5");
    let output = helper.env("LUNA_TEST_COMPOSITED", "1").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

// SES-5
#[test]
fn without_the_extension_a_covered_window_has_no_picture_of_its_own_ses_5() {
    let server = XServer::new("1280x1024x24", &["-extension", "Composite"]);
    let mut helper = helper_named(&server.name, "covered::a_covered_window_is_captured_without_what_covers_it_ses_5");
    let output = helper.env("LUNA_TEST_NO_PICTURES", "1").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

const COVER: [u8; 3] = [0xd0, 0x10, 0x10];

/// A window of the colour [`BACK`] that draws what was covered once it is uncovered, if it `draws`, and a window of the
/// colour [`COVER`] over its right half.
fn covered_windows_are_captured() {
    let (connection, screen) =
        x11rb::connect(None).expect("this test needs an X display; run it inside an X session (DISPLAY)");
    let _compositor = std::env::var_os("LUNA_TEST_COMPOSITED").map(|_| Compositor::start(screen));
    let bounds = Rect::new(1000, 600, 160, 90);
    let cover = Rect::new(bounds.x + 80, bounds.y - 10, 120, 60);
    let is_covered = |x: i32, y: i32| cover.contains(Point::new(bounds.x + x, bounds.y + y));
    for draws in [true, false] {
        let window = Drawer::start(bounds, BACK, draws);
        let above = Drawer::start(cover, COVER, true);
        for (method, capture) in captures() {
            let shown = capture.shown(bounds).unwrap();
            assert_eq!(shown.len(), 2, "{method}: {shown:?}");
            let own = ShownWindow { handle: window.id.into(), bounds };
            assert_eq!(shown[1], own);
            let start = Instant::now();
            let shot = capture.window(own, bounds).unwrap();
            println!("{method}, draws {draws}: {:?}", start.elapsed());
            if std::env::var_os("LUNA_TEST_NO_PICTURES").is_some() {
                assert_eq!(shot, None, "{method}");
                continue;
            }
            let shot = shot.unwrap();
            assert_eq!(shot.region, bounds, "{method}");
            let is_kept = std::env::var_os("LUNA_TEST_COMPOSITED").is_some();
            for (index, pixel) in (0..).zip(shot.picture.rgb.chunks_exact(3)) {
                let (x, y) = (index % bounds.width, index / bounds.width);
                let black = is_covered(x, y) && !draws && !is_kept;
                assert_eq!(pixel, if black { [0; 3] } else { BACK }, "{method}, draws {draws}: {x}, {y}");
            }
            // A part of it, by its place on the desktop.
            let part = Rect::new(bounds.x - 5, bounds.y + 20, 30, 10);
            assert_eq!(capture.window(own, part).unwrap().unwrap().region, Rect::new(bounds.x, bounds.y + 20, 25, 10));
            // The screen is as before, and nothing keeps the picture any longer.
            let screen = capture.region(cover).unwrap();
            assert!(screen.picture.rgb.chunks_exact(3).all(|pixel| pixel == COVER), "{method}");
            let pixmap = connection.generate_id().unwrap();
            let keeps = connection.composite_name_window_pixmap(window.id, pixmap).unwrap().check().is_ok();
            assert_eq!(keeps, is_kept, "{method}");
            let gone = ShownWindow { handle: 1 << 40, bounds };
            assert_eq!(capture.window(gone, bounds), Ok(None));
        }
        drop(above);
        drop(window);
    }
}

/// A window that a thread draws at each exposure, as applications do.
struct Drawer {
    id: u32,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Drawer {
    /// `draws`: also after the first time.
    fn start(bounds: Rect, colour: [u8; 3], draws: bool) -> Self {
        let (sender, ready) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || Self::run(bounds, colour, draws, &sender));
        let id = ready.recv_timeout(Duration::from_secs(20)).unwrap();
        Self { id, thread: Some(thread) }
    }

    fn run(bounds: Rect, colour: [u8; 3], draws: bool, ready: &std::sync::mpsc::Sender<u32>) {
        let (connection, screen) = x11rb::connect(None).unwrap();
        let root = &connection.setup().roots[screen];
        let (id, gc) = (connection.generate_id().unwrap(), connection.generate_id().unwrap());
        let (x, y) = (bounds.x.try_into().unwrap(), bounds.y.try_into().unwrap());
        let (width, height) = (bounds.width.try_into().unwrap(), bounds.height.try_into().unwrap());
        // Without a background, as GTK: what was not drawn shows whatever was there before.
        let look = CreateWindowAux::new()
            .background_pixmap(x11rb::NONE)
            .override_redirect(1)
            .event_mask(EventMask::EXPOSURE | EventMask::STRUCTURE_NOTIFY);
        connection
            .create_window(0, id, root.root, x, y, width, height, 0, WindowClass::INPUT_OUTPUT, 0, &look)
            .unwrap();
        connection.create_gc(gc, id, &CreateGCAux::new().foreground(pixel(colour))).unwrap();
        connection.map_window(id).unwrap();
        connection.flush().unwrap();
        let mut is_drawn = false;
        loop {
            match connection.wait_for_event().unwrap() {
                Event::Expose(part) => {
                    let (x, y) = (part.x.try_into().unwrap(), part.y.try_into().unwrap());
                    let part_of = Rectangle { x, y, width: part.width, height: part.height };
                    if draws || !is_drawn {
                        connection.poly_fill_rectangle(id, gc, &[part_of]).unwrap();
                        connection.sync().unwrap();
                    }
                    if part.count == 0 && !is_drawn {
                        is_drawn = true;
                        ready.send(id).unwrap();
                    }
                }
                Event::DestroyNotify(_) => return,
                _ => {}
            }
        }
    }
}

impl Drop for Drawer {
    fn drop(&mut self) {
        let (connection, _) = x11rb::connect(None).unwrap();
        connection.destroy_window(self.id).unwrap();
        connection.sync().unwrap();
        let _ = self.thread.take().unwrap().join();
    }
}

/// Says that it is a compositing manager, and has the server keep the pictures of all windows.
struct Compositor {
    /// Ends with the connection.
    _connection: RustConnection,
}

impl Compositor {
    fn start(screen: usize) -> Self {
        let (connection, _) = x11rb::connect(None).unwrap();
        let root = connection.setup().roots[screen].root;
        connection.composite_query_version(0, 4).unwrap().reply().unwrap();
        connection.composite_redirect_subwindows(root, Redirect::AUTOMATIC).unwrap().check().unwrap();
        let owner = connection.generate_id().unwrap();
        let look = CreateWindowAux::new();
        connection.create_window(0, owner, root, 0, 0, 1, 1, 0, WindowClass::INPUT_ONLY, 0, &look).unwrap();
        let name = format!("_NET_WM_CM_S{screen}");
        let selection = connection.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom;
        connection.set_selection_owner(owner, selection, x11rb::CURRENT_TIME).unwrap().check().unwrap();
        Self { _connection: connection }
    }
}
