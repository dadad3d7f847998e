//! With a compositing manager: the rest is darkened, and what it darkens is in no picture that Luna takes.

use super::*;

/// A compositing manager that ends when it is dropped.
struct CompositingManager(Child);

impl CompositingManager {
    fn start(connection: &RustConnection) -> Self {
        let named = std::env::var("LUNA_TEST_COMPOSITOR").ok();
        let programs: Vec<Vec<String>> = match named {
            Some(named) => vec![named.split_whitespace().map(str::to_owned).collect()],
            None => [vec!["xcompmgr"], vec!["picom", "--config", "/dev/null", "--backend", "xrender"]]
                .map(|words| words.into_iter().map(str::to_owned).collect())
                .into(),
        };
        for words in &programs {
            let started = Command::new(&words[0]).args(&words[1..]).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
            let Ok(child) = started else { continue };
            let manager = Self(child);
            let selection = connection.intern_atom(false, b"_NET_WM_CM_S0").unwrap().reply().unwrap().atom;
            let start = Instant::now();
            while connection.get_selection_owner(selection).unwrap().reply().unwrap().owner == 0 {
                assert!(start.elapsed() < PATIENCE, "{words:?} does not composite");
                std::thread::sleep(Duration::from_millis(10));
            }
            return manager;
        }
        panic!("none of {programs:?} is installed; scripts/setup.sh test installs xcompmgr");
    }
}

impl Drop for CompositingManager {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A color darkened by 0.18.
fn darkened(color: [u8; 3]) -> [u8; 3] {
    color.map(|one| u8::try_from((u32::from(one) * (255 - 46) + 127) / 255).unwrap())
}

fn is_near(color: [u8; 3], other: [u8; 3]) -> bool {
    color.iter().zip(other).all(|(one, other)| one.abs_diff(other) <= 1)
}

fn wait_until_near(connection: &RustConnection, at: Point, color: [u8; 3]) {
    let start = Instant::now();
    while !is_near(seen(connection, at), color) {
        assert!(start.elapsed() < PATIENCE, "{at:?} is {:x?}, not {color:x?}", seen(connection, at));
        std::thread::sleep(Duration::from_millis(5));
    }
}

// OVL-1, OVL-4
#[test]
fn the_rest_is_darkened_and_no_picture_that_luna_takes_is_ovl_1_ovl_4() {
    let _screen = screen();
    let mut window = TestWindow::new(WINDOW);
    let overlay = X11Overlay::new();
    let dimmed = vec![Rect::new(0, 0, 1900, 200), Rect::new(600, 200, 1300, 800)];
    let badge = Rect::new(420, 310, 40, 40);
    let shown = OverlayImage { pictures: vec![picture(badge)], dimmed, darkness: 46, followed: vec![MARK] };
    assert_eq!(overlay.show(shown.clone()).unwrap(), OverlaySupport::Opaque);
    let compositor = CompositingManager::start(&window.connection);
    // What is shown already becomes translucent.
    let (dark, light) = (Point::new(700, 500), Point::new(500, 500));
    wait_until_near(&window.connection, dark, darkened(BACK));
    assert_eq!(overlay.show(shown.clone()).unwrap(), OverlaySupport::Translucent);
    wait_until_near(&window.connection, dark, darkened(BACK));
    assert!(is_near(seen(&window.connection, light), BACK));
    wait_until_near(&window.connection, badge.center(), YELLOW);
    for region in [Rect::new(400, 290, 100, 80), Rect::new(550, 400, 200, 100)] {
        let start = Instant::now();
        assert_captured(region, BACK);
        println!("two pictures of {region:?} took {:?}", start.elapsed());
    }
    assert!(is_near(seen(&window.connection, dark), darkened(BACK)), "it is seen all the time");
    window.click(Point::new(700, 500));
    assert_eq!(window.wait_for_press().root_x, 700);
    overlay.hide().unwrap();
    assert_captured(Rect::new(550, 400, 200, 100), BACK);
    wait_until_near(&window.connection, dark, BACK);

    // Without the compositing manager a translucent window would be black all over the screen.
    overlay.show(shown).unwrap();
    wait_until_near(&window.connection, dark, darkened(BACK));
    drop(compositor);
    wait_until_near(&window.connection, dark, BACK);
    wait_until_near(&window.connection, badge.center(), YELLOW);
}
