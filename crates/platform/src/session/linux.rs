//! Asks the X server and the Wayland compositor which of them draws the screen.

use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use x11rb::connection::RequestConnection as _;
use x11rb::protocol::randr::{self, ConnectionExt as _};
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _};

use super::DesktopSession;
use crate::x11::{Failure, XDisplay, stacking, unless_gone};

/// What is known about the X display.
struct XScreen {
    /// Whether a Wayland compositor shows the windows of this server among others.
    is_xwayland: bool,
    window_manager: Option<String>,
    composited: bool,
}

pub(super) fn detect() -> DesktopSession {
    let x = XDisplay::open().ok().and_then(|display| ask(&display).ok());
    session(x, compositor())
}

/// `compositor`: outer `None` if no Wayland display answers. Pure.
fn session(x: Option<XScreen>, compositor: Option<Option<String>>) -> DesktopSession {
    match (x, compositor) {
        // A Wayland compositor may also run in a window of an X session.
        (Some(XScreen { is_xwayland: false, window_manager, composited }), _) => {
            DesktopSession::X11 { window_manager, composited }
        }
        (Some(_), compositor) => DesktopSession::Wayland { compositor: compositor.flatten(), has_xwayland: true },
        (None, Some(compositor)) => DesktopSession::Wayland { compositor, has_xwayland: false },
        (None, None) => DesktopSession::Headless,
    }
}

fn ask(display: &XDisplay) -> Result<XScreen, Failure> {
    Ok(XScreen {
        is_xwayland: is_xwayland(display)?,
        window_manager: window_manager(display)?,
        composited: stacking::composited(display)?,
    })
}

/// Xwayland since 23.1 has an extension that says so; older ones name their outputs.
fn is_xwayland(display: &XDisplay) -> Result<bool, Failure> {
    let connection = &display.connection;
    if connection.query_extension(b"XWAYLAND")?.reply()?.present {
        return Ok(true);
    }
    if connection.extension_information(randr::X11_EXTENSION_NAME)?.is_none() {
        return Ok(false);
    }
    connection.randr_query_version(1, 5)?.reply()?;
    let outputs = connection.randr_get_screen_resources_current(display.root)?.reply()?.outputs;
    let Some(&first) = outputs.first() else { return Ok(false) };
    let output =
        unless_gone(connection.randr_get_output_info(first, x11rb::CURRENT_TIME)?.reply().map_err(Failure::from))?;
    Ok(output.is_some_and(|output| output.name.starts_with(b"XWAYLAND")))
}

/// The name that the window manager tells in the window that it keeps for this purpose.
fn window_manager(display: &XDisplay) -> Result<Option<String>, Failure> {
    let connection = &display.connection;
    let check = connection.intern_atom(false, b"_NET_SUPPORTING_WM_CHECK")?;
    let name = connection.intern_atom(false, b"_NET_WM_NAME")?;
    let (check, name) = (check.reply()?.atom, name.reply()?.atom);
    let window = connection.get_property(false, display.root, check, AtomEnum::WINDOW, 0, 1)?.reply()?;
    let Some(window) = window.value32().and_then(|mut windows| windows.next()) else { return Ok(None) };
    let title = connection.get_property(false, window, name, AtomEnum::ANY, 0, 64)?;
    let title = unless_gone(title.reply().map_err(Failure::from))?;
    Ok(title.map(|title| String::from_utf8_lossy(&title.value).into_owned()).filter(|title| !title.is_empty()))
}

/// The program that serves the Wayland display; outer `None` if there is none.
fn compositor() -> Option<Option<String>> {
    let socket = UnixStream::connect(wayland_socket()?).ok()?;
    let process = rustix::net::sockopt::socket_peercred(&socket).ok().map(|peer| peer.pid.as_raw_nonzero());
    let name = process.and_then(|process| std::fs::read_to_string(format!("/proc/{process}/comm")).ok());
    Some(name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()))
}

/// The path of the socket of the Wayland display that the environment names; `None` if it names none.
pub(crate) fn wayland_socket() -> Option<PathBuf> {
    socket_path(std::env::var_os("WAYLAND_DISPLAY")?.into(), std::env::var_os("XDG_RUNTIME_DIR"))
}

/// The path of a Wayland display's socket, by the rules of libwayland. Pure.
fn socket_path(display: PathBuf, folder: Option<std::ffi::OsString>) -> Option<PathBuf> {
    if display.as_os_str().is_empty() {
        return None;
    }
    if display.is_absolute() { Some(display) } else { Some(PathBuf::from(folder?).join(display)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    // SES-1
    #[test]
    fn whoever_draws_the_screen_decides_ses_1() {
        let x = |is_xwayland| Some(XScreen { is_xwayland, window_manager: Some("Openbox".into()), composited: false });
        let sway = || Some(Some("sway".to_owned()));
        let x11 = DesktopSession::X11 { window_manager: Some("Openbox".into()), composited: false };
        let wayland = |compositor: Option<&str>, has_xwayland| DesktopSession::Wayland {
            compositor: compositor.map(str::to_owned),
            has_xwayland,
        };
        assert_eq!(session(x(false), None), x11);
        assert_eq!(session(x(false), sway()), x11, "a compositor in a window");
        assert_eq!(session(x(true), sway()), wayland(Some("sway"), true));
        assert_eq!(session(x(true), None), wayland(None, true));
        assert_eq!(session(None, sway()), wayland(Some("sway"), false));
        assert_eq!(session(None, Some(None)), wayland(None, false));
        assert_eq!(session(None, None), DesktopSession::Headless);
    }

    // SES-1
    #[test]
    fn the_socket_is_found_as_other_programs_find_it_ses_1() {
        for (display, folder, expect) in [
            ("wayland-1", Some("/run/user/1000"), Some("/run/user/1000/wayland-1")),
            ("/tmp/mine", None, Some("/tmp/mine")),
            ("wayland-0", None, None),
            ("", Some("/run/user/1000"), None),
        ] {
            assert_eq!(socket_path(display.into(), folder.map(Into::into)), expect.map(PathBuf::from), "{display}");
        }
    }
}
