//! Which window lies under a point, by the X server's stacking order; applications are not queried. A window's process is
//! that of its X client as the server sees it: what a window says of itself may be a number inside a sandbox (SES-4).

mod active;

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use luna_messages::pick::{ShownWindow, WindowInfo};
use luna_messages::{Point, Rect};
use x11rb::connection::{Connection as _, RequestConnection as _};
use x11rb::cookie::Cookie;
use x11rb::protocol::res::{self, ClientIdMask, ClientIdSpec, ConnectionExt as _};
use x11rb::protocol::shape::{self, ConnectionExt as _};
use x11rb::protocol::xproto::{Atom, AtomEnum, ConnectionExt as _, GetPropertyReply, MapState, Window, WindowClass};

use super::placement::WindowBoxes;
use crate::PlatformError;
use crate::x11::{Failure, XConnection, XDisplay, stacking, unless_gone, with_reconnect};

/// A window on the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TopLevelWindow {
    /// As reported to the rest of Luna.
    pub(super) info: WindowInfo,
    /// The X client that owns the window. No two running programs share one, whatever process numbers they state.
    pub(super) client: Window,
    /// The window with and without what surrounds it.
    pub(super) boxes: WindowBoxes,
    /// Whether the window positions itself, as a menu or a tooltip does.
    pub(super) is_popup: bool,
    /// Whether the application draws frame and shadow itself, so that the X window is larger than the visible window.
    pub(super) has_shadow: bool,
}

/// A running program: its X client and its process. The X server gives the number of a client that ended to another.
pub(super) type ProgramKey = (Window, u32);

impl TopLevelWindow {
    pub(super) fn program(&self) -> ProgramKey {
        (self.client, self.info.process)
    }
}

/// Finds windows on the X display. Connects at the first query, and reconnects if the display is lost.
#[derive(Default)]
pub(super) struct WindowLookup {
    link: Mutex<Option<DisplayLink>>,
}

struct DisplayLink {
    display: XDisplay,
    has_shape: bool,
    /// Whether the server tells the processes of its clients.
    tells_processes: bool,
    client_list: Atom,
    pid: Atom,
    name: Atom,
    utf8: Atom,
    gtk_frame: Atom,
    frame_extents: Atom,
}

impl WindowLookup {
    /// The topmost window at `point`.
    pub(super) fn at(&self, point: Point) -> Result<Option<TopLevelWindow>, PlatformError> {
        self.with(|link| link.at(point))
    }

    /// The window's current state; `None` if the window is gone or hidden.
    pub(super) fn find(&self, handle: u64) -> Result<Option<TopLevelWindow>, PlatformError> {
        let Ok(window) = Window::try_from(handle) else { return Ok(None) };
        self.with(|link| link.top(window))
    }

    /// The main window that a popup belongs to: the one that it names, else another window of its client.
    pub(super) fn owner(&self, popup: &TopLevelWindow) -> Result<Option<TopLevelWindow>, PlatformError> {
        self.with(|link| link.owner(popup))
    }

    /// The windows that a picture of `region` shows, topmost first, each with the application window inside it.
    pub(super) fn shown(&self, region: Rect) -> Result<Vec<(ShownWindow, Option<TopLevelWindow>)>, PlatformError> {
        self.with(|link| {
            let clients: HashSet<Window> = link.clients()?.into_iter().collect();
            let mut shown = Vec::new();
            for one in stacking::shown(&link.display, region)? {
                let Ok(window) = Window::try_from(one.handle) else { continue };
                let client = link.client_in(window, &clients, 0)?.unwrap_or(window);
                shown.push((one, link.top(client)?));
            }
            Ok(shown)
        })
    }

    fn with<T>(&self, work: impl Fn(&mut DisplayLink) -> Result<T, Failure>) -> Result<T, PlatformError> {
        let mut link = self.link.lock().unwrap_or_else(PoisonError::into_inner);
        with_reconnect(&mut link, DisplayLink::open, work)
    }
}

