//! A Wayland client of the test's own: pictures of the monitors, a pointer, and windows that note the keyboard focus and clicks.

use std::fs::File;
use std::os::fd::AsFd as _;
use std::os::unix::fs::FileExt as _;
use std::time::{Duration, Instant};

use rustix::fs::{MemfdFlags, memfd_create};
use wayland_client::globals::{GlobalList, GlobalListContents, registry_queue_init};
use wayland_client::protocol::wl_buffer::WlBuffer;
use wayland_client::protocol::wl_compositor::WlCompositor;
use wayland_client::protocol::wl_keyboard::{self, WlKeyboard};
use wayland_client::protocol::wl_output::{self, WlOutput};
use wayland_client::protocol::wl_pointer::{self, ButtonState, WlPointer};
use wayland_client::protocol::wl_registry::{self, WlRegistry};
use wayland_client::protocol::wl_seat::{self, WlSeat};
use wayland_client::protocol::wl_shm::{Format, WlShm};
use wayland_client::protocol::wl_shm_pool::WlShmPool;
use wayland_client::protocol::wl_surface::WlSurface;
use wayland_client::{Connection, Dispatch, EventQueue, Proxy as _, QueueHandle, WEnum, delegate_noop};
use wayland_protocols::wp::viewporter::client::{wp_viewport::WpViewport, wp_viewporter::WpViewporter};
use wayland_protocols::xdg::shell::client::xdg_surface::{self, XdgSurface};
use wayland_protocols::xdg::shell::client::xdg_toplevel::{self, XdgToplevel};
use wayland_protocols::xdg::shell::client::xdg_wm_base::{self, XdgWmBase};
use wayland_protocols_wlr::screencopy::v1::client::zwlr_screencopy_frame_v1::{self, ZwlrScreencopyFrameV1};
use wayland_protocols_wlr::screencopy::v1::client::zwlr_screencopy_manager_v1::ZwlrScreencopyManagerV1;
use wayland_protocols_wlr::virtual_pointer::v1::client::zwlr_virtual_pointer_manager_v1::ZwlrVirtualPointerManagerV1;
use wayland_protocols_wlr::virtual_pointer::v1::client::zwlr_virtual_pointer_v1::ZwlrVirtualPointerV1;

use crate::PATIENCE;

/// The color of the windows.
pub const BACK: [u8; 3] = [0x20, 0x60, 0xa0];
/// The left button, by the kernel's number.
const LEFT: u32 = 0x110;

/// What is seen on a monitor, in its own pixels.
#[derive(Clone, PartialEq, Eq)]
pub struct MonitorPicture {
    pub width: usize,
    pub height: usize,
    /// Bytes of a row.
    stride: usize,
    format: Format,
    upside_down: bool,
    bytes: Vec<u8>,
}

impl MonitorPicture {
    pub fn at(&self, x: usize, y: usize) -> [u8; 3] {
        let row = if self.upside_down { self.height - 1 - y } else { y };
        let at = row * self.stride + 4 * x;
        let [first, second, third] = [self.bytes[at], self.bytes[at + 1], self.bytes[at + 2]];
        match self.format {
            Format::Xrgb8888 | Format::Argb8888 => [third, second, first],
            Format::Xbgr8888 | Format::Abgr8888 => [first, second, third],
            other => panic!("unknown format {other:?}"),
        }
    }
}

#[derive(Default)]
struct FrameCopy {
    /// Format, width, height and bytes of a row.
    layout: Option<(Format, u32, u32, u32)>,
    upside_down: bool,
    outcome: Option<bool>,
}

/// What the windows were told.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub struct WindowEvents {
    /// How often they got and lost the keyboard focus.
    pub focused: usize,
    pub unfocused: usize,
    /// Where the pointer is in its window, and how often the button was pressed there.
    pub pointer: Option<[f64; 2]>,
    pub presses: usize,
}

/// A window that is filled with [`BACK`].
struct PlainWindow {
    surface: WlSurface,
    viewport: WpViewport,
    buffer: WlBuffer,
    /// As sway chose it.
    size: Option<[i32; 2]>,
}

#[derive(Default)]
pub struct DesktopState {
    outputs: Vec<(u32, WlOutput, String)>,
    frame: FrameCopy,
    windows: Vec<PlainWindow>,
    pointer: Option<WlPointer>,
    keyboard: Option<WlKeyboard>,
    pub events: WindowEvents,
}

