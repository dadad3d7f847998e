//! Windows as a whole, by the conventions that window managers of X11 keep (EWMH).

use std::time::{Duration, Instant};

use luna_messages::desktop_order::{TopWindow, WindowArrangement};
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ClientMessageEvent, ConnectionExt as _, EventMask, GetPropertyReply, Window,
};

use crate::PlatformError;
use crate::x11::{Failure, XDisplay, unless_gone};

/// Longest wait until a window is as wished, and the pause between two looks.
const SEEN: Duration = Duration::from_millis(500);
/// The same until it is closed: programs save what they have to.
const CLOSED: Duration = Duration::from_millis(1500);
const LOOKS: Duration = Duration::from_millis(20);
/// Longest property that is read, in units of four bytes.
const LONGEST: u32 = 256;
/// Who asks: a program that controls windows for the person, such as a task switcher.
const SOURCE_PAGER: u32 = 2;
/// The state "iconic" of ICCCM.
const ICONIC: u32 = 3;
const ADD: u32 = 1;

/// The windows that a task switcher shows, the active one first, then the others, topmost first.
pub(super) fn all(display: &XDisplay) -> Result<Vec<TopWindow>, Failure> {
    let names = Names::of(display)?;
    let active = active(display, &names)?;
    let stack = stack(display, &names)?;
    let mut found = Vec::new();
    for window in stack.into_iter().rev() {
        let Some(states) = property(display, window, names.state)? else { continue };
        let states = windows_of(&states);
        if states.contains(&names.skipped) {
            continue;
        }
        found.push(TopWindow {
            handle: window.into(),
            title: title(display, &names, window)?,
            application: application(display, window)?,
            is_active: Some(window) == active,
            is_minimised: states.contains(&names.hidden),
        });
    }
    found.sort_by_key(|window| !window.is_active);
    Ok(found)
}

/// Asks the window manager for it, and looks whether it is so.
pub(super) fn arrange(display: &XDisplay, window: u64, how: WindowArrangement) -> Result<bool, Failure> {
    let names = Names::of(display)?;
    let window = Window::try_from(window).map_err(|_| Failure::Final(PlatformError::Gone))?;
    if property(display, window, names.state)?.is_none() {
        return Err(Failure::Final(PlatformError::Gone));
    }
    let (kind, data) = match how {
        WindowArrangement::Activate => (names.active, [SOURCE_PAGER, 0, 0, 0, 0]),
        WindowArrangement::Minimise => (names.change, [ICONIC, 0, 0, 0, 0]),
        WindowArrangement::Maximise => (names.state, [ADD, names.tall, names.wide, SOURCE_PAGER, 0]),
        WindowArrangement::Close => (names.close, [x11rb::CURRENT_TIME, SOURCE_PAGER, 0, 0, 0]),
    };
    let event = ClientMessageEvent::new(32, window, kind, data);
    let mask = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
    display.connection.send_event(false, display.root, mask, event)?;
    display.connection.flush()?;
    let until = Instant::now() + if how == WindowArrangement::Close { CLOSED } else { SEEN };
    loop {
        let states = property(display, window, names.state)?.map(|states| windows_of(&states)).unwrap_or_default();
        let is_so = match how {
            WindowArrangement::Activate => active(display, &names)? == Some(window),
            WindowArrangement::Minimise => states.contains(&names.hidden),
            WindowArrangement::Maximise => states.contains(&names.tall) && states.contains(&names.wide),
            WindowArrangement::Close => !stack(display, &names)?.contains(&window),
        };
        if is_so || Instant::now() >= until {
            return Ok(is_so);
        }
        std::thread::sleep(LOOKS);
    }
}

/// The windows that the window manager knows, the topmost last.
fn stack(display: &XDisplay, names: &Names) -> Result<Vec<Window>, Failure> {
    Ok(property(display, display.root, names.stacking)?.map(|stack| windows_of(&stack)).unwrap_or_default())
}

/// Names of properties, as the display numbers them.
struct Names {
    active: Atom,
    stacking: Atom,
    state: Atom,
    hidden: Atom,
    skipped: Atom,
    tall: Atom,
    wide: Atom,
    change: Atom,
    close: Atom,
    title: Atom,
}

impl Names {
    fn of(display: &XDisplay) -> Result<Self, Failure> {
        let atom = |name: &str| -> Result<Atom, Failure> {
            Ok(display.connection.intern_atom(false, name.as_bytes())?.reply()?.atom)
        };
        Ok(Self {
            active: atom("_NET_ACTIVE_WINDOW")?,
            stacking: atom("_NET_CLIENT_LIST_STACKING")?,
            state: atom("_NET_WM_STATE")?,
            hidden: atom("_NET_WM_STATE_HIDDEN")?,
            skipped: atom("_NET_WM_STATE_SKIP_TASKBAR")?,
            tall: atom("_NET_WM_STATE_MAXIMIZED_VERT")?,
            wide: atom("_NET_WM_STATE_MAXIMIZED_HORZ")?,
            change: atom("WM_CHANGE_STATE")?,
            close: atom("_NET_CLOSE_WINDOW")?,
            title: atom("_NET_WM_NAME")?,
        })
    }
}

/// A property of a window; `None` if the window is gone. One that is not set is empty.
fn property(display: &XDisplay, window: Window, name: Atom) -> Result<Option<GetPropertyReply>, Failure> {
    let answer = display.connection.get_property(false, window, name, AtomEnum::ANY, 0, LONGEST)?.reply();
    unless_gone(answer.map_err(Failure::from))
}

fn windows_of(answer: &GetPropertyReply) -> Vec<Window> {
    answer.value32().into_iter().flatten().collect()
}

fn active(display: &XDisplay, names: &Names) -> Result<Option<Window>, Failure> {
    let answer = property(display, display.root, names.active)?;
    Ok(answer.and_then(|answer| windows_of(&answer).first().copied()).filter(|window| *window != x11rb::NONE))
}

fn title(display: &XDisplay, names: &Names, window: Window) -> Result<String, Failure> {
    for name in [names.title, AtomEnum::WM_NAME.into()] {
        let answer = property(display, window, name)?;
        // Old programs switch between character sets inside a title: such a one can't be told.
        const ESCAPE: u8 = 0x1b;
        if let Some(answer) = answer.filter(|answer| !answer.value.is_empty() && !answer.value.contains(&ESCAPE)) {
            return Ok(String::from_utf8_lossy(&answer.value).trim().to_owned());
        }
    }
    Ok(String::new())
}

/// The second of the two names in WM_CLASS is that of the program.
fn application(display: &XDisplay, window: Window) -> Result<String, Failure> {
    let answer = property(display, window, AtomEnum::WM_CLASS.into())?;
    let value = answer.map(|answer| answer.value).unwrap_or_default();
    let names: Vec<&[u8]> = value.split(|byte| *byte == 0).filter(|name| !name.is_empty()).collect();
    Ok(names.last().map(|name| String::from_utf8_lossy(name).into_owned()).unwrap_or_default())
}