impl DisplayLink {
    fn open() -> Result<Self, PlatformError> {
        let display = XDisplay::open()?;
        Self::prepare(display).map_err(PlatformError::from)
    }

    fn prepare(display: XDisplay) -> Result<Self, Failure> {
        let connection = &display.connection;
        let has_shape = connection.extension_information(shape::X11_EXTENSION_NAME)?.is_some();
        let tells_processes = tells_processes(&display)?;
        let names = [
            "_NET_CLIENT_LIST_STACKING",
            "_NET_WM_PID",
            "_NET_WM_NAME",
            "UTF8_STRING",
            "_GTK_FRAME_EXTENTS",
            "_NET_FRAME_EXTENTS",
        ];
        let mut atoms = [0; 6];
        for (atom, name) in atoms.iter_mut().zip(names) {
            *atom = connection.intern_atom(false, name.as_bytes())?.reply()?.atom;
        }
        let [client_list, pid, name, utf8, gtk_frame, frame_extents] = atoms;
        Ok(Self { has_shape, tells_processes, client_list, pid, name, utf8, gtk_frame, frame_extents, display })
    }

    fn at(&self, point: Point) -> Result<Option<TopLevelWindow>, Failure> {
        let connection = &self.display.connection;
        let tree = connection.query_tree(self.display.root)?;
        let clients: HashSet<Window> = self.clients()?.into_iter().collect();
        let stack = tree.reply()?.children;
        // Send all requests before reading a reply: one round trip for all windows.
        let mut requests = Vec::with_capacity(stack.len());
        for &window in &stack {
            requests.push((window, connection.get_window_attributes(window)?, connection.get_geometry(window)?));
        }
        let mut candidates = Vec::new();
        for (window, attributes, geometry) in requests {
            let attributes = unless_gone(attributes.reply().map_err(Failure::from))?;
            let geometry = unless_gone(geometry.reply().map_err(Failure::from))?;
            let (Some(attributes), Some(geometry)) = (attributes, geometry) else {
                continue;
            };
            let border = 2 * i32::from(geometry.border_width);
            let (width, height) = (i32::from(geometry.width) + border, i32::from(geometry.height) + border);
            let bounds = Rect::new(geometry.x.into(), geometry.y.into(), width, height);
            let is_seen = attributes.map_state == MapState::VIEWABLE && attributes.class == WindowClass::INPUT_OUTPUT;
            if is_seen && bounds.contains(point) {
                candidates.push((window, bounds));
            }
        }
        for (window, bounds) in candidates.into_iter().rev() {
            if let Some(client) = self.client_in(window, &clients, 0)? {
                // What shows through a window's own shadow is the window below.
                if let Some(top) = self.top(client)?
                    && (!top.has_shadow || top.boxes.visible.contains(point))
                {
                    return Ok(Some(top));
                }
            } else if self.takes_input(window, point, bounds)? {
                // Without a window manager the client list is empty, and every window counts by itself.
                if let Some(top) = self.top(window)? {
                    return Ok(Some(top));
                }
            }
        }
        Ok(None)
    }

    /// Windows known to the window manager, bottom to top.
    fn clients(&self) -> Result<Vec<Window>, Failure> {
        let list = self.ask(self.display.root, self.client_list, AtomEnum::WINDOW.into(), 4096)?.reply()?;
        Ok(list.value32().into_iter().flatten().collect())
    }

    /// The client window inside a frame of the window manager, at most three levels down.
    fn client_in(&self, window: Window, clients: &HashSet<Window>, depth: u32) -> Result<Option<Window>, Failure> {
        if clients.contains(&window) {
            return Ok(Some(window));
        }
        if depth == 3 || clients.is_empty() {
            return Ok(None);
        }
        let tree = unless_gone(self.display.connection.query_tree(window)?.reply().map_err(Failure::from))?;
        for child in tree.map(|tree| tree.children).unwrap_or_default().into_iter().rev() {
            if let Some(client) = self.client_in(child, clients, depth + 1)? {
                return Ok(Some(client));
            }
        }
        Ok(None)
    }