impl DesktopState {
    pub fn knows(&self, output: &str) -> bool {
        self.outputs.iter().any(|(_, _, name)| name == output)
    }
}

pub struct TestDesktop {
    queue: EventQueue<DesktopState>,
    globals: GlobalList,
    shm: WlShm,
    screencopy: ZwlrScreencopyManagerV1,
    seat: WlSeat,
    pointer: Option<ZwlrVirtualPointerV1>,
    pub state: DesktopState,
}

impl TestDesktop {
    pub fn new() -> Self {
        let connection = Connection::connect_to_env().unwrap();
        let (globals, queue) = registry_queue_init::<DesktopState>(&connection).unwrap();
        let handle = queue.handle();
        let mut state = DesktopState::default();
        globals.contents().with_list(|list| {
            for one in list.iter().filter(|one| one.interface == WlOutput::interface().name) {
                let output = globals.registry().bind(one.name, 4, &handle, one.name);
                state.outputs.push((one.name, output, String::new()));
            }
        });
        let shm = globals.bind(&handle, 1..=1, ()).unwrap();
        let screencopy = globals.bind(&handle, 1..=1, ()).unwrap();
        // Before any window, because sway tells only known clients of the focus.
        let seat: WlSeat = globals.bind(&handle, 1..=1, ()).unwrap();
        let mut desktop = Self { queue, globals, shm, screencopy, seat, pointer: None, state };
        desktop.until("the names of the monitors", |state| {
            !state.outputs.is_empty() && state.outputs.iter().all(|(_, _, name)| !name.is_empty())
        });
        desktop
    }

    /// Takes events until it is so.
    pub fn until(&mut self, what: &str, is_so: impl Fn(&DesktopState) -> bool) {
        let start = Instant::now();
        while !is_so(&self.state) {
            assert!(start.elapsed() < PATIENCE, "{what} did not come: {:?}", self.state.events);
            self.queue.roundtrip(&mut self.state).unwrap();
            if !is_so(&self.state) {
                std::thread::sleep(Duration::from_millis(2));
            }
        }
    }

    /// Takes the events that came.
    pub fn events(&mut self) -> WindowEvents {
        self.queue.roundtrip(&mut self.state).unwrap();
        self.state.events
    }

    fn output(&self, name: &str) -> WlOutput {
        let found = self.state.outputs.iter().find(|(_, _, known)| known == name);
        found.unwrap_or_else(|| panic!("no monitor {name}")).1.clone()
    }

    /// The picture of the monitor's next frame.
    pub fn picture(&mut self, output: &str) -> MonitorPicture {
        let (output, handle) = (self.output(output), self.queue.handle());
        self.state.frame = FrameCopy::default();
        let frame = self.screencopy.capture_output(0, &output, &handle, ());
        while self.state.frame.layout.is_none() {
            self.queue.blocking_dispatch(&mut self.state).unwrap();
        }
        let (format, width, height, stride) = self.state.frame.layout.unwrap();
        let file = File::from(memfd_create("luna-test", MemfdFlags::CLOEXEC).unwrap());
        file.set_len(u64::from(stride * height)).unwrap();
        let [w, h, row] = [width, height, stride].map(|one| i32::try_from(one).unwrap());
        let pool = self.shm.create_pool(file.as_fd(), row * h, &handle, ());
        let buffer = pool.create_buffer(0, w, h, row, format, &handle, ());
        frame.copy(&buffer);
        while self.state.frame.outcome.is_none() {
            self.queue.blocking_dispatch(&mut self.state).unwrap();
        }
        assert_eq!(self.state.frame.outcome, Some(true), "sway copies the screen");
        let mut bytes = vec![0; usize::try_from(stride * height).unwrap()];
        file.read_exact_at(&mut bytes, 0).unwrap();
        frame.destroy();
        buffer.destroy();
        pool.destroy();
        let [width, height, stride] = [width, height, stride].map(|one| usize::try_from(one).unwrap());
        MonitorPicture { width, height, stride, format, upside_down: self.state.frame.upside_down, bytes }
    }

