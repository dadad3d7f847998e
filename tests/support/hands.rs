//! The hands at the desktop of the tests: the pointer, the keyboard, and a window that gets what is typed.

use std::time::{Duration, Instant};

use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

/// Keysyms for [`Mouse::press`].
pub const CONTROL: u32 = 0xffe3;
pub const CONTROL_RIGHT: u32 = 0xffe4;
pub const ALT: u32 = 0xffe9;
pub const SUPER: u32 = 0xffeb;
pub const LETTER_O: u32 = 0x6f;
pub const ESCAPE: u32 = 0xff1b;

/// A window that has the keyboard focus and receives key presses.
pub struct KeyWindow {
    connection: RustConnection,
}

impl KeyWindow {
    pub fn open() -> Self {
        use x11rb::protocol::xproto::{CreateWindowAux, EventMask, InputFocus, WindowClass};
        let (connection, screen) = x11rb::connect(None).unwrap();
        let screen = &connection.setup().roots[screen];
        let (window, root) = (connection.generate_id().unwrap(), screen.root);
        // Bypasses the window manager, so that the window gets the focus immediately.
        let settings =
            CreateWindowAux::new().override_redirect(1).event_mask(EventMask::KEY_PRESS | EventMask::EXPOSURE);
        let (class, visual) = (WindowClass::INPUT_OUTPUT, screen.root_visual);
        connection.create_window(0, window, root, 1200, 20, 100, 60, 0, class, visual, &settings).unwrap();
        connection.map_window(window).unwrap().check().unwrap();
        // A window can get the focus only once it is visible.
        while !matches!(connection.wait_for_event().unwrap(), Event::Expose(_)) {}
        connection.set_input_focus(InputFocus::PARENT, window, 0_u32).unwrap().check().unwrap();
        Self { connection }
    }

    /// The keysym of the next key press.
    pub fn next_key(&self) -> Option<u32> {
        let until = Instant::now() + Duration::from_secs(5);
        while Instant::now() < until {
            if let Some(Event::KeyPress(event)) = self.connection.poll_for_event().unwrap() {
                let map = self.connection.get_keyboard_mapping(event.detail, 1).unwrap().reply().unwrap();
                return map.keysyms.first().copied();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        None
    }
}

/// The pointer and the keyboard of the desktop.
pub struct Mouse {
    connection: RustConnection,
    root: u32,
}

impl Mouse {
    pub fn new() -> Self {
        let (connection, screen) = x11rb::connect(None).unwrap();
        let root = connection.setup().roots[screen].root;
        Self { connection, root }
    }

    /// Moves the pointer by device events, as a hand does, so that applications and Luna notice.
    pub fn move_to(&self, (x, y): (i32, i32)) {
        use x11rb::protocol::xtest::ConnectionExt as _;
        let (x, y) = (i16::try_from(x).unwrap(), i16::try_from(y).unwrap());
        self.connection.xtest_fake_input(6, 0, 0, self.root, x, y, 0).unwrap().check().unwrap();
        self.connection.query_pointer(self.root).unwrap().reply().unwrap();
    }

    /// Presses keys together and releases them.
    pub fn press(&self, keysyms: &[u32]) {
        self.hold(keysyms, Duration::ZERO);
    }

    pub fn hold(&self, keysyms: &[u32], time: Duration) {
        let held = self.press_down(keysyms);
        std::thread::sleep(time);
        drop(held);
    }

    /// Presses keys together; they are released when the result is dropped.
    pub fn press_down(&self, keysyms: &[u32]) -> HeldKeys<'_> {
        let (first, last) = (self.connection.setup().min_keycode, self.connection.setup().max_keycode);
        let map = self.connection.get_keyboard_mapping(first, last - first + 1).unwrap().reply().unwrap();
        let per_key = usize::from(map.keysyms_per_keycode);
        let key = |keysym| map.keysyms.chunks(per_key).position(|symbols| symbols.contains(keysym)).unwrap();
        let codes: Vec<u8> = keysyms.iter().map(|keysym| first + u8::try_from(key(keysym)).unwrap()).collect();
        codes.iter().for_each(|code| self.send_key(2, *code));
        HeldKeys { mouse: self, codes }
    }

    fn send_key(&self, kind: u8, code: u8) {
        use x11rb::protocol::xtest::ConnectionExt as _;
        self.connection.xtest_fake_input(kind, code, 0, self.root, 0, 0, 0).unwrap().check().unwrap();
    }
}

/// Keys that are pressed until this is dropped.
pub struct HeldKeys<'a> {
    mouse: &'a Mouse,
    codes: Vec<u8>,
}

impl Drop for HeldKeys<'_> {
    fn drop(&mut self) {
        self.codes.iter().rev().for_each(|code| self.mouse.send_key(3, *code));
        self.mouse.connection.query_pointer(self.mouse.root).unwrap().reply().unwrap();
    }
}