    /// Whether a click at `point` would reach the window: overlays let clicks through.
    fn takes_input(&self, window: Window, point: Point, bounds: Rect) -> Result<bool, Failure> {
        if !self.has_shape {
            return Ok(true);
        }
        let shape = self.display.connection.shape_get_rectangles(window, shape::SK::INPUT)?;
        let Some(shape) = unless_gone(shape.reply().map_err(Failure::from))? else {
            return Ok(false);
        };
        let at = Point::new(point.x - bounds.x, point.y - bounds.y);
        Ok(shape
            .rectangles
            .iter()
            .any(|r| Rect::new(r.x.into(), r.y.into(), r.width.into(), r.height.into()).contains(at)))
    }

    fn top(&self, window: Window) -> Result<Option<TopLevelWindow>, Failure> {
        unless_gone(self.top_unless_gone(window)).map(Option::flatten)
    }

    fn top_unless_gone(&self, window: Window) -> Result<Option<TopLevelWindow>, Failure> {
        let connection = &self.display.connection;
        // Here, too, send all requests before reading a reply.
        let attributes = connection.get_window_attributes(window)?;
        let geometry = connection.get_geometry(window)?;
        let margins = self.ask(window, self.gtk_frame, AtomEnum::CARDINAL.into(), 4)?;
        let pid = self.ask(window, self.pid, AtomEnum::CARDINAL.into(), 1)?;
        let decorations = self.ask(window, self.frame_extents, AtomEnum::CARDINAL.into(), 4)?;
        let client_process = self.request_process(window)?;
        let name = self.ask(window, self.name, self.utf8, 1024)?;
        let old_name = self.ask(window, AtomEnum::WM_NAME.into(), AtomEnum::ANY.into(), 1024)?;
        let origin = connection.translate_coordinates(window, self.display.root, 0, 0)?;
        let attributes = attributes.reply()?;
        if attributes.map_state != MapState::VIEWABLE {
            return Ok(None);
        }
        let (geometry, origin) = (geometry.reply()?, origin.reply()?);
        let client = Rect::new(origin.dst_x.into(), origin.dst_y.into(), geometry.width.into(), geometry.height.into());
        // A GTK application's own shadow belongs to its X window, but not to the visible window.
        let margins = numbers(&margins.reply()?);
        let has_shadow = margins.iter().any(|&margin| margin > 0);
        let visible = match margins[..] {
            [left, right, up, down] => grown(client, [-left, -right, -up, -down]),
            _ => client,
        };
        let frame = match numbers(&decorations.reply()?)[..] {
            [left, right, up, down] => grown(client, [left, right, up, down]),
            _ => client,
        };
        let stated = numbers(&pid.reply()?).first().map(|&pid| u32::try_from(pid).unwrap_or(0));
        let process = match client_process.map(process_in).transpose()?.flatten() {
            Some(process) => process,
            None => match stated {
                Some(process) => process,
                None => self.process_of_sibling(window)?,
            },
        };
        let name = name.reply()?.value;
        let name = if name.is_empty() { old_name.reply()?.value } else { name };
        let title = String::from_utf8_lossy(&name).into_owned();
        let info = WindowInfo { handle: window.into(), process, title, bounds: visible };
        let boxes = WindowBoxes { visible, client, frame };
        let client = self.client_of(window);
        Ok(Some(TopLevelWindow { info, client, boxes, is_popup: attributes.override_redirect, has_shadow }))
    }

    /// The X client that owns a window: the part of the window's id that all its resources share.
    fn client_of(&self, window: Window) -> Window {
        window & !self.display.connection.setup().resource_id_mask
    }