    /// Waits for a picture that is as expected.
    pub fn picture_until(
        &mut self,
        output: &str,
        what: &str,
        is_so: impl Fn(&MonitorPicture) -> bool,
    ) -> MonitorPicture {
        let start = Instant::now();
        loop {
            let picture = self.picture(output);
            if is_so(&picture) {
                return picture;
            }
            assert!(start.elapsed() < PATIENCE, "{what} is not seen on {output}");
        }
    }

    /// Fills the focused monitor with a window of the color [`BACK`].
    pub fn open_window(&mut self) {
        let handle = self.queue.handle();
        let compositor: WlCompositor = self.globals.bind(&handle, 4..=4, ()).unwrap();
        let viewporter: WpViewporter = self.globals.bind(&handle, 1..=1, ()).unwrap();
        let base: XdgWmBase = self.globals.bind(&handle, 1..=1, ()).unwrap();
        let surface = compositor.create_surface(&handle, ());
        let viewport = viewporter.get_viewport(&surface, &handle, ());
        let file = File::from(memfd_create("luna-test", MemfdFlags::CLOEXEC).unwrap());
        file.write_all_at(&[BACK[2], BACK[1], BACK[0], 0xff].repeat(9), 0).unwrap();
        let pool = self.shm.create_pool(file.as_fd(), 36, &handle, ());
        let buffer = pool.create_buffer(0, 3, 3, 12, Format::Xrgb8888, &handle, ());
        // Renderers that round don't reach beyond the color at the last row.
        viewport.set_source(1.0, 1.0, 1.0, 1.0);
        let number = self.state.windows.len();
        let shell = base.get_xdg_surface(&surface, &handle, number);
        let _toplevel = shell.get_toplevel(&handle, number);
        surface.commit();
        self.state.windows.push(PlainWindow { surface, viewport, buffer, size: None });
        self.until("the size of the window", |state| state.windows[number].size.is_some());
    }

    /// Gets a pointer over this monitor.
    pub fn take_pointer(&mut self, output: &str) {
        let handle = self.queue.handle();
        let manager: ZwlrVirtualPointerManagerV1 = self.globals.bind(&handle, 2..=2, ()).unwrap();
        let over = self.output(output);
        let virtual_pointer = manager.create_virtual_pointer_with_output(Some(&self.seat), Some(&over), &handle, ());
        self.pointer = Some(virtual_pointer);
        self.until("a pointer of the seat", |state| state.pointer.is_some());
        self.queue.roundtrip(&mut self.state).unwrap();
    }

    /// Moves the pointer to a place of 1280 × 800, and presses its left button.
    pub fn click(&mut self, [x, y]: [u32; 2]) {
        let pointer = self.pointer.as_ref().expect("the pointer was taken");
        pointer.motion_absolute(1, x, y, 1280, 800);
        pointer.frame();
        for state in [ButtonState::Pressed, ButtonState::Released] {
            pointer.button(2, LEFT, state);
            pointer.frame();
        }
        self.queue.roundtrip(&mut self.state).unwrap();
    }
}

impl Dispatch<WlRegistry, GlobalListContents> for DesktopState {
    fn event(
        state: &mut Self,
        registry: &WlRegistry,
        event: wl_registry::Event,
        _: &GlobalListContents,
        _: &Connection,
        queue: &QueueHandle<Self>,
    ) {
        match event {
            wl_registry::Event::Global { name, interface, .. } if interface == WlOutput::interface().name => {
                state.outputs.push((name, registry.bind(name, 4, queue, name), String::new()));
            }
            wl_registry::Event::GlobalRemove { name } => state.outputs.retain(|(known, _, _)| *known != name),
            _ => {}
        }
    }
}

impl Dispatch<WlOutput, u32> for DesktopState {
    fn event(
        state: &mut Self,
        _: &WlOutput,
        event: wl_output::Event,
        number: &u32,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        if let wl_output::Event::Name { name } = event {
            let known = state.outputs.iter_mut().find(|(known, _, _)| known == number);
            known.expect("a known monitor").2 = name;
        }
    }
}

