//! A window of one colour, which draws itself again when it is uncovered.

use super::*;

pub const BACK: [u8; 3] = [0x12, 0x84, 0xf6];

pub struct TestWindow {
    pub connection: RustConnection,
    pub root: u32,
    pub window: u32,
}

fn pixel(rgb: [u8; 3]) -> u32 {
    u32::from_be_bytes([0, rgb[0], rgb[1], rgb[2]])
}

impl TestWindow {
    /// A window that no window manager moves. The server itself draws it.
    pub fn new(bounds: Rect) -> Self {
        let (connection, screen) = x11rb::connect(None).unwrap();
        let root = connection.setup().roots[screen].root;
        let window = connection.generate_id().unwrap();
        let look = CreateWindowAux::new()
            .background_pixel(pixel(BACK))
            .override_redirect(1)
            .event_mask(EventMask::EXPOSURE | EventMask::BUTTON_PRESS | EventMask::STRUCTURE_NOTIFY);
        let [x, y] = [bounds.x, bounds.y].map(|one| i16::try_from(one).unwrap());
        let [width, height] = [bounds.width, bounds.height].map(|one| u16::try_from(one).unwrap());
        connection.create_window(0, window, root, x, y, width, height, 0, WindowClass::INPUT_OUTPUT, 0, &look).unwrap();
        connection.map_window(window).unwrap();
        connection.flush().unwrap();
        while !matches!(connection.wait_for_event().unwrap(), Event::Expose(_)) {}
        Self { connection, root, window }
    }

    pub fn focus(&self) {
        let parent = x11rb::protocol::xproto::InputFocus::PARENT;
        self.connection.set_input_focus(parent, self.window, x11rb::CURRENT_TIME).unwrap();
        self.connection.sync().unwrap();
    }

    /// Draws a part of the window anew.
    pub fn fill(&self, part: Rect) {
        let [x, y] = [part.x, part.y].map(|one| i16::try_from(one).unwrap());
        let [width, height] = [part.width, part.height].map(|one| u16::try_from(one).unwrap());
        self.connection.clear_area(false, self.window, x, y, width, height).unwrap();
        self.connection.sync().unwrap();
    }

    pub fn move_to(&self, to: Point) {
        self.connection.configure_window(self.window, &ConfigureWindowAux::new().x(to.x).y(to.y)).unwrap();
        self.connection.sync().unwrap();
    }

    /// Presses and releases the left button at a place.
    pub fn click(&self, at: Point) {
        let (x, y) = (at.x.try_into().unwrap(), at.y.try_into().unwrap());
        for (kind, detail) in [(6, 0), (4, 1), (5, 1)] {
            self.connection.xtest_fake_input(kind, detail, 0, self.root, x, y, 0).unwrap();
        }
        self.connection.sync().unwrap();
    }

    pub fn wait_for_press(&mut self) -> ButtonPressEvent {
        let start = Instant::now();
        loop {
            if let Some(Event::ButtonPress(press)) = self.connection.poll_for_event().unwrap() {
                return press;
            }
            assert!(start.elapsed() < PATIENCE, "no press came");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for TestWindow {
    fn drop(&mut self) {
        let _ = self.connection.destroy_window(self.window);
        let _ = self.connection.sync();
    }
}