    /// Asks for the process of the client that owns `window`; `None` if the server can't tell.
    fn request_process(&self, window: Window) -> Result<Option<ProcessCookie<'_>>, Failure> {
        if !self.tells_processes {
            return Ok(None);
        }
        let spec = ClientIdSpec { client: window, mask: ClientIdMask::LOCAL_CLIENT_PID };
        Ok(Some(self.display.connection.res_query_client_ids(&[spec])?))
    }

    fn owner(&self, popup: &TopLevelWindow) -> Result<Option<TopLevelWindow>, Failure> {
        let Ok(window) = Window::try_from(popup.info.handle) else { return Ok(None) };
        let named = self.ask(window, AtomEnum::WM_TRANSIENT_FOR.into(), AtomEnum::WINDOW.into(), 1)?;
        let named = unless_gone(named.reply().map_err(Failure::from))?;
        let named = named.and_then(|named| named.value32()?.next()).filter(|&owner| owner != x11rb::NONE);
        let siblings = self.clients()?.into_iter().rev().filter(|&other| self.client_of(other) == popup.client);
        for other in named.into_iter().chain(siblings).filter(|&other| other != window) {
            if let Some(top) = self.top(other)?.filter(|top| !top.is_popup) {
                return Ok(Some(top));
            }
        }
        Ok(None)
    }

    /// The process of another window of the same X client: menus of some toolkits don't set `_NET_WM_PID`.
    fn process_of_sibling(&self, window: Window) -> Result<u32, Failure> {
        for sibling in self.clients()? {
            if sibling != window && self.client_of(sibling) == self.client_of(window) {
                let pid = self.ask(sibling, self.pid, AtomEnum::CARDINAL.into(), 1)?;
                let pid = unless_gone(pid.reply().map_err(Failure::from))?;
                if let Some(&pid) = pid.map(|pid| numbers(&pid)).unwrap_or_default().first() {
                    return Ok(u32::try_from(pid).unwrap_or(0));
                }
            }
        }
        Ok(0)
    }

    fn ask(&self, window: Window, atom: Atom, kind: Atom, words: u32) -> Result<PropertyCookie<'_>, Failure> {
        Ok(self.display.connection.get_property(false, window, atom, kind, 0, words)?)
    }
}

/// A pending property request.
type PropertyCookie<'a> = Cookie<'a, XConnection, GetPropertyReply>;

/// A pending request for the process of a client.
type ProcessCookie<'a> = Cookie<'a, XConnection, res::QueryClientIdsReply>;

/// Whether the server has the extension X-Resource of at least version 1.2, which tells processes.
fn tells_processes(display: &XDisplay) -> Result<bool, Failure> {
    if display.connection.extension_information(res::X11_EXTENSION_NAME)?.is_none() {
        return Ok(false);
    }
    let version = display.connection.res_query_version(1, 2)?.reply()?;
    Ok((version.server_major, version.server_minor) >= (1, 2))
}

/// The process in the server's answer; `None` if the client runs on another machine.
fn process_in(answer: ProcessCookie<'_>) -> Result<Option<u32>, Failure> {
    let ids = unless_gone(answer.reply().map_err(Failure::from))?.map(|answer| answer.ids).unwrap_or_default();
    let process = ids.iter().filter(|id| id.spec.mask == ClientIdMask::LOCAL_CLIENT_PID);
    Ok(process.filter_map(|id| id.value.first().copied()).find(|&process| process != 0))
}

/// `rect` grown by these distances to the left, right, top and bottom.
const fn grown(rect: Rect, [left, right, up, down]: [i32; 4]) -> Rect {
    Rect::new(rect.x - left, rect.y - up, rect.width + left + right, rect.height + up + down)
}

fn numbers(property: &GetPropertyReply) -> Vec<i32> {
    property.value32().into_iter().flatten().map(|number| i32::try_from(number).unwrap_or(0)).collect()
}