impl Dispatch<ZwlrScreencopyFrameV1, ()> for DesktopState {
    fn event(
        state: &mut Self,
        _: &ZwlrScreencopyFrameV1,
        event: zwlr_screencopy_frame_v1::Event,
        (): &(),
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        match event {
            zwlr_screencopy_frame_v1::Event::Buffer { format: WEnum::Value(format), width, height, stride } => {
                state.frame.layout = Some((format, width, height, stride));
            }
            zwlr_screencopy_frame_v1::Event::Flags { flags } => {
                let flags = flags.into_result().unwrap();
                state.frame.upside_down = flags.contains(zwlr_screencopy_frame_v1::Flags::YInvert);
            }
            zwlr_screencopy_frame_v1::Event::Ready { .. } => state.frame.outcome = Some(true),
            zwlr_screencopy_frame_v1::Event::Failed => state.frame.outcome = Some(false),
            _ => {}
        }
    }
}

impl Dispatch<XdgSurface, usize> for DesktopState {
    fn event(
        state: &mut Self,
        shell: &XdgSurface,
        event: xdg_surface::Event,
        number: &usize,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        if let xdg_surface::Event::Configure { serial } = event {
            shell.ack_configure(serial);
            let window = &state.windows[*number];
            // Before a window is shown, sway chooses no size.
            let [width, height] = window.size.unwrap_or([64, 64]);
            window.viewport.set_destination(width, height);
            window.surface.attach(Some(&window.buffer), 0, 0);
            window.surface.damage(0, 0, i32::MAX, i32::MAX);
            window.surface.commit();
        }
    }
}

impl Dispatch<XdgToplevel, usize> for DesktopState {
    fn event(
        state: &mut Self,
        _: &XdgToplevel,
        event: xdg_toplevel::Event,
        number: &usize,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        if let xdg_toplevel::Event::Configure { width, height, .. } = event
            && width > 0
        {
            state.windows[*number].size = Some([width, height]);
        }
    }
}

impl Dispatch<XdgWmBase, ()> for DesktopState {
    fn event(
        _: &mut Self,
        base: &XdgWmBase,
        event: xdg_wm_base::Event,
        (): &(),
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        if let xdg_wm_base::Event::Ping { serial } = event {
            base.pong(serial);
        }
    }
}

impl Dispatch<WlSeat, ()> for DesktopState {
    fn event(
        state: &mut Self,
        seat: &WlSeat,
        event: wl_seat::Event,
        (): &(),
        _: &Connection,
        queue: &QueueHandle<Self>,
    ) {
        if let wl_seat::Event::Capabilities { capabilities } = event {
            let all = capabilities.into_result().unwrap();
            if all.contains(wl_seat::Capability::Pointer) {
                state.pointer.get_or_insert_with(|| seat.get_pointer(queue, ()));
            }
            if all.contains(wl_seat::Capability::Keyboard) {
                state.keyboard.get_or_insert_with(|| seat.get_keyboard(queue, ()));
            }
        }
    }
}

impl Dispatch<WlPointer, ()> for DesktopState {
    fn event(
        state: &mut Self,
        _: &WlPointer,
        event: wl_pointer::Event,
        (): &(),
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        match event {
            wl_pointer::Event::Enter { surface_x, surface_y, .. }
            | wl_pointer::Event::Motion { surface_x, surface_y, .. } => {
                state.events.pointer = Some([surface_x, surface_y]);
            }
            wl_pointer::Event::Leave { .. } => state.events.pointer = None,
            wl_pointer::Event::Button { state: WEnum::Value(ButtonState::Pressed), .. } => state.events.presses += 1,
            _ => {}
        }
    }
}

impl Dispatch<WlKeyboard, ()> for DesktopState {
    fn event(
        state: &mut Self,
        _: &WlKeyboard,
        event: wl_keyboard::Event,
        (): &(),
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        match event {
            wl_keyboard::Event::Enter { .. } => state.events.focused += 1,
            wl_keyboard::Event::Leave { .. } => state.events.unfocused += 1,
            _ => {}
        }
    }
}

delegate_noop!(DesktopState: WlCompositor);
delegate_noop!(DesktopState: WlShmPool);
delegate_noop!(DesktopState: WpViewporter);
delegate_noop!(DesktopState: WpViewport);
delegate_noop!(DesktopState: ZwlrScreencopyManagerV1);
delegate_noop!(DesktopState: ZwlrVirtualPointerManagerV1);
delegate_noop!(DesktopState: ZwlrVirtualPointerV1);
delegate_noop!(DesktopState: ignore WlShm);
delegate_noop!(DesktopState: ignore WlBuffer);
delegate_noop!(DesktopState: ignore WlSurface);
