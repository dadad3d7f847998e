//! What the person at the desktop does, and the keyboard as it is.

use std::process::Command;

use luna_messages::Point;
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::ConnectionExt as _;
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

pub(super) const SHIFT: u32 = 0xffe1;
pub(super) const ESCAPE: u32 = 0xff1b;
pub(super) const CAPS_LOCK: u32 = 0xffe5;

/// The person at the desktop. Everything that is held is let go of on drop.
pub(super) struct SimulatedHands {
    connection: RustConnection,
    root: u32,
    held: Vec<(u8, u8)>,
}

impl SimulatedHands {
    pub(super) fn new() -> Self {
        let (connection, screen) = x11rb::connect(None).unwrap();
        let root = connection.setup().roots[screen].root;
        Self { connection, root, held: Vec::new() }
    }

    fn send(&self, kind: u8, detail: u8, at: Point) {
        let (x, y) = (i16::try_from(at.x).unwrap(), i16::try_from(at.y).unwrap());
        self.connection.xtest_fake_input(kind, detail, 0, self.root, x, y, 0).unwrap().check().unwrap();
    }

    fn key(&self, symbol: u32) -> u8 {
        let (first, last) = (self.connection.setup().min_keycode, self.connection.setup().max_keycode);
        let map = self.connection.get_keyboard_mapping(first, last - first + 1).unwrap().reply().unwrap();
        let mut keys = map.keysyms.chunks(usize::from(map.keysyms_per_keycode)).zip(first..);
        keys.find(|(symbols, _)| symbols[0] == symbol).map(|(_, key)| key).unwrap()
    }

    pub(super) fn move_to(&self, at: Point) {
        self.send(6, 0, at);
    }

    pub(super) fn at(&self) -> Point {
        let pointer = self.connection.query_pointer(self.root).unwrap().reply().unwrap();
        Point::new(pointer.root_x.into(), pointer.root_y.into())
    }

    /// Holds a key until [`SimulatedHands::let_go`].
    pub(super) fn hold(&mut self, symbol: u32) {
        let key = self.key(symbol);
        self.send(2, key, Point::default());
        self.held.push((3, key));
    }

    pub(super) fn hold_button(&mut self) {
        self.send(4, 2, Point::default());
        self.held.push((5, 2));
    }

    pub(super) fn let_go(&mut self) {
        for (kind, detail) in std::mem::take(&mut self.held) {
            self.send(kind, detail, Point::default());
        }
    }

    pub(super) fn tap(&mut self, symbol: u32) {
        self.hold(symbol);
        self.let_go();
    }

    /// Whether a state of the modifiers is set.
    pub(super) fn has(&self, bit: u16) -> bool {
        u16::from(self.connection.query_pointer(self.root).unwrap().reply().unwrap().mask) & bit != 0
    }

    /// Whether any key is down.
    pub(super) fn is_any_key_down(&self) -> bool {
        self.connection.query_keymap().unwrap().reply().unwrap().keys.iter().any(|byte| *byte != 0)
    }

    /// The keyboard's map as the server tells it, with all symbols, types and groups.
    pub(super) fn keyboard(&self) -> (Vec<u32>, String) {
        let (first, last) = (self.connection.setup().min_keycode, self.connection.setup().max_keycode);
        let map = self.connection.get_keyboard_mapping(first, last - first + 1).unwrap().reply().unwrap();
        (map.keysyms, run("xkbcomp", &["-w0", &std::env::var("DISPLAY").unwrap(), "-"]))
    }

    /// Sets the layouts of the keyboard, such as `us,ru`.
    pub(super) fn set_layouts(&self, layouts: &str) {
        run("setxkbmap", &["-layout", layouts]);
    }
}

impl Drop for SimulatedHands {
    fn drop(&mut self) {
        self.let_go();
    }
}

fn run(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let output = output.unwrap_or_else(|error| panic!("{program} is needed (Debian package x11-xkb-utils): {error}"));
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
